//! The imports that a place has had, each with a button that undoes it, and the question before a table is
//! imported again.

use leptos::prelude::*;

use crate::components::moment::{date_and_time, stamp};
use crate::components::name::Name;
use crate::model::{PastImport, PastImports, Refused};
use crate::request::query_part;

/// Name of the field that imports a table again.
pub const AGAIN: &str = "again";
/// Value of the parameter `done` after an undo.
pub const UNDONE: &str = "undone";

/// The question whether a table is imported again, with its button.
#[component]
pub fn ImportedBefore(
    /// When the table of the form was imported.
    at: Option<i64>,
) -> impl IntoView {
    at.map(|at| {
        view! {
            <div class="notice" role="status">
                <p>
                    "This table was imported on " <time datetime=stamp(at)>{date_and_time(at)}</time>
                    ". Import it again?"
                </p>
                <button class="button" type="submit" name=AGAIN value="true">
                    "Import it again"
                </button>
            </div>
        }
    })
}

/// Says that an import is undone, if that was the last action.
#[component]
pub fn ImportUndone() -> impl IntoView {
    let is_undone =
        use_context::<Refused>().is_none() && query_part("done").is_some_and(|done| done == UNDONE);
    is_undone.then(|| view! { <p class="done" role="status">"The import is undone."</p> })
}

/// The button that undoes an import which was made just before.
#[component]
pub fn UndoNew(
    /// None without an import, and for one that is undone.
    import: Option<PastImport>,
    /// Address of the page of the imports.
    path: String,
) -> impl IntoView {
    import.filter(|import| import.undone.is_none()).map(|import| {
        view! {
            <form method="post" action=format!("{path}/{}/undo", import.id)>
                <p>{format!("Imported: {}.", import.words)}</p>
                <button class="button" type="submit">
                    "Undo this import"
                </button>
            </form>
        }
    })
}

/// The last imports, newest first; nothing if there are none.
#[component]
pub fn PastImportsList(
    imports: PastImports,
    /// Address of the page of the imports.
    path: String,
    /// Effect of an undo, as a sentence.
    effect: &'static str,
) -> impl IntoView {
    let PastImports { list, has_more, .. } = imports;
    if list.is_empty() {
        return None;
    }
    let rows = list.into_iter().map(|import| view! { <Row import path=path.clone() effect /> });
    let rows = rows.collect::<Vec<_>>();
    let more = has_more.then(|| view! { <p class="hint">"These are the last ones."</p> });
    Some(view! {
        <section aria-labelledby="imports">
            <h2 id="imports">"Imports so far"</h2>
            <ul class="member-rows" role="list">
                {rows}
            </ul>
            {more}
        </section>
    })
}

#[component]
fn Row(import: PastImport, path: String, effect: &'static str) -> impl IntoView {
    let PastImport { id, at, by, words, undone } = import;
    let when = date_and_time(at);
    let state = match undone {
        Some((at, by)) => view! {
            <p class="facts">
                <span>
                    "Undone " <time datetime=stamp(at)>{date_and_time(at)}</time> " by " <Name text=by />
                </span>
            </p>
        }
        .into_any(),
        None => view! {
            <details class="manage-member">
                <summary aria-label=format!("Undo the import of {when}")>"Undo"</summary>
                <form class="danger" method="post" action=format!("{path}/{id}/undo")>
                    <p>{effect}</p>
                    <button class="button" type="submit">
                        "Undo this import"
                    </button>
                </form>
            </details>
        }
        .into_any(),
    };
    view! {
        <li>
            <p class="member-name">
                <time datetime=stamp(at)>{when}</time>
            </p>
            <p class="facts">
                <span>{words}</span>
                <span>
                    "by " <Name text=by />
                </span>
            </p>
            {state}
        </li>
    }
}
