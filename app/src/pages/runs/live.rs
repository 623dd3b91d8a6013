//! The preview of a run, at each change of a field. Without JavaScript a button requests it.

use leptos::prelude::*;

use super::asked::Wrong;
use super::field;
use super::table::RunTable;
use crate::bounds::MAX_REASON_CHARS;
use crate::components::island_state::initial_state;
use crate::model::{LiveRun, RunPreview};

/// Id of the form.
pub const FORM: &str = "run-form";
/// Id of the preview that the server has rendered.
pub const REQUESTED: &str = "run-preview";

/// What a run of the fields would do, or what is wrong with them. Nothing if nothing is typed.
type Shown = Option<Result<RunPreview, Vec<Wrong>>>;

/// Its state is [`LiveRun`].
#[island]
pub fn LiveRunPreview() -> impl IntoView {
    initial_state().map(|run| view! { <Live run /> })
}

#[component]
fn Live(run: LiveRun) -> impl IntoView {
    let LiveRun { action, unit, is_share, key } = run;
    let shown = RwSignal::new(Shown::default());
    #[cfg(feature = "pot")]
    Effect::new({
        let (action, unit) = (action.clone(), unit.clone());
        move |_| follow::follow(action.clone(), unit.clone(), shown)
    });
    let reason = RwSignal::new(String::new());
    let is_run = Memo::new(move |_| shown.with(|shown| matches!(shown, Some(Ok(_)))));
    let (ask, make) =
        if is_share { ("Preview the share", "Share it") } else { ("Preview the decay", "Let it decay") };
    let found = move || {
        shown.with(|shown| match shown {
            None => None,
            Some(Err(wrong)) => {
                let sentences = wrong.iter().map(|wrong| view! { <li>{wrong.sentence.clone()}</li> });
                Some(view! { <ul class="run-wrong" role="status">{sentences.collect_view()}</ul> }.into_any())
            }
            Some(Ok(preview)) => Some(
                view! {
                    <RunTable preview=preview.clone() unit=unit.clone() />
                    <input type="hidden" name="expect" value=preview.hash.clone() />
                }
                .into_any(),
            ),
        })
    };
    let send = move || {
        if !is_run.get() {
            return view! {
                <button class="button primary" type="submit">
                    {ask}
                </button>
            }
            .into_any();
        }
        view! {
            // Enter in a field makes no run: it would press the first button.
            <button type="submit" disabled hidden></button>
            <input type="hidden" name="idempotencyKey" value=key.clone() />
            <div class="field">
                <label for="run-reason">"Reason"</label>
                <p class="hint" id="run-reason-hint">
                    "The people can read it."
                </p>
                <input
                    id="run-reason"
                    name=field::REASON
                    type="text"
                    maxlength=MAX_REASON_CHARS
                    aria-describedby="run-reason-hint"
                    value=reason.get_untracked()
                    on:input:target=move |event| reason.set(event.target().value())
                />
            </div>
            <button class="button primary" type="submit" formmethod="post" formaction=action.clone()>
                {make}
            </button>
        }
        .into_any()
    };
    view! {
        <div class="run-preview" role="group" aria-label="Preview">
            {found}
        </div>
        {send}
    }
}

#[cfg(feature = "pot")]
mod follow {
    use leptos::ev;
    use leptos::prelude::*;
    use leptos::task::spawn_local;
    use rules_engine::shape::read_json;

    use super::super::asked::{Typed, preview};
    use super::super::field;
    use super::{FORM, REQUESTED, Shown};
    use crate::live::browser;
    use crate::model::{BaseUnit, RunCase};

    /// What the server has told, and of which auction and lot.
    #[derive(Clone, Default)]
    struct Known {
        /// The address that was requested last.
        url: String,
        case: Option<RunCase>,
    }

    /// Computes the preview now and with each change of a field. `action` is the address of the page.
    pub fn follow(action: String, unit: BaseUnit, shown: RwSignal<Shown>) {
        let known = StoredValue::new(Known::default());
        let update = move |is_typed: bool| {
            let url = url_of_case(&action);
            if known.with_value(|known| known.url == url) {
                return show(known, &unit, shown, is_typed);
            }
            known.set_value(Known { url: url.clone(), case: None });
            let unit = unit.clone();
            spawn_local(async move {
                let answer = browser::get(&url).await.ok().filter(|answer| answer.status == 200);
                let case = answer.and_then(|answer| read_json::<RunCase>(&answer.body).ok());
                if known.with_value(|known| known.url == url) {
                    // What could not be read is requested again with the next change.
                    known.set_value(if case.is_some() { Known { url, case } } else { Known::default() });
                    show(known, &unit, shown, is_typed);
                }
            });
        };
        update(false);
        let changed = move |event: &web_sys::Event| {
            let field = event.target().map(|target| browser::id_of(&target)).unwrap_or_default();
            if field != "run-reason" {
                update(true);
            }
        };
        drop(window_event_listener(ev::input, move |event| changed(&event)));
    }

    /// The address of what a run of the fields is computed of.
    fn url_of_case(action: &str) -> String {
        let value = |name: &str| browser::form_value(FORM, name).unwrap_or_default();
        let auction = value(field::FROM);
        let lot = js_sys::encode_uri_component(value(field::LOT).trim());
        format!("{action}/case?auctionId={auction}&lot={lot}")
    }

    /// What is missing in a form that nobody has typed into is no error.
    fn show(known: StoredValue<Known>, unit: &BaseUnit, shown: RwSignal<Shown>, is_typed: bool) {
        let typed = Typed { values: &|name| browser::form_value(FORM, name), unit };
        let found = known.with_value(|known| known.case.as_ref().map(|case| preview(&typed, case)));
        shown.set(found.filter(|found| is_typed || found.is_ok()));
        browser::hide(REQUESTED);
    }
}
