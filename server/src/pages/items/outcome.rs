//! The forms that close an item and decide about its outcome.

use app::bounds::MAX_REASON_CHARS;
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, SelectField, TextField};
use app::components::money::amount_in;
use app::components::name::{Name, isolated};
use app::components::thumbnail::Thumbnail;
use app::islands::items::board::SECTION;
use app::model::{Refused, SelectOption};
use auction_house::bids::closing::cancel_item::cancel_item;
use auction_house::bids::closing::end_item::end_item;
use auction_house::items::outcomes::decide::decide_outcome;
use auction_house::items::outcomes::mark::SeenOutcome;
use auction_house::path::ItemPath;
use leptos::prelude::*;
use platform::http::problem::Problem;
use platform::precondition::Precondition;

use super::outcome_facts::{ClosingActions, OutcomeFacts, OutcomeKind, SaleFormat};
use super::outcome_marks::{ITEM, Marks, OutcomeMarks, OutcomeWords, mark_seen, seen_outcome};
use super::show::view::{ItemPage, SimilarLot};
use crate::pages::form::{local, texts};
use crate::pages::form_route::FormRequest;

/// `POST /auctions/{auction_id}/items/{item_id}/close`
pub async fn end(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    end_item(&state.context, &state.bids, path, user, Precondition::None).await?;
    Ok(outcome(path))
}

/// `POST /auctions/{auction_id}/items/{item_id}/cancel`
pub async fn cancel(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, form } = request;
    let body = texts(&form, &["reason"]);
    cancel_item(&state.context, &state.bids, path, user, body, Precondition::None).await?;
    Ok(outcome(path))
}

/// `POST /auctions/{auction_id}/items/{item_id}/outcome`. Without a bid the item is sold to nobody; a draw
/// may be cancelled instead.
pub async fn decide(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, form } = request;
    let mut body = texts(&form, &["reason"]);
    if form.get("sequence") == Some(CANCEL) {
        cancel_item(&state.context, &state.bids, path, user, body, Precondition::None).await?;
        return Ok(outcome(path));
    }
    body.set("sequence", &None::<i64>);
    for name in ["copy", "sequence"] {
        match form.get(name).map(|text| text.parse::<i64>().map_err(|_| text)) {
            Some(Err(text)) => body.set(name, &text),
            Some(Ok(number)) => body.set(name, &number),
            None => {}
        }
    }
    decide_outcome(&state.context, path, user, body, &Precondition::None).await?;
    Ok(outcome(path))
}

/// `POST /auctions/{auction_id}/items/{item_id}/outcome/mark`. `back` is the page that the form is on.
pub async fn mark(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, form } = request;
    let ItemPath { auction_id, item_id } = path;
    let seen = form.get(ITEM).and_then(seen_outcome).filter(|seen| seen.item_id == item_id);
    // No outcome has this number.
    let none = SeenOutcome { item_id, copy: 1, number: 0, is_paid: false, is_collected: false };
    mark_seen(&state, auction_id, user, &[seen.unwrap_or(none)], &form).await?;
    Ok(local(form.get("back")).map_or_else(|| outcome(path), str::to_owned))
}

/// The outcome on the item's page.
fn outcome(ItemPath { auction_id, item_id }: ItemPath) -> String {
    format!("/auctions/{auction_id}/items/{item_id}#outcome")
}

const REASON: Field = Field::new("reason", "Reason", "Say why. Members can read it.");
const SELL_TO: Field =
    Field::new("sequence", "Sell to", "Choose a standing bid of the list, or nobody.").called("the bid");

const COPY: Field = Field::new("copy", "Copy", "Choose a copy of the list.");

/// What is chosen instead of a bid to cancel a draw.
pub const CANCEL: &str = "cancel";

/// Marks the forms of this section.
pub const CLOSING: &str = "closing";

/// Whether the server refused a form of this section.
pub fn is_refused(refused: &Refused) -> bool {
    refused.value(SECTION) == Some(CLOSING)
}

