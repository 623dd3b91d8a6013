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

    /// The member, or what is wrong with the name.
    pub async fn find(
        &self,
        conn: &mut Connection,
        auction_id: AuctionId,
    ) -> Result<Result<Person, Vec<FieldError>>, DbError> {
        let found = match (self.number, self.user_id) {
            (Some(number), None) => match PersonNumber::try_from(number) {
                Ok(number) => store::numbers::member(conn, auction_id, number).await?,
                Err(_) => None,
            },
            (None, Some(user_id)) => {
                let member = store::member(conn, auction_id, user_id).await?;
                member.map(|member| Person { id: member.id, name: member.name })
            }
            (None, None) | (Some(_), Some(_)) => {
                return Ok(Err(vec![FieldError::new("for", "must have one of `number` and `userId`")]));
            }
        };
        Ok(found.ok_or_else(|| vec![if self.number.is_some() { no_number() } else { no_member() }]))
    }
}

fn no_number() -> FieldError {
    FieldError::new("for.number", "must be the number of a member of the auction")
}

/// The error of a user who is no member.
pub fn no_member() -> FieldError {
    FieldError::new("for.userId", "must be the id of a member of the auction")
}
