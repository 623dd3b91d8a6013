//! The rows of a form for several new lots, as the API takes them.

use app::components::money::typed_bid;
use app::model::BidCurrency;
use auction_house::engine::Normalized;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;
use serde::Serialize;

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
pub struct Lots {
    pub items: Vec<Object>,
    /// The row of each item.
    pub rows: Vec<usize>,
    /// What can't be read of the moments.
    pub errors: Vec<FieldError>,
    /// The rows whose minimum is no number.
    unclear: Vec<usize>,
}

#[derive(Serialize)]
struct Count<'a> {
    denomination: &'a str,
    count: &'a str,
}

impl Lots {
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
            if !money.set_minimum(&mut item, cell("minimum").unwrap_or_default(), form.has_comma()) {
                lots.unclear.push(row);
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
        if member == "currencyCode" {
            error
        } else if is_minimum && self.unclear.contains(&row) {
            let number = row.saturating_add(1);
            let sentence = format!("Lot {number}: enter the minimum as a number, alone or with its unit.");
            FieldError::explained(cell(row, "minimum"), sentence)
        } else {
            FieldError { path: cell(row, if is_minimum { "minimum" } else { member }), ..error }
        }
    }
}

impl LotMoney {
    /// Sets the minimum that a text means. A text that means none stays for the API to refuse: false.
    fn set_minimum(&self, item: &mut Object, text: &str, has_comma: bool) -> bool {
        let is_clear = |number: &String| number.is_empty() || number.parse::<Normalized>().is_ok();
        match self {
            Self::Iso(code) => {
                item.set("currencyCode", code);
                let currency = iso_currency::Currency::from_code(code).map(iso);
                let number = currency.map(|currency| numbers(&currency, text, has_comma).concat());
                let number = number.unwrap_or_else(|| text.to_owned());
                item.set("startingBid", &Some(&number).filter(|number| !number.is_empty()));
                is_clear(&number)
            }
            Self::Own { .. } if text.is_empty() => {
                item.set("minBidConstraint", &None::<Object>);
                true
            }
            Self::Own { id, currency } => {
                let numbers = numbers(currency, text, has_comma);
                let mut minimum = Object::default();
                minimum.set("currencyProfileId", id);
                if currency.by_denomination() {
                    let counts = currency.denominations.iter().zip(&numbers);
                    let given = counts.filter(|(_, number)| !number.is_empty());
                    let counts =
                        given.map(|(piece, number)| Count { denomination: &piece.code, count: number });
                    minimum.set("enteredRepresentation", &counts.collect::<Vec<_>>());
                } else {
                    minimum.set("amount", &numbers.concat());
                }
                item.set("minBidConstraint", &minimum);
                numbers.iter().all(is_clear)
            }
        }
    }
}

/// The numbers of the fields of a bid that one text means: `12`, `£1 2s`. A number alone counts the first
/// piece that amounts are written with.
fn numbers(currency: &BidCurrency, text: &str, has_comma: bool) -> Vec<String> {
    let fields = currency.denominations.len().max(1);
    let written = currency.denominations.iter().position(|piece| piece.written).unwrap_or(0);
    let texts = (0..fields).map(|field| if field == written { text.to_owned() } else { String::new() });
    typed_bid(currency, &texts.collect::<Vec<_>>(), has_comma)
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
