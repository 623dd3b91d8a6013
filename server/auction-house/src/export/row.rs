//! An export as one table whose first column is the kind of the row.

use rules_engine::EnteredCount;

use super::{Names, Record};
use crate::bids::document::{BidDocument, WithdrawalDocument};
use crate::ids::{CurrencyId, ItemId};
use crate::items::document::ItemDocument;
use crate::items::outcomes::document::OutcomeDocument;
use crate::members::document::MemberDocument;
use accounts::person::PersonDocument;
use platform::cell::Cell;
use platform::http::download::ExportError;
use platform::http::format::TableFormat;
use platform::http::rows::RowWriter;
use platform::time::Moment;

/// Declares the columns with their names: those of texts, and those of numbers.
macro_rules! columns {
    ($($field:ident: $kind:ident = $name:literal,)+) => {
        /// The cells of one row. A column without a value for this kind of row is empty.
        #[derive(Debug, Default)]
        struct Row {
            $($field: String,)+
        }

        impl Row {
            const NAMES: &'static [&'static str] = &[$($name),+];

            fn into_cells(self) -> Vec<Cell> {
                vec![$(Cell::$kind(self.$field)),+]
            }
        }
    };
}

columns! {
    kind: Text = "kind",
    item_id: Text = "itemId",
    lot_number: Text = "lotNumber",
    item: Text = "item",
    status: Text = "status",
    end_date: Text = "endDate",
    number: Number = "number",
    result: Text = "result",
    sequence: Number = "sequence",
    // The seller of an item, the winner of an outcome, the bidder of a bid.
    person_id: Text = "personId",
    person: Text = "person",
    // In the group of the auction.
    person_number: Number = "personNumber",
    role: Text = "role",
    currency: Text = "currency",
    amount: Number = "amount",
    entered: Text = "enteredRepresentation",
    normalized: Number = "normalizedAmount",
    is_anonymous: Text = "isAnonymous",
    reason: Text = "reason",
    by: Text = "by",
    paid_at: Text = "paidAt",
    collected_at: Text = "collectedAt",
    created_at: Text = "createdAt",
    withdrawn_at: Text = "withdrawnAt",
    note: Text = "note",
    placed_by: Text = "placedBy",
    overridden: Text = "overridden",
}

pub(super) fn begin(format: TableFormat) -> Result<RowWriter, ExportError> {
    RowWriter::begin(format, Row::NAMES)
}

pub(super) fn write(rows: &mut RowWriter, records: &[Record], names: &Names) -> Result<(), ExportError> {
    records.iter().try_for_each(|record| {
        let row = match record {
            Record::Item(item) => of_item(item),
            Record::Outcome(outcome) => of_outcome(outcome, names),
            Record::Bid(bid) => of_bid(bid, names),
            Record::Member(member) => of_member(member),
        };
        rows.write(&row.into_cells())
    })
}

impl Row {
    fn new(kind: &str) -> Self {
        Self { kind: kind.to_owned(), ..Self::default() }
    }

    fn of_item(kind: &str, item_id: ItemId, names: &Names) -> Self {
        let mut row = Self { item_id: item_id.to_string(), ..Self::new(kind) };
        if let Some((lot_number, name, _)) = names.items.get(&item_id) {
            row.lot_number = lot_number.to_string();
            row.item.clone_from(name);
        }
        row
    }

    fn with_person(mut self, person: Option<&PersonDocument>) -> Self {
        if let Some(person) = person {
            self.person_id = person.id_cell();
            self.person_number = person.number.flatten().map(|number| number.to_string()).unwrap_or_default();
            self.person.clone_from(&person.name);
        }
        self
    }

    fn with_withdrawal(mut self, withdrawal: Option<&WithdrawalDocument>) -> Self {
        if let Some(withdrawal) = withdrawal {
            self.reason = withdrawal.reason.as_str().to_owned();
            self.by = withdrawal.by.as_str().to_owned();
            self.note = withdrawal.note.clone().unwrap_or_default();
            self.withdrawn_at = withdrawal.at.to_string();
        }
        self
    }

