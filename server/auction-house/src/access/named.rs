//! The member for whom a clerk acts, as a request names them (SPEC, section 15).

use serde::Deserialize;

use super::store;
use crate::ids::{AuctionId, UserId};
use accounts::Person;
use accounts::groups::PersonNumber;
use platform::db::{Connection, DbError};
use platform::fields::FieldError;
use platform::shape::{Members, Shape};

/// A member by number in the group of the auction, or by user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NamedMember {
    number: Option<i64>,
    user_id: Option<UserId>,
}

impl Shape for NamedMember {
    const NAME: &'static str = "NamedMember";
    const ABOUT: &'static str = "A member of the auction: one of `number` and `userId`.";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .optional_integer("number", PersonNumber::BOUNDS, &mut self.number)
            .about("In the group of the auction.");
        members.parsed("userId", &mut self.user_id);
    }
}

impl NamedMember {
    pub fn number(number: i64) -> Self {
        Self { number: Some(number), user_id: None }
    }

    pub fn user(user_id: UserId) -> Self {
        Self { number: None, user_id: Some(user_id) }
    }

    /// The key that the request gives.
    ///
    /// # Errors
    /// Neither or both are given, or the number is none that a member can have.
    pub fn key(&self) -> Result<MemberKey, Vec<FieldError>> {
        match (self.number, self.user_id) {
            (Some(number), None) => {
                PersonNumber::try_from(number).map(MemberKey::Number).map_err(|_| vec![no_number()])
            }
            (None, Some(user_id)) => Ok(MemberKey::User(user_id)),
            (None, None) | (Some(_), Some(_)) => {
                Err(vec![FieldError::new("for", "must have one of `number` and `userId`")])
            }
        }
    }

    /// The member, or what is wrong with the name.
    pub async fn find(
        &self,
        conn: &mut Connection,
        auction_id: AuctionId,
    ) -> Result<Result<Person, Vec<FieldError>>, DbError> {
        let key = match self.key() {
            Ok(key) => key,
            Err(errors) => return Ok(Err(errors)),
        };
        let found = store::named::find(conn, &[(auction_id, key)]).await?.remove(&(auction_id, key));
        Ok(found.ok_or_else(|| vec![key.unknown()]))
    }
}

/// What names one member of an auction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemberKey {
    /// In the group of the auction.
    Number(PersonNumber),
    User(UserId),
}

impl MemberKey {
    /// The error of a key that no member has.
    pub fn unknown(self) -> FieldError {
        match self {
            Self::Number(_) => no_number(),
            Self::User(_) => FieldError::new("for.userId", "must be the id of a member of the auction"),
        }
    }
}

fn no_number() -> FieldError {
    FieldError::new("for.number", "must be the number of a member of the auction")
}
