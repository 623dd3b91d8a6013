//! What a request says of an auction.

use std::ops::RangeInclusive;

use platform::shape::{Members, Shape};
use utoipa::openapi::SchemaFormat;

use super::{AntiSnipe, AuctionTerms, BidderVisibility, ItemEndMode, JoinMode, ReadableBy};

pub const NAME_CHARS: RangeInclusive<usize> = 1..=200;
pub const DESCRIPTION_CHARS: RangeInclusive<usize> = 0..=10_000;
pub const COLLECTION_CHARS: RangeInclusive<usize> = 0..=500;

impl Default for AuctionTerms {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            join_mode: JoinMode::InviteOnly,
            member_can_invite: false,
            bidder_visibility: BidderVisibility::Visible,
            readable_by: ReadableBy::Members,
            end_date: None,
            item_end_mode: ItemEndMode::Custom,
            base_unit: None,
            book_id: None,
            group_id: None,
            default_anti_snipe: AntiSnipe::default(),
            currency: None,
            goal: None,
            collection: String::new(),
        }
    }
}

impl Shape for AuctionTerms {
    const NAME: &'static str = "NewAuction";
    const ABOUT: &'static str = "`name` alone is required.";

    fn members(&mut self, members: &mut Members<'_>) {
        members.line("name", NAME_CHARS, &mut self.name);
        members
            .text("description", DESCRIPTION_CHARS, &mut self.description)
            .about("Plain text or Markdown.");
        members.value("joinMode", &mut self.join_mode).of::<JoinMode>();
        members.flag("memberCanInvite", &mut self.member_can_invite);
        members.value("bidderVisibility", &mut self.bidder_visibility).of::<BidderVisibility>();
        members
            .value("readableBy", &mut self.readable_by)
            .of::<ReadableBy>()
            .about("With ANYONE the auction and its published items are read without an account, without the names of people.");
        members.moment("endDate", &mut self.end_date);
        members.value("itemEndMode", &mut self.item_end_mode).of::<ItemEndMode>();
        members.object("baseUnit", &mut self.base_unit);
        members
            .parsed("bookId", &mut self.book_id)
            .format(SchemaFormat::Custom("uuid".to_owned())).about(
            "Of a book in which the auction's OWNER is OWNER or TELLER: bidders bid with what they have in it, and the base \
             unit is that of the book.",
        );
        members
            .parsed("groupId", &mut self.group_id)
            .format(SchemaFormat::Custom("uuid".to_owned()))
            .about("Of a group that the auction's OWNER keeps: all of its people are members.");
        let AntiSnipe { enabled, threshold_seconds, extension_seconds } = &mut self.default_anti_snipe;
        members.flag("defaultAntiSnipe", enabled);
        members
            .integer("defaultAntiSnipeThreshold", AntiSnipe::THRESHOLD, threshold_seconds)
            .about("Seconds.");
        members
            .integer("defaultAntiSnipeExtension", AntiSnipe::EXTENSION, extension_seconds)
            .about("Seconds.");
        members
            .parsed("currencyCode", &mut self.currency)
            .about("ISO 4217: what the pages begin new items with, and the unit of `goal`, without currency profiles.");
        members.optional("goal", &mut self.goal).or_number().about(
            "A decimal, 0 < d ≤ 10^15, at most 13 fraction digits: what the auction is to bring in, in the base unit, or without \
             currency profiles in `currencyCode`.",
        );
        members
            .text("collection", COLLECTION_CHARS, &mut self.collection)
            .about("Plain text: where and when buyers pay and collect.");
    }
}

impl AntiSnipe {
    /// Seconds.
    pub const THRESHOLD: RangeInclusive<i64> = 5..=3600;
    /// Seconds.
    pub const EXTENSION: RangeInclusive<i64> = 5..=3600;
}

/// Off, with five minutes each.
impl Default for AntiSnipe {
    fn default() -> Self {
        Self { enabled: false, threshold_seconds: 300, extension_seconds: 300 }
    }
}
