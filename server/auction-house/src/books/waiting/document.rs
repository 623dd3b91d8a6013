//! Waiting grants in responses.

use rules_engine::money::Normalized;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::WaitingGrantId;
use crate::waiting::WaitingGrant;
use platform::paging::Paged;
use platform::time::Moment;

/// A grant that waits for the user with an e-mail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WaitingGrant)]
pub struct WaitingGrantDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: WaitingGrantId,
    pub email: String,
    /// A decimal in base units.
    #[schema(value_type = String)]
    pub amount: Normalized,
    pub reason: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    /// It waits until then.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Moment,
    /// When the attempts to mail the link of the book ended without success. Absent while they have not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = false)]
    pub mail_failed_at: Option<Moment>,
}

impl From<WaitingGrant> for WaitingGrantDocument {
    fn from(grant: WaitingGrant) -> Self {
        let WaitingGrant { id, email, amount, reason, created_at, expires_at, mail_failed_at, .. } = grant;
        let email = email.as_typed().to_owned();
        Self { id, email, amount, reason, created_at, expires_at, mail_failed_at }
    }
}

/// A page of the grants of a book that wait, oldest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WaitingGrants)]
pub struct WaitingGrantsDocument {
    pub grants: Vec<WaitingGrantDocument>,
    pub next_cursor: Option<String>,
}

impl From<Paged<WaitingGrant>> for WaitingGrantsDocument {
    fn from(page: Paged<WaitingGrant>) -> Self {
        let page = page.map(WaitingGrantDocument::from).within_bytes();
        Self { grants: page.entries, next_cursor: page.next_cursor }
    }
}
