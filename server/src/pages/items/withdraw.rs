//! `/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw`: withdraws one bid, whose bidder the
//! viewer may know.

use app::components::error_page::LoadError;
use app::model::WithdrawPage;
use app::pages::items::withdraw::withdraw_page;
use axum::response::Response;

use super::bid_rows::row;
use super::facts::{currency_names, unit};
use super::viewed::ViewedItem;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::texts;
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};
use auction_house::bids::KnownPeople;
use auction_house::bids::sealed::withdraw::{SealedWithdrawal, WithdrawSealed};
use auction_house::bids::withdraw::{self, Withdrawable};
use auction_house::bids::withdrawal::WithdrawnBy;
use auction_house::path::{BidPath, ItemPath};
use platform::http::problem::Problem;
use platform::verb::VerbError;

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
