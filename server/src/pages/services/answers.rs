//! What each page asks for.

use std::str::FromStr;

use app::model::{
    AccountPage, AdminPage, AuctionEntry, AuctionList, AuctionPage, AuctionSettings, BidsPage, BookEntry,
    BookPage, BookSettings, CatalogueQuery, CurrenciesPage, DashboardPage, ImportPreview, Invitation,
    IsoCurrency, ItemFormPage, ItemPage, Listing, LocalMoment, MembersPage, NotificationsPage, OwnItem,
    OwnList, Pause, PicturesPage, Registration, ResultsPage, ResultsQuery, SelectOption, Unsubscription,
    Viewer, WithdrawPage,
};
use app::services::{BookQuery, LoadError, Loaded, Services};
use async_trait::async_trait;

use crate::pages::item_model::{NewBid, ShownFunds};
use crate::pages::pictures;
use crate::pages::{
    account_model, admin_model, auction_model, auction_settings, book_model, currency_model, iso_currencies,
    item_form, item_model, members_model, notification_model, results_model,
};
use accounts::register::RegistrationMode;
use accounts::store::reset_links;
use auction_house::access::Action;
use auction_house::access::store::{invites, removed};
use auction_house::auctions::access::authorize;
use auction_house::auctions::list::{Scope, list_auctions};
use auction_house::bids::list::{self, LIMIT_DEFAULT};
use auction_house::bids::withdraw;
use auction_house::books::funds;
use auction_house::currencies;
use auction_house::events;
use auction_house::ids::AuctionId;
use auction_house::items::access::manage_item;
use auction_house::items::list::list_items;
use auction_house::mail::unsubscribe::{self, UnsubscribePath};
use auction_house::path::BidPath;
use auction_house::usage;
use platform::paging::Page;
use platform::random;
use platform::time::Moment;
use platform::token::TokenHash;
use platform::verb::VerbError;

use super::{PageServices, id, load_error, unavailable};

#[async_trait]
impl Services for PageServices {
    fn viewer(&self) -> Option<Viewer> {
        let user = self.user.as_ref()?;
        Some(Viewer {
            id: user.id.to_string(),
            name: user.name.clone(),
            email: user.email.clone(),
            may_administer: self.may_administer,
            theme: account_model::theme(user.preferences.theme),
            inbox: self.inbox.clone(),
        })
    }

    fn now(&self) -> i64 {
        self.now.millis()
    }

    fn date_and_time(&self, moment: i64) -> String {
        Moment::from_millis(moment).map(|moment| self.client.zone.date_and_time(moment)).unwrap_or_default()
    }

    fn local(&self, moment: i64) -> LocalMoment {
        let Some(moment) = Moment::from_millis(moment) else { return LocalMoment::default() };
        LocalMoment { local: self.client.zone.local(moment), stamp: moment.to_string() }
    }

    fn site(&self) -> &str {
        &self.client.site
    }

    fn last_currency(&self) -> Option<String> {
        self.client.currency.clone()
    }

    fn time_zone(&self) -> String {
        self.client.zone.name().to_owned()
    }

    fn new_key(&self) -> String {
        random::new_id(self.now).to_string()
    }

    fn newer_release(&self) -> Option<String> {
        self.newer_release.clone()
    }

    fn pause(&self) -> Option<Pause> {
        self.pause
    }

    async fn reset_link(&self, token: &str) -> Loaded<String> {
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let found = reset_links::user(&mut db, &TokenHash::of(token), self.now).await.map_err(unavailable)?;
        found.map(|user| user.email).ok_or(LoadError::LinkInvalid)
    }

    async fn notifications(&self, cursor: Option<&str>) -> Loaded<NotificationsPage> {
        let user = self.user_id()?;
        let before = cursor.and_then(|cursor| cursor.parse().ok());
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        notification_model::page(&mut db, user, before).await.map_err(unavailable)
    }

    async fn unsubscription(&self, token: &str, kind: &str) -> Loaded<Unsubscription> {
        let path = UnsubscribePath { token: token.to_owned(), kind: kind.to_owned() };
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let found = unsubscribe::find(&mut db, &path).await.map_err(unavailable)?;
        let (user, kind) = found.ok_or(LoadError::NotFound)?;
        Ok(Unsubscription { email: user.email, kind: kind.as_str() })
    }

    fn sends_mail(&self) -> bool {
        self.state.context.notifier.sends_mail
    }

    async fn account(&self) -> Loaded<AccountPage> {
        let user = self.user.as_ref().ok_or(LoadError::SignInRequired)?;
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        account_model::read(&mut db, user, self.sends_mail(), self.now).await.map_err(unavailable)
    }

    async fn dashboard(&self) -> Loaded<DashboardPage> {
        let viewer = self.user_id()?;
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        self.own_items_of(&mut db, viewer).dashboard().await
    }

    async fn own_items(&self, list: OwnList, cursor: Option<&str>) -> Loaded<Listing<OwnItem>> {
        let viewer = self.user_id()?;
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        self.own_items_of(&mut db, viewer).list(list, page(cursor)).await
    }

