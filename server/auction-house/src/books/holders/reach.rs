//! The people whom a keeper of a book reaches: its holders, and members of auctions that the keeper manages,
//! or that have the book. Anybody else, and a user who has left, becomes a holder by opening its link.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::books::BookView;
use crate::ids::UserId;
use crate::usage;
use accounts::limits::RateLimits;
use accounts::user::FoundPerson;
use accounts::user::store;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::limits::TooMany;
use platform::net::ClientAddress;
use platform::verb::VerbError;

/// E-mails that one request may name besides those of holders.
pub const STRANGERS_MAX: usize = 50;

/// The source of a request that names people by e-mail. Each e-mail that is not a holder's counts as a
/// disclosure to its address.
#[derive(Clone)]
pub struct Asker {
    pub limits: Arc<RateLimits>,
    pub address: ClientAddress,
    /// This installation sends mail: only a confirmed e-mail finds its user.
    pub sends_mail: bool,
}

/// Why nobody is looked up.
#[derive(Debug, thiserror::Error)]
pub enum ReachError {
    #[error("too many e-mails are not those of holders")]
    TooManyStrangers,
    #[error(transparent)]
    TooMany(#[from] TooMany),
    #[error(transparent)]
    Db(#[from] DbError),
}

impl ReachError {
    /// The error of a verb, which says this of too many strangers.
    pub fn or<R>(self, too_many: VerbError<R>) -> VerbError<R> {
        match self {
            Self::TooManyStrangers => too_many,
            Self::TooMany(error) => error.into(),
            Self::Db(error) => error.into(),
        }
    }
}

/// The people with these e-mails whom the keeper reaches, by the folded e-mail.
pub async fn by_email(
    conn: &mut Connection,
    asker: &Asker,
    seen: &BookView,
    emails: &[&Email],
) -> Result<HashMap<String, FoundPerson>, ReachError> {
    let mut people = store::people_by_email(conn, emails).await?;
    let ids: Vec<UserId> = people.values().map(|person| person.id).collect();
    let reached = usage::reached_by_keeper(conn, seen.book.id, seen.viewer, &ids).await?;
    people.retain(|_, person| reached.contains_key(&person.id) && (person.is_verified || !asker.sends_mail));
    let is_holder = |email: &&&Email| {
        people.get(email.folded()).is_some_and(|person| reached.get(&person.id) == Some(&true))
    };
    let strangers: HashSet<&str> =
        emails.iter().filter(|email| !is_holder(email)).map(|email| email.folded()).collect();
    if strangers.len() > STRANGERS_MAX {
        return Err(ReachError::TooManyStrangers);
    }
    asker.limits.disclosures(asker.address, strangers.len())?;
    Ok(people)
}

/// Whether the keeper reaches this user.
pub async fn by_id(conn: &mut Connection, seen: &BookView, id: UserId) -> Result<bool, DbError> {
    Ok(usage::reached_by_keeper(conn, seen.book.id, seen.viewer, &[id]).await?.contains_key(&id))
}
