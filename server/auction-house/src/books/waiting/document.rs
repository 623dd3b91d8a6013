//! Waiting grants in responses.

use serde::Serialize;
use utoipa::ToSchema;

use crate::waiting::WaitingGrant;
use platform::paging::Paged;

/// A page of the grants of a book that wait, oldest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WaitingGrants)]
pub struct WaitingGrantsDocument {
    pub grants: Vec<WaitingGrant>,
    pub next_cursor: Option<String>,
}

impl From<Paged<WaitingGrant>> for WaitingGrantsDocument {
    fn from(page: Paged<WaitingGrant>) -> Self {
        let page = page.within_bytes();
        Self { grants: page.entries, next_cursor: page.next_cursor }
    }
}
