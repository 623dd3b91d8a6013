//! Open lots that a closed item's page offers instead: those whose names have most in common with it.

use std::collections::HashSet;

use auction_house::auctions::access::AuctionView;
use auction_house::items::ItemStatus;
use auction_house::items::access::ItemView;
use auction_house::items::list::{Filter, ItemQuery, list_items};
use platform::db::{Connection, DbError};
use platform::paging::Page;
use platform::text::{is_letter_or_number, searchable};
use platform::time::Moment;

use super::pictures::picture;
use super::show::view::SimilarLot;

/// Lots that are offered.
const OFFERED: usize = 4;
/// Open lots that are compared.
const COMPARED: usize = 40;
/// Shorter words say little.
const WORD_CHARS: usize = 3;

/// The lots, those first that share most words with the item, then those that come first in the list.
pub async fn similar_lots(
    db: &mut Connection,
    auction: &AuctionView,
    closed: &ItemView,
    now: Moment,
) -> Result<Vec<SimilarLot>, DbError> {
    let mut query = ItemQuery::first();
    query.filter = Filter { status: Some(ItemStatus::Open), ..Filter::default() };
    query.page = Page { limit: COMPARED, after: None };
    let mut open = list_items(db, auction, query, now).await?.entries;
    let wanted = words(&closed.item.terms.name);
    // The sort keeps the order of equals.
    open.sort_by_cached_key(|seen| {
        std::cmp::Reverse(words(&seen.item.terms.name).intersection(&wanted).count())
    });
    let lot = |seen: ItemView| SimilarLot {
        address: format!("/auctions/{}/items/{}", seen.item.auction_id, seen.item.id),
        thumbnail: seen
            .item
            .images
            .first()
            .map(|image| picture(seen.item.auction_id, seen.item.id, image).thumbnail),
        lot_number: seen.item.lot_number.to_string(),
        name: seen.item.terms.name,
    };
    Ok(open.into_iter().take(OFFERED).map(lot).collect())
}

/// The words of a name as a search compares them.
fn words(name: &str) -> HashSet<String> {
    let name = searchable(name);
    let words = name.split(|letter: char| !is_letter_or_number(letter));
    words.filter(|word| word.chars().count() >= WORD_CHARS).map(str::to_owned).collect()
}
