//! What a request says of an item.

use platform::fields::{Fault, FieldError, Fields, Object};
use platform::http::problem::Problem;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;
use rules_engine::{LotNumber, Violation};
use utoipa::openapi::SchemaFormat;

use super::access::ItemView;
use super::assign::Assignment;
use super::format::FormatBody;
use super::price::{PriceBody, refuse_other_price};
use super::{ESTIMATE_CHARS, Item, ItemTerms};
use crate::auctions::body::{DESCRIPTION_CHARS, NAME_CHARS};
use crate::auctions::{AntiSnipe, Auction, ItemEndMode};
use crate::currencies::Currency;
use crate::engine::BidDetails;
use crate::ids::UserId;

/// An item as a request describes it: well formed, but not yet checked against its auction.
#[derive(Debug, Clone, Default)]
pub struct ItemBody {
    /// Without what depends on the auction: the end, the price and the format.
    terms: ItemTerms,
    end_date: Option<Moment>,
    price: PriceBody,
    format: FormatBody,
    lot_number: Option<LotNumber>,
    seller_id: Option<UserId>,
}

impl Shape for ItemBody {
    const NAME: &'static str = "NewAuctionItem";
    const ABOUT: &'static str =
        "`name` is required, and `currencyCode` in an auction without currency profiles.";

    fn members(&mut self, members: &mut Members<'_>) {
        self.price.members(members);
        self.format.members(members);
        let terms = &mut self.terms;
        members.line("name", NAME_CHARS, &mut terms.name);
        members
            .text("description", DESCRIPTION_CHARS, &mut terms.description)
            .about("Plain text or Markdown.");
        members
            .optional_line("estimate", ESTIMATE_CHARS, &mut terms.estimate)
            .about("The expected price, in any words.");
        members.flag("isPublished", &mut terms.is_published);
        members.moment("startsAt", &mut terms.starts_at);
        members
            .moment("endDate", &mut self.end_date)
            .about("With `itemEndMode` CUSTOM only; not after the auction's.");
        let AntiSnipe { enabled, threshold_seconds, extension_seconds } = &mut terms.anti_snipe;
        members
            .flag("antiSnipeEnabled", enabled)
            .about("The auction's default, as for the next two.")
            .without_default();
        members
            .integer("antiSnipeThresholdSeconds", AntiSnipe::THRESHOLD, threshold_seconds)
            .without_default();
        members
            .integer("antiSnipeExtensionSeconds", AntiSnipe::EXTENSION, extension_seconds)
            .without_default();
        members
            .parsed_or_integer("lotNumber", &mut self.lot_number)
            .pattern("^[0-9A-Za-z]([0-9A-Za-z-]{0,10}[0-9A-Za-z])?$")
            .about(
                "1 to 12 characters, unique in the auction without regard to case; by default the next free \
                 integer. Only OWNER and ADMIN choose it, as the seller.",
            );
        members
            .parsed("sellerId", &mut self.seller_id)
            .format(SchemaFormat::Custom("uuid".to_owned()))
            .about("A member of the auction; by default the item's creator.");
    }
}

impl ItemBody {
    /// Initial values of the form of a new item.
    pub fn blank(anti_snipe: AntiSnipe, seller: UserId) -> Self {
        let terms = ItemTerms { anti_snipe, is_published: true, ..ItemTerms::default() };
        Self { terms, seller_id: Some(seller), ..Self::default() }
    }

    /// The item as it is, but for its end, which a late bid may have moved. An auction has one kind of price,
    /// legacy or not; the other is kept and not shown.
    pub fn of(item: &Item, legacy: bool) -> Self {
        Self {
            price: PriceBody::of(&item.terms.price, legacy),
            format: FormatBody::of(&item.terms.format),
            terms: item.terms.clone(),
            end_date: None,
            lot_number: Some(item.lot_number.clone()),
            seller_id: Some(item.seller.id),
        }
    }
}