/// What became of the closed item, and for managers the next decision.
#[component]
pub fn ItemOutcome(item: ItemPage) -> impl IntoView {
    let address = format!("/auctions/{}/items/{}", item.auction_id, item.id);
    let results = format!("/auctions/{}/results", item.auction_id);
    let closing = item.closing;
    let waits = item.outcomes.is_empty().then(|| {
        view! { <p>"The item has ended. Its outcome is recorded in a moment: reload the page to see it."</p> }
    });
    let picture = item.pictures.into_iter().next().map(|picture| picture.thumbnail);
    let picture = picture.filter(|_| !item.outcomes.is_empty()).map(|file| {
        view! { <img class="outcome-picture" src=file.src alt="" width=file.width height=file.height /> }
    });
    let place = item.collection.filter(|_| item.outcomes.iter().any(|outcome| outcome.mine)).map(|place| {
        view! { <p class="outcome-place"><strong>"Where to pay and collect"</strong> " " {place}</p> }
    });
    let has_place = place.is_some();
    let of_copies = item.outcomes.iter().filter_map(copy_option).collect::<Vec<_>>();
    let copies = item.outcomes.into_iter().map(|outcome| {
        let marks = OutcomeMarks {
            address: address.clone(),
            item_id: item.id.clone(),
            name: item.name.clone(),
            anchor: "outcome".to_owned(),
        };
        let back = closing.can_mark.then(|| address.clone());
        let sold = (outcome.kind == OutcomeKind::Sold)
            .then(|| view! { <Marks outcome=outcome.clone() marks back /> });
        let next = next_step(&outcome, has_place).map(|next| {
            view! {
                <p class="outcome-next">
                    {next} " " <a href=results.clone()>"All results"</a>
                </p>
            }
        });
        let copy = (outcome.copies > 1).then(|| {
            view! { <p class="outcome-copy">{format!("Copy {} of {}", outcome.copy, outcome.copies)}</p> }
        });
        view! {
            <div class="outcome-words">
                {copy}
                <OutcomeWords outcome />
            </div>
            {next}
            {sold}
        }
    });
    let copies = copies.collect_view();
    let decides = !closing.sell_to.is_empty();
    view! {
        <section class="outcome" id="outcome" aria-label="Outcome">
            <Errors />
            {waits}
            <div class="outcome-end">
                {picture}
                <div>{copies} {place}</div>
            </div>
            <SimilarLots lots=item.similar />
            {decides.then(|| view! { <SellAgain address closing copies=of_copies /> })}
        </section>
    }
}

/// Lots on which one can still bid.
#[component]
fn SimilarLots(lots: Vec<SimilarLot>) -> impl IntoView {
    (!lots.is_empty()).then(|| {
        let lots = lots.into_iter().map(|SimilarLot { address, thumbnail, lot_number, name }| {
            view! {
                <li>
                    <a href=address>
                        <Thumbnail file=thumbnail lot=Some(lot_number) />
                        <span><Name text=name /></span>
                    </a>
                </li>
            }
        });
        view! {
            <section class="similar" aria-labelledby="similar">
                <h2 id="similar">"Still open"</h2>
                <ul role="list">{lots.collect_view()}</ul>
            </section>
        }
    })
}

/// The copy of an item of several, with its winner, as a choice.
fn copy_option(outcome: &OutcomeFacts) -> Option<SelectOption> {
    let copy = outcome.copy_in_words()?;
    let became = match (&outcome.kind, &outcome.winner) {
        (OutcomeKind::Sold, Some(winner)) => format!("sold to {}", isolated(winner)),
        (OutcomeKind::Sold, None) => "sold".to_owned(),
        _ => "not sold".to_owned(),
    };
    Some(SelectOption { value: outcome.copy.to_string(), label: format!("{copy}, {became}") })
}

/// The forms that close an open item, for those who may.
#[component]
pub fn CloseItem(address: String, closing: ClosingActions) -> impl IntoView {
    let ClosingActions { can_end: ends, can_cancel: cancels, format, .. } = closing;
    (ends || cancels).then(|| {
        view! {
            <section class="outcome closing" aria-label="Close the item">
                <Errors />
                <CloseForms address ends cancels format />
            </section>
        }
    })
}

