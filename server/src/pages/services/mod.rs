//! The pages' data for one request and its viewer. The rooms of the auction house decide what the viewer may see.

mod answers;

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use crate::pages::dashboard_model::OwnItems;
use crate::pages::item_model::ShownFunds;
use crate::pages::money_style::MoneyStyle;
use crate::pages::presentation::Presentation;
use crate::pages::show::PageClient;
use crate::pages::{admin_model, book_model, notification_model};
use crate::state::AppState;
use app::model::{InboxState, Pause};
use app::services::{LoadError, Loaded};

use accounts::Person;
use accounts::session::SignedIn;
use auction_house::access::Action;
use auction_house::auctions::access::{AccessError, AuctionView};
use auction_house::bids::access::item_funds;
use auction_house::bids::pricing::PricingRules;
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::access::ItemView;
use installation::releases::Source;
use installation::updates;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// The services of one request.
pub struct PageServices {
    state: AppState,
    user: Option<Arc<SignedIn>>,
    newer_release: Option<String>,
    /// The user is the Deployment Admin, or there is none.
    may_administer: bool,
    pause: Option<Pause>,
    /// What the header shows of the user's notifications.
    inbox: Option<InboxState>,
    /// The time of the request, used by every part of the page.
    now: Moment,
    client: PageClient,
}

impl PageServices {
    pub(in crate::pages) async fn new(
        state: AppState,
        user: Option<Arc<SignedIn>>,
        client: PageClient,
    ) -> Self {
        let now = state.context.clock.now();
        // If it can't be read, the page is shown without what only the Deployment Admin sees.
        let admin = match &user {
            Some(_) => state.pages.admin(&state.context.db, now).await.ok(),
            None => None,
        };
        let is_admin =
            admin.flatten().is_some_and(|admin| user.as_ref().is_some_and(|user| user.id == admin));
        let may_administer = is_admin || admin == Some(None);
        let newer_release = if is_admin { newer_release(&state).await } else { None };
        // If it can't be read, the page is shown without the notice.
        let pause = state.pages.pause(&state.context.db, now).await.ok().flatten().map(|pause| match pause {
            updates::Pause::Announced => Pause::Announced,
            updates::Pause::Begun => Pause::Begun,
        });
        // If it can't be read, the header shows no count.
        let inbox = match &user {
            Some(user) => state.pages.inbox(&state.context.db, user.id, now).await.ok(),
            None => None,
        };
        let inbox = inbox.map(|unread| notification_model::state(&unread));
        Self { state, user, newer_release, may_administer, pause, inbox, now, client }
    }

    fn user_id(&self) -> Loaded<UserId> {
        self.user.as_ref().map(|user| user.id).ok_or(LoadError::SignInRequired)
    }

    /// How a page with this description is shown.
    fn presentation(&self, markdown: String) -> Presentation {
        Presentation {
            description: self.state.pages.rendered(markdown),
            style: self.money_style(),
            now: self.now,
        }
    }

    /// How the viewer's locale writes money.
    fn money_style(&self) -> MoneyStyle {
        MoneyStyle::of(self.user.as_ref().and_then(|user| user.locale.as_deref()))
    }

    fn own_items_of<'a>(&'a self, conn: &'a mut Connection, viewer: UserId) -> OwnItems<'a> {
        let (style, now) = (self.money_style(), self.now);
        OwnItems { conn, cache: &self.state.pages, viewer, style, now, available: HashMap::new() }
    }

    /// What the viewer may see of the book of an item's auction.
    async fn item_funds(
        &self,
        db: &mut Connection,
        auction: &AuctionView,
        seen: &ItemView,
    ) -> Result<ShownFunds, DbError> {
        let is_manager = auction.may(Action::WithdrawBids);
        let funds = item_funds(db, seen.item.id, auction.viewer, is_manager).await?;
        let overcommitted = match funds.overcommitted {
            Some((leader, left)) => {
                let name = accounts::store::name(db, leader).await?;
                Some((name.unwrap_or_else(|| Person::DELETED.to_owned()), left))
            }
            None => None,
        };
        let page = book_model::page_funds(auction, funds.own.as_ref());
        Ok(ShownFunds { page, available: funds.available, overcommitted })
    }

    /// An item with its auction and the currencies and rules of its bids, and the connection that read them.
    async fn view_item(
        &self,
        auction_id: &str,
        item_id: &str,
    ) -> Loaded<(Connection, AuctionView, Arc<PricingRules>, ItemView)> {
        let (auction_id, item_id): (AuctionId, ItemId) = (id(auction_id)?, id(item_id)?);
        let user = self.user_id()?;
        let mut db = self.state.context.db.read().await.map_err(unavailable)?;
        let cache = &self.state.pages;
        let found = cache.item(&mut db, auction_id, item_id, user, self.now).await;
        let (auction, item, watched) = found.map_err(load_error)?;
        let pricing = cache.pricing(&mut db, &auction.auction, self.now).await.map_err(unavailable)?;
        let seen = ItemView::authorize(item, &auction, pricing.is_legacy(), watched).map_err(load_error)?;
        Ok((db, auction, pricing, seen))
    }
}

/// Version of a newer release, for the Deployment Admin. If it can't be read, the page is shown without it.
async fn newer_release(state: &AppState) -> Option<String> {
    let mut db = state.context.db.read().await.ok()?;
    admin_model::newer_release(&mut db, &Source::of(&state.installation.settings)).await.ok().flatten()
}

/// The id in an address. An invalid id names nothing.
fn id<T: FromStr>(text: &str) -> Loaded<T> {
    text.parse().map_err(|_| LoadError::NotFound)
}

pub(in crate::pages) fn unavailable(error: DbError) -> LoadError {
    tracing::error!(error = &error as &dyn std::error::Error, "can't read the data of a page");
    LoadError::Unavailable
}

pub(in crate::pages) fn load_error(error: AccessError) -> LoadError {
    match error {
        AccessError::NotFound => LoadError::NotFound,
        AccessError::Forbidden => LoadError::Forbidden,
        AccessError::Db(error) => unavailable(error),
    }
}
