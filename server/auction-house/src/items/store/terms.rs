//! Items as their sellers make, change and remove them.

use std::collections::BTreeMap;

use rules_engine::money::Normalized;

use crate::auctions::{self, Auction, ItemEndMode};
use crate::ids::{AuctionId, ItemId};
use crate::items::format::StoredDraw;
use crate::items::{EnteredPrice, ITEMS_MAX, Item, ItemTerms, LegacyPrice};
use platform::db::{
    self, Columns, DbError, Transaction, columns, for_each_row, json, query, rows, table_columns,
};
use platform::text::{caseless, searchable};
use platform::time::Moment;
use platform::token::LinkToken;

table_columns! {
    item_columns;
    /// The columns that only an INSERT writes.
    fn inserted(item: &Item) {
        id: item.id,
        auction_id: item.auction_id,
        creator_id: item.creator.id,
        created_at: item.created_at,
    }
    /// The columns that a change of an item writes, besides the [`terms`] and the [`texts`]. What its bids
    /// have changed stays.
    fn changed_columns(item: &Item) {
        lot_number: item.lot_number.as_str(),
        seller_id: item.seller.id,
        is_published: item.terms.is_published,
        starts_at: item.terms.starts_at,
        end_date: item.terms.own_end,
        min_bid_profile_id: minimum(item).map(|minimum| minimum.currency_id),
        seed: seed(item)?.map(|seed| seed.as_str().to_owned()),
        ticket_profile_id: item.terms.format.draw().map(|draw| draw.ticket.currency_id),
    }
}

table_columns! {
    term_columns;
    /// The columns that a copy of an item has, too, as they are.
    fn terms(item: &Item) {
        name: &item.terms.name,
        estimate: item.terms.estimate.as_deref(),
        currency_code: legacy(item).map(|legacy| legacy.currency.code()),
        starting_bid: legacy(item).and_then(|legacy| legacy.starting_bid).map(text),
        min_bid_increment: legacy(item).and_then(|legacy| legacy.min_bid_increment).map(text),
        min_bid_constraint: minimum(item).map(|minimum| json(&minimum.entered)).transpose()?,
        min_bid_normalized: minimum(item).map(|minimum| text(minimum.normalized)),
        min_increment_normalized: item.terms.price.min_increment.map(text),
        anti_snipe_enabled: item.terms.anti_snipe.enabled,
        anti_snipe_threshold_seconds: item.terms.anti_snipe.threshold_seconds,
        anti_snipe_extension_seconds: item.terms.anti_snipe.extension_seconds,
        format: item.terms.format.kind(),
        copies: item.terms.format.copies(),
        price_kind: item.terms.format.sealed().map(|sealed| sealed.price.as_str()),
        plus: item.terms.format.sealed().map(|sealed| text(sealed.plus)),
        tie: item.terms.format.sealed().map(|sealed| sealed.tie.as_str()),
        draw: item.terms.format.draw().map(|draw| json(&StoredDraw::from(draw))).transpose()?,
    }
}

/// The seed of an item that chance may decide, chosen with the first write that allows it.
fn seed(item: &Item) -> Result<Option<LinkToken>, DbError> {
    Ok(match &item.seed {
        Some(seed) => Some(seed.clone()),
        None if item.terms.format.may_draw() => Some(LinkToken::new()?),
        None => None,
    })
}

/// The columns of which a SELECT has another form, or none.
fn texts(item: &Item) -> Result<Columns, DbError> {
    Ok(columns! {
        lot_key: item.lot_number.sort_key(),
        lot_integer: item.lot_number.integer(),
        name_folded: caseless(&item.terms.name),
        description: &item.terms.description,
        images: json(&item.images)?,
        updated_at: item.updated_at,
    })
}

/// What a search finds an item by.
fn searched(item: &Item) -> String {
    let ItemTerms { name, description, estimate, .. } = &item.terms;
    let estimate = estimate.as_deref().unwrap_or_default();
    searchable(&format!("{name}\n{description}\n{estimate}\n{}", item.lot_number))
}

fn legacy(item: &Item) -> Option<&LegacyPrice> {
    item.terms.price.legacy.as_ref()
}

fn minimum(item: &Item) -> Option<&EnteredPrice> {
    item.terms.price.minimum.as_ref()
}

fn text(amount: Normalized) -> String {
    amount.to_string()
}

/// Adds an item without bids, to the count of its auction too.
pub async fn insert(conn: &mut Transaction, item: &Item) -> Result<(), DbError> {
    insert_all(conn, std::slice::from_ref(item)).await
}

/// Adds items without bids, to the counts of their auctions too.
pub async fn insert_all(conn: &mut Transaction, items: &[Item]) -> Result<(), DbError> {
    let row = |item: &Item| {
        let mut columns = columns! { version: item.version };
        columns.extend(inserted(item)?);
        columns.extend(changed_columns(item)?);
        columns.extend(terms(item)?);
        columns.extend(texts(item)?);
        Ok(columns)
    };
    let rows = items.iter().map(row).collect::<Result<Vec<Columns>, DbError>>()?;
    db::insert_all(conn, "items", rows).await?;
    let text = |item: &Item| columns! { auction_id: item.auction_id, item_id: item.id, text: searched(item) };
    db::insert_all(conn, "item_texts", items.iter().map(text)).await?;
    let mut published = BTreeMap::new();
    for item in items.iter().filter(|item| item.terms.is_published) {
        *published.entry(item.auction_id).or_insert(0) += 1;
    }
    for (auction_id, more) in published {
        auctions::store::add_published(conn, auction_id, more).await?;
    }
    Ok(())
}

