//! The table of an import, and its rows as bodies of items (SPEC, section 3).

use iso_currency::Currency as IsoCurrency;
use platform::fields::{FieldError, Object};
use platform::table::{
    Column, ContentHash, Expected, Kinds, Layout, Reading, Row, Table, Unreadable, row_path,
};
use platform::text::same_letters;
use platform::time::Moment;
use platform::typed_time::{DateOrder, LocalTimes};
use rules_engine::typed::{TypedCurrency, number_note, typed_price};
use rules_engine::{BidForm, LotNumber, Normalized, Violation};

use crate::currencies::Currency;
use crate::items::LegacyPrice;
use crate::items::price::{legacy_profile, normalize};

/// Rows of one import, at most.
const ROWS_MAX: usize = 5_000;

/// The columns with the names that sales and other programs give them.
pub const COLUMNS: [Column; 11] = [
    Column::optional("lot").also(&[
        "lot number",
        "lot no",
        "lot nr",
        "item number",
        "item no",
        "number",
        "no",
        "nr",
        "id",
        "listing id",
        "package number",
        "catalog number",
        "catalogue number",
        "Los",
        "Losnummer",
    ]),
    Column::optional("name")
        .also(&[
            "title",
            "title en",
            "item",
            "item name",
            "item title",
            "lot name",
            "lot title",
            "listing name",
            "package name",
            "Bezeichnung",
            "Titel",
        ])
        .joined(&[]),
    Column::optional("description").also(&[
        "details",
        "description en",
        "item description",
        "detailed item description",
        "Beschreibung",
    ]),
    Column::optional("estimate").also(&[
        "value",
        "item value",
        "retail value",
        "market value",
        "fair market value",
        "fmv",
        "monetary value",
        "monetary value of item",
        "estimated value",
        "valuation",
        "valuation en",
        "Schätzpreis",
        "Schätzwert",
    ]),
    Column::optional("minimum").also(&[
        "minimum bid",
        "min bid",
        "starting bid",
        "start bid",
        "start price",
        "starting price",
        "opening bid",
        "Startpreis",
        "Mindestgebot",
    ]),
    Column::optional("increment").also(&[
        "minimum increment",
        "min increment",
        "bid increment",
        "minimum bid increment",
        "minimum raise",
        "min raise",
        "raise",
        "Mindestschritt",
    ]),
    Column::optional("currency"),
    Column::optional("seller").also(&[
        "seller number",
        "seller no",
        "consignor",
        "consignor number",
        "Verkäufer",
    ]),
    Column::optional("starts").also(&["start", "start time", "start date", "open time", "opens", "Beginn"]),
    Column::optional("ends").also(&["end", "end time", "end date", "close time", "closes", "Ende"]),
    Column::optional("published"),
];

/// The export of a whole auction as a table: its items are read.
const KINDS: Kinds = Kinds { column: "kind", beside: "lotNumber", read: "ITEM" };
/// The tables that an import of items expects.
pub const EXPECTED: Expected = Expected::of(&COLUMNS).kinds(KINDS);

/// A table of items that is read. Its cells are not.
#[derive(Debug, Clone)]
pub struct ItemTable {
    table: Table<{ COLUMNS.len() }>,
    times: LocalTimes,
}

/// A row with its lot number, if it names one.
#[derive(Debug, Clone)]
pub struct ItemRow {
    pub number: usize,
    pub lot: Option<LotNumber>,
    /// The number or the e-mail of the seller.
    pub seller: Option<String>,
    row: Row<{ COLUMNS.len() }>,
}

/// What the cells of a row mean in an auction.
#[derive(Debug, Clone, Copy)]
pub struct CellContext<'a> {
    /// Currency of minima and increments. None in a legacy auction.
    pub currency: Option<&'a Currency>,
    /// The ISO 4217 code of an item of a legacy auction without a cell for it: its own, or that of a new one.
    pub iso_currency: Option<&'a str>,
    pub times: &'a LocalTimes,
    /// The end of the auction.
    pub end: Option<Moment>,
}

impl ItemTable {
    /// # Errors
    /// Why the table as a whole can't be read.
    pub fn read(csv: &str, times: LocalTimes, reading: &Reading) -> Result<Self, Unreadable> {
        Table::read_expected(csv, &COLUMNS, &EXPECTED, reading, ROWS_MAX).map(|table| Self { table, times })
    }

    pub fn layout(&self) -> &Layout {
        &self.table.layout
    }

    /// How local times are read.
    pub fn times(&self) -> &LocalTimes {
        &self.times
    }

