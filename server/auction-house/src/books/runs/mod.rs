//! Runs of a book: shares, decay, grants to many and imports, each a commit of entries that is reversed whole
//! (SPEC, section 12).

pub mod automatic;
pub mod body;
pub mod create;
pub mod document;
pub mod draft;
pub mod judge;
pub mod list;
pub mod params;
pub mod pot;
pub mod reverse;
pub mod routes;

use rules_engine::money::Normalized;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::ids::{AuctionId, ImportId, ItemId, UserId};
use accounts::Person;
use accounts::person::PersonDocument;
use platform::db::Json;
use platform::text_enum;
use platform::time::Moment;

text_enum! {
    /// The kind of a run.
    pub enum BookRunKind {
        /// A pot, or an amount, among holders.
        Share = "SHARE",
        /// A percentage of what holders have is taken.
        Decay = "DECAY",
        /// A grant to several holders.
        Grant = "GRANT",
        /// The grants of a table.
        Import = "IMPORT",
    }
}

/// A run without its rows.
#[derive(Debug, Clone)]
pub struct BookRun {
    /// 1, 2, 3 … within the book.
    pub number: i64,
    pub kind: BookRunKind,
    pub params: Json<Box<RawValue>>,
    pub reason: Option<String>,
    /// What a SHARE left in its pot.
    pub kept: Normalized,
    pub import_id: Option<ImportId>,
    /// An outcome has caused it.
    pub is_automatic: bool,
    /// None for what an outcome has caused.
    pub by: Option<Person>,
    pub created_at: Moment,
    pub reversed: Option<Reversed>,
}

/// The reversal of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reversed {
    pub at: Moment,
    pub by: Option<Person>,
    pub reason: String,
}

/// What a run does to one holder, in base units as decimals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BookRunRow {
    #[schema(value_type = PersonDocument)]
    pub holder: Person,
    /// The amount before the caps of the book.
    #[schema(value_type = String)]
    pub asked: Normalized,
    /// The amount of the entry; without one it is 0.
    #[schema(value_type = String)]
    pub amount: Normalized,
    #[schema(value_type = String)]
    pub before: Normalized,
    #[schema(value_type = String)]
    pub after: Normalized,
}

/// A row of which caps have left nothing.
#[derive(Debug, Clone, Copy)]
pub struct WithoutEntry {
    /// Among all rows of the run, from 0.
    pub position: i64,
    pub holder_id: UserId,
    pub asked: Normalized,
    pub balance: Normalized,
}

/// A run that is to be kept.
#[derive(Debug)]
pub struct NewRun<'r> {
    pub number: i64,
    pub kind: BookRunKind,
    pub params: &'r str,
    pub reason: Option<&'r str>,
    pub kept: Normalized,
    /// The auction whose pot is shared.
    pub auction_id: Option<AuctionId>,
    /// The lot whose pot is shared.
    pub item_id: Option<ItemId>,
    pub import_id: Option<ImportId>,
    pub period: Option<&'r str>,
    pub by: Option<UserId>,
}

impl<'r> NewRun<'r> {
    /// A run that shares no pot, without a reason.
    pub fn of(number: i64, kind: BookRunKind, params: &'r str) -> Self {
        Self {
            number,
            kind,
            params,
            reason: None,
            kept: Normalized::ZERO,
            auction_id: None,
            item_id: None,
            import_id: None,
            period: None,
            by: None,
        }
    }
}