    fn with_price(
        mut self,
        amount: Option<&str>,
        counts: Option<&[EnteredCount]>,
        currency: String,
        normalized: String,
    ) -> Self {
        self.amount = amount.unwrap_or_default().to_owned();
        let counts = counts.unwrap_or_default().iter();
        let counts = counts.map(|entry| format!("{} {}", entry.count, entry.denomination));
        self.entered = counts.collect::<Vec<_>>().join(" ");
        self.currency = currency;
        self.normalized = normalized;
        self
    }
}

/// The code of a currency profile, or of the ISO currency of a legacy item.
fn currency_code(names: &Names, profile_id: Option<CurrencyId>, item_id: ItemId) -> String {
    let iso = || names.items.get(&item_id).and_then(|(_, _, iso)| *iso).unwrap_or_default().to_owned();
    profile_id.map_or_else(iso, |id| names.currencies.get(&id).cloned().unwrap_or_else(|| id.to_string()))
}

fn moment(moment: Option<Moment>) -> String {
    moment.map(|moment| moment.to_string()).unwrap_or_default()
}

fn of_item(item: &ItemDocument) -> Row {
    Row {
        item_id: item.id.to_string(),
        lot_number: item.lot_number.to_string(),
        item: item.name.clone(),
        status: item.status.as_str().to_owned(),
        end_date: moment(item.end_date),
        currency: item.currency_code.unwrap_or_default().to_owned(),
        created_at: item.created_at.to_string(),
        ..Row::new("ITEM")
    }
    .with_person(item.seller.as_ref())
}

fn of_outcome(outcome: &OutcomeDocument, names: &Names) -> Row {
    let mut row = Row::of_item("OUTCOME", outcome.item_id, names).with_person(outcome.winner.as_ref());
    if let Some(bid) = &outcome.bid {
        let currency = currency_code(names, bid.currency_profile_id, outcome.item_id);
        row.sequence = bid.sequence.map(|sequence| sequence.to_string()).unwrap_or_default();
        row = row.with_price(
            bid.amount.as_ref().map(|amount| amount.get()),
            bid.entered_representation.as_deref(),
            currency,
            bid.normalized_amount.to_string(),
        );
    }
    Row {
        number: outcome.number.to_string(),
        result: outcome.result.as_str().to_owned(),
        reason: outcome.reason.clone().unwrap_or_default(),
        by: outcome.by.as_ref().map(|by| by.name.clone()).unwrap_or_default(),
        paid_at: moment(outcome.paid_at),
        collected_at: moment(outcome.collected_at),
        created_at: outcome.created_at.to_string(),
        ..row
    }
}

fn of_bid(bid: &BidDocument, names: &Names) -> Row {
    let currency = currency_code(names, bid.currency_profile_id, bid.item_id);
    let row = Row::of_item("BID", bid.item_id, names).with_person(bid.bidder.as_ref()).with_price(
        bid.amount.as_ref().map(|amount| amount.get()),
        bid.entered_representation.as_deref(),
        currency,
        bid.normalized_amount.to_string(),
    );
    Row {
        sequence: bid.sequence.map(|sequence| sequence.to_string()).unwrap_or_default(),
        placed_by: bid.placed_by.as_ref().map(|clerk| clerk.name.clone()).unwrap_or_default(),
        overridden: bid.overridden.iter().map(|code| code.as_str()).collect::<Vec<_>>().join(" "),
        is_anonymous: bid.is_anonymous.to_string(),
        end_date: moment(bid.item_end_date),
        created_at: bid.created_at.to_string(),
        ..row
    }
    .with_withdrawal(bid.withdrawn.as_ref())
}

fn of_member(member: &MemberDocument) -> Row {
    Row {
        role: member.role.as_str().to_owned(),
        created_at: member.joined_at.to_string(),
        ..Row::new("MEMBER")
    }
    .with_person(Some(&member.user))
}
