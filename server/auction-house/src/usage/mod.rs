//! Questions that look across several nouns, such as "has anybody bid in this auction?". They only read, and
//! speak of ids, so that every room may ask them.

mod store;

use crate::ids::ItemId;
use platform::time::Moment;

pub(crate) use store::ledger;
pub use store::{
    any_bids, any_standing_bids, any_took_part, first_item_ids,
    followers::{followers, followers_of},
    has_standing_bid, is_open_link, item_ids, items_with_drafts, leaders_among, leading_bid,
    leads::with_untold_leads,
    name_of, names_beside_bidders, next_ends,
    of_books::{
        Commitments, book_has_open_auction, book_hides_bidders, book_is_used, commitments, commitments_of,
        is_in_open_auction_of_book, owns_book, reached_by_keeper,
    },
    of_currencies::{
        currencies_in_use, currency_has_bids, currency_in_price, denominations_in_rules,
        has_items_in_iso_currencies, has_rules, items_lack_iso_currency,
    },
    of_pots::{
        auction_of_item, book_of_auction, holders_in_order, moves_of_book, numbers_of_members,
        sales_of_auction, sees_auction,
    },
    outbid_by,
    own_items::first::{first_bid_on, first_sold, first_watched},
    own_items::{items_bid_on, items_bid_on_among, items_bid_on_so, items_sold, items_watched},
    prices::{PricedBid, currencies_of_sales, priced_bids},
    raised, rows_together, sealed_bids, tickets,
    waiting::{WaitingMail, holders_waited_for, waiting_mail},
    with_hidden_bidders,
    written_in::{WrittenIn, books_written_in, denominations},
};

/// The newest bid of a user on an item is fewer than this many bids past the one in the table of bidders.
pub const NEWEST_BID_WITHIN: i64 = 2_000;

/// An item that a user bids on, watches or sells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OwnItem {
    pub item_id: ItemId,
    /// Its end has come, or it was closed.
    pub has_ended: bool,
    /// When it ended or is to end.
    pub ends_at: Option<Moment>,
}

/// An item that a user has a standing bid on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ItemBidOn {
    #[sqlx(flatten)]
    pub item: OwnItem,
    /// The user leads, or was sold the item.
    pub is_ahead: bool,
    /// The user was sold the item, and it is not marked as paid and collected.
    pub is_due: bool,
}

/// The first items of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct First {
    pub items: Vec<OwnItem>,
    /// How many items the list has. Absent if it is too long to be counted.
    pub count: Option<usize>,
}

/// The first items of each list of those that a user has bid on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstBidOn {
    pub outbid: First,
    pub leading: First,
    /// What is to be paid or collected first.
    pub won: First,
}
