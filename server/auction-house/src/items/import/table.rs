//! The table of an import, and its rows as bodies of items (SPEC, section 3).

use platform::fields::{FieldError, Object};
use platform::table::{Column, Kinds, Layout, Reading, Row, Table, Unreadable, row_path};
use platform::time::Moment;
use platform::zone::{LocalTimeError, Zone};
use rules_engine::{BidForm, EnteredCount, InputMode, Literal, LotNumber};

use crate::currencies::{Currency, Denomination};
use crate::engine::number_in_table;
use crate::items::price::normalize;

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
        "Los",
        "Losnummer",
    ]),
    Column::optional("name")
        .also(&["title", "item", "item name", "item title", "lot name", "listing name", "Bezeichnung"])
        .joined(&[]),
    Column::optional("description").also(&[
        "details",
        "item description",
        "detailed item description",
        "Beschreibung",
    ]),
    Column::optional("estimate").also(&["value", "retail value", "fair market value", "fmv", "valuation"]),
    Column::optional("minimum").also(&[
        "minimum bid",
        "starting bid",
        "start bid",
        "start price",
        "opening bid",
        "Startpreis",
        "Mindestgebot",
    ]),
    Column::optional("increment").also(&["minimum increment", "bid increment", "minimum raise", "raise"]),
    Column::optional("currency"),
    Column::optional("seller").also(&["seller number", "consignor", "Verkäufer"]),
    Column::optional("starts").also(&["start", "start time", "opens"]),
    Column::optional("ends").also(&["end", "end time", "end date", "close time", "closes"]),
    Column::optional("published"),
];

/// The export of a whole auction as a table: its items are read.
const KINDS: Kinds = Kinds { column: "kind", beside: "lotNumber", read: "ITEM" };

/// A table of items that is read. Its cells are not.
#[derive(Debug, Clone)]
pub struct ItemTable {
    table: Table<{ COLUMNS.len() }>,
    /// The zone of local times.
    zone: Zone,
}

/// A row with its lot number, if it names one.
#[derive(Debug, Clone)]
pub struct ItemRow {
    pub number: usize,
    pub lot: Option<LotNumber>,
    /// The number or the e-mail of the seller.
    pub seller: Option<String>,
    row: Row<{ COLUMNS.len() }>,
    has_decimal_comma: bool,
}

/// What the cells of a row mean in an auction.
#[derive(Debug, Clone, Copy)]
pub struct CellContext<'a> {
    /// Currency of minima and increments. None in a legacy auction.
    pub currency: Option<&'a Currency>,
    /// The ISO 4217 code of a new item of a legacy auction without a cell for it.
    pub iso_currency: Option<&'a str>,
    pub zone: &'a Zone,
}

impl ItemTable {
    /// # Errors
    /// Why the table as a whole can't be read.
    pub fn read(csv: &str, zone: Zone, reading: &Reading) -> Result<Self, Unreadable> {
        Table::read_kind(csv, &COLUMNS, Some(KINDS), reading, ROWS_MAX).map(|table| Self { table, zone })
    }

    pub fn layout(&self) -> &Layout {
        &self.table.layout
    }

