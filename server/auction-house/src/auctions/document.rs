//! Auctions in responses (SPEC, section 3).

use serde::Serialize;
use utoipa::ToSchema;

use super::access::AuctionView;
use super::money::{Goal, IsoCode};
use super::{AuctionStatus, BaseUnit, BidderVisibility, ItemEndMode, JoinMode, ReadableBy};
use crate::access::Role;
use crate::ids::{AuctionId, BookId, GroupId, ItemId};
use platform::paging::Paged;
use platform::time::Moment;
use rules_engine::money::Normalized;

/// Characters of a description in a list (SPEC, section 1).
const LISTED_DESCRIPTION_CHARS: usize = 300;

/// The part of a description that a list shows: one character more than is shown tells that it
/// goes on.
pub fn listed_description(description: &str) -> String {
    description.chars().take(LISTED_DESCRIPTION_CHARS + 1).collect()
}

/// Cuts a description for a list. Whether it was longer.
pub fn cut_description(description: &mut String) -> bool {
    match description.char_indices().nth(LISTED_DESCRIPTION_CHARS) {
        Some((end, _)) => {
            description.truncate(end);
            true
        }
        None => false,
    }
}

/// An auction as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Auction)]
pub struct AuctionDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: AuctionId,
    pub name: String,
    pub description: String,
    /// In a list: the description goes on after its first 300 characters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub description_cut: bool,
    pub join_mode: JoinMode,
    pub member_can_invite: bool,
    pub bidder_visibility: BidderVisibility,
    pub readable_by: ReadableBy,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub end_date: Option<Moment>,
    pub item_end_mode: ItemEndMode,
    pub base_unit: Option<BaseUnit>,
    /// Null for bids in ordinary money.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub book_id: Option<BookId>,
    /// Null without a group.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub group_id: Option<GroupId>,
    /// Being sold aloud. A closed item stays on the block until another takes its place.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub block_item_id: Option<ItemId>,
    pub default_anti_snipe: bool,
    /// Seconds.
    pub default_anti_snipe_threshold: i64,
    /// Seconds.
    pub default_anti_snipe_extension: i64,
    /// ISO 4217.
    #[schema(value_type = Option<String>)]
    pub currency_code: Option<&'static str>,
    /// Sum that the auction is to bring in.
    #[schema(value_type = Option<String>)]
    pub goal: Option<Normalized>,
    /// Sum of what was charged in the auction, less what was shared of it; below zero after a correction. For
    /// members of an auction with a book, not in lists. Absent if it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub pot: Option<Normalized>,
    /// Where and when buyers pay and collect. Empty for an outsider of an auction that anyone may read.
    pub collection: String,
    pub status: AuctionStatus,
    /// With it users join a LINK auction. Null in other auctions, and for everyone but OWNER and ADMIN.
    pub invite_token: Option<String>,
    /// Null for a viewer who is no member.
    pub my_role: Option<Role>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Moment,
}

impl AuctionDocument {
    /// In a list, with the beginning of the description.
    fn listed(seen: AuctionView, now: Moment) -> Self {
        let mut document = Self::of(seen, now);
        document.description_cut = cut_description(&mut document.description);
        document
    }

    pub fn of(seen: AuctionView, now: Moment) -> Self {
        let status = seen.auction.status(now);
        let is_outsider = seen.is_outsider();
        let invite_token = seen.link().map(|token| token.as_str().to_owned());
        let terms = seen.auction.terms;
        Self {
            id: seen.auction.id,
            name: terms.name,
            description: terms.description,
            description_cut: false,
            join_mode: terms.join_mode,
            member_can_invite: terms.member_can_invite,
            bidder_visibility: terms.bidder_visibility,
            readable_by: terms.readable_by,
            end_date: terms.end_date,
            item_end_mode: terms.item_end_mode,
            base_unit: terms.base_unit,
            book_id: terms.book_id,
            group_id: terms.group_id,
            block_item_id: seen.auction.block_item_id,
            default_anti_snipe: terms.default_anti_snipe.enabled,
            default_anti_snipe_threshold: terms.default_anti_snipe.threshold_seconds,
            default_anti_snipe_extension: terms.default_anti_snipe.extension_seconds,
            currency_code: terms.currency.map(|IsoCode(currency)| currency.code()),
            goal: terms.goal.map(Goal::amount),
            pot: None,
            collection: if is_outsider { String::new() } else { terms.collection },
            status,
            invite_token,
            my_role: seen.role,
            created_at: seen.auction.created_at,
            updated_at: seen.auction.updated_at,
        }
    }
}

/// A page of auctions, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Auctions)]
pub struct AuctionsDocument {
    pub auctions: Vec<AuctionDocument>,
    pub next_cursor: Option<String>,
}

impl AuctionsDocument {
    pub fn of(page: Paged<AuctionView>, now: Moment) -> Self {
        let page = page.map(|seen| AuctionDocument::listed(seen, now)).within_bytes();
        Self { auctions: page.entries, next_cursor: page.next_cursor }
    }
}
