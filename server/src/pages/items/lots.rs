//! The rows of a form for several new lots, as the API takes them.

use app::components::money::typed_price;
use app::model::BidCurrency;
use auction_house::engine::{BidForm, Normalized};
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;

use crate::pages::field_problem::number_asked;
use crate::pages::form::Form;

/// Name of the list in the form.
const LOTS: &str = "lots";

/// The currency in which the minima of the rows are typed.
pub enum LotMoney {
    /// An ISO 4217 code.
    Iso(String),
    /// A currency profile. `id` is what an item names it by.
    Own { id: String, currency: Box<BidCurrency> },
}

/// What the filled rows say.
pub struct FilledLots {
    pub items: Vec<Object>,
    /// The row of each item.
    pub rows: Vec<usize>,
    /// What can't be read of the moments.
    pub errors: Vec<FieldError>,
    /// The rows whose minimum is no price, each with what to write.
    unclear: Vec<(usize, String)>,
}

impl FilledLots {
    /// Reads the rows of which a cell is filled in.
    pub fn read(form: &Form, money: &LotMoney, is_published: bool) -> Self {
        let mut lots = Self { items: Vec::new(), rows: Vec::new(), errors: Vec::new(), unclear: Vec::new() };
        for row in form.rows(LOTS) {
            let cell = |part: &str| form.get(&cell(row, part)).map(str::trim).filter(|text| !text.is_empty());
            let parts = ["name", "minimum", "startsAt", "endDate", "description"];
            if parts.iter().all(|part| cell(part).is_none()) {
                continue;
            }
            let mut item = lots.terms(form, row);
            item.set("name", &cell("name").unwrap_or_default());
            if let Err(words) = money.set_minimum(&mut item, cell("minimum").unwrap_or_default()) {
                lots.unclear.push((row, words));
            }
            item.set("isPublished", &is_published);
            lots.items.push(item);
            lots.rows.push(row);
        }
        lots
    }

    /// The cells that a table may have or not. An empty cell is null.
    fn terms(&mut self, form: &Form, row: usize) -> Object {
        let mut item = Object::default();
        let has = |name: &str| form.fields().iter().any(|(field, _)| field == name);
        let description = cell(row, "description");
        if has(&description) {
            item.set("description", &form.get(&description));
        }
        for part in ["startsAt", "endDate"] {
            let name = cell(row, part);
            match form.moment(&name) {
                Ok(moment) if has(&name) => item.set(part, &moment),
                Ok(_) => {}
                Err(error) => self.errors.push(error),
            }
        }
        item
    }

    /// The problem with the cells of the form instead of the members of the items.
    pub fn in_form(&self, mut problem: Problem) -> Problem {
        for field in &mut problem.fields {
            let Some((at, member)) = field.path.strip_prefix("items.").and_then(|rest| rest.split_once('.'))
            else {
                continue;
            };
            if let Some(row) = at.parse::<usize>().ok().and_then(|at| self.rows.get(at)) {
                *field = self.in_row(FieldError { path: member.to_owned(), ..field.clone() }, *row);
            }
        }
        problem
    }

    /// The error of a member of an item, with the cell of the member.
    pub fn in_row(&self, error: FieldError, row: usize) -> FieldError {
        let member = error.path.as_str();
        let is_minimum = member == "startingBid" || member.starts_with("minBidConstraint");
        let unclear = self.unclear.iter().find(|(unclear, _)| is_minimum && *unclear == row);
        if member == "currencyCode" {
            error
        } else if let Some((_, words)) = unclear {
            let sentence = format!("Lot {}: {words}", row.saturating_add(1));
            FieldError::explained(cell(row, "minimum"), sentence)
        } else {
            FieldError { path: cell(row, if is_minimum { "minimum" } else { member }), ..error }
        }
    }
}

impl LotMoney {
    /// Sets the minimum that a text means. A text that means none stays for the API to refuse, so that all
    /// errors of the rows come together.
    ///
    /// # Errors
    /// What to write instead of such a text.
    fn set_minimum(&self, item: &mut Object, text: &str) -> Result<(), String> {
        match self {
            Self::Iso(code) => {
                item.set("currencyCode", code);
                item.set("startingBid", &Some(text).filter(|text| !text.is_empty()));
                if let Some(currency) = iso_currency::Currency::from_code(code).map(iso) {
                    item.set("startingBid", &price(&currency, text)?.amount);
                }
            }
            Self::Own { .. } if text.is_empty() => item.set("minBidConstraint", &None::<Object>),
            Self::Own { id, currency } => {
                let mut minimum = Object::default();
                minimum.set("currencyProfileId", id);
                minimum.set("amount", &text);
                item.set("minBidConstraint", &minimum);
                let BidForm { amount, entered_representation } = price(currency, text)?;
                let mut minimum = Object::default();
                minimum.set("currencyProfileId", id);
                minimum.set_given("amount", amount.as_ref());
                minimum.set_given("enteredRepresentation", entered_representation.as_ref());
                item.set("minBidConstraint", &minimum);
            }
        }
        Ok(())
    }
}

fn price(currency: &BidCurrency, text: &str) -> Result<BidForm, String> {
    let price = typed_price(currency, text).map_err(|unclear| unclear.message)?;
    match price.amount.as_ref().filter(|amount| Normalized::parse(amount.as_str()).is_err()) {
        Some(_) => Err(number_asked(currency.precision.into(), text)),
        None => Ok(price),
    }
}

fn iso(currency: iso_currency::Currency) -> BidCurrency {
    use auction_house::items::LegacyPrice;
    let price = LegacyPrice { currency, starting_bid: None, min_bid_increment: None };
    crate::pages::money::legacy_bid_currency(&price)
}

/// The name of a cell.
pub fn cell(row: usize, part: &str) -> String {
    format!("{LOTS}.{row}.{part}")
}
