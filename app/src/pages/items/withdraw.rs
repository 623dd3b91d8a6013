//! `/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw`

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::field::{Field, SelectField, TextArea};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::html::{Html, html};
use crate::model::{SelectOption, WithdrawPage};
use crate::pages::items::board::Row;
use crate::request::request;

const REASON: Field =
    Field::new("reason", "Reason", "Choose a reason of the list: everyone who may know the bidder reads it.");
const NOTE: Field = Field::new("note", "Note", "Say why the bid is withdrawn.");

/// Reasons of a withdrawal as in the API, with their words. The first two are those of the bidder.
const REASONS: [(&str, &str); 5] = [
    ("MISTYPED", "The amount was mistyped"),
    ("WRONG_ITEM", "It was meant for another item"),
    ("ITEM_CHANGED", "The item changed"),
    ("BIDDER_REMOVED", "The bidder was removed"),
    ("OTHER", "Another reason"),
];
const REASONS_OF_BIDDER: usize = 2;

/// Withdraws one bid.
pub fn withdraw_page(page: WithdrawPage) -> Html {
    let now = request().now;
    let item = format!("/auctions/{}/items/{}", page.auction_id, page.item_id);
    let is_own = page.bid.mine;
    let effect = if page.is_seller {
        "You sell this item, and nobody else manages the auction. The bid stays in the list, marked as taken back by the seller with your note, which all members read. This can’t be undone."
    } else if is_own {
        "You can take a bid back for 60 seconds, while it is the newest and leads. It stays in the list, marked as withdrawn, and the bid before it leads again."
    } else {
        "The bid stays in the list, marked as withdrawn by a manager, and the highest standing bid leads. This can’t be undone."
    };
    let done = page.bid.withdrawn.is_some().then(|| "The bid is withdrawn.".to_owned());
    let note = if page.is_seller {
        "Say in up to 500 characters why you take it back. All members read it."
    } else {
        "Up to 500 characters. Everyone who may know the bidder reads it."
    };
    let form = if let Some(words) = done.or(page.ask_instead) {
        Either::Left(view! {
            <p>{words}</p>
            <a class="button" href=item.clone()>
                "Back to the item"
            </a>
        })
    } else {
        let reasons = REASONS.iter().take(if is_own { REASONS_OF_BIDDER } else { REASONS.len() });
        let reasons = reasons
            .map(|(value, label)| SelectOption { value: (*value).to_owned(), label: (*label).to_owned() });
        let reasons = reasons.collect::<Vec<_>>();
        Either::Right(view! {
            <p>{effect}</p>
            <SavedForm fields=&[&[REASON, NOTE]] save="Withdraw bid" back=item.clone()>
                <SelectField field=REASON options=reasons />
                <TextArea field=NOTE hint=note />
            </SavedForm>
        })
    };
    html(view! {
        <PageTitle text="Withdraw a bid" />
        <section class="form-page">
            <p class="eyebrow">
                <a href=item.clone()><Name text=page.item_name /></a>
            </p>
            <h1>"Withdraw a bid"</h1>
            <ol class="bids-list" role="list" aria-label="The bid">
                <Row bid=page.bid fresh=false unit=page.base_unit now=Signal::stored(now) withdraw=Signal::stored(None) />
            </ol>
            {form}
        </section>
    })
}
