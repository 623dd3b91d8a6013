//! The form with which an item is created or changed: its view model, and what a submitted form means.

use std::sync::Arc;

use app::components::money::{shown_amount, shown_number, typed_bid};
use app::islands::items::form_state::field_name;
use app::model::{BaseUnit, BidCurrency, SelectOption};
use auction_house::access::{self, Action};
use auction_house::auctions::ItemEndMode;
use auction_house::auctions::access::{AccessError, AuctionView};
use auction_house::currencies;
use auction_house::engine::{BidForm, EnteredCount, Literal, Normalized};
use auction_house::ids::UserId;
use auction_house::items::ItemStatus;
use auction_house::items::access::ItemView;
use auction_house::items::body::ItemBody;
use auction_house::items::format::FormatKind;
use auction_house::items::store::newest_currency;
use platform::body::Body;
use platform::db::Connection;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;
use platform::shape::{self, SubmittedForm};
use platform::time::Moment;

use super::entered;
use super::fields::{ExistingItem, ItemFormPage};
use crate::pages::amounts::Amounts;
use crate::pages::field_problem::number_asked;
use crate::pages::form::Form;
use crate::pages::iso_currencies;
use crate::pages::money::{bid_currency, unit_in_pieces};

/// Before the names of the fields of the minimum.
const MINIMUM: &str = "minBidConstraint.";
/// Sellers that the form offers, at most.
const SELLERS_MAX: i64 = 200;

/// The item that a form describes.
pub enum FormItem {
    New,
    /// A new one after this one, whose seller, price, times and late bids it begins with.
    NewAfter(Box<ItemView>),
    Existing(Box<ItemView>),
}

/// The form for an item.
pub async fn form_page(
    db: &mut Connection,
    auction: AuctionView,
    item: FormItem,
    now: Moment,
) -> Result<ItemFormPage, AccessError> {
    let (seen, is_new) = match item {
        FormItem::New => (None, true),
        FormItem::NewAfter(last) => (Some(*last), true),
        FormItem::Existing(existing) => (Some(*existing), false),
    };
    let currencies = currencies::store::of_auction(db, auction.auction.id).await?;
    let seller = seen.as_ref().map_or(auction.viewer, |seen| seen.item.seller.id);
    let sellers =
        if auction.may(Action::AssignItems) { sellers(db, &auction, seller).await? } else { Vec::new() };
    let minimum = seen.as_ref().and_then(|seen| seen.item.terms.price.minimum.as_ref());
    let of_minimum =
        minimum.and_then(|minimum| currencies.iter().position(|it| it.id == minimum.currency_id));
    let default = currencies.iter().position(|currency| currency.is_default);
    let terms = &auction.auction.terms;
    let unit = unit_in_pieces(terms.base_unit.as_ref(), &currencies);
    let mut fields = fields(&auction, seen.as_ref(), is_new, seller, &unit);
    if seen.is_none() && currencies.is_empty() {
        let newest = newest_currency(db, auction.auction.id).await?;
        let of_auction = terms.currency.map(|code| code.to_string());
        fields.extend(newest.or(of_auction).map(|code| ("currencyCode".to_owned(), code)));
    }
    Ok(ItemFormPage {
        auction_id: auction.auction.id.to_string(),
        auction_name: terms.name.clone(),
        needs_currency: terms.book_id.is_some() && currencies.is_empty(),
        has_book: terms.book_id.is_some(),
        own_end: terms.item_end_mode == ItemEndMode::Custom,
        selected: of_minimum.or(default).unwrap_or(0),
        iso_currencies: if currencies.is_empty() { iso_currencies::in_use() } else { Vec::new() },
        currencies: currencies.into_iter().map(bid_currency).collect(),
        sellers,
        fields,
        base_unit: unit,
        starts_at: seen.as_ref().and_then(|seen| seen.item.terms.starts_at).map(Moment::millis),
        // An item that ends with its auction has no end to show here.
        ends_at: seen.as_ref().and_then(|seen| seen.item.terms.own_end).map(Moment::millis),
        existing: seen.filter(|_| !is_new).map(|seen| {
            let is_sealed = seen.item.terms.format.is_sealed() && seen.item.status(now) == ItemStatus::Open;
            ExistingItem {
                id: seen.item.id.to_string(),
                version: edits(&seen),
                closed: seen.item.status(now) == ItemStatus::Closed,
                has_bids: is_sealed || seen.item.last_sequence > 0,
                has_standing_bid: is_sealed || seen.item.has_fixed_terms(),
                is_sealed,
                name: seen.item.terms.name,
            }
        }),
    })
}

