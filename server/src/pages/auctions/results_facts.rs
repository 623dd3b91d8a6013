//! The results of an auction as page data.

use std::collections::{BTreeMap, HashMap};

use app::components::money::amount_in;
use app::model::{BaseUnit, Listing};
use auction_house::access::Action;
use auction_house::auctions::access::AuctionView;
use auction_house::bids::pricing::PricingRules;
use auction_house::books::{self, SaleEntry};
use auction_house::engine::Normalized;
use auction_house::ids::{BookId, ItemId, UserId};
use auction_house::items::outcomes::list::shows_winner;
use auction_house::items::outcomes::results::{self, AuctionResults, ItemResult, ListedResult};
use auction_house::items::outcomes::{ResultKind, SoldBid};
use auction_house::usage;
use platform::db::{Connection, DbError};
use platform::text::caseless;

use super::checkout_facts::{CheckoutAnswer, CheckoutView, answer};
use super::results::list::{ResultRow, SaleCharge};
use super::results::statements::Statement;
use super::results::summary::WinnerTotals;
use super::results::{ResultCounts, ResultFilter, ResultList, ResultsPage, ResultsQuery};
use super::sums::{SoldItem, Sums};
use crate::pages::auction_facts::access;
use crate::pages::error::Loaded;
use crate::pages::items::outcome_facts::Prices;
use crate::pages::money_style::MoneyStyle;

/// Winners of the summary.
const WINNERS_MAX: usize = 25;
/// Items of one page of the list, which has buttons for each.
const ITEMS_MAX: usize = 50;
/// Items of one page of statements.
const STATEMENT_ITEMS_MAX: usize = 200;

pub async fn page(
    db: &mut Connection,
    auction: &AuctionView,
    pricing: &PricingRules,
    all: &AuctionResults,
    query: ResultsQuery,
    style: MoneyStyle,
) -> Loaded<ResultsPage> {
    let prices = Prices::new(auction, pricing, style);
    let visible: Vec<SeenResult> = all
        .items
        .iter()
        .filter(|item| item.is_visible(auction))
        .map(|item| SeenResult {
            item,
            shows_winner: shows_winner(auction, item.seller_id, true, item.sold.as_ref()),
        })
        .collect();
    let (mut total, mut mine, mut winners) = (Sums::default(), Sums::default(), BTreeMap::new());
    let mut counts = ResultCounts { open: all.open_count, ..ResultCounts::default() };
    for result in &visible {
        match result.item.kind {
            ResultKind::Sold => counts.sold += 1,
            ResultKind::Unsold => counts.unsold += 1,
            ResultKind::Cancelled => counts.cancelled += 1,
        }
        let Some(sale) = SoldItem::of(result.item) else { continue };
        let sold = sale.sold;
        total.add(sale);
        if sold.winner.id == auction.viewer {
            mine.add(sale);
        }
        if result.shows_winner {
            let (_, sums): &mut (String, Sums) = winners.entry(winner_order(sold)).or_insert_with(|| {
                (prices.people.in_words(&sold.winner, true).unwrap_or_default(), Sums::default())
            });
            sums.add(sale);
        }
    }
    let winner_count = winners.len();
    let named: usize = winners.values().map(|(_, sums)| sums.items).sum();
    let list = if let Some(asked) = &query.asked {
        let answer = answer(db, &prices, auction, &visible, asked).await?;
        ResultList::Checkout(CheckoutView { asked: asked.clone(), answer })
    } else if query.by_winner {
        let cursor = query.cursor.as_deref();
        ResultList::Statements(statements(db, &prices, auction, &visible, &winners, cursor).await?)
    } else {
        ResultList::Items(items(db, &prices, auction, &visible, &query).await?)
    };
    let winners = winners.into_values().take(WINNERS_MAX);
    let is_outsider = auction.is_outsider();
    Ok(ResultsPage {
        public: None,
        auction_id: auction.auction.id.to_string(),
        auction_name: auction.auction.terms.name.clone(),
        organizer: None,
        collection: if is_outsider { String::new() } else { auction.auction.terms.collection.clone() },
        access: access(auction),
        counts,
        hidden_count: counts.sold - named,
        total: total.in_words(&prices),
        mine: (mine.items > 0).then(|| mine.in_words(&prices)),
        winners: winners.map(|(name, sums)| WinnerTotals { name, totals: sums.in_words(&prices) }).collect(),
        winner_count,
        manages: auction.may(Action::MarkOutcomes),
        desk: None,
        query,
        list,
    })
}

