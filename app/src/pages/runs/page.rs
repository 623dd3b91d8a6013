use leptos::prelude::*;

use super::DECAY;
use super::field;
use super::forms::{Decay, FIELDS, REASON, Share};
use super::list::Runs;
use super::live::REQUESTED;
use super::table::RunTable;
use crate::bounds::MAX_REASON_CHARS;
use crate::bundles::{Bundle, LoadBundle};
use crate::components::error_summary::ErrorSummary;
use crate::components::field::{TextField, refused_value};
use crate::components::island_state::island_state;
use crate::components::money::amount_in;
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::plot::Plot;
use crate::html::{Html, html};
use crate::model::{BaseUnit, BookRole, Filled, LiveRun, Refused, RunPreview, RunsPage};
use crate::pages::books::Done;
use crate::request::request;

pub fn runs_page(page: RunsPage) -> Html {
    let RunsPage { book, pot, auctions, fields, preview, errors, runs, pots } = page;
    let path = format!("/books/{}", book.id);
    let action = format!("{path}/runs");
    let is_decay = fields.iter().any(|(name, value)| name == field::KIND && value == DECAY);
    if use_context::<Refused>().is_none() {
        provide_context(Filled(fields.clone()));
    }
    let form = (!book.is_closed).then(|| {
        let live = LiveRun {
            action: action.clone(),
            unit: book.unit.clone(),
            is_share: !is_decay,
            key: request().new_key.clone(),
            reason: refused_value(field::REASON).unwrap_or_default(),
        };
        view! {
            <LoadBundle bundle=Bundle::Pot />
            {island_state(live)}
            {if is_decay {
                view! { <Decay action=action.clone() unit=book.unit.clone() /> }.into_any()
            } else {
                view! { <Share action=action.clone() auctions unit=book.unit.clone() /> }.into_any()
            }}
        }
    });
    let wrong = (!errors.is_empty()).then(|| {
        let lines = errors.into_iter().map(|error| view! { <li>{error}</li> }).collect_view();
        view! {
            <div class="error-summary" role="alert">
                <p>"This can’t be done yet:"</p>
                <ul>{lines}</ul>
            </div>
        }
    });
    let preview = preview
        .map(|preview| view! { <Requested preview fields unit=book.unit.clone() action=action.clone() /> });
    html(view! {
        <PageTitle text=format!("Share and decay in {}", book.name) />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=path.clone()>
                        <Name text=book.name.clone() />
                    </a>
                </p>
                <h1>"Share and decay"</h1>
                <p class="facts">
                    <span>{format!("Spent and not shared yet: {}", amount_in(&pot, &book.unit))}</span>
                </p>
            </div>
        </header>
        <Tabs path is_decay is_owner=book.role == BookRole::Owner />
        <div class="book-page">
            <ErrorSummary fields=&[FIELDS] />
            <Done />
            {wrong}
            {preview}
            {form}
            <Plot title="Spent and not shared yet" points=pots unit=book.unit />
            <Runs runs action />
        </div>
    })
}

/// The kinds of runs, and the caps that act on them.
#[component]
fn Tabs(path: String, is_decay: bool, is_owner: bool) -> impl IntoView {
    let current = |is_current: bool| is_current.then_some("page");
    let caps = is_owner.then(|| view! { <a href=format!("{path}/settings#caps")>"Caps"</a> });
    view! {
        <nav class="tabs" aria-label="Runs">
            <a href=format!("{path}/runs") aria-current=current(!is_decay)>
                "Share"
            </a>
            <a href=format!("{path}/runs?{}={DECAY}", field::KIND) aria-current=current(is_decay)>
                "Decay"
            </a>
            {caps}
        </nav>
    }
}

/// The preview that a form without JavaScript has requested, or one that is out of date.
#[component]
fn Requested(
    preview: RunPreview,
    fields: Vec<(String, String)>,
    unit: BaseUnit,
    action: String,
) -> impl IntoView {
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let hidden =
        fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
    let hidden = hidden.collect_view();
    let (title, label) = if preview.is_share {
        ("Preview of the share", "Share it")
    } else {
        ("Preview of the decay", "Let it decay")
    };
    view! {
        <section id=REQUESTED aria-labelledby="run-preview-title">
            <h2 id="run-preview-title">{title}</h2>
            <RunTable preview=preview.clone() unit />
            <form method="post" action=action novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <input type="hidden" name="expect" value=preview.hash />
                {hidden}
                <TextField field=REASON hint="The people can read it." maxlength=MAX_REASON_CHARS required=true />
                <button class="button primary" type="submit">
                    {label}
                </button>
            </form>
        </section>
    }
}
