//! `/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw`: withdraws one bid, whose bidder the
//! viewer may know.

use app::components::error_page::LoadError;
use app::components::field::{Field, SelectField, TextArea};
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::saved_form::SavedForm;
use app::html::{Html, html};
use app::islands::items::board::{Row, list_unit};
use app::model::{BaseUnit, BidRow, SelectOption};
use app::request::request;
use auction_house::bids::KnownPeople;
use auction_house::bids::sealed::withdraw::{SealedWithdrawal, WithdrawSealed};
use auction_house::bids::withdraw::{self, Withdrawable};
use auction_house::bids::withdrawal::WithdrawnBy;
use auction_house::path::{BidPath, ItemPath};
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::http::problem::Problem;
use platform::verb::VerbError;

use super::bid_rows::row;
use super::facts::{currency_names, unit};
use super::viewed::ViewedItem;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::texts;
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};

/// A bid that the viewer may withdraw.
#[derive(Debug, Clone, PartialEq)]
struct WithdrawPage {
    auction_id: String,
    item_id: String,
    item_name: String,
    base_unit: BaseUnit,
    bid: BidRow,
    /// The viewer sells the item, and is the only manager of the auction.
    is_seller: bool,
    /// A sentence that names the managers who may withdraw the bid instead of the viewer.
    ask_instead: Option<String>,
}

/// `GET /auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw`
pub async fn show(PageAt(path): PageAt<BidPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, withdraw_page)
}

async fn read(request: &PageRequest, path: Loaded<BidPath>) -> Loaded<WithdrawPage> {
    let path = path?;
    let BidPath { auction_id, item_id, .. } = path;
    let item = ItemPath { auction_id, item_id };
    let item = ViewedItem::read(&request.state, item, request.user_id()?, request.now).await?;
    let ViewedItem { mut db, auction, pricing, seen } = item;
    let found = withdraw::find(&mut db, path, auction.viewer).await;
    let Withdrawable { bid, by } = found.map_err(|error| match error {
        VerbError::NotFound => PageError(LoadError::NotFound),
        VerbError::Db(error) => error.into(),
        _ => PageError(LoadError::Forbidden),
    })?;
    let base_unit = unit(&auction, &seen, &pricing, request.money_style());
    Ok(WithdrawPage {
        auction_id: auction.auction.id.to_string(),
        item_id: seen.item.id.to_string(),
        bid: row(&seen, &currency_names(&seen, &pricing), &base_unit, &bid, KnownPeople::ALL),
        base_unit,
        is_seller: by == Ok(WithdrawnBy::Seller),
        ask_instead: by.err().map(|ask| ask.to_string()),
        item_name: seen.item.terms.name,
    })
}

/// `POST /auctions/{auction_id}/items/{item_id}/bids/own/withdraw`, a button of the item's page: takes the
/// own sealed bid back.
pub async fn withdraw_own(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    state.limits.bid(user)?;
    let withdrawal = WithdrawSealed { item: path, user_id: user, request: Ok(SealedWithdrawal::default()) };
    state.bids.submit(withdrawal).await?;
    Ok(format!("/auctions/{}/items/{}", path.auction_id, path.item_id))
}

/// `POST /auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw`
pub async fn withdraw(request: FormRequest<BidPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, form } = request;
    state.limits.bid(user)?;
    let body = texts(&form, &["reason", "note"]);
    withdraw::withdraw(&state.context, &state.bids, path, user, body).await?;
    Ok(format!("/auctions/{}/items/{}", path.auction_id, path.item_id))
}

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
fn withdraw_page(page: WithdrawPage) -> Html {
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
                <Row bid=page.bid fresh=false unit=list_unit(page.base_unit) now=Signal::stored(now) withdraw=Signal::stored(None) />
            </ol>
            {form}
        </section>
    })
}
