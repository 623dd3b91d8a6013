//! The form “Place a bid”. It works before the page is awake, and without scripts: then it posts.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;

use crate::components::figures::Figures;
use crate::components::money::{counted, plural};
use crate::live::board::LiveBoard;
use crate::model::BidDesk;
use crate::pages::items::bid_field::BidField;
use crate::pages::items::entry::{Begin, Entry, field_id, field_name};
use crate::pages::items::judgement::Judgement;
use crate::pages::items::send::{Outcome, OutcomeLine, Sender};

/// The form of the item's page.
#[component]
pub fn BidForm(desk: BidDesk, begin: Begin, live: LiveBoard) -> impl IntoView {
    let highest = Signal::derive(move || live.board.with(|board| board.highest().map(str::to_owned)));
    let entry = Entry::new(&desk, &begin, highest);
    let sender = Sender::new(entry.clone(), live);
    let awake = RwSignal::new(false);
    Effect::new(move |_| awake.set(true));
    let anonymous = NodeRef::<html::Input>::new();
    let send = {
        let sender = sender.clone();
        move |event: SubmitEvent| {
            event.prevent_default();
            let hidden = anonymous.get_untracked().map(|field| field.checked());
            sender.send(hidden);
        }
    };
    let profile_id = {
        let entry = entry.clone();
        move || entry.with_judge(entry.selected.get(), |judge| judge.currency.profile_id.clone()).flatten()
    };
    let may_be_anonymous = desk.may_be_anonymous;
    let was_anonymous = begin.values.iter().any(|(name, _)| name == "isAnonymous");
    let (busy, outcome) = (sender.busy, sender.outcome);
    view! {
        <form
            class="bid-form"
            class:awake=awake
            method="post"
            aria-label="Place a bid"
            aria-busy=move || busy.get().then_some("true")
            novalidate
            on:submit=send
            on:input=move |_| outcome.set(Outcome::None)
        >
            <input type="hidden" name="idempotencyKey" value=desk.idempotency_key.clone() />
            <input type="hidden" name="currencyProfileId" value=profile_id />
            {begin.refusal.clone().map(|refusal| view! { <p class="bid-refusal" role="alert">{refusal}</p> })}
            <CurrencyChoice entry=entry.clone() sends="Place bid" />
            <BidFields entry=entry.clone() />
            <Total entry=entry.clone() sender=sender.clone() />
            {may_be_anonymous
                .then(|| {
                    view! {
                        <div class="choice bid-anonymous">
                            <input
                                id="bid-anonymous"
                                name="isAnonymous"
                                type="checkbox"
                                value="true"
                                checked=was_anonymous
                                node_ref=anonymous
                            />
                            <label for="bid-anonymous">"Hide my name with this bid"</label>
                        </div>
                    }
                })}
            <div class="bid-actions">
                <button class="button primary" type="submit">
                    "Place bid"
                </button>
                <LeastBid entry=entry.clone() />
            </div>
        </form>
    }
}

/// The list of currencies, where there is more than one. Without scripts its button shows the other fields.
/// `sends` is what Enter does.
#[component]
pub fn CurrencyChoice(entry: Entry, sends: &'static str) -> impl IntoView {
    let select = NodeRef::<html::Select>::new();
    let selected = entry.selected;
    // A choice made before the page woke up counts.
    Effect::new(move |_| {
        if let Some(at) = select.get().and_then(|select| usize::try_from(select.selected_index()).ok()) {
            selected.set(at);
        }
    });
    let first = selected.get_untracked();
    (entry.judges.len() > 1).then(|| {
        let options = entry.judges.iter().enumerate().map(|(at, judge)| {
            view! {
                <option value=judge.currency.profile_id.clone() selected=at == first>
                    {judge.currency.name.clone()}
                </option>
            }
        });
        let options = options.collect_view();
        view! {
            // The first button of a form is the one that Enter presses.
            <button class="default-button" type="submit" tabindex="-1" aria-hidden="true">
                {sends}
            </button>
            <div class="bid-currency">
                <label for="bid-currency">"Currency"</label>
                <select
                        id="bid-currency"
                        name="currency"
                        node_ref=select
                        on:change:target=move |event| {
                            if let Ok(at) = usize::try_from(event.target().selected_index()) {
                                selected.set(at);
                            }
                        }
                    >
                        {options}
                    </select>
                <button class="button quiet show-fields" type="submit" formmethod="get">
                    "Show"
                </button>
            </div>
        }
    })
}

