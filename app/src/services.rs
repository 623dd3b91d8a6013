//! What the pages need from the process they are rendered in. The server implements [`Services`]; the
//! pages know nothing else of it. One handle is made for each request and speaks for its viewer: it
//! answers only what that viewer may see.

use std::sync::Arc;

use async_trait::async_trait;

use crate::model::{
    AdminPage, AuctionPage, AuctionSummary, BidsPage, CurrenciesPage, CurrencyChoice, IsoCurrency, ItemPage,
    Listing, NewItemPage, Viewer,
};

/// Why a page has nothing to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadError {
    /// The viewer must sign in first.
    SignInRequired,
    /// There is no such thing, or none that this viewer may know of.
    NotFound,
    /// The viewer may see it, but not do this with it.
    Forbidden,
    /// The database did not answer; trying again may help.
    Unavailable,
}

pub type Loaded<T> = Result<T, LoadError>;

/// See the module.
#[async_trait]
pub trait Services: Send + Sync {
    /// Who asked, if signed in.
    fn viewer(&self) -> Option<Viewer>;

    /// The server's clock: milliseconds since 1970, in UTC.
    fn now(&self) -> i64;

    /// The newer release that the viewer may update to.
    fn newer_release(&self) -> Option<String>;

    /// The Deployment Administration, as far as it is the viewer's.
    async fn admin(&self) -> Loaded<AdminPage>;

    /// The auctions that the viewer is in or may join, newest first.
    async fn auctions(&self, cursor: Option<&str>) -> Loaded<Listing<AuctionSummary>>;

    /// One auction with a page of its items.
    async fn auction(&self, auction_id: &str, cursor: Option<&str>) -> Loaded<AuctionPage>;

    /// An auction's currencies and rules.
    async fn currencies(&self, auction_id: &str) -> Loaded<CurrenciesPage>;

    /// What the form for a new item needs to know of its auction.
    async fn new_item(&self, auction_id: &str) -> Loaded<NewItemPage>;

    /// The currencies that a legacy item may be priced in, by code.
    fn iso_currencies(&self) -> Vec<CurrencyChoice>;

    /// An ISO 4217 currency by its code.
    fn iso_currency(&self, code: &str) -> Option<IsoCurrency>;

    /// One item, its newest bids, and whether and how the viewer may bid.
    async fn item(&self, auction_id: &str, item_id: &str) -> Loaded<ItemPage>;

    /// A page of all bids on an item.
    async fn bids(&self, auction_id: &str, item_id: &str, cursor: Option<&str>) -> Loaded<BidsPage>;
}

/// What the pages find in their context.
pub type ServicesHandle = Arc<dyn Services>;
