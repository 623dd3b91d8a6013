//! Invites in responses (SPEC, section 3).

use serde::Serialize;
use utoipa::ToSchema;

use super::target::InviteTarget;
use crate::access::{GrantedRole, Invite, Role};
use crate::ids::{AuctionId, InviteId};
use accounts::person::PersonDocument;
use platform::time::Moment;

/// An invite for those who may pass it on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invite)]
pub struct InviteDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: InviteId,
    pub email: String,
    #[schema(value_type = GrantedRole)]
    pub role: Role,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Moment,
    /// When the attempts to mail it ended without success: pass the link on. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub mail_failed_at: Option<Moment>,
    pub token: String,
    /// The page that the invited user opens.
    pub url: String,
}

/// The path of the page of an invite.
pub fn page_of(token: &str) -> String {
    format!("/invites/{token}")
}

impl InviteDocument {
    /// `site` is the address of this site.
    pub fn of(invite: Invite, site: &str) -> Self {
        Self {
            id: invite.id,
            email: invite.email.as_typed().to_owned(),
            role: invite.role.into(),
            expires_at: invite.expires_at,
            mail_failed_at: invite.mail_failed_at,
            url: format!("{site}{}", page_of(invite.token.as_str())),
            token: invite.token.as_str().to_owned(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Invites)]
pub struct InvitesDocument {
    pub invites: Vec<InviteDocument>,
}

/// An invite for anyone who has its link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InviteTarget)]
pub struct TargetDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: InviteId,
    pub email: String,
    #[schema(value_type = GrantedRole)]
    pub role: Role,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Moment,
    pub auction: InvitedToDocument,
    pub sender: PersonDocument,
}

/// The auction that an invite leads to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InvitedTo)]
pub struct InvitedToDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: AuctionId,
    pub name: String,
    pub description: String,
}

impl From<InviteTarget> for TargetDocument {
    fn from(target: InviteTarget) -> Self {
        let InviteTarget { invite, auction, sender } = target;
        Self {
            id: invite.id,
            email: invite.email.as_typed().to_owned(),
            role: invite.role.into(),
            expires_at: invite.expires_at,
            auction: InvitedToDocument {
                id: auction.id,
                name: auction.terms.name,
                description: auction.terms.description,
            },
            sender: sender.into(),
        }
    }
}
