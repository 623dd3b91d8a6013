//! Starts an auction with all that it needs: the book of its bidders, its currencies and its first items. All
//! of it is one transaction.

use std::collections::HashSet;

use super::body::ItemInput;
use super::create::CreateItemRefusal;
use super::create_many::{ITEMS_AT_ONCE, insert_items, read_items};
use crate::access::Role;
use crate::auctions::access::{AuctionView, authorize};
use crate::auctions::create::{CreateAuctionRefusal, begin_for, insert_auction, write_for};
use crate::auctions::{Auction, AuctionTerms};
use crate::books::BookTerms;
use crate::books::create::{CreateBookRefusal, insert_book};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::currencies;
use crate::currency_sets::CurrencySet;
use crate::currency_sets::body::read_set;
use crate::ids::UserId;
use crate::rules;
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::fields::{FieldError, Fields, Object};
use platform::http::problem::Problem;
use platform::refusals;
use platform::shape;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an auction is not started.
    pub enum StartRefusal {
        /// A balance of tickets says nothing about euros.
        NoCurrency => codes::INVALID_BODY, "An auction with a book needs a currency.";
    }
    wraps {
        Auction(CreateAuctionRefusal),
        Book(CreateBookRefusal),
        Items(CreateItemRefusal),
    }
}

/// What a body describes.
struct Start {
    auction: Auction,
    /// A new book for the auction.
    book: Option<BookTerms>,
    set: CurrencySet,
    items: Vec<ItemInput>,
}

/// Creates the members of the body: `auction`, and on request a new `book` for it, a `currencySet`, and
/// `items`. Their minima name a currency of the set by its code.
///
/// The body is read on a thread of low priority, before the transaction.
pub async fn start_auction(
    context: &Context,
    owner: UserId,
    body: impl Body + 'static,
) -> Result<Created<AuctionView>, VerbError<StartRefusal>> {
    let now = context.clock.now();
    let _permit = context.work.begin_bulk_write(owner).await?;
    let read = context.work.compute(move || {
        let keyed = body.keyed();
        let start = read(body.read()?, owner, now)?;
        Ok::<_, VerbError<StartRefusal>>((keyed?, start))
    });
    let (keyed, Start { mut auction, book, set, items }) = read.await??;
    let _turn = begin_for(context, owner, auction.terms.group_id).await?;
    let mut db = write_for(context, owner, auction.terms.group_id, auction.terms.book_id).await?;
    let creation = Creation::find(&mut db, owner, "started-auctions".to_owned(), keyed, now).await?;
    if let Some(earlier) = creation.replays() {
        return Ok(Created::replayed(authorize(&mut db, earlier, owner, now).await?));
    }
    creation.check_key()?;
    if let Some(terms) = book {
        let book = insert_book(&mut db, owner, terms, now).await;
        let book = book.map_err(|error| error.map_refusal(StartRefusal::Book))?;
        auction.terms.book_id = Some(book.id);
    }
    if auction.terms.book_id.is_some() && set.currencies.is_empty() {
        return Err(StartRefusal::NoCurrency.into());
    }
    context.work.charge(owner, items.len(), 0)?;
    let auction = insert_auction(&mut db, owner, auction).await;
    let auction = auction.map_err(|error| error.map_refusal(StartRefusal::Auction))?;
    insert_set(&mut db, &set).await?;
    let seen = seen_by(owner, auction);
    let signals = insert_items(context, &mut db, &seen, items, now).await;
    let signals = signals.map_err(|error| error.map_refusal(StartRefusal::Items))?;
    creation.record(&mut db, seen.auction.id, now).await?;
    db.commit().await?;
    signals.iter().for_each(|signal| context.events.publish(signal));
    Ok(Created::new(seen))
}

/// Reads all members, and reports the errors of all of them: `book.startingBalance`.
fn read(object: Object, owner: UserId, now: Moment) -> Result<Start, VerbError<StartRefusal>> {
    let mut fields = Fields::of(object);
    let terms: Object = fields.or("auction", Object::default());
    let book: Option<Object> = fields.optional("book");
    let set: Object = fields.or("currencySet", Object::default());
    let items: Vec<Object> = fields.or("items", Vec::new());
    fields.check(items.len() <= ITEMS_AT_ONCE, "items", "must be at most 200 items");
    let terms = shape::parse(terms).and_then(|terms: AuctionTerms| terms.check_end(now).map(|()| terms));
    let terms = take(&mut fields, "auction", terms);
    let mut auction = Auction::new(terms.unwrap_or_default(), now)?;
    let book = book.and_then(|book| {
        let terms = BookTerms::parse::<StartRefusal>(book).map_err(|error| Problem::from(error).fields);
        take(&mut fields, "book", terms)
    });
    let set = take(&mut fields, "currencySet", read_set(set, auction.id, now));
    let mut inputs = Vec::new();
    // Without their currencies the items can't be read.
    if let Some(set) = &set {
        let items = items.into_iter().map(|item| with_currency_id(item, set)).collect();
        let seen = seen_by(owner, auction.clone());
        match read_items(&seen, &set.currencies, &HashSet::from([owner]), items, now) {
            Ok(items) => inputs = items,
            Err(errors) => fields.add(errors),
        }
    }
    fields.finish()?;
    let set = set.unwrap_or_default();
    auction.terms.base_unit = auction.terms.base_unit.or_else(|| set.base_unit.clone());
    Ok(Start { auction, book, set, items: inputs })
}

/// The new auction as its owner sees it.
fn seen_by(owner: UserId, auction: Auction) -> AuctionView {
    AuctionView { auction, viewer: owner, role: Some(Role::Owner) }
}

/// The value, or nothing with its errors in `fields`.
fn take<T>(fields: &mut Fields, path: &str, read: Result<T, Vec<FieldError>>) -> Option<T> {
    read.map_err(|errors| fields.add(errors.into_iter().map(|error| error.within(path)))).ok()
}

/// The item with the id of the currency that its minimum names by the code.
fn with_currency_id(mut item: Object, set: &CurrencySet) -> Object {
    const MINIMUM: &str = "minBidConstraint";
    if let Some(mut minimum) = item.get::<Object>(MINIMUM)
        && let Some(code) = minimum.get::<String>("currencyProfileId")
        && let Some(currency) = set.currencies.iter().find(|currency| currency.code == code)
    {
        minimum.set("currencyProfileId", &currency.id);
        item.set(MINIMUM, &minimum);
    }
    item
}

async fn insert_set(db: &mut Transaction, set: &CurrencySet) -> Result<(), DbError> {
    for currency in &set.currencies {
        currencies::store::insert(db, currency).await?;
    }
    for (position, rule) in (0..).zip(&set.rules) {
        let mut rule = rule.clone();
        rule.definition.position = position;
        rules::store::insert(db, &rule).await?;
    }
    Ok(())
}