/// The errors of a refused form of this section.
#[component]
fn Errors() -> impl IntoView {
    use_context::<Refused>()
        .filter(is_refused)
        .map(|_| view! { <ErrorSummary fields=&[&[COPY, REASON, SELL_TO]] /> })
}

/// The winner's next step. `has_place` if the page says where to pay.
fn next_step(outcome: &OutcomeFacts, has_place: bool) -> Option<String> {
    let pay = if has_place { "" } else { " Pay at the desk." };
    let owed = outcome.price.as_ref().map(|price| amount_in(&price.amount, &price.unit));
    Some(match (outcome.mine, outcome.paid_at, outcome.collected_at) {
        (false, ..) => return None,
        (true, None, _) => match owed {
            Some(owed) => format!("You won. You owe {owed}.{pay}"),
            None => format!("You won.{pay}"),
        },
        (true, Some(_), None) => "You won and have paid. Collect the item.".to_owned(),
        (true, Some(_), Some(_)) => "You won, have paid and collected the item.".to_owned(),
    })
}

#[component]
fn CloseForms(address: String, ends: bool, cancels: bool, format: SaleFormat) -> impl IntoView {
    let (after, removed) = match format {
        SaleFormat::Sealed => (
            "Bidding ends at once and for good: the sealed bids are opened and decide. Without bids the item is \
             not sold.",
            "The item is removed from the sale for good: nobody wins it. Its bids stay sealed.",
        ),
        SaleFormat::Draw => (
            "The draw is at once and for good. Without tickets the item is not sold.",
            "The item is removed from the sale for good: nobody wins it, and nobody pays for tickets.",
        ),
        SaleFormat::Open => (
            "Bidding ends at once and for good: the leader wins. Without bids the item is not sold.",
            "The item is removed from the sale for good: nobody wins it. Its bids stay in the list.",
        ),
    };
    let end = ends.then(|| {
        view! {
            <details class="outcome-form">
                <summary>"End now"</summary>
                <form method="post" action=format!("{address}/close")>
                    <input type="hidden" name=SECTION value=CLOSING />
                    <p>{after}</p>
                    <button class="button" type="submit">
                        "End the item now"
                    </button>
                </form>
            </details>
        }
    });
    let cancel = cancels.then(|| {
        view! {
            <FormWithReason
                title="Cancel item"
                action=format!("{address}/cancel")
                about=removed
                submit="Cancel the item"
            />
        }
    });
    view! { <div class="outcome-forms">{end} {cancel}</div> }
}

/// Sells the closed item, or one of its `copies`, to another bidder or to nobody.
#[component]
fn SellAgain(address: String, closing: ClosingActions, copies: Vec<SelectOption>) -> impl IntoView {
    let first = copies.first().map(|copy| copy.value.clone());
    let copy = first.map(|first| view! { <SelectField field=COPY options=copies chosen=first /> });
    view! {
        <FormWithReason
            title="Sell to another bidder, or to nobody"
            action=format!("{address}/outcome")
            about="Ask the bidder first. The outcome so far stays in the list of outcomes, with your reason."
            submit="Change the outcome"
        >
            {copy}
            <SelectField field=SELL_TO options=closing.sell_to chosen=closing.suggested />
        </FormWithReason>
    }
}

/// A form of this section that asks for a reason, after its other fields. It is open again after a refusal.
#[component]
fn FormWithReason(
    title: &'static str,
    action: String,
    about: &'static str,
    submit: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let refused = use_context::<Refused>().is_some_and(|refused| is_refused(&refused));
    view! {
        <details class="outcome-form" open=refused>
            <summary>{title}</summary>
            <form method="post" action=action novalidate>
                <input type="hidden" name=SECTION value=CLOSING />
                <p>{about}</p>
                {children.map(|children| children())}
                <TextField
                    field=REASON
                    hint="Everyone who sees the item reads it."
                    maxlength=MAX_REASON_CHARS
                    required=true
                />
                <button class="button" type="submit">
                    {submit}
                </button>
            </form>
        </details>
    }
}
