//! The pages' interface to the server, which implements [`Services`]. Each request has its own handle, which
//! returns only what the viewer of that request may see.

use std::sync::Arc;

use async_trait::async_trait;

use crate::model::{
    AccountPage, AdminPage, AuctionEntry, AuctionList, AuctionPage, AuctionSettings, BidsPage, BookEntry,
    BookPage, BookSettings, CatalogueQuery, CurrenciesPage, DashboardPage, ImportPreview, Invitation,
    IsoCurrency, ItemFormPage, ItemPage, Listing, LocalMoment, MembersPage, OwnItem, OwnList, Pause,
    Registration, ResultsPage, ResultsQuery, SelectOption, Viewer, WithdrawPage,
};

/// Why a page could not be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadError {
    /// The viewer must sign in first.
    SignInRequired,
    /// It does not exist, or the viewer may not know of it.
    NotFound,
    /// The viewer may see the auction but not do this in it.
    Forbidden,
    /// The link was used, or it has expired.
    LinkInvalid,
    /// The link of an auction was replaced, or an invite was used, replaced or deleted, or has expired.
    InvitationInvalid,
    /// The database did not respond. A retry may succeed.
    Unavailable,
}

pub type Loaded<T> = Result<T, LoadError>;

/// The parts of a book that its page shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookQuery {
    /// What the names of the holders contain.
    pub search: Option<String>,
    /// Where the page of holders begins.
    pub cursor: Option<String>,
    /// The holder whose entries are shown.
    pub holder: Option<String>,
    /// Entries with smaller sequences are shown.
    pub before: Option<String>,
}

/// Data of the pages, as one viewer may see it.
#[async_trait]
pub trait Services: Send + Sync {
    /// The signed-in user.
    fn viewer(&self) -> Option<Viewer>;

    /// The server's clock: milliseconds since 1970, in UTC.
    fn now(&self) -> i64;

    /// A moment in the viewer's time zone, as text. The text names the zone if it is not the browser's own.
    fn date_and_time(&self, moment: i64) -> String;

    /// A moment as the value of a field for a date and a time.
    fn local(&self, moment: i64) -> LocalMoment;

    /// IANA name of the viewer's time zone. UTC if the browser has not told its own.
    fn time_zone(&self) -> String;

    /// The address of this site without a slash at its end, as the viewer knows it.
    fn site(&self) -> &str;

    /// Id of the currency in which the viewer bid last in the auction of the page.
    fn last_currency(&self) -> Option<String>;

    /// A new idempotency key for a form.
    fn new_key(&self) -> String;

    /// Version of a newer release, if the viewer may update to it.
    fn newer_release(&self) -> Option<String>;

    /// Whether an update pauses bidding, or will do so.
    fn pause(&self) -> Option<Pause>;

    /// E-mail of the account whose password a link sets. `token` is the last part of the link's path.
    async fn reset_link(&self, token: &str) -> Loaded<String>;

    /// The viewer's own account.
    async fn account(&self) -> Loaded<AccountPage>;

    /// The viewer's items in all auctions.
    async fn dashboard(&self) -> Loaded<DashboardPage>;

    /// One page of a list of the viewer's items, newest first.
    async fn own_items(&self, list: OwnList, cursor: Option<&str>) -> Loaded<Listing<OwnItem>>;

    /// The Deployment Administration.
    async fn admin(&self) -> Loaded<AdminPage>;

    /// One page of a list of auctions, newest first.
    async fn auctions(&self, list: AuctionList, cursor: Option<&str>) -> Loaded<Listing<AuctionEntry>>;

    /// Who may register.
    fn registration(&self) -> Registration;

    /// The e-mail of an invite, for the form with which its user registers.
    async fn invited_email(&self, token: &str) -> Loaded<Option<String>>;

    /// What the link of an auction leads to.
    async fn join_link(&self, token: &str) -> Loaded<Invitation>;

    /// What an invite leads to.
    async fn invite(&self, token: &str) -> Loaded<Invitation>;

    /// The members of an auction and the ways to become one.
    async fn members(&self, auction_id: &str, cursor: Option<&str>) -> Loaded<MembersPage>;

    /// One auction with a page of its items.
    async fn auction(&self, auction_id: &str, query: CatalogueQuery) -> Loaded<AuctionPage>;

    /// One auction, for a viewer who may change it.
    async fn auction_settings(&self, auction_id: &str) -> Loaded<AuctionSettings>;

    /// A part of the results of an auction.
    async fn results(&self, auction_id: &str, query: ResultsQuery) -> Loaded<ResultsPage>;

    /// An auction's currencies and rules.
    async fn currencies(&self, auction_id: &str) -> Loaded<CurrenciesPage>;

    /// Data of the form for a new item.
    async fn new_item(&self, auction_id: &str) -> Loaded<ItemFormPage>;

    /// Data of the form that changes an item, for a viewer who may change it.
    async fn edit_item(&self, auction_id: &str, item_id: &str) -> Loaded<ItemFormPage>;

    /// The ISO 4217 currencies in which a legacy item may be priced, ordered by code.
    fn iso_currencies(&self) -> Vec<SelectOption>;

    /// An ISO 4217 currency by its code.
    fn iso_currency(&self, code: &str) -> Option<IsoCurrency>;

    /// One item, its newest bids, and whether the viewer may bid.
    async fn item(&self, auction_id: &str, item_id: &str) -> Loaded<ItemPage>;

    /// One page of the bids on an item.
    async fn bids(&self, auction_id: &str, item_id: &str, cursor: Option<&str>) -> Loaded<BidsPage>;

    /// One bid, for a viewer who may withdraw it.
    async fn withdraw(&self, auction_id: &str, item_id: &str, sequence: &str) -> Loaded<WithdrawPage>;

    /// One page of the viewer's books.
    async fn books(&self, cursor: Option<&str>) -> Loaded<Listing<BookEntry>>;

    /// One book with a page of its holders and of its entries.
    async fn book(&self, book_id: &str, query: BookQuery) -> Loaded<BookPage>;

    /// One book, for a viewer who may change it.
    async fn book_settings(&self, book_id: &str) -> Loaded<BookSettings>;

    /// The open books that the viewer keeps, for a field that chooses one of them.
    async fn kept_books(&self) -> Loaded<Vec<SelectOption>>;

    /// A book into which the viewer may import, and what these rows would write.
    async fn book_import(&self, book_id: &str, rows: Option<&str>) -> Loaded<ImportPreview>;
}

/// The services of the current request. Pages get it from their context.
pub type ServicesHandle = Arc<dyn Services>;
