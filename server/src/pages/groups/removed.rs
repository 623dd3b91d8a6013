//! People who were removed from a group, each with a button after which they can join with the code again.

use app::components::moment::{date_and_time, stamp};
use app::components::name::{Name, isolated};
use app::model::Listing;
use leptos::prelude::*;

/// A user who was removed by a keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedEntry {
    pub id: String,
    pub name: String,
    pub removed_at: i64,
}

/// List of removed people; nothing if there are none.
#[component]
pub fn Removed(removed: Listing<RemovedEntry>, joinable: bool, path: String) -> impl IntoView {
    let Listing { entries, next_cursor } = removed;
    if entries.is_empty() {
        return None;
    }
    let rows = entries.into_iter().map(|entry| view! { <Row entry path=path.clone() /> });
    let rows = rows.collect::<Vec<_>>();
    let way = if joinable {
        "The code of the group does not bring them back, until you let them in again."
    } else {
        "The code of the group does not bring them back, until you let them in again, and allow in the settings that people join with it."
    };
    let more = next_cursor.map(|_| view! { <p class="hint">"These are the first ones."</p> });
    Some(view! {
        <section aria-labelledby="removed">
            <h2 id="removed">"Removed people"</h2>
            <p>{way}</p>
            <ul class="member-rows" role="list">
                {rows}
            </ul>
            {more}
        </section>
    })
}

#[component]
fn Row(entry: RemovedEntry, path: String) -> impl IntoView {
    let RemovedEntry { id, name, removed_at } = entry;
    let button = format!("Let {} join again", isolated(&name));
    view! {
        <li>
            <p class="member-name">
                <Name text=name />
            </p>
            <p class="facts">
                <span>
                    "Removed " <time datetime=stamp(removed_at)>{date_and_time(removed_at)}</time>
                </span>
            </p>
            <form method="post" action=format!("{path}/removed/{id}/readmit")>
                <button class="button" type="submit">
                    {button}
                </button>
            </form>
        </li>
    }
}