    /// Hash of the cells, with the zone and the order of dates if a time is local.
    pub fn content_hash(&self) -> Option<ContentHash> {
        let is_local = |row: &Row<{ COLUMNS.len() }>| {
            let [_, _, _, _, _, _, _, _, starts, ends, _] = &row.cells;
            [starts, ends].iter().any(|cell| !cell.is_empty() && cell.parse::<Moment>().is_err())
        };
        let order = match self.times.order {
            None => "",
            Some(DateOrder::DayFirst) => "DMY",
            Some(DateOrder::MonthFirst) => "MDY",
        };
        let local = [("timeZone", self.times.zone.name()), ("dates", order)];
        let given: &[_] = if self.table.rows.iter().any(is_local) { &local } else { &[] };
        self.table.content_hash(&COLUMNS, given, |_, cell| cell)
    }

    /// How many rows there are, with those that can't be read.
    pub fn row_count(&self) -> usize {
        self.table.rows.len() + self.table.errors.len()
    }

    /// Columns that only a manager's table may have: their names, and their headings.
    pub fn columns_of_managers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let columns = self.table.layout.columns.iter();
        let of_fields = columns.filter_map(|column| Some((column.field?, column.label.as_str())));
        of_fields.filter(|(field, _)| is_of_managers(field))
    }

    /// Rows, and the errors of those that can't be read or have no valid lot number.
    pub fn rows(&self) -> (Vec<ItemRow>, Vec<FieldError>) {
        let (mut rows, mut errors) = (Vec::new(), self.table.errors.clone());
        for row in &self.table.rows {
            let [lot, _, _, _, _, _, _, seller, ..] = &row.cells;
            let read = ItemRow {
                number: row.number,
                lot: lot.parse().ok(),
                seller: Some(seller.clone()).filter(|seller| !seller.is_empty()),
                row: row.clone(),
            };
            match lot.parse::<LotNumber>() {
                Err(error) if !lot.is_empty() => {
                    errors.push(read.error(&[FieldError::new("lot", format!("{error}"))]));
                }
                _ => rows.push(read),
            }
        }
        (rows, errors)
    }
}

fn is_of_managers(name: &str) -> bool {
    matches!(name, "lot" | "seller")
}

impl ItemRow {
    pub fn name(&self) -> &str {
        let [_, name, ..] = &self.row.cells;
        name
    }

    /// The errors of the item of the row, by the names of its columns, with the cells that are wrong.
    pub fn error(&self, errors: &[FieldError]) -> FieldError {
        let sentence = |error: &FieldError| {
            let name = column_of(&error.path);
            let column = COLUMNS.iter().position(|column| column.name() == name);
            let words = match error.is_sentence() {
                true => format!("{name}: {}", error.message),
                false => error.sentence(name),
            };
            match column.filter(|column| self.row.address(*column).is_some()) {
                Some(column) => {
                    format!("{} ({}).", words.strip_suffix('.').unwrap_or(&words), self.row.cell(column))
                }
                None => words,
            }
        };
        FieldError::new(row_path(self.number), errors.iter().map(sentence).collect::<Vec<_>>().join(" "))
    }

    /// The body of the item that the row describes; what is empty is absent. An existing item is patched with
    /// it. The seller and the lot number are assigned apart.
    pub fn body(&self, at: CellContext<'_>, is_new: bool) -> Result<Object, Vec<FieldError>> {
        let [_, name, description, estimate, minimum, increment, currency, _, starts, ends, published] =
            &self.row.cells;
        let mut object = Object::default();
        let mut errors = Vec::new();
        for (member, text) in [("name", name), ("description", description), ("estimate", estimate)] {
            if !text.is_empty() {
                object.set(member, text);
            }
        }
        match at.currency {
            Some(profile) => Self::set_prices(&mut object, &mut errors, profile, (minimum, increment)),
            None => {
                let named = Some(currency.to_ascii_uppercase()).filter(|code| !code.is_empty());
                let code = named.clone().or(at.iso_currency.map(str::to_owned));
                let of_code = code.as_ref().and_then(|code| IsoCurrency::from_code(code));
                for (member, text) in [("startingBid", minimum), ("minBidIncrement", increment)] {
                    match of_code.map(|code| legacy_price(code, text)) {
                        _ if text.is_empty() => {}
                        Some(Ok(price)) => object.set_given(member, price.amount.as_ref()),
                        Some(Err(words)) => errors.push(FieldError::explained(member, words)),
                        None => object.set(member, text),
                    }
                }
                object.set_given("currencyCode", code.filter(|_| is_new || named.is_some()).as_ref());
            }
        }
        if at.currency.is_some() && !currency.is_empty() {
            object.set("currencyCode", &currency.to_ascii_uppercase());
        }
        for (member, text) in
            [("startsAt", starts), ("endDate", ends)].into_iter().filter(|(_, text)| !text.is_empty())
        {
            match at.times.moment(text, at.end) {
                Ok(moment) => object.set(member, &moment),
                Err(error) => errors.push(FieldError::explained(member, error.to_string())),
            }
        }
        match is_yes(published) {
            Some(Some(yes)) => object.set("isPublished", &yes),
            Some(None) => errors.push(FieldError::new("isPublished", "must be yes or no")),
            None => {}
        }
        if errors.is_empty() { Ok(object) } else { Err(errors) }
    }

