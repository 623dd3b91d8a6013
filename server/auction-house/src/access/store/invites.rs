//! SQL on invites.

use crate::access::Invite;
use crate::ids::{AuctionId, InviteId, UserId};
use platform::db::{Connection, DbError, Transaction, concatcp, query, query_scalar};
use platform::email::Email;
use platform::time::Moment;

/// The columns of an [`Invite`].
const SELECT: &str =
    "SELECT id, auction_id, email, role, token, sender_id, created_at, expires_at, mail_failed_at
         FROM invites ";

/// Stores an invite in place of an earlier one to the same e-mail.
pub async fn replace(conn: &mut Transaction, invite: &Invite) -> Result<(), DbError> {
    query("DELETE FROM invites WHERE auction_id = $1 AND email_folded = $2")
        .bind(invite.auction_id)
        .bind(invite.email.folded())
        .execute(conn)
        .await?;
    query(
        "INSERT INTO invites (id, auction_id, email, email_folded, role, token, sender_id, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(invite.id)
    .bind(invite.auction_id)
    .bind(invite.email.as_typed())
    .bind(invite.email.folded())
    .bind(invite.role)
    .bind(invite.token.as_str())
    .bind(invite.sender)
    .bind(invite.created_at)
    .bind(invite.expires_at)
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps that the mail with this token can't be sent.
pub async fn fail_mail(conn: &mut Transaction, token: &str, now: Moment) -> Result<(), DbError> {
    query("UPDATE invites SET mail_failed_at = $2 WHERE token = $1")
        .bind(token)
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

/// The invite that has this token and has not expired.
pub async fn by_token(conn: &mut Connection, token: &str, now: Moment) -> Result<Option<Invite>, DbError> {
    query(concatcp!(SELECT, "WHERE token = $1 AND expires_at > $2"))
        .bind(token)
        .bind(now)
        .fetch_optional(conn)
        .await
}

/// The invite of this auction to the e-mail, expired or not.
pub async fn to_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    email: &Email,
) -> Result<Option<Invite>, DbError> {
    query(concatcp!(SELECT, "WHERE auction_id = $1 AND email_folded = $2"))
        .bind(auction_id)
        .bind(email.folded())
        .fetch_optional(conn)
        .await
}

/// An invite of this auction, expired or not.
pub async fn by_id(
    conn: &mut Connection,
    auction_id: AuctionId,
    id: InviteId,
) -> Result<Option<Invite>, DbError> {
    query(concatcp!(SELECT, "WHERE auction_id = $1 AND id = $2"))
        .bind(auction_id)
        .bind(id)
        .fetch_optional(conn)
        .await
}

/// The invites of an auction that have not expired, oldest first; with `sender`, those that this user has
/// sent.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    sender: Option<UserId>,
    now: Moment,
    limit: i64,
) -> Result<Vec<Invite>, DbError> {
    query(concatcp!(
        SELECT,
        "WHERE auction_id = $1 AND ($2 IS NULL OR sender_id = $2) AND expires_at > $3 ORDER BY id LIMIT $4"
    ))
    .bind(auction_id)
    .bind(sender)
    .bind(now)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// Number of invites of an auction to other e-mails than this one.
pub async fn count_others(
    conn: &mut Connection,
    auction_id: AuctionId,
    email: &Email,
) -> Result<i64, DbError> {
    query_scalar("SELECT COUNT(*) FROM invites WHERE auction_id = $1 AND email_folded <> $2")
        .bind(auction_id)
        .bind(email.folded())
        .fetch_one(conn)
        .await
}

/// The invites to the e-mail that have not expired, newest first, at most 100.
pub async fn to(conn: &mut Connection, email: &Email, now: Moment) -> Result<Vec<Invite>, DbError> {
    query(concatcp!(SELECT, "WHERE email_folded = $1 AND expires_at > $2 ORDER BY id DESC LIMIT 100"))
        .bind(email.folded())
        .bind(now)
        .fetch_all(conn)
        .await
}

pub async fn delete(conn: &mut Transaction, id: InviteId) -> Result<(), DbError> {
    query("DELETE FROM invites WHERE id = $1").bind(id).execute(conn).await?;
    Ok(())
}

/// Deletes the expired invites of an auction.
pub async fn delete_expired(
    conn: &mut Transaction,
    auction_id: AuctionId,
    now: Moment,
) -> Result<(), DbError> {
    query("DELETE FROM invites WHERE auction_id = $1 AND expires_at <= $2")
        .bind(auction_id)
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes the invites to an auction that a user has sent, and those to their e-mail.
pub async fn delete_of_member(
    conn: &mut Transaction,
    auction_id: AuctionId,
    user_id: UserId,
    email: &Email,
) -> Result<(), DbError> {
    query("DELETE FROM invites WHERE auction_id = $1 AND (sender_id = $2 OR email_folded = $3)")
        .bind(auction_id)
        .bind(user_id)
        .bind(email.folded())
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes the invites to any auction that a user has sent, and those to their e-mail.
pub async fn delete_of_user(conn: &mut Transaction, user_id: UserId, email: &Email) -> Result<(), DbError> {
    query("DELETE FROM invites WHERE sender_id = $1 OR email_folded = $2")
        .bind(user_id)
        .bind(email.folded())
        .execute(conn)
        .await?;
    Ok(())
}
