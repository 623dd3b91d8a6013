//! Holders and entries of a book as page data.

use app::model::EntryKind as KindWord;
use app::model::{PlotPoint, SelectOption};
use auction_house::books::holders::list::HolderFunds;
use auction_house::books::{BookView, Entry, EntryKind};
use auction_house::engine::Normalized;
use platform::time::Moment;

use super::facts::facts;
use super::show::entries::LedgerEntry;
use super::show::holders::HolderEntry;
use crate::pages::error::Loaded;
use crate::pages::wire::from_spelling;

/// A holder as the choice of a list.
pub fn person(holder: HolderFunds) -> SelectOption {
    let person = holder.holder.person;
    SelectOption { value: person.id.to_string(), label: person.name }
}

/// A holder in the list of holders.
pub fn holder_entry(seen: &BookView, holder: HolderFunds) -> Loaded<HolderEntry> {
    Ok(HolderEntry {
        role: from_spelling(holder.holder.role.as_str())?,
        funds: facts(&holder.funds),
        is_viewer: holder.holder.person.id == seen.viewer,
        id: holder.holder.person.id.to_string(),
        name: holder.holder.person.name,
    })
}

/// An entry of the book in the list of entries.
pub fn ledger_entry(seen: &BookView, entry: Entry) -> Loaded<LedgerEntry> {
    let kind: KindWord = from_spelling(entry.kind.as_str())?;
    let may_reverse = seen.role.keeps() && !seen.book.is_closed();
    Ok(LedgerEntry {
        sequence: entry.sequence,
        holder: SelectOption { value: entry.holder.id.to_string(), label: entry.holder.name },
        amount: entry.amount.to_string(),
        kind,
        reason: entry.reason,
        reverses: entry.reverses,
        is_reversible: may_reverse && entry.kind == EntryKind::Grant && !entry.is_reversed,
        by: entry.by.map(|by| by.name),
        created_at: entry.created_at.millis(),
    })
}

/// An amount from a moment on, as a point of a drawing.
pub fn plot_point((at, amount): (Moment, Normalized)) -> PlotPoint {
    PlotPoint { at: at.millis(), amount: amount.to_string() }
}
