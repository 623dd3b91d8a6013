//! Questions that look across several nouns, such as "has anybody bid in this auction?". They only read, and speak of ids,
//! so that every room may ask them.

mod store;

pub use store::{
    any_bids, any_standing_bids, currencies_in_use, currency_has_bids, currency_in_minimum,
    denominations_in_rules, followers, has_rules, is_open_link, is_outbid, item_ids, items_lack_iso_currency,
    leads_open_item, next_ends,
};
