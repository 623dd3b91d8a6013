//! An export as one JSON object of four lists, written part by part.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{Record, Section};
use crate::bids::document::BidDocument;
use crate::items::document::ItemDocument;
use crate::items::outcomes::document::OutcomeDocument;
use crate::members::document::MemberDocument;
use platform::db::DbError;

/// Describes the object to the OpenAPI document. No value holds a whole export.
pub struct ExportSchema;

impl PartialSchema for ExportSchema {
    fn schema() -> RefOr<Schema> {
        let lists = [
            (Section::Items, ItemDocument::name()),
            (Section::Outcomes, OutcomeDocument::name()),
            (Section::Bids, BidDocument::name()),
            (Section::Members, MemberDocument::name()),
        ];
        let object = lists.into_iter().fold(ObjectBuilder::new(), |object, (section, entry)| {
            let list = ArrayBuilder::new().items(Ref::from_schema_name(entry));
            object.property(section.name(), list).required(section.name())
        });
        object.into()
    }
}

impl ToSchema for ExportSchema {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("AuctionExport")
    }
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Outcomes => "outcomes",
            Self::Bids => "bids",
            Self::Members => "members",
        }
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Item(item) => item.serialize(serializer),
            Self::Outcome(outcome) => outcome.serialize(serializer),
            Self::Bid(bid) => bid.serialize(serializer),
            Self::Member(member) => member.serialize(serializer),
        }
    }
}

/// Ends the list before, if there is one, and begins the list of a section.
pub(super) fn begin(text: &mut Vec<u8>, section: Section) {
    text.extend_from_slice(if section == Section::Items { b"{\"" } else { b"],\n\"" });
    text.extend_from_slice(section.name().as_bytes());
    text.extend_from_slice(b"\":[");
}

/// Writes entries of the current list; `is_first` if it has none so far.
pub(super) fn write(text: &mut Vec<u8>, records: &[Record], is_first: bool) -> Result<(), DbError> {
    for (at, record) in records.iter().enumerate() {
        text.extend_from_slice(if is_first && at == 0 { b"\n" } else { b",\n" });
        serde_json::to_writer(&mut *text, record).map_err(|error| DbError::Corrupt(error.to_string()))?;
    }
    Ok(())
}

/// Ends the last list and the object.
pub(super) fn end(text: &mut Vec<u8>) {
    text.extend_from_slice(b"]}\n");
}
