//! The data of the form with which an item is created or changed.

use super::{BaseUnit, BidCurrency, SelectOption};

#[derive(Debug, Clone, PartialEq)]
pub struct ItemFormPage {
    pub auction_id: String,
    pub auction_name: String,
    /// Empty in an auction without currency profiles, where each item has an ISO currency.
    pub currencies: Vec<BidCurrency>,
    /// The ISO 4217 currencies in which an item of such an auction may be priced, ordered by code.
    pub iso_currencies: Vec<SelectOption>,
    /// Index in `currencies` of the currency of the minimum.
    pub selected: usize,
    pub base_unit: BaseUnit,
    /// The auction has a book and no currency profile: it takes no items yet.
    pub needs_currency: bool,
    /// The auction has a book, from which tickets of a draw are paid.
    pub has_book: bool,
    /// An item may have an end of its own.
    pub own_end: bool,
    /// Members who may be the seller. Empty if the viewer chooses neither the seller nor the lot number.
    pub sellers: Vec<SelectOption>,
    /// Names and values of the fields, without those for moments. A box that is not checked has none.
    pub fields: Vec<(String, String)>,
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    /// Absent for a new item.
    pub existing: Option<ExistingItem>,
}

/// The item that the form changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistingItem {
    pub id: String,
    pub name: String,
    /// Without the item's bids: they do not outdate the form.
    pub version: i64,
    pub closed: bool,
    /// The item has ever had bids: it can't be deleted or hidden.
    pub has_bids: bool,
    /// The start and the price stay.
    pub has_standing_bid: bool,
    /// They stay because the item is open for sealed bids, whether or not there are any.
    pub is_sealed: bool,
}
