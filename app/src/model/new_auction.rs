//! The data of the pages with which an auction and many lots are created.

use super::PastImports;
use super::SelectOption;
use super::TableLayout;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManyLotsPage {
    pub auction_id: String,
    pub auction_name: String,
    /// Empty in an auction with currency profiles.
    pub iso_currencies: Vec<SelectOption>,
    /// The code of the one that the form begins with.
    pub iso: String,
    /// A lot may have an end of its own.
    pub times: bool,
    /// How minima are typed.
    pub minimum_in: String,
    /// The lots that were added just before, in their order.
    pub added: Vec<SelectOption>,
}

/// The page that imports items, with the preview of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemImportPage {
    pub auction_id: String,
    pub auction_name: String,
    /// What minima and increments are in, as a sentence.
    pub money: String,
    /// The viewer may name lots and sellers.
    pub manages: bool,
    /// Drafts that the viewer may show to the bidders, all at once.
    pub drafts: usize,
    pub rows: Vec<ItemImportRow>,
    /// Row and what is wrong with it.
    pub errors: Vec<(String, String)>,
    pub layout: TableLayout,
    pub imports: PastImports,
}

/// A row of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemImportRow {
    pub row: usize,
    pub lot: String,
    pub name: String,
    /// What happens with it, in words.
    pub action: &'static str,
    /// A new lot that bidders do not see yet.
    pub is_draft: bool,
}