/// The version of an item without its bids, which do not outdate a form. Tickets raise the version of the
/// row, so that a draw has a number for its terms instead.
pub fn edits(seen: &ItemView) -> i64 {
    if seen.item.terms.format.draw().is_none() {
        return seen.item.version - seen.item.last_sequence;
    }
    let mut hash = std::hash::DefaultHasher::new();
    let terms = format!("{:?} {} {}", seen.item.terms, seen.item.lot_number, seen.item.seller.id);
    std::hash::Hash::hash(&terms, &mut hash);
    // A number as JavaScript has it, above the versions.
    i64::from(std::hash::Hasher::finish(&hash) as u32) + 1
}

/// The members who may sell, managers first, and the present seller.
async fn sellers(
    db: &mut Connection,
    auction: &AuctionView,
    seller: UserId,
) -> Result<Vec<SelectOption>, AccessError> {
    let members = access::store::names(db, auction.auction.id, seller, SELLERS_MAX).await?;
    Ok(members.into_iter().map(|(id, name)| SelectOption { value: id.to_string(), label: name }).collect())
}

/// Fields that a new item does not take from the last one.
const OWN: [&str; 4] = ["name", "description", "estimate", "lotNumber"];

/// Fields of the format, which a rising bid has none of.
const OF_FORMAT: [&str; 6] = ["format", "copies", "price", "tie", "perPerson", "again"];

fn fields(
    auction: &AuctionView,
    seen: Option<&ItemView>,
    is_new: bool,
    seller: UserId,
    unit: &BaseUnit,
) -> Vec<(String, String)> {
    let body = match seen {
        Some(seen) => ItemBody::of(&seen.item, seen.is_legacy),
        None => ItemBody::blank(auction.auction.terms.default_anti_snipe, seller),
    };
    let mut fields = shape::form_values(&body);
    fields
        .retain(|(name, _)| !(OF_FORMAT.contains(&name.as_str()) || is_new && OWN.contains(&name.as_str())));
    if let Some(seen) = seen {
        fields.extend(price(seen, unit));
        fields.extend(format(seen, unit));
    }
    fields
}

/// How an item is sold, as fields of the form.
fn format(seen: &ItemView, unit: &BaseUnit) -> Vec<(String, String)> {
    let format = &seen.item.terms.format;
    let field = |name: &str, value: String| (name.to_owned(), value);
    if let Some(draw) = format.draw() {
        return vec![
            field("format", format.kind().to_string()),
            field("copies", draw.copies.to_string()),
            field("perPerson", draw.per_person.map(|most| most.to_string()).unwrap_or_default()),
            field("again", draw.again.to_string()),
        ];
    }
    let Some(sealed) = format.sealed() else { return Vec::new() };
    let plus = Some(sealed.plus).filter(|plus| *plus > Normalized::ZERO);
    let plus = plus.map(|plus| shown_amount(unit, &plus.to_string())).unwrap_or_default();
    vec![
        field("format", format.kind().to_string()),
        field("copies", sealed.copies.to_string()),
        field("price", sealed.price.to_string()),
        field("plus", plus),
        field("tie", sealed.tie.to_string()),
    ]
}

/// The stored price of an item, as fields of the form.
fn price(seen: &ItemView, unit: &BaseUnit) -> Vec<(String, String)> {
    let terms = &seen.item.terms;
    let mut fields = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        fields.extend(value.map(|value| (name.to_owned(), value)));
    };
    if let Some(price) = seen.legacy_price() {
        add("currencyCode", Some(price.currency.code().to_owned()));
        let number = |amount: Normalized| shown_number(&amount.to_string());
        add("startingBid", price.starting_bid.map(number));
        add("minBidIncrement", price.min_bid_increment.map(number));
    } else {
        let amount = terms.price.min_increment.map(|amount| amount.to_string());
        add("minIncrementNormalized", amount.map(|amount| shown_amount(unit, &amount)));
    }
    // The price of a ticket is entered as a minimum is.
    let ticket = terms.format.draw().map(|draw| &draw.ticket);
    if let Some(minimum) = ticket.or(terms.price.minimum.as_ref()).filter(|_| !seen.is_legacy) {
        add("currency", Some(minimum.currency_id.to_string()));
        let number = |amount: &Literal| shown_number(amount.as_str());
        add("minBidConstraint.amount", minimum.entered.amount.as_ref().map(number));
        for entry in minimum.entered.entered_representation.iter().flatten() {
            let name = format!("minBidConstraint.count.{}", entry.denomination);
            add(&name, Some(number(&entry.count)));
        }
    }
    fields
}

