//! The form that starts an auction, as its verb takes it.

use super::new::{BALANCES, BY_GROUP, COINS};
use crate::pages::currencies::form::code_of_currency;
use crate::pages::currencies::template::{Template, whole_units};
use crate::pages::form::{Form, texts};
use crate::pages::iso_currencies;
use crate::pages::items::lots::{FilledLots, LotMoney};
use app::model::BidCurrency;
use auction_house::auctions::JoinMode;
use auction_house::base_unit::BaseUnit;
use auction_house::books::access::authorize;
use auction_house::context::Context;
use auction_house::ids::UserId;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;

/// What the form says, as the verb takes it, and the rows of the form that its lots stand in.
pub struct StartForm {
    pub object: Object,
    lots: FilledLots,
}

/// The money of an auction: its base unit, and a currency of that.
struct Money {
    unit: BaseUnit,
    code: String,
    currency: BidCurrency,
}

impl StartForm {
    pub async fn read(context: &Context, form: &Form, user: UserId) -> Result<Self, Problem> {
        let mut auction = texts(form, &["joinMode", "itemEndMode"]);
        auction.set("name", &form.text("name"));
        let mut errors = Vec::new();
        // A group that was chosen before another answer does not count.
        if form.get("joinMode") == Some(BY_GROUP) {
            auction.set("joinMode", &JoinMode::InviteOnly.as_str());
            match form.get("groupId") {
                Some(group) => auction.set("groupId", &group),
                None => errors.push(FieldError::missing("groupId")),
            }
        }
        if form.get("itemEndMode") != Some("NONE") {
            match form.moment("endDate") {
                Ok(Some(end)) => auction.set("endDate", &end),
                Ok(None) => errors.push(FieldError::missing("endDate")),
                Err(error) => errors.push(error),
            }
        }
        let mut object = Object::default();
        let money = match form.get("money") {
            Some(BALANCES) => Some(balances(context, form, user, &mut auction, &mut object).await?),
            Some(COINS) => {
                let money = template(form)?;
                auction.set("baseUnit", &money.unit);
                Some(money)
            }
            _ => None,
        };
        let iso = match &money {
            Some(_) => None,
            None => Some(form.get("currencyCode").and_then(iso_currencies::find).map(|iso| iso.code)),
        };
        if iso == Some(None) {
            errors.push(FieldError::missing("currencyCode"));
        }
        let iso = iso.flatten();
        auction.set_given("currencyCode", iso.as_ref());
        object.set("auction", &auction);
        let of_lots = match money {
            Some(money) => {
                let mut set = Object::default();
                set.set("currencies", &[money.document()]);
                object.set("currencySet", &set);
                LotMoney::Own { id: money.code, currency: Box::new(money.currency) }
            }
            None => LotMoney::Iso(iso.unwrap_or_default()),
        };
        let mut lots = FilledLots::read(form, &of_lots, true);
        errors.append(&mut lots.errors);
        object.set("items", &lots.items);
        if errors.is_empty() { Ok(Self { object, lots }) } else { Err(Problem::fields(errors)) }
    }

    /// The problem with the names of the form.
    pub fn in_form(&self, problem: Problem) -> Problem {
        let mut problem = self.lots.in_form(problem);
        for field in &mut problem.fields {
            let name = match field.path.as_str() {
                "auction.name" | "book.name" => "name",
                "auction.joinMode" => "joinMode",
                "auction.groupId" | "groupId" => "groupId",
                "auction.itemEndMode" => "itemEndMode",
                "auction.endDate" => "endDate",
                "auction.bookId" | "bookId" => "bookId",
                "book.startingBalance" => "startingBalance",
                "book.baseUnit" | "book.baseUnit.name" | "currencySet.currencies.0.name" => "baseUnitName",
                "book.baseUnit.plural" | "currencySet.currencies.0.plural" => "baseUnitPlural",
                _ => continue,
            };
            name.clone_into(&mut field.path);
        }
        problem
    }
}

impl Money {
    /// One amount in whole units.
    fn counted(unit: BaseUnit) -> Self {
        let (name, plural, symbol) = (unit.name.clone(), unit.plural.clone(), unit.symbol.clone());
        let currency = whole_units(name, plural, symbol);
        Self { code: code_of_currency(&unit.name), currency, unit }
    }

    /// The currency as a request describes it.
    fn document(&self) -> Object {
        let Self { code, currency, .. } = self;
        let mut object = Object::default();
        object.set("code", code);
        object.set("name", &currency.name);
        object.set("plural", &currency.plural);
        object.set("symbol", &currency.symbol);
        object.set("rateToBase", &currency.rate_to_base.as_str());
        object.set("inputMode", &currency.input_mode.as_str());
        object.set("precision", &currency.precision);
        object.set("denominations", &currency.denominations);
        object
    }
}

/// The money of a template, whose smallest piece is the base unit.
fn template(form: &Form) -> Result<Money, Problem> {
    let template = form.get("template").and_then(Template::find);
    let template = template.ok_or_else(|| Problem::fields(vec![FieldError::missing("template")]))?;
    let (entry, unit) = (template.entry(), template.unit());
    let unit = BaseUnit { name: unit.name, plural: unit.plural, symbol: unit.symbol };
    Ok(Money { unit, code: entry.code, currency: entry.currency })
}

/// The money of balances that the user keeps, or of new ones, which are named after the auction.
async fn balances(
    context: &Context,
    form: &Form,
    user: UserId,
    auction: &mut Object,
    object: &mut Object,
) -> Result<Money, Problem> {
    if let Some(id) = form.get("bookId") {
        let unknown = || Problem::fields(vec![FieldError::new("bookId", "must be a book that you keep")]);
        let id = id.parse().map_err(|_| unknown())?;
        let mut db = context.db.read().await?;
        let seen = authorize(&mut db, id, user).await.map_err(|_| unknown())?;
        auction.set("bookId", &id);
        return Ok(Money::counted(seen.book.terms.base_unit));
    }
    let text = |name: &str| form.get(name).map(|text| text.trim().to_owned());
    let unit = BaseUnit {
        name: text("baseUnitName").unwrap_or_default(),
        plural: text("baseUnitPlural"),
        symbol: String::new(),
    };
    let mut book = Object::default();
    book.set("name", &form.text("name"));
    book.set("baseUnit", &unit);
    book.set("startingBalance", &form.number("startingBalance"));
    object.set("book", &book);
    Ok(Money::counted(unit))
}