/// Adds what the sales have moved in the book of the auction to the rows of items. Keepers of the book see
/// every entry, the others their own. An amount is written in the currency of the bid that was sold.
pub async fn add_charges(
    db: &mut Connection,
    book_id: BookId,
    auction: &AuctionView,
    pricing: &PricingRules,
    page: &mut ResultsPage,
) -> Result<(), DbError> {
    let mut rows: Vec<&mut ResultRow> = match &mut page.list {
        ResultList::Items(items) => items.entries.iter_mut().collect(),
        ResultList::Checkout(CheckoutView { answer: CheckoutAnswer::Won(sale), .. }) => {
            sale.rows.iter_mut().map(|one| &mut one.row).collect()
        }
        ResultList::Checkout(_) | ResultList::Statements(_) => return Ok(()),
    };
    let Some(book) = books::store::find(db, book_id, auction.viewer).await? else { return Ok(()) };
    let items: Vec<ItemId> = rows.iter().filter_map(|row| row.item_id.parse().ok()).collect();
    let (prices, sold_in) =
        (Prices::new(auction, pricing, MoneyStyle::default()), usage::currencies_of_sales(db, &items).await?);
    for entry in books::store::entries::of_sales(db, book_id, &items).await? {
        let is_shown = book.role.keeps() || entry.holder_id == auction.viewer;
        let id = entry.item_id.to_string();
        if let Some(row) =
            rows.iter_mut().find(|row| is_shown && row.item_id == id && row.outcome.copy == entry.copy)
        {
            let currency = sold_in.get(&(entry.item_id, entry.copy, entry.outcome)).copied();
            row.charges.push(charge(book_id, &entry, &prices.unit(currency, None)));
        }
    }
    Ok(())
}

fn charge(book_id: BookId, entry: &SaleEntry, unit: &BaseUnit) -> SaleCharge {
    let (amount, what) = match entry.amount.is_negative() {
        true => (Normalized::ZERO.checked_sub(entry.amount).unwrap_or_default(), "charged"),
        false => (entry.amount, "given back"),
    };
    SaleCharge {
        words: format!("{} {what}", amount_in(&amount.to_string(), unit)),
        address: format!("/books/{book_id}?before={}#entries", entry.sequence.saturating_add(1)),
    }
}

/// A result as the viewer may see it.
#[derive(Clone, Copy)]
pub(super) struct SeenResult<'a> {
    pub item: &'a ItemResult,
    pub shows_winner: bool,
}

/// The rows of results, in their order. A result that is not `listed` any more has none.
fn rows(
    listed: &mut HashMap<(ItemId, i64), ListedResult>,
    prices: &Prices<'_>,
    auction: &AuctionView,
    shown: &[SeenResult<'_>],
) -> Vec<ResultRow> {
    let row = |result: &SeenResult<'_>| {
        let item = listed.remove(&(result.item.item_id, result.item.copy))?;
        let (currency, shows_winner) = (item.iso_currency, result.shows_winner);
        let outcome = prices.facts(&item.outcome, currency, auction.viewer, shows_winner, item.copies);
        Some(ResultRow {
            item_id: item.item_id.to_string(),
            lot_number: item.lot_number,
            name: item.name,
            outcome: if item.is_draw { outcome.of_prize() } else { outcome },
            charges: Vec::new(),
        })
    };
    shown.iter().filter_map(row).collect()
}

