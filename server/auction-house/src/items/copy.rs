//! Copies an auction: its settings, currencies and rules, and on request its items as drafts.

use accounts::locks::lock_account;
use std::collections::HashMap;

use super::ITEMS_MAX;
use super::store::copies;
use crate::access::{Action, Role};
use crate::auctions::access::{AuctionView, authorize};
use crate::auctions::body::NAME_CHARS;
use crate::auctions::book;
use crate::auctions::create::{CreateAuctionRefusal, check_open_auctions};
use crate::auctions::{self, Auction, AuctionTerms};
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::currencies::{self, Currency};
use crate::ids::{AuctionId, CurrencyId, ItemId, RuleId, UserId};
use crate::locks::LockingWrites;
use crate::rules::{self, CurrencyRule};
use platform::body::Body;
use platform::db::{DbError, Transaction, WriteBatch};
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

/// What is copied, and under which name.
#[derive(Debug, Clone, Default)]
pub struct CopyBody {
    name: String,
    items: bool,
}

impl Shape for CopyBody {
    const NAME: &'static str = "AuctionCopy";
    const ABOUT: &'static str = "Settings, currencies and rules are copied; members, bids and dates are not.";

    fn members(&mut self, members: &mut Members<'_>) {
        members.line("name", NAME_CHARS, &mut self.name);
        members.flag("items", &mut self.items).about("Copies the items too, as drafts that you sell.");
    }
}

/// The new auction, which the user owns.
pub async fn copy_auction(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<Created<AuctionView>, VerbError<CreateAuctionRefusal>> {
    let now = context.clock.now();
    // The lock keeps the auction as it is while it is copied.
    let mut db = context.db.write_in(&[auction_id]).await?;
    lock_account(&mut db, user).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::CopyAuction)?;
    let copies = format!("copies/{auction_id}");
    let (object, creation) = Creation::read(&mut db, user, copies, body, now).await?;
    if let Some(earlier) = creation.replays() {
        return Ok(Created::replayed(authorize(&mut db, earlier, user, now).await?));
    }
    let CopyBody { name, items } = shape::parse(object)?;
    creation.check_key()?;
    check_open_auctions(&mut db, user).await?;
    let book_id = book::of_copy(&mut db, seen.auction.terms.book_id, user).await?;
    let terms = AuctionTerms { name, book_id, end_date: None, ..seen.auction.terms };
    let copy = Auction::new(terms, now)?;
    auctions::store::insert(&mut db, &copy, user).await?;
    let checked = book::check_written(&mut db, &copy.terms, user).await;
    checked.map_err(|error| error.map_refusal(CreateAuctionRefusal::Book))?;
    let profiles = copy_currencies(&mut db, auction_id, copy.id, now).await?;
    copy_rules(&mut db, auction_id, copy.id, &profiles, now).await?;
    if items {
        copy_items(&mut db, auction_id, copy.id, &profiles, user, now).await?;
    }
    creation.record(&mut db, copy.id, now).await?;
    db.commit().await?;
    Ok(Created::new(AuctionView { auction: copy, viewer: user, role: Some(Role::Owner) }))
}

/// Returns the new id of each currency profile.
async fn copy_currencies(
    db: &mut Transaction,
    from: AuctionId,
    to: AuctionId,
    now: Moment,
) -> Result<HashMap<CurrencyId, CurrencyId>, DbError> {
    let mut profiles = HashMap::new();
    for currency in currencies::store::of_auction(db, from).await? {
        let id = CurrencyId::new(now);
        profiles.insert(currency.id, id);
        let copy = Currency { id, auction_id: to, version: 1, created_at: now, updated_at: now, ..currency };
        currencies::store::insert(db, &copy).await?;
    }
    Ok(profiles)
}

async fn copy_rules(
    db: &mut Transaction,
    from: AuctionId,
    to: AuctionId,
    profiles: &HashMap<CurrencyId, CurrencyId>,
    now: Moment,
) -> Result<(), DbError> {
    for rule in rules::store::of_auction(db, from).await? {
        let id = RuleId::new(now);
        let mut definition = rule.definition;
        definition.id = id.to_string();
        let profile = definition.currency_profile_id.as_ref().and_then(|id| profiles.get(&id.parse().ok()?));
        definition.currency_profile_id = profile.map(ToString::to_string);
        let copy =
            CurrencyRule { id, auction_id: to, definition, version: 1, created_at: now, updated_at: now };
        rules::store::insert(db, &copy).await?;
    }
    Ok(())
}

/// The items keep their lot numbers. The user is their creator and seller, as the only member.
async fn copy_items(
    db: &mut Transaction,
    from: AuctionId,
    to: AuctionId,
    profiles: &HashMap<CurrencyId, CurrencyId>,
    user: UserId,
    now: Moment,
) -> Result<(), DbError> {
    let originals = copies::originals(db, from).await?;
    auctions::store::add_items(db, to, originals.len() as i64, ITEMS_MAX).await?;
    let mut writes = WriteBatch::default();
    copies::insert(
        &mut writes,
        originals.into_iter().map(|(original, profile)| copies::ItemCopy {
            id: ItemId::new(now),
            original,
            auction_id: to,
            seller_id: user,
            min_bid_profile_id: profile.and_then(|profile| profiles.get(&profile).copied()),
            created_at: now,
        }),
    );
    db.run(writes).await
}
