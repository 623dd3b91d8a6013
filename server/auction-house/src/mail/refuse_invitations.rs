//! Ends mails with invitations to an address without an account, by the secret link of such a mail (RFC
//! 8058).

use std::convert::Infallible;

use crate::context::Context;
use crate::notifications::store::strangers;
use platform::db::{Connection, DbError};
use platform::verb::VerbError;

/// The address that a link names. None if the link does not work.
pub async fn find_address(conn: &mut Connection, token: &str) -> Result<Option<String>, DbError> {
    Ok(strangers::by_token(conn, token).await?.map(|stranger| stranger.email_folded))
}

/// Repeating it changes nothing.
pub async fn refuse_invitations(context: &Context, token: &str) -> Result<(), VerbError<Infallible>> {
    let mut db = context.db.write().await?;
    strangers::by_token(&mut db, token).await?.ok_or(VerbError::NotFound)?;
    strangers::refuse(&mut db, token, context.clock.now()).await?;
    Ok(db.commit().await?)
}