/// The item that a form describes. A field that the form does not have leaves its member out, an empty one is
/// null.
pub struct ItemForm {
    pub form: Arc<Form>,
    /// Amounts of the auction.
    pub amounts: Amounts,
}

impl Body for ItemForm {
    fn read(self) -> Result<Object, Problem> {
        described(&self.form, &self.amounts)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.form.keyed()
    }
}

/// Boxes of the form, each with a field that is sent beside it.
const BOXES: &[(&str, &str)] =
    &[("antiSnipeEnabled", "antiSnipeThresholdSeconds"), ("isPublished", "mayHide")];

fn described(form: &Form, amounts: &Amounts) -> Result<Object, Problem> {
    let (mut object, mut errors) = shape::from_form::<ItemBody>(form, BOXES, "a whole number");
    if form.has("currencyCode") {
        object.set("currencyCode", &form.get("currencyCode"));
    }
    let in_iso = Amounts::of_iso(form.text("currencyCode"));
    for (name, amounts) in [
        ("startingBid", &in_iso),
        ("minBidIncrement", &in_iso),
        ("minIncrementNormalized", amounts),
        ("plus", amounts),
    ]
    .into_iter()
    .filter(|(name, _)| form.has(name))
    {
        object.set(name, &amounts.number(form, name));
    }
    if form.has("minBidConstraint.currencyProfileId") {
        let entered = minimum(form, &amounts.currencies, &mut errors);
        let is_draw = form.get("format") == Some(FormatKind::Draw.as_str());
        object.set("minBidConstraint", &entered.as_ref().filter(|_| !is_draw));
        if form.has("format") {
            object.set("ticket", &entered.as_ref().filter(|_| is_draw));
        }
    }
    if errors.is_empty() { Ok(object) } else { Err(Problem::fields(errors)) }
}

/// The minimum in a currency of the auction's own, as a bid is entered; none where nothing was typed.
fn minimum(form: &Form, currencies: &[BidCurrency], errors: &mut Vec<FieldError>) -> Option<Object> {
    let id = form.get("minBidConstraint.currencyProfileId");
    let currency = currencies.iter().find(|currency| currency.profile_id.as_deref() == id);
    let entered = match currency.filter(|_| id.is_some()) {
        Some(currency) => read(form, currency, errors),
        None => entered(form, MINIMUM),
    };
    let mut minimum = Object::default();
    if let Some(amount) = &entered.amount {
        minimum.set("amount", amount);
    }
    if let Some(counts) = &entered.entered_representation {
        minimum.set("enteredRepresentation", counts);
    }
    minimum.set("currencyProfileId", &id);
    (entered != BidForm::default()).then_some(minimum)
}

/// The minimum in a currency, typed as a bid may be: `£1 2s 6d`.
fn read(form: &Form, currency: &BidCurrency, errors: &mut Vec<FieldError>) -> BidForm {
    let slots = if currency.by_denomination() { currency.denominations.len() } else { 1 };
    let names: Vec<String> =
        (0..slots).map(|slot| format!("{MINIMUM}{}", field_name(currency, slot))).collect();
    let texts: Vec<String> = names.iter().map(|name| form.text(name).to_owned()).collect();
    let numbers = typed_bid(currency, &texts);
    let mut entered = entered(form, MINIMUM);
    for ((name, text), number) in names.iter().zip(&texts).zip(&numbers) {
        if !number.is_empty() && Normalized::parse(number).is_err() {
            let sentence = number_asked(currency.precision.into(), text.trim());
            errors.push(FieldError::explained(name, sentence));
        }
    }
    if !currency.by_denomination() {
        entered.amount = numbers.into_iter().find(|number| !number.is_empty()).map(Literal::from);
        return entered;
    }
    // A denomination that the currency does not have any more stays, for the API to refuse.
    let is_gone =
        |entry: &EnteredCount| currency.denominations.iter().all(|it| it.code != entry.denomination);
    let mut counts = entered.entered_representation.unwrap_or_default();
    counts.retain(is_gone);
    let pieces = currency.denominations.iter().zip(numbers).filter(|(_, number)| !number.is_empty());
    counts.extend(
        pieces.map(|(piece, number)| EnteredCount { denomination: piece.code.clone(), count: number.into() }),
    );
    entered.entered_representation = (!counts.is_empty()).then_some(counts);
    entered
}
