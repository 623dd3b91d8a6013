//! What the typed bid breaks, and what became of the last one sent.

use std::time::Duration;

use leptos::prelude::*;
use rules_engine::Violation;

use crate::islands::items::evaluation::Evaluation;
use crate::islands::items::form_state::{BidFormState, is_minimum};
use crate::islands::items::send::{SendStatus, SendStatusLine, Sender};

/// The violations of the typed bid, and the result of the last one sent. Below the buttons, which therefore
/// stay where they are.
#[component]
pub fn Verdict(form: BidFormState, #[prop(optional)] sender: Option<Sender>) -> impl IntoView {
    let evaluation = form.evaluation;
    let status = sender.as_ref().map(|sender| sender.status);
    let leads = {
        let sender = sender.clone();
        move || sender.as_ref().is_some_and(Sender::leads)
    };
    let answered = move || status.is_some_and(|status| status.with(|status| *status != SendStatus::None));
    let hint = Signal::derive({
        let form = form.clone();
        move || {
            let (accepted, empty, unusual) =
                evaluation.with(|it| (it.accepted(), it.empty, it.unusual.is_some()));
            if unusual && form.confirms().is_some() {
                String::new()
            } else if unusual {
                form.unusual().unwrap_or_default()
            } else if accepted && answered() {
                String::new()
            } else if accepted {
                WOULD_LEAD.to_owned()
            } else if empty && !form.submitted.get() {
                match form.least_in_words() {
                    Some(_) if leads() => "You lead: a higher bid would only raise your own.".to_owned(),
                    Some(least) => format!("Bid {least} or more."),
                    None => "Enter a bid to see its value.".to_owned(),
                }
            } else {
                String::new()
            }
        }
    });
    let headline = Signal::derive({
        let form = form.clone();
        move || form.headline().unwrap_or_default()
    });
    let accepted = Signal::derive(move || evaluation.with(Evaluation::accepted));
    view! {
            <div class="bid-verdict" class:accepted=accepted>
                {sender
                    .map(|sender| {
                        view! {
                            <Question form=form.clone() />
                            <SendStatusLine sender />
                            <Announcement form=form.clone() />
                        }
                    })}
                <p class="bid-hint">{hint}</p>
                <p class="bid-headline">{headline}</p>
                <ul class="violations" role="list" aria-label="Violations">
                    {move || {
                        let has_headline = headline.with(|headline| !headline.is_empty());
                        let row = |(violation, sentence)| {
                            // The headline implies the minimums, which explain it.
                            view! { <li class:implied={has_headline && is_minimum(&violation)}>{sentence}</li> }
                        };
                        form.sentences().into_iter().map(row).collect_view()
                    }}
                </ul>
            </div>
    }
}

/// Says to assistive technology what the typed bid has come to break, once the bidder pauses.
#[component]
fn Announcement(form: BidFormState) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let mut announced = Vec::new();
    let mut announce = debounce(PAUSE, move |(shown, accepted): (Vec<(Violation, String)>, bool)| {
        let new = shown.iter().filter(|(violation, _)| !announced.iter().any(|old| is_same(old, violation)));
        let new: Vec<&str> = new.map(|(_, sentence)| sentence.as_str()).collect();
        if !new.is_empty() {
            words.set(new.join(" "));
        } else if accepted && !announced.is_empty() {
            words.set(WOULD_LEAD.to_owned());
        }
        announced = shown.into_iter().map(|(violation, _)| violation).collect();
    });
    Effect::new(move |_| {
        let shown = form.sentences();
        announce((shown, form.evaluation.with(Evaluation::accepted)));
    });
    view! {
        <p class="visually-hidden" role="status">
            {words}
        </p>
    }
}

/// Time without a key after which the broken rules are announced.
const PAUSE: Duration = Duration::from_millis(800);

const WOULD_LEAD: &str = "You would be the highest bidder.";

/// Whether both break one rule, by whatever amount.
fn is_same(one: &Violation, other: &Violation) -> bool {
    (one.code, &one.rule_id, &one.denomination) == (other.code, &other.rule_id, &other.denomination)
}

/// The reason why the form asks about an unusual bid, where other bids have their hint. The button names the
/// bid and places it.
#[component]
fn Question(form: BidFormState) -> impl IntoView {
    let question = move || form.confirms().and_then(|_| form.unusual()).unwrap_or_default();
    view! {
        <p class="bid-question" aria-live="assertive">
            {question}
        </p>
    }
}
