//! What a request says of an item.

use std::sync::Arc;

use rules_engine::Violation;
use utoipa::ToSchema;

use super::document::ItemDocument;
use super::price::read_price;
use super::see::SeenItem;
use super::{Item, ItemTerms, Price};
use crate::auctions::body::{AntiSnipeNames, DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX};
use crate::auctions::{Auction, ItemEndMode};
use crate::currencies::Currency;
use crate::engine::BidDetails;
use platform::db::DbError;
use platform::fields::{FieldError, Fields, Object};
use platform::http::problem::{Details, Problem};
use platform::time::Moment;
use platform::verb::VerbError;

/// The body as documented: `name` is required, and `currencyCode` in an auction without currency profiles.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewAuctionItem)]
pub struct ItemBody {
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// Plain text or Markdown.
    #[schema(max_length = 10_000)]
    pub description: Option<String>,
    #[schema(default = false)]
    pub is_published: Option<bool>,
    #[schema(format = DateTime)]
    pub starts_at: Option<String>,
    /// With `itemEndMode` CUSTOM only; not after the auction's.
    #[schema(format = DateTime)]
    pub end_date: Option<String>,
    /// ISO 4217; without currency profiles only, as are the next two.
    pub currency_code: Option<String>,
    /// A decimal: 0 < d ≤ 10^12, with at most the currency's minor-unit digits.
    pub starting_bid: Option<String>,
    /// A decimal, as `startingBid`.
    pub min_bid_increment: Option<String>,
    /// With currency profiles only, as is the next.
    pub min_bid_constraint: Option<MinBidConstraintBody>,
    /// A decimal in base units: 0 < d ≤ 10^15, at most 6 fraction digits.
    pub min_increment_normalized: Option<String>,
    /// The auction's default, as are the next two.
    pub anti_snipe_enabled: Option<bool>,
    #[schema(minimum = 60, maximum = 3600)]
    pub anti_snipe_threshold_seconds: Option<i64>,
    #[schema(minimum = 5, maximum = 3600)]
    pub anti_snipe_extension_seconds: Option<i64>,
}

/// What the first bid must reach, entered as a bid is.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewMinBidConstraint)]
pub struct MinBidConstraintBody {
    pub currency_profile_id: String,
    /// A decimal, in SCALAR mode.
    pub amount: Option<String>,
    /// In DENOMINATION mode.
    #[schema(value_type = Option<Vec<Object>>)]
    pub entered_representation: Option<Vec<()>>,
}

impl SeenItem {
    /// The body that would make the item as it is, but for its end: what `patch` is laid on. Who enters the
    /// minimum in the other way replaces what was entered.
    pub fn as_body(&self, patch: &Object, now: Moment) -> Result<Object, DbError> {
        const MINIMUM: &str = "minBidConstraint";
        const ENTERED: [&str; 2] = ["amount", "enteredRepresentation"];
        let mut body = Object::of(&ItemDocument::of(self.clone(), now)?, &GIVEN_BY_THE_SERVER);
        if self.legacy {
            // There it repeats `minBidIncrement`.
            body.remove("minIncrementNormalized");
        }
        let given: Object = patch.get(MINIMUM).unwrap_or_default();
        if let Some(mut had) = body.get::<Object>(MINIMUM)
            && ENTERED.iter().any(|name| given.gives(name))
        {
            ENTERED.iter().for_each(|name| had.remove(name));
            body.set(MINIMUM, &had);
        }
        Ok(body)
    }
}

/// What no body says, and the end, which may be a late bid's doing.
const GIVEN_BY_THE_SERVER: [&str; 11] = [
    "id",
    "auctionId",
    "endDate",
    "status",
    "minBidNormalized",
    "highestBid",
    "bidCount",
    "creator",
    "images",
    "createdAt",
    "updatedAt",
];

/// Where an item is, or will be.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    pub auction: &'a Auction,
    /// None in a legacy auction.
    pub currencies: &'a [Currency],
}

/// Why a body makes no item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InvalidItem {
    pub errors: Vec<FieldError>,
    /// What a minimum breaks of the input phase of a bid.
    pub violations: Vec<Violation>,
}

impl<R> From<InvalidItem> for VerbError<R> {
    fn from(invalid: InvalidItem) -> Self {
        let InvalidItem { errors: fields, violations } = invalid;
        let mut problem = Problem::fields(fields.clone());
        if !violations.is_empty() {
            let details = BidDetails { fields, normalized_amount: None, violations };
            problem.details = Some(Details::Own(Arc::new(details)));
        }
        Self::Body(problem)
    }
}

const ANTI_SNIPE: AntiSnipeNames = AntiSnipeNames {
    enabled: "antiSnipeEnabled",
    threshold: "antiSnipeThresholdSeconds",
    extension: "antiSnipeExtensionSeconds",
};

/// Reads a whole item. Of `had`, what it was before, stays what the body can't say: price terms of the other
/// kind of auction, and an end that the body leaves alone, since a late bid may have moved it anywhere.
pub fn read_terms(
    object: Object,
    setting: Setting<'_>,
    had: Option<&Item>,
) -> Result<ItemTerms, InvalidItem> {
    let names_end = object.names("endDate");
    let mut fields = Fields::of(object);
    let mut violations = Vec::new();
    let kept = had.map(|had| had.terms.price.clone()).unwrap_or_default();
    let price: Price = read_price(&mut fields, setting.currencies, kept, &mut violations);
    let terms = ItemTerms {
        name: fields.text("name", 1..=NAME_CHARS_MAX),
        description: fields.text("description", 0..=DESCRIPTION_CHARS_MAX),
        is_published: fields.or("isPublished", false),
        starts_at: fields.moment("startsAt"),
        own_end: match had {
            Some(had) if !names_end => had.terms.own_end,
            had => read_end(&mut fields, setting.auction, had),
        },
        price,
        anti_snipe: setting.auction.terms.default_anti_snipe.read(&mut fields, &ANTI_SNIPE),
    };
    let end = setting.auction.terms.item_end(terms.own_end);
    let as_it_was = had.is_some_and(|had| (had.terms.starts_at, had.ends_at) == (terms.starts_at, end));
    if let (Some(start), Some(end), false) = (terms.starts_at, end, as_it_was) {
        fields.check(start < end, "startsAt", "must lie before the end");
    }
    match fields.finish() {
        Ok(()) => Ok(terms),
        Err(errors) => Err(InvalidItem { errors, violations }),
    }
}

/// An end of its own, where items may have one, and never after the auction's. The end in force said again is
/// no other.
fn read_end(fields: &mut Fields, auction: &Auction, had: Option<&Item>) -> Option<Moment> {
    let end = fields.moment("endDate");
    if auction.terms.item_end_mode != ItemEndMode::Custom {
        fields.check(
            end.is_none(),
            "endDate",
            "must be absent: items of this auction have no end of their own",
        );
        return had.and_then(|had| had.terms.own_end);
    }
    let end = end?;
    if let Some(had) = had.filter(|had| had.ends_at == Some(end)) {
        return had.terms.own_end;
    }
    if auction.terms.end_date.is_some_and(|last| end > last) {
        fields.fault("endDate", "must not lie after the auction's end");
    }
    Some(end)
}
