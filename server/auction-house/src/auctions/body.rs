//! What a request says of an auction.

use utoipa::ToSchema;

use super::access::SeenAuction;
use super::document::AuctionDocument;
use super::{AntiSnipe, AuctionTerms, BaseUnit, BidderVisibility, ItemEndMode, JoinMode};
use platform::fields::{FieldError, Fields, Object};
use platform::time::Moment;

pub const NAME_CHARS_MAX: usize = 200;
pub const DESCRIPTION_CHARS_MAX: usize = 10_000;

/// The body as documented: `name` alone is required.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewAuction)]
pub struct AuctionBody {
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// Plain text or Markdown.
    #[schema(max_length = 10_000)]
    pub description: Option<String>,
    #[schema(default = "INVITE_ONLY")]
    pub join_mode: Option<JoinMode>,
    #[schema(default = false)]
    pub member_can_invite: Option<bool>,
    #[schema(default = "VISIBLE")]
    pub bidder_visibility: Option<BidderVisibility>,
    #[schema(format = DateTime)]
    pub end_date: Option<String>,
    #[schema(default = "CUSTOM")]
    pub item_end_mode: Option<ItemEndMode>,
    pub base_unit: Option<BaseUnit>,
    #[schema(default = false)]
    pub default_anti_snipe: Option<bool>,
    #[schema(minimum = 60, maximum = 3600, default = 300)]
    pub default_anti_snipe_threshold: Option<i64>,
    #[schema(minimum = 5, maximum = 3600, default = 300)]
    pub default_anti_snipe_extension: Option<i64>,
}

impl SeenAuction {
    /// The body that would make the auction as it is: what a merge patch is laid on.
    pub fn as_body(&self, now: Moment) -> Object {
        let given_by_the_server = ["id", "status", "myRole", "createdAt", "updatedAt"];
        Object::of(&AuctionDocument::of(self.clone(), now), &given_by_the_server)
    }
}

/// Reads a whole auction.
pub fn read_terms(object: Object) -> Result<AuctionTerms, Vec<FieldError>> {
    let mut fields = Fields::of(object);
    let terms = AuctionTerms {
        name: fields.text("name", 1..=NAME_CHARS_MAX),
        description: fields.text("description", 0..=DESCRIPTION_CHARS_MAX),
        join_mode: fields.or("joinMode", JoinMode::InviteOnly),
        member_can_invite: fields.or("memberCanInvite", false),
        bidder_visibility: fields.or("bidderVisibility", BidderVisibility::Visible),
        end_date: fields.moment("endDate"),
        item_end_mode: fields.or("itemEndMode", ItemEndMode::Custom),
        base_unit: fields.object("baseUnit", |unit| BaseUnit {
            name: unit.text("name", 1..=60),
            symbol: unit.text("symbol", 0..=8),
        }),
        default_anti_snipe: AntiSnipe::DEFAULT.read(&mut fields, &AntiSnipeNames::OF_AUCTION),
    };
    fields.finish()?;
    Ok(terms)
}

/// What the three members are called: an auction's defaults and an item's own have different names.
pub struct AntiSnipeNames {
    pub enabled: &'static str,
    pub threshold: &'static str,
    pub extension: &'static str,
}

impl AntiSnipeNames {
    const OF_AUCTION: Self = Self {
        enabled: "defaultAntiSnipe",
        threshold: "defaultAntiSnipeThreshold",
        extension: "defaultAntiSnipeExtension",
    };
}

impl AntiSnipe {
    /// Off, with five minutes each.
    pub const DEFAULT: Self = Self { enabled: false, threshold_seconds: 300, extension_seconds: 300 };

    /// Reads what is given, and takes over the rest.
    pub fn read(self, fields: &mut Fields, names: &AntiSnipeNames) -> Self {
        Self {
            enabled: fields.or(names.enabled, self.enabled),
            threshold_seconds: fields.integer(names.threshold, 60..=3600, self.threshold_seconds),
            extension_seconds: fields.integer(names.extension, 5..=3600, self.extension_seconds),
        }
    }
}
