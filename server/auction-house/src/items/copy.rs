//! Copies an auction: its settings, currencies and rules, and on request its items as drafts. Items are
//! copied in parts, so that bids pass between them. A copy that was interrupted, by the end of the server,
//! goes on when the request is repeated.

use accounts::locks::lock_account;
use std::collections::HashMap;

use super::ITEMS_MAX;
use super::store::copies::{self, ItemsSize};
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
use platform::http::problem::Problem;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::token::LinkToken;
use platform::verb::VerbError;

/// Items of one part, at most.
const PART: i64 = 200;
/// Bytes of the descriptions of one part, about.
const PART_BYTES: i64 = 1024 * 1024;

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

/// The new auction, which the user owns. Its items cost the user as many writes as long work does.
pub async fn copy_auction(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<Created<AuctionView>, VerbError<CreateAuctionRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    authorize(&mut db, auction_id, user, now).await?.require(Action::CopyAuction)?;
    let size = copies::size(&mut db, auction_id).await?;
    drop(db);
    let _permit = context.work.begin_bulk_write(user).await?;
    let Begun { copied, items } = begin(context, auction_id, user, body, size, now).await?;
    if items {
        copy_items(context, auction_id, copied.resource.auction.id, user, size, now).await?;
    }
    Ok(copied)
}

/// A copy without its items.
struct Begun {
    copied: Created<AuctionView>,
    /// The items are to be copied, too.
    items: bool,
}

async fn begin(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
    size: ItemsSize,
    now: Moment,
) -> Result<Begun, VerbError<CreateAuctionRefusal>> {
    // The lock keeps the settings, currencies and rules as they are while they are copied.
    let mut db = context.db.write_in(&[auction_id]).await?;
    lock_account(&mut db, user).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::CopyAuction)?;
    let copies = format!("copies/{auction_id}");
    let (object, creation) = Creation::read(&mut db, user, copies, body, now).await?;
    let replayed = creation.replays();
    if let Some(earlier) = replayed {
        let copy = authorize(&mut db, earlier, user, now).await?;
        let items = lacking_items(&mut db, earlier).await? > 0;
        return Ok(Begun { copied: Created::replayed(copy), items });
    }
    let CopyBody { name, items } = shape::parse(object)?;
    creation.check_key()?;
    if items {
        context.work.charge(user, size.items(), size.bytes())?;
    }
    check_open_auctions(&mut db, user).await?;
    let book_id = book::of_copy(&mut db, seen.auction.terms.book_id, user).await?;
    let terms = AuctionTerms { name, book_id, group_id: None, end_date: None, ..seen.auction.terms };
    let copy = Auction::new(terms, now)?;
    auctions::store::insert(&mut db, &copy, user).await?;
    let checked = book::check_written(&mut db, &copy.terms, user).await;
    checked.map_err(|error| error.map_refusal(CreateAuctionRefusal::Book))?;
    let profiles = copy_currencies(&mut db, auction_id, copy.id, now).await?;
    copy_rules(&mut db, auction_id, copy.id, &profiles, now).await?;
    if items {
        // Until all of them are there, the number says that the copy is not complete.
        auctions::store::add_items(&mut db, copy.id, size.count, ITEMS_MAX).await?;
    }
    creation.record(&mut db, copy.id, now).await?;
    db.commit().await?;
    let copied = Created::new(AuctionView { auction: copy, viewer: user, role: Some(Role::Owner) });
    Ok(Begun { copied, items })
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

/// Copies the items that the copy lacks. They keep their lot numbers. The user is their creator and seller,
/// as the only member.
async fn copy_items(
    context: &Context,
    from: AuctionId,
    to: AuctionId,
    user: UserId,
    size: ItemsSize,
    now: Moment,
) -> Result<(), Problem> {
    let part = PART.min(PART_BYTES / size.bytes_each()).max(1);
    let mut after = String::new();
    loop {
        // Others have theirs between two parts.
        let _turn = context.work.begin_large_write(user, size.items()).await?;
        let mut db = context.db.write_in(&[to]).await?;
        let originals = copies::lacking(&mut db, (from, to), &after, part).await?;
        let Some(last) = originals.last() else {
            // Items that were deleted meanwhile.
            let lacking = lacking_items(&mut db, to).await?;
            auctions::store::add_items(&mut db, to, -lacking, ITEMS_MAX).await?;
            return Ok(db.commit().await?);
        };
        after.clone_from(&last.lot_key);
        let profiles = copied_profiles(&mut db, from, to).await?;
        let copied = |profile: CurrencyId| profiles.get(&profile).copied();
        let mut writes = WriteBatch::default();
        let copy = |original: copies::Original| -> Result<_, DbError> {
            Ok(copies::ItemCopy {
                id: ItemId::new(now),
                original: original.id,
                auction_id: to,
                seller_id: user,
                min_bid_profile_id: original.min_bid_profile_id.and_then(copied),
                ticket_profile_id: original.ticket_profile_id.and_then(copied),
                // A seed that was shown draws nothing again.
                seed: original.has_seed.then(LinkToken::new).transpose()?,
                created_at: now,
            })
        };
        let copies = originals.into_iter().map(copy).collect::<Result<Vec<_>, _>>()?;
        copies::insert(&mut writes, copies.into_iter());
        db.run(writes).await?;
        db.commit().await?;
    }
}

/// How many items the copy lacks.
async fn lacking_items(db: &mut Transaction, copy: AuctionId) -> Result<i64, DbError> {
    let all = auctions::store::all_items(db, copy).await?;
    Ok(all - copies::size(db, copy).await?.count)
}

/// The profile of the copy for each one of the original: that with the same code.
async fn copied_profiles(
    db: &mut Transaction,
    from: AuctionId,
    to: AuctionId,
) -> Result<HashMap<CurrencyId, CurrencyId>, DbError> {
    let copies = currencies::store::of_auction(db, to).await?;
    let copies: HashMap<_, _> = copies.into_iter().map(|copy| (copy.code, copy.id)).collect();
    let originals = currencies::store::of_auction(db, from).await?;
    let copied = |original: Currency| Some((original.id, *copies.get(&original.code)?));
    Ok(originals.into_iter().filter_map(copied).collect())
}
