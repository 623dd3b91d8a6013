//! Members for whom a clerk bids and hammers (SPEC, section 15).

use crate::access::{Action, NamedMember, Role, no_member};
use crate::bids::access::sees;
use crate::bids::batch::state::BatchState;
use crate::ids::{AuctionId, UserId};
use crate::items::bidding::BidItem;
use accounts::Person;
use platform::db::{Connection, DbError};
use platform::fields::FieldError;
use platform::verb::VerbError;

/// The member whom a clerk has named, or what is wrong with the name.
#[derive(Debug, Clone)]
pub struct Behalf(Result<Person, Vec<FieldError>>);

impl Behalf {
    pub async fn find(
        conn: &mut Connection,
        auction_id: AuctionId,
        named: &NamedMember,
    ) -> Result<Self, DbError> {
        Ok(Self(named.find(conn, auction_id).await?))
    }

    /// The user whom the batch reads.
    pub fn user_id(&self) -> Option<UserId> {
        self.0.as_ref().ok().map(|member| member.id)
    }

    /// The member, who may have left the auction since.
    ///
    /// # Errors
    /// The message about an invalid name.
    pub fn member<R>(&self, batch: &BatchState, auction_id: AuctionId) -> Result<&Person, VerbError<R>> {
        let member = self.0.as_ref().map_err(Vec::clone)?;
        if batch.role(auction_id, member.id).is_none() {
            return Err(vec![no_member()].into());
        }
        Ok(member)
    }
}

/// Whether a user with this role may bid for others on the item, and hammer it.
///
/// # Errors
/// `NotFound` or `Forbidden`.
pub fn authorize_clerk<R>(item: &BidItem, user_id: UserId, role: Option<Role>) -> Result<(), VerbError<R>> {
    if !sees(item, user_id, role) {
        Err(VerbError::NotFound)
    } else if !role.is_some_and(|role| role.may(Action::RunHall)) {
        Err(VerbError::Forbidden)
    } else {
        Ok(())
    }
}
