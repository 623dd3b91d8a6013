//! Ends the mails of one kind, by the secret link of a mail and without signing in (RFC 8058).

use std::convert::Infallible;

use serde::Deserialize;

use crate::notifications::NotificationKind;
use accounts::change_preferences::end_mails;
use accounts::user::store;
use accounts::{Accounts, User};
use platform::db::{Connection, DbError};
use platform::verb::VerbError;

/// `/unsubscribe/{token}/{kind}`
#[derive(Debug, Clone, Deserialize)]
pub struct UnsubscribePath {
    pub token: String,
    pub kind: String,
}

/// The user and the kind that a link names. None if the link does not work.
pub async fn find(
    conn: &mut Connection,
    path: &UnsubscribePath,
) -> Result<Option<(User, NotificationKind)>, DbError> {
    let Ok(kind) = path.kind.parse::<NotificationKind>() else { return Ok(None) };
    Ok(store::by_mail_token(conn, &path.token).await?.map(|user| (user, kind)))
}

/// Ends the mails of the kind. Repeating it changes nothing.
pub async fn unsubscribe(accounts: &Accounts, path: &UnsubscribePath) -> Result<(), VerbError<Infallible>> {
    let found = find(&mut accounts.db.read().await?, path).await?;
    let (user, kind) = found.ok_or(VerbError::NotFound)?;
    let ended = end_mails(accounts, user.id, kind).await;
    ended.map_err(|error| match error {
        VerbError::Db(error) => VerbError::Db(error),
        _ => VerbError::NotFound,
    })
}