/// The item's body with `patch` applied. A patch that enters the minimum or the price of a ticket in the
/// other way replaces what was entered.
pub fn patched(seen: &ItemView, patch: Object) -> Object {
    let enters = |name: &str| {
        let given: Object = patch.get(name).unwrap_or_default();
        ["amount", "enteredRepresentation"].iter().any(|name| given.gives(name))
    };
    let mut body = ItemBody::of(&seen.item, seen.is_legacy);
    if enters("minBidConstraint") {
        body.price.forget_entered();
    }
    if enters("ticket") {
        body.format.forget_entered();
    }
    shape::write(&body).patched(patch)
}

/// Auction of an item, its currencies, and the time: what the checks of its body need.
#[derive(Debug, Clone, Copy)]
pub struct ItemContext<'a> {
    pub auction: &'a Auction,
    /// None in a legacy auction.
    pub currencies: &'a [Currency],
    /// The user that the body names as the seller, if they are a member.
    pub seller: Option<UserId>,
    pub now: Moment,
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
        let problem = Problem::fields(fields.clone());
        Self::Body(if violations.is_empty() {
            problem
        } else {
            problem.with_details(&BidDetails { fields, normalized_amount: None, violations })
        })
    }
}

/// The parts of an item that its body sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemInput {
    pub terms: ItemTerms,
    pub assignment: Assignment,
}

/// Reads a whole item. Of `had`, what it was before, stays what the body can't say: price terms of the other
/// kind of auction, and an end that the body leaves alone, since a late bid may have moved it anywhere.
pub fn read_item(object: Object, at: ItemContext<'_>, had: Option<&Item>) -> Result<ItemInput, InvalidItem> {
    let names_end = object.names("endDate");
    let mut fields = Fields::of(object);
    let mut violations = Vec::new();
    refuse_other_price(&mut fields, at.currencies);
    let mut body = ItemBody::default();
    body.terms.anti_snipe = at.auction.terms.default_anti_snipe;
    shape::read(&mut body, &mut fields);
    let kept = had.map(|had| had.terms.price.clone()).unwrap_or_default();
    // Without a profile its amounts would be in another money than the balances of its bidders.
    let price = if at.auction.terms.book_id.is_some() && at.currencies.is_empty() {
        fields.error("currencyCode", "must wait: the auction has a book, and needs a currency profile first");
        kept
    } else {
        body.price.check(&mut fields, at.currencies, kept, &mut violations)
    };
    let terms = ItemTerms {
        price,
        format: body.format.check(&mut fields, at, had.map(|had| &had.terms.format), &mut violations),
        own_end: match had {
            Some(had) if !names_end => had.terms.own_end,
            had => check_end(body.end_date, &mut fields, at.auction, had),
        },
        ..body.terms
    };
    let end = at.auction.terms.item_end(terms.own_end);
    let is_new_end = had.map_or(terms.own_end.is_some(), |had| had.ends_at != end);
    if is_new_end && end.is_some_and(|end| end <= at.now) {
        fields.report(FieldError::past("endDate"));
    }
    let as_it_was = had.is_some_and(|had| (had.terms.starts_at, had.ends_at) == (terms.starts_at, end));
    if let (Some(start), Some(end), false) = (terms.starts_at, end, as_it_was)
        && start >= end
    {
        fields.report(FieldError::new("startsAt", "must lie before the end").because(Fault::TooLate));
    }
    let stays = |seller: &UserId| had.is_some_and(|had| had.seller.id == *seller);
    if body.seller_id.is_some_and(|seller| at.seller != Some(seller) && !stays(&seller)) {
        fields.error("sellerId", "must be a member of this auction");
    }
    let assignment = Assignment { lot_number: body.lot_number, seller_id: body.seller_id };
    match fields.finish() {
        Ok(()) => Ok(ItemInput { terms, assignment }),
        Err(errors) => Err(InvalidItem { errors, violations }),
    }
}

/// An end of its own, where items may have one, and never after the auction's. The end in force said again is
/// no other.
fn check_end(
    end: Option<Moment>,
    fields: &mut Fields,
    auction: &Auction,
    had: Option<&Item>,
) -> Option<Moment> {
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
        let message = "must not lie after the auction's end";
        fields.report(FieldError::new("endDate", message).because(Fault::TooLate));
    }
    Some(end)
}
