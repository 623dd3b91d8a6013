//! The preview of a run, at each change of a field. Without JavaScript a button requests it.

use leptos::prelude::*;

use super::asked::Wrong;
use super::table::RunTable;
use super::{caps, field};
use crate::bounds::MAX_REASON_CHARS;
use crate::components::island_state::initial_state;
use crate::model::{BaseUnit, LiveRun, RunPreview};

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
    let LiveRun { action, unit, is_share, key, reason } = run;
    let shown = RwSignal::new(Shown::default());
    #[cfg(feature = "pot")]
    Effect::new({
        let (runs, unit) = (action.clone(), unit.clone());
        let followed = follow::Followed { form: FORM, runs, unit, compute: super::preview };
        move |_| followed.clone().follow(shown)
    });
    let reason = RwSignal::new(reason);
    let hash = move || shown.with(|shown| shown.as_ref()?.as_ref().ok().map(|run| run.hash.clone()));
    let is_run = Memo::new(move |_| hash().is_some());
    let (ask, make) =
        if is_share { ("Preview the share", "Share it") } else { ("Preview the decay", "Let it decay") };
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
            <input type="hidden" name="expect" value=hash />
            <div class="field">
                <label for="field-reason">"Reason"</label>
                <p class="hint" id="field-reason-hint">
                    "The people can read it."
                </p>
                <input
                    id="field-reason"
                    name=field::REASON
                    type="text"
                    maxlength=MAX_REASON_CHARS
                    aria-describedby="field-reason-hint"
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
        <Found shown unit />
        {send}
    }
}

/// The rows of a preview, or what is wrong.
#[component]
fn Found(shown: RwSignal<Shown>, unit: BaseUnit) -> impl IntoView {
    let found = move || {
        shown.with(|shown| match shown {
            None => None,
            Some(Err(wrong)) => {
                let sentences = wrong.iter().map(|wrong| view! { <li>{wrong.sentence.clone()}</li> });
                Some(view! { <ul class="run-wrong" role="status">{sentences.collect_view()}</ul> }.into_any())
            }
            Some(Ok(preview)) => {
                Some(view! { <RunTable preview=preview.clone() unit=unit.clone() /> }.into_any())
            }
        })
    };
    view! {
        <div class="run-preview" role="group" aria-label="Preview">
            {found}
        </div>
    }
}

/// The effect of caps on an amount that everyone is given. Its state is [`LiveRun`].
#[island]
pub fn LiveCaps() -> impl IntoView {
    initial_state().map(|run| view! { <Trial run /> })
}

#[component]
fn Trial(run: LiveRun) -> impl IntoView {
    let shown = RwSignal::new(Shown::default());
    let is_followed = RwSignal::new(false);
    let unit = run.unit.clone();
    Effect::new(move |_| {
        is_followed.set(true);
        #[cfg(feature = "pot")]
        follow::Followed {
            form: caps::FORM,
            runs: run.action.clone(),
            unit: run.unit.clone(),
            compute: super::preview_of_caps,
        }
        .follow(shown);
    });
    let example = move || {
        is_followed.get().then(|| {
            view! {
                <div class="field">
                    <label for="caps-example">"Try an amount"</label>
                    <p class="hint" id="caps-example-hint">
                        "The rows show what everyone would get of it. Nothing is given."
                    </p>
                    <input
                        id="caps-example"
                        name=caps::EXAMPLE
                        class="amount short"
                        type="text"
                        inputmode="decimal"
                        autocomplete="off"
                        aria-describedby="caps-example-hint"
                    />
                </div>
            }
        })
    };
    view! {
        {example}
        <Found shown unit />
    }
}

#[cfg(feature = "pot")]
mod follow {
    use leptos::ev;
    use leptos::prelude::*;
    use leptos::task::spawn_local;
    use rules_engine::shape::read_json;

    use super::super::field;
    use super::{REQUESTED, Shown, Wrong};
    use crate::islands::runs::Typed;
    use crate::live::browser;
    use crate::model::{BaseUnit, RunCase, RunPreview};

    /// What the server has told, and of which auction and lot.
    #[derive(Clone, Default)]
    struct Known {
        /// The address that was requested last.
        url: String,
        case: Option<RunCase>,
        /// Whether the user has typed into the form.
        is_typed: bool,
    }

    impl Known {
        fn replace(&mut self, url: String, case: Option<RunCase>) {
            (self.url, self.case) = (url, case);
        }
    }

    /// A form whose fields are followed.
    #[derive(Clone)]
    pub struct Followed {
        /// Its id.
        pub form: &'static str,
        /// The address of the page of runs.
        pub runs: String,
        pub unit: BaseUnit,
        pub compute: fn(&Typed<'_>, &RunCase) -> Result<RunPreview, Vec<Wrong>>,
    }

    impl Followed {
        /// Computes the preview now and with each change of a field.
        pub fn follow(self, shown: RwSignal<Shown>) {
            let known = StoredValue::new(Known::default());
            let form = self.form;
            let update = move |is_typed: bool| {
                let url = self.url_of_case();
                known.update_value(|known| known.is_typed |= is_typed);
                if known.with_value(|known| known.url == url) {
                    return self.show(known, shown);
                }
                known.update_value(|known| known.replace(url.clone(), None));
                let followed = self.clone();
                spawn_local(async move {
                    let answer = browser::get(&url).await.ok().filter(|answer| answer.status == 200);
                    let case = answer.and_then(|answer| read_json::<RunCase>(&answer.body).ok());
                    if known.with_value(|known| known.url == url) {
                        // What could not be read is requested again with the next change.
                        let url = if case.is_some() { url } else { String::new() };
                        known.update_value(|known| known.replace(url, case));
                        followed.show(known, shown);
                    }
                });
            };
            update(browser::is_typed_in(form));
            drop(window_event_listener(ev::input, move |_| update(true)));
        }

        fn value(&self, name: &str) -> Option<String> {
            browser::form_value(self.form, name)
        }

        /// The address of what a run of the fields is computed of.
        fn url_of_case(&self) -> String {
            let value = |name: &str| self.value(name).unwrap_or_default();
            let auction = value(field::FROM);
            let lot = js_sys::encode_uri_component(value(field::LOT).trim());
            format!("{}/case?auctionId={auction}&lot={lot}", self.runs)
        }

        /// What is missing in a form that nobody has typed into is no error.
        fn show(&self, known: StoredValue<Known>, shown: RwSignal<Shown>) {
            let typed = Typed { values: &|name| self.value(name), unit: &self.unit };
            let found = known.with_value(|known| {
                let found = (self.compute)(&typed, known.case.as_ref()?);
                (known.is_typed || found.is_ok()).then_some(found)
            });
            shown.set(found);
            if shown.with_untracked(Option::is_some) {
                browser::remove(REQUESTED);
            }
        }
    }
}