async fn listed(
    db: &mut Connection,
    shown: &[SeenResult<'_>],
) -> Result<HashMap<(ItemId, i64), ListedResult>, DbError> {
    results::list(db, shown.iter().map(|result| (result.item.item_id, result.item.copy))).await
}

/// Winners are listed by name.
type WinnerOrder = (String, UserId);

fn winner_order(sold: &SoldBid) -> WinnerOrder {
    (caseless(&sold.winner.name), sold.winner.id)
}

/// The part of `results` after the item `after`, and where the next part begins.
fn part<'a, 'b>(
    results: &'b [SeenResult<'a>],
    after: Option<&str>,
    limit: usize,
) -> (&'b [SeenResult<'a>], Option<String>) {
    let found = after.and_then(|after| results.iter().position(|one| place(one) == after));
    let rest = results.get(found.map_or(0, |at| at + 1)..).unwrap_or_default();
    let shown = rest.get(..limit.min(rest.len())).unwrap_or_default();
    let next = (rest.len() > limit).then(|| shown.last().map(place)).flatten();
    (shown, next)
}

/// The place of a copy in the results.
fn place(result: &SeenResult<'_>) -> String {
    let ItemResult { item_id, copy, .. } = result.item;
    if *copy == 1 { item_id.to_string() } else { format!("{item_id}.{copy}") }
}

async fn items(
    db: &mut Connection,
    prices: &Prices<'_>,
    auction: &AuctionView,
    visible: &[SeenResult<'_>],
    query: &ResultsQuery,
) -> Result<Listing<ResultRow>, DbError> {
    // The item before the page stays its mark, also once it is marked and so no longer in the list.
    let after = query.cursor.as_deref();
    let from = after.and_then(|after| visible.iter().position(|one| one.item.item_id.to_string() == after));
    let rest = visible.get(from.map_or(0, |at| at + 1)..).unwrap_or_default();
    let shown: Vec<SeenResult> =
        rest.iter().filter(|result| matches(result.item, query.show)).copied().collect();
    let (shown, next_cursor) = part(&shown, None, ITEMS_MAX);
    let mut listed = listed(db, shown).await?;
    Ok(Listing { entries: rows(&mut listed, prices, auction, shown), next_cursor })
}

fn matches(item: &ItemResult, show: ResultFilter) -> bool {
    let is_sold = item.sold.is_some();
    match show {
        ResultFilter::All => true,
        ResultFilter::ToPay => is_sold && !item.is_paid,
        ResultFilter::ToCollect => is_sold && item.is_paid && !item.is_collected,
        ResultFilter::Unsold => !is_sold,
    }
}

async fn statements(
    db: &mut Connection,
    prices: &Prices<'_>,
    auction: &AuctionView,
    visible: &[SeenResult<'_>],
    winners: &BTreeMap<WinnerOrder, (String, Sums)>,
    after: Option<&str>,
) -> Result<Listing<Statement>, DbError> {
    let order = |result: &SeenResult<'_>| result.item.sold.as_ref().map(winner_order);
    let has_known_winner = |result: &&SeenResult<'_>| result.item.sold.is_some() && result.shows_winner;
    let mut sold: Vec<SeenResult> = visible.iter().filter(has_known_winner).copied().collect();
    // Within one winner the order of the lots stays.
    sold.sort_by_cached_key(order);
    let (shown, next_cursor) = part(&sold, after, STATEMENT_ITEMS_MAX);
    let mut listed = listed(db, shown).await?;
    let entries = shown.chunk_by(|one, next| order(one) == order(next)).filter_map(|of_winner| {
        let (name, sums) = winners.get(&order(of_winner.first()?)?)?;
        Some(Statement {
            winner: WinnerTotals { name: name.clone(), totals: sums.in_words(prices) },
            rows: rows(&mut listed, prices, auction, of_winner),
        })
    });
    let entries = entries.collect();
    Ok(Listing { entries, next_cursor })
}
