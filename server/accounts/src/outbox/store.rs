//! The outbox in SQL.

use super::{AccountMail, NewMail, OutgoingMail};
use crate::ids::{MailId, UserId};
use crate::preferences::kind::NotificationKind;
use platform::db::{
    BulkStatement, Connection, DbError, Transaction, WriteBatch, bulk_statement, columns,
    insert as insert_row, query, row,
};
use platform::ids::Uuid;
use platform::time::Moment;

/// Seconds that a mail about a higher bid waits: a duel produces one mail.
const OUTBID_SECONDS: i64 = 60;

/// Adds the mails about notifications to `writes`, each for a user who wants mails of its kind. A user who is
/// outbid again before the mail is sent gets one mail, later.
pub(super) fn insert(writes: &mut WriteBatch, new: impl Iterator<Item = NewMail>, now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        sqlite:
            "INSERT INTO mails (user_id, id, kind, auction_id, item_id, title, detail, sequence, created_at, due_at)
             SELECT ?1, ?2, ?3, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM users
             WHERE id = ?1 AND mail & ?4 <> 0 AND erased_at IS NULL AND disabled_at IS NULL
             ON CONFLICT (user_id, item_id) WHERE kind = 'OUTBID' DO UPDATE SET due_at = excluded.due_at",
        "INSERT INTO mails (user_id, id, kind, auction_id, item_id, title, detail, sequence, created_at, due_at)
         SELECT given.user_id, given.id, given.kind, given.auction_id, given.item_id, given.title, given.detail,
                given.sequence, given.created_at, given.due_at
         FROM",
        [user_id uuid, id uuid, kind text, bit bigint, auction_id uuid, item_id uuid, title text, detail text,
         sequence bigint, created_at bigint, due_at bigint],
        "JOIN users u ON u.id = given.user_id AND u.mail & given.bit <> 0 AND u.erased_at IS NULL
              AND u.disabled_at IS NULL
         ON CONFLICT (user_id, item_id) WHERE kind = 'OUTBID' DO UPDATE SET due_at = excluded.due_at"
    );
    let row = |one: NewMail| {
        let wait = if one.kind == NotificationKind::Outbid { OUTBID_SECONDS } else { 0 };
        row![
            one.user_id,
            MailId::new(now),
            one.kind,
            one.kind.bit(),
            one.auction_id,
            one.item_id,
            one.title,
            one.detail,
            one.sequence,
            now,
            now.plus_seconds(wait)
        ]
    };
    writes.add(STATEMENT, new.map(row));
}

/// Adds a mail about an account. An earlier one with a link that was not sent yet is replaced. Without a user
/// no mail follows: the work is the same for an e-mail without an account.
pub async fn insert_of_account(
    conn: &mut Transaction,
    kind: AccountMail,
    user: Option<UserId>,
    detail: Option<&str>,
    now: Moment,
) -> Result<(), DbError> {
    if kind.has_link() {
        // The kinds are those of the index.
        let sql = "DELETE FROM mails WHERE user_id = $1 AND kind = $2
                   AND kind IN ('PASSWORD_RESET', 'CONFIRM_EMAIL')";
        query(sql).bind(user).bind(kind.as_str()).execute(conn).await?;
    }
    let row = columns! {
        id: MailId::new(now),
        user_id: user,
        kind: kind.as_str(),
        detail: detail,
        created_at: now,
        due_at: now,
    };
    insert_row(conn, "mails", row).await
}

/// Adds a mail with an invite to an e-mail without an account.
pub async fn insert_invite(
    conn: &mut Transaction,
    auction_id: Uuid,
    token: &str,
    now: Moment,
) -> Result<(), DbError> {
    let row = columns! {
        id: MailId::new(now),
        kind: NotificationKind::Invited,
        auction_id: auction_id,
        detail: token,
        created_at: now,
        due_at: now,
    };
    insert_row(conn, "mails", row).await
}

/// Adds a mail with the link of a book to the e-mail for which a grant waits.
pub async fn insert_book_invite(conn: &mut Transaction, grant: Uuid, now: Moment) -> Result<(), DbError> {
    let row = columns! {
        id: MailId::new(now),
        kind: NotificationKind::Invited,
        detail: grant.to_string(),
        created_at: now,
        due_at: now,
    };
    insert_row(conn, "mails", row).await
}

/// The first mail that is due and fulfils a condition.
macro_rules! first_due {
    ($condition:literal) => {
        concat!(
            "SELECT id, user_id, kind, auction_id, item_id, title, detail, sequence, failures, unconfirmed,
                    created_at, due_at
             FROM mails WHERE due_at <= $1 AND ",
            $condition,
            " ORDER BY due_at, id LIMIT 1"
        )
    };
}

/// The mail about an account that is due first.
pub async fn due_of_account(conn: &mut Connection, now: Moment) -> Result<Option<OutgoingMail>, DbError> {
    let sql = first_due!(
        "kind IN ('PASSWORD_RESET', 'CONFIRM_EMAIL', 'PASSWORD_CHANGED', 'EMAIL_CHANGED', 'UPGRADE_UNDONE', \
             'SECOND_FACTOR_ON', 'SECOND_FACTOR_OFF', 'RECOVERY_CODES_RENEWED')"
    );
    query(sql).bind(now).fetch_optional(conn).await
}

/// The mail that is due first.
pub async fn due(conn: &mut Connection, now: Moment) -> Result<Option<OutgoingMail>, DbError> {
    query(first_due!("TRUE")).bind(now).fetch_optional(conn).await
}

/// Claims a mail until a moment, from which another attempt begins. False if another server has it, or it has
/// changed.
pub async fn claim(conn: &mut Transaction, mail: &OutgoingMail, until: Moment) -> Result<bool, DbError> {
    let sql = "UPDATE mails SET due_at = $3, unconfirmed = unconfirmed + 1 WHERE id = $1 AND due_at = $2";
    let claimed = query(sql).bind(mail.id).bind(mail.due_at).bind(until).execute(conn).await?;
    Ok(claimed == 1)
}

/// Ends a claim: another attempt follows at `at`. An attempt that certainly sent nothing counts as none.
pub async fn retry(
    conn: &mut Transaction,
    mail: &OutgoingMail,
    at: Moment,
    may_be_sent: bool,
) -> Result<(), DbError> {
    let sql = "UPDATE mails SET due_at = $2, failures = failures + 1, unconfirmed = $3 WHERE id = $1";
    let unconfirmed = mail.unconfirmed + i64::from(may_be_sent);
    query(sql).bind(mail.id).bind(at).bind(unconfirmed).execute(conn).await?;
    Ok(())
}

/// Removes a mail that was sent, or is not to be sent.
pub async fn delete(conn: &mut Transaction, id: MailId) -> Result<(), DbError> {
    query("DELETE FROM mails WHERE id = $1").bind(id).execute(conn).await?;
    Ok(())
}