    /// Minimum and increment, typed as prices in the currency. An increment is kept in base units.
    fn set_prices(
        object: &mut Object,
        errors: &mut Vec<FieldError>,
        currency: &Currency,
        (minimum, increment): (&str, &str),
    ) {
        let typed = currency.typed();
        if !minimum.is_empty() {
            match price(&typed, minimum) {
                Ok(BidForm { amount, entered_representation }) => {
                    let mut constraint = Object::default();
                    constraint.set("currencyProfileId", &currency.id);
                    constraint.set_given("amount", amount.as_ref());
                    constraint.set_given("enteredRepresentation", entered_representation.as_ref());
                    object.set("minBidConstraint", &constraint);
                }
                Err(words) => errors.push(FieldError::explained("minBidConstraint", words)),
            }
        }
        if !increment.is_empty() {
            let normalized = price(&typed, increment).and_then(|entered| {
                let first = |violations: Vec<Violation>| violations.into_iter().next();
                let normalized = normalize(currency, &entered).map_err(first);
                normalized.map_err(|violation| violation.map(|it| it.message).unwrap_or_default())
            });
            match normalized {
                Ok(normalized) => object.set("minIncrementNormalized", &normalized),
                Err(words) => errors.push(FieldError::explained("minIncrementNormalized", words)),
            }
        }
    }
}

/// Reads a price.
///
/// # Errors
/// What to write instead.
fn price(currency: &TypedCurrency<'_>, cell: &str) -> Result<BidForm, String> {
    let price = typed_price(currency, cell).map_err(|unclear| unclear.message)?;
    match price.amount.as_ref().filter(|amount| amount.as_str().parse::<Normalized>().is_err()) {
        Some(_) => Err(format!("write {}", number_note(currency.definition.precision, cell))),
        None => Ok(price),
    }
}

/// Reads a price in an ISO 4217 currency, alone or beside its code or symbol.
fn legacy_price(currency: IsoCurrency, cell: &str) -> Result<BidForm, String> {
    let symbol = currency.symbol().to_string();
    let profile = legacy_profile(&LegacyPrice { currency, starting_bid: None, min_bid_increment: None });
    price(&TypedCurrency::new(profile, [currency.code(), &symbol], std::iter::empty(), same_letters), cell)
}

/// Whether a cell says yes or no; none if it is empty, or if it says something else.
fn is_yes(cell: &str) -> Option<Option<bool>> {
    match cell.to_ascii_lowercase().as_str() {
        "" => None,
        "yes" | "true" | "1" | "x" => Some(Some(true)),
        "no" | "false" | "0" => Some(Some(false)),
        _ => Some(None),
    }
}

/// The name of the column for a member of an item.
fn column_of(path: &str) -> &str {
    match path {
        "startsAt" => "starts",
        "endDate" => "ends",
        "isPublished" => "published",
        "sellerId" => "seller",
        "currencyCode" => "currency",
        "startingBid" => "minimum",
        "minBidIncrement" | "minIncrementNormalized" => "increment",
        "lotNumber" => "lot",
        path if path.starts_with("minBidConstraint") => "minimum",
        path => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_of_a_legacy_item_may_have_its_symbol_or_code() {
        let amount = |code: &str, cell: &str| {
            let code = IsoCurrency::from_code(code).unwrap();
            legacy_price(code, cell).map(|price| price.amount.map(String::from).unwrap_or_default())
        };
        for (code, cell, number) in [
            ("USD", "$200", "200"),
            ("USD", "$1,200.00", "1200.00"),
            ("EUR", "12,50 €", "12.50"),
            ("EUR", "€12.50", "12.50"),
            ("EUR", "1'234.50 EUR", "1234.50"),
            ("KWD", "1.250", "1.250"),
        ] {
            assert_eq!(amount(code, cell).as_deref(), Ok(number), "{cell}");
        }
        assert_eq!(
            amount("USD", "1,200").unwrap_err(),
            "write without a separator for thousands, such as 1000 or 12.5"
        );
        assert_eq!(amount("USD", "€5").unwrap_err(), "write a number, alone or beside its own symbol");
    }

    #[test]
    fn published_is_yes_or_no() {
        let read = ["", "Yes", "TRUE", "x", "no", "0", "maybe"].map(is_yes);
        let (yes, no) = (Some(Some(true)), Some(Some(false)));
        assert_eq!(read, [None, yes, yes, yes, no, no, Some(None)]);
    }
}