/// The fields of the currency at hand.
#[component]
pub fn BidFields(entry: Entry) -> impl IntoView {
    view! {
        <div class="bid-fields">
            {move || {
                let at = entry.selected.get();
                let judge = entry.judges.get(at)?;
                let currency = &judge.currency;
                let fields = entry.typed.get(at)?.iter().enumerate().map(|(slot, value)| {
                    let piece = currency.denominations.get(slot);
                    let symbol = piece.map_or(&currency.symbol, |piece| &piece.symbol).clone();
                    let label = piece.map_or_else(|| "Amount".to_owned(), |piece| piece.name.clone());
                    let worth = judge.worth_of_one(slot).filter(|worth| worth != "1");
                    let worth = worth.map(|worth| format!("1 = {}", counted(&worth, &entry.unit)));
                    let beside = entry.clone();
                    let problem = Signal::derive(move || beside.beside(at, slot));
                    let id = field_id(at, slot);
                    let name = field_name(currency, slot);
                    view! { <BidField id name label symbol worth steps=piece.is_some() value=*value problem /> }
                });
                Some(fields.collect_view())
            }}
        </div>
    }
}

/// What the bid is worth, what stands in its way, and what came of it. All of it has its place, so that
/// nothing moves.
#[component]
pub fn Total(entry: Entry, #[prop(optional)] sender: Option<Sender>) -> impl IntoView {
    let (one, many) = (entry.unit.clone(), plural(&entry.unit));
    let judgement = entry.judgement;
    let figures =
        Signal::derive(move || judgement.with(|it| it.normalized.clone()).unwrap_or_else(|| "–".to_owned()));
    let outcome = sender.as_ref().map(|sender| sender.outcome);
    let answered = move || outcome.is_some_and(|outcome| outcome.with(|outcome| *outcome != Outcome::None));
    let hint = {
        let entry = entry.clone();
        move || {
            let empty = judgement.with(|it| it.empty);
            if judgement.with(Judgement::accepted) {
                (!answered()).then(|| "This bid would lead.".to_owned())
            } else if empty && !entry.tried.get() {
                Some(match entry.least_in_words() {
                    Some(least) => format!("The least bid is {least}."),
                    None => "Enter a bid to see what it is worth.".to_owned(),
                })
            } else {
                None
            }
        }
    };
    view! {
        <div class="bid-total" class:accepted=move || judgement.with(Judgement::accepted)>
            <p class="bid-total-row">
                <span class="bid-total-label" aria-hidden="true">
                    "Worth"
                </span>
                <span class="bid-total-value" role="status" aria-label="Normalized amount">
                    <Figures text=figures />
                    " "
                    <span class="unit">
                        {move || figures.with(|figures| if figures == "1" { one.clone() } else { many.clone() })}
                    </span>
                </span>
            </p>
            <div class="bid-verdict">
                {sender.map(|sender| view! { <OutcomeLine sender /> })}
                <p class="bid-hint">{hint}</p>
                <ul class="violations" role="list" aria-label="Violations">
                    {move || {
                        entry.sentences().into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect_view()
                    }}
                </ul>
            </div>
        </div>
    }
}

/// Fills in the suggestion. Its place is kept, and it shows itself when the page is awake.
#[component]
pub fn LeastBid(entry: Entry) -> impl IntoView {
    let known = {
        let entry = entry.clone();
        move || entry.least().is_some()
    };
    view! {
        <button
            class="button quiet least-bid"
            type="button"
            disabled=move || !known()
            on:click=move |_| entry.fill_in_least()
        >
            "Least bid"
        </button>
    }
}