/// Writes the terms of an item, and raises the version of the row, which is the version that clients see
/// without its bids.
pub async fn update(conn: &mut Transaction, had: &Item, item: &Item) -> Result<(), DbError> {
    update_all(conn, &[(had.clone(), item.clone())]).await
}

/// Writes the terms of items of one auction, each as it was and as it is, and raises their versions.
pub async fn update_all(conn: &mut Transaction, changed: &[(Item, Item)]) -> Result<(), DbError> {
    let Some((first, _)) = changed.first() else { return Ok(()) };
    let row = |(_, item): &(Item, Item)| {
        let mut columns = columns! { version: item.version - item.last_sequence + 1 };
        columns.extend(changed_columns(item)?);
        columns.extend(terms(item)?);
        columns.extend(texts(item)?);
        Ok((item.id.into(), columns))
    };
    let rows_of_items = changed.iter().map(row).collect::<Result<Vec<_>, DbError>>()?;
    db::update_all(conn, "items", rows_of_items).await?;
    let found_otherwise = changed.iter().filter(|(had, item)| searched(had) != searched(item));
    let found_otherwise: Vec<_> =
        found_otherwise.map(|(_, item)| (item.auction_id, item.id, searched(item))).collect();
    if !found_otherwise.is_empty() {
        query(for_each_row!(
            "UPDATE item_texts SET text = given.text FROM",
            [auction_id id, item_id id, text text],
            "WHERE item_texts.auction_id = given.auction_id AND item_texts.item_id = given.item_id"
        ))
        .bind(rows(found_otherwise)?)
        .execute(&mut *conn)
        .await?;
    }
    let published = |item: &Item| i64::from(item.terms.is_published);
    match changed.iter().map(|(had, item)| published(item) - published(had)).sum() {
        0 => Ok(()),
        more => auctions::store::add_published(conn, first.auction_id, more).await,
    }
}

/// Removes an item without bids.
pub async fn delete(conn: &mut Transaction, item: &Item) -> Result<(), DbError> {
    query("DELETE FROM items WHERE id = $1").bind(item.id).execute(&mut *conn).await?;
    query("DELETE FROM item_texts WHERE auction_id = $1 AND item_id = $2")
        .bind(item.auction_id)
        .bind(item.id)
        .execute(&mut *conn)
        .await?;
    auctions::store::add_items(conn, item.auction_id, -1, ITEMS_MAX).await?;
    let hidden = -i64::from(item.terms.is_published);
    auctions::store::add_published(conn, item.auction_id, hidden).await
}

/// Removes items of an auction that is deleted, without the counts of the auction.
pub async fn delete_all(
    conn: &mut Transaction,
    auction_id: AuctionId,
    items: &[ItemId],
) -> Result<(), DbError> {
    let ids = rows(items.iter().map(|item| [item]))?;
    let sql = for_each_row!("DELETE FROM items WHERE id IN (SELECT given.item_id FROM", [item_id id], ")");
    query(sql).bind(ids.clone()).execute(&mut *conn).await?;
    query(for_each_row!(
        "DELETE FROM item_texts WHERE auction_id = $2 AND item_id IN (SELECT given.item_id FROM",
        [item_id id],
        ")"
    ))
    .bind(ids)
    .bind(auction_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes items of one auction that have no bids, also from the counts of the auction.
pub async fn delete_created(
    conn: &mut Transaction,
    auction_id: AuctionId,
    items: &[Item],
) -> Result<(), DbError> {
    let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
    delete_all(conn, auction_id, &ids).await?;
    let count = |items: usize| i64::try_from(items).unwrap_or(i64::MAX);
    auctions::store::add_items(conn, auction_id, -count(items.len()), ITEMS_MAX).await?;
    let published = items.iter().filter(|item| item.terms.is_published).count();
    auctions::store::add_published(conn, auction_id, -count(published)).await
}

/// Adjusts the ends of an auction's open items to the end and the mode that it has from now on: an own end
/// goes where the auction grants none, or none so late. One that has come stays.
pub async fn adjust_ends(conn: &mut Transaction, auction: &Auction, now: Moment) -> Result<(), DbError> {
    query(
        "UPDATE items SET end_date = NULL, version = version + 1, updated_at = $2
         WHERE auction_id = $1 AND closed_at IS NULL AND end_date IS NOT NULL AND ($3 OR end_date > $4)
           AND (format = 'OPEN' OR end_date > $2)",
    )
    .bind(auction.id)
    .bind(now)
    .bind(auction.terms.item_end_mode != ItemEndMode::Custom)
    .bind(auction.terms.end_date)
    .execute(conn)
    .await?;
    Ok(())
}