    async fn admin(&self) -> Loaded<AdminPage> {
        let user = self.user_id()?;
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        admin_model::read(&self.state, &mut db, user).await.map_err(unavailable)
    }

    async fn auctions(&self, list: AuctionList, cursor: Option<&str>) -> Loaded<Listing<AuctionEntry>> {
        let user = self.user_id()?;
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let scope = match list {
            AuctionList::Mine => Scope::Member,
            AuctionList::Joinable => Scope::Joinable,
        };
        let found = list_auctions(&mut db, user, scope, self.now, page(cursor)).await.map_err(unavailable)?;
        let ids: Vec<AuctionId> = found.entries.iter().map(|seen| seen.auction.id).collect();
        let next_ends = usage::next_ends(&mut db, &ids, self.now).await.map_err(unavailable)?;
        let entries = found.entries.into_iter().map(|seen| {
            let next_end = next_ends.get(&seen.auction.id).map(|end| end.millis());
            Ok(AuctionEntry { auction: auction_model::summary(seen, self.now)?, next_end })
        });
        Ok(Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: found.next_cursor })
    }

    async fn auction(&self, auction_id: &str, query: CatalogueQuery) -> Loaded<AuctionPage> {
        let (auction_id, user) = (id(auction_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let seen = authorize(&mut db, auction_id, user, self.now).await.map_err(load_error)?;
        let position = events::store::last_position(&mut db, auction_id).await.map_err(unavailable)?;
        let items = list_items(&mut db, &seen, auction_model::item_query(&query), self.now)
            .await
            .map_err(unavailable)?;
        let currencies = currencies::store::of_auction(&mut db, auction_id).await.map_err(unavailable)?;
        let presentation = self.presentation(seen.auction.terms.description.clone());
        let own = match (seen.auction.terms.book_id, seen.role) {
            (Some(book_id), Some(_)) => {
                Some(funds::of(&mut db, book_id, seen.viewer).await.map_err(unavailable)?)
            }
            _ => None,
        };
        let funds = book_model::page_funds(&seen, own.as_ref());
        auction_model::page(seen, items, currencies, position, funds, &self.client.site, presentation)
    }

    fn registration(&self) -> Registration {
        match self.state.accounts.registration {
            RegistrationMode::Open => Registration::Open,
            RegistrationMode::Invited => Registration::Invited,
            RegistrationMode::Closed => Registration::Closed,
        }
    }

    async fn invited_email(&self, token: &str) -> Loaded<Option<String>> {
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let invite = invites::by_token(&mut db, token, self.now).await.map_err(unavailable)?;
        Ok(invite.map(|invite| invite.email.as_typed().to_owned()))
    }

    async fn join_link(&self, token: &str) -> Loaded<Invitation> {
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        members_model::join_link(&mut db, token, self.user.as_deref(), &self.state.pages, self.now).await
    }

    async fn invite(&self, token: &str) -> Loaded<Invitation> {
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        members_model::invite(&mut db, token, self.user.as_deref(), &self.state.pages, self.now).await
    }

    async fn members(&self, auction_id: &str, cursor: Option<&str>) -> Loaded<MembersPage> {
        let (auction_id, user) = (id(auction_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let seen = authorize(&mut db, auction_id, user, self.now).await.map_err(load_error)?;
        // An invalid cursor shows the first page.
        let after = cursor.and_then(|cursor| cursor.parse().ok());
        members_model::read(&mut db, seen, after, &self.client.site, self.now).await
    }

    async fn auction_settings(&self, auction_id: &str) -> Loaded<AuctionSettings> {
        let (auction_id, user) = (id(auction_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        auction_settings::read(&mut db, auction_id, user, self.now).await.map_err(load_error)
    }

    async fn results(&self, auction_id: &str, query: ResultsQuery) -> Loaded<ResultsPage> {
        let (auction_id, user) = (id(auction_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let seen = authorize(&mut db, auction_id, user, self.now).await.map_err(load_error)?;
        let cache = &self.state.pages;
        let pricing = cache.pricing(&mut db, &seen.auction, self.now).await.map_err(unavailable)?;
        let results = cache.results(&mut db, &seen.auction, self.now).await.map_err(unavailable)?;
        let mut page = results_model::page(&seen, &pricing, &results, query, self.money_style())?;
        if let Some(book_id) = seen.auction.terms.book_id {
            results_model::add_charges(&mut db, book_id, &seen, &mut page).await.map_err(unavailable)?;
        }
        Ok(page)
    }

    async fn currencies(&self, auction_id: &str) -> Loaded<CurrenciesPage> {
        let (auction_id, user) = (id(auction_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let seen = authorize(&mut db, auction_id, user, self.now).await.map_err(load_error)?;
        currency_model::read(&mut db, seen, self.now).await.map_err(unavailable)
    }

    async fn new_item(&self, auction_id: &str) -> Loaded<ItemFormPage> {
        let (auction_id, user) = (id(auction_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let seen = authorize(&mut db, auction_id, user, self.now).await.map_err(load_error)?;
        let seen = seen.require(Action::AddItems).map_err(load_error)?;
        item_form::page(&mut db, seen, None, self.now).await.map_err(load_error)
    }

    async fn edit_item(&self, auction_id: &str, item_id: &str) -> Loaded<ItemFormPage> {
        let (auction_id, item_id, user) = (id(auction_id)?, id(item_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let found = manage_item(&mut db, auction_id, item_id, user, self.now).await;
        let (auction, seen) = found.map_err(load_error)?;
        item_form::page(&mut db, auction, Some(seen), self.now).await.map_err(load_error)
    }

    async fn pictures(&self, auction_id: &str, item_id: &str) -> Loaded<PicturesPage> {
        let (auction_id, item_id, user) = (id(auction_id)?, id(item_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let found = manage_item(&mut db, auction_id, item_id, user, self.now).await;
        let (auction, seen) = found.map_err(load_error)?;
        Ok(pictures::page(auction, seen, self.now))
    }

    fn iso_currencies(&self) -> Vec<SelectOption> {
        iso_currencies::in_use()
    }

    fn iso_currency(&self, code: &str) -> Option<IsoCurrency> {
        iso_currencies::find(code)
    }

    async fn item(&self, auction_id: &str, item_id: &str) -> Loaded<ItemPage> {
        let (mut db, auction, pricing, seen) = self.view_item(auction_id, item_id).await?;
        let bids = self.state.pages.newest_bids(&mut db, &seen.item, self.now).await.map_err(unavailable)?;
        let is_removed = auction.role.is_none()
            && removed::contains(&mut db, auction.auction.id, auction.viewer).await.map_err(unavailable)?;
        let funds = match auction.auction.terms.book_id {
            Some(_) => self.item_funds(&mut db, &auction, &seen).await.map_err(unavailable)?,
            None => ShownFunds::default(),
        };
        let new_bid = NewBid { idempotency_key: self.new_key(), is_removed, funds };
        let presentation = self.presentation(seen.item.terms.description.clone());
        item_model::page(&auction, seen, &pricing, &bids, new_bid, presentation)
    }

    async fn bids(&self, auction_id: &str, item_id: &str, cursor: Option<&str>) -> Loaded<BidsPage> {
        let (mut db, auction, pricing, seen) = self.view_item(auction_id, item_id).await?;
        // An invalid cursor shows the first page.
        let before = cursor.and_then(|cursor| cursor.parse().ok());
        let range = list::BidRange { limit: LIMIT_DEFAULT, before };
        let listed = list::list(&mut db, &seen, self.now, range).await.map_err(unavailable)?;
        Ok(item_model::bids(&auction, seen, &pricing, listed, self.money_style(), self.now))
    }

    async fn books(&self, cursor: Option<&str>) -> Loaded<Listing<BookEntry>> {
        let user = self.user_id()?;
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        book_model::list(&mut db, user, page(cursor)).await
    }

    async fn book(&self, book_id: &str, query: BookQuery) -> Loaded<BookPage> {
        let (book_id, user) = (id(book_id)?, self.user_id()?);
        let mut db = self.state.context.db.snapshot().await.map_err(unavailable)?;
        book_model::page(&mut db, book_id, user, query).await
    }

    async fn book_settings(&self, book_id: &str) -> Loaded<BookSettings> {
        let (book_id, user) = (id(book_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        book_model::settings(&mut db, book_id, user).await
    }

    async fn book_import(&self, book_id: &str, rows: Option<&str>) -> Loaded<ImportPreview> {
        let (book_id, user) = (id(book_id)?, self.user_id()?);
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        book_model::import_preview(&mut db, book_id, user, rows).await
    }

    async fn kept_books(&self) -> Loaded<Vec<SelectOption>> {
        let user = self.user_id()?;
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        book_model::kept(&mut db, user).await.map_err(unavailable)
    }

    async fn withdraw(&self, auction_id: &str, item_id: &str, sequence: &str) -> Loaded<WithdrawPage> {
        let (mut db, auction, pricing, seen) = self.view_item(auction_id, item_id).await?;
        let path = BidPath { auction_id: auction.auction.id, item_id: seen.item.id, sequence: id(sequence)? };
        let bid = withdraw::find(&mut db, path, auction.viewer).await;
        let bid = bid.map_err(|error| match error {
            VerbError::NotFound => LoadError::NotFound,
            VerbError::Db(error) => unavailable(error),
            _ => LoadError::Forbidden,
        })?;
        Ok(item_model::withdraw(&auction, seen, &pricing, &bid, self.money_style()))
    }
}

/// The requested page of a list. An invalid cursor requests the first page.
fn page<C: FromStr>(cursor: Option<&str>) -> Page<C> {
    Page::after(cursor.and_then(|cursor| cursor.parse().ok()))
}