    pub fn zone(&self) -> &Zone {
        &self.zone
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
                has_decimal_comma: self.table.has_decimal_comma,
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
            Some(profile) => self.set_prices(&mut object, &mut errors, profile, (minimum, increment)),
            None => {
                for (member, text) in [("startingBid", minimum), ("minBidIncrement", increment)] {
                    if !text.is_empty() {
                        object.set(member, &number_in_table(text, self.has_decimal_comma));
                    }
                }
            }
        }
        let code = Some(currency.as_str()).filter(|code| !code.is_empty());
        if let Some(code) = code.or(at.iso_currency.filter(|_| is_new && at.currency.is_none())) {
            object.set("currencyCode", &code.to_uppercase());
        }
        for (member, text) in
            [("startsAt", starts), ("endDate", ends)].into_iter().filter(|(_, text)| !text.is_empty())
        {
            match moment(text, at.zone) {
                Ok(moment) => object.set(member, &moment),
                Err(error) => errors.push(FieldError::new(member, error.to_string())),
            }
        }
        match is_yes(published) {
            Some(Some(yes)) => object.set("isPublished", &yes),
            Some(None) => errors.push(FieldError::new("isPublished", "must be yes or no")),
            None => {}
        }
        if errors.is_empty() { Ok(object) } else { Err(errors) }
    }

    /// Minimum and increment, entered as bids in the currency. An increment is kept in base units.
    fn set_prices(
        &self,
        object: &mut Object,
        errors: &mut Vec<FieldError>,
        currency: &Currency,
        (minimum, increment): (&str, &str),
    ) {
        if !minimum.is_empty() {
            let BidForm { amount, entered_representation } = self.entered(currency, minimum);
            let mut constraint = Object::default();
            constraint.set("currencyProfileId", &currency.id);
            if let Some(amount) = amount {
                constraint.set("amount", &amount);
            }
            if let Some(counts) = entered_representation {
                constraint.set("enteredRepresentation", &counts);
            }
            object.set("minBidConstraint", &constraint);
        }
        if !increment.is_empty() {
            let entered = self.entered(currency, increment);
            let normalized = entered.check().ok().and_then(|()| normalize(currency, &entered).ok());
            match normalized {
                Some(normalized) => object.set("minIncrementNormalized", &normalized),
                None => errors.push(FieldError::new("minIncrementNormalized", must_be_entered(currency))),
            }
        }
    }

    /// A cell as a bid: a number, or in DENOMINATION mode the counts of the pieces: `3.2.1`.
    fn entered(&self, currency: &Currency, cell: &str) -> BidForm {
        if currency.input_mode == InputMode::Scalar {
            let amount = Literal::from(number_in_table(cell, self.has_decimal_comma));
            return BidForm { amount: Some(amount), entered_representation: None };
        }
        let counts: Vec<&str> = cell.split('.').map(str::trim).collect();
        let pieces = &currency.denominations;
        // Another number of counts is refused as a number would be.
        if counts.len() != pieces.len() {
            return BidForm { amount: Some(Literal::from(cell)), entered_representation: None };
        }
        let count = |(piece, count): (&Denomination, &&str)| EnteredCount {
            denomination: piece.code.clone(),
            count: Literal::from(*count),
        };
        let entered = pieces.iter().zip(&counts).map(count).collect();
        BidForm { amount: None, entered_representation: Some(entered) }
    }
}

/// What an increment has to be.
fn must_be_entered(currency: &Currency) -> String {
    match currency.input_mode {
        InputMode::Scalar => format!("must be an amount in {}, such as 5", currency.code),
        InputMode::Denomination => {
            let pieces: Vec<&str> = currency.denominations.iter().map(|piece| piece.code.as_str()).collect();
            format!("must be counts of {}, such as {}", pieces.join("."), vec!["1"; pieces.len()].join("."))
        }
    }
}

/// A time in RFC 3339, or a local one such as `2026-05-01 18:00`.
fn moment(text: &str, zone: &Zone) -> Result<Moment, LocalTimeError> {
    if let Ok(moment) = text.parse() {
        return Ok(moment);
    }
    zone.moment(&text.replacen(' ', "T", 1))
}

/// Whether a cell says yes or no; none if it is empty, or if it says something else.
fn is_yes(cell: &str) -> Option<Option<bool>> {
    match cell.to_lowercase().as_str() {
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
    fn times_are_local_or_say_their_offset() {
        let zone = Zone::named("Europe/Berlin").unwrap();
        let read = |text: &str| moment(text, &zone).map(|moment| moment.to_string());
        for text in
            ["2026-05-01 18:00", "2026-05-01T18:00:00", "2026-05-01T16:00:00Z", "2026-05-01T12:00:00-04:00"]
        {
            assert_eq!(read(text).as_deref(), Ok("2026-05-01T16:00:00.000Z"), "{text}");
        }
        assert_eq!(read("2026-03-29 02:30"), Err(LocalTimeError::Skipped));
        for text in ["1.5.2026 18:00", "2026-05-01", "18:00", "2026-05-01 25:00"] {
            assert_eq!(read(text), Err(LocalTimeError::Invalid), "{text}");
        }
    }

    #[test]
    fn published_is_yes_or_no() {
        let read = ["", "Yes", "TRUE", "x", "no", "0", "maybe"].map(is_yes);
        let (yes, no) = (Some(Some(true)), Some(Some(false)));
        assert_eq!(read, [None, yes, yes, yes, no, no, Some(None)]);
    }
}
