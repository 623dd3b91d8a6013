//! Notifications in SQL.

pub mod heads;
pub mod strangers;

use std::collections::HashSet;

use crate::ids::{AuctionId, BookId, ItemId, NotificationId, UserId};
use crate::notifications::prices::with_prices;
use crate::notifications::{NewNotification, Notification, NotificationKind};
use platform::db::{
    BulkStatement, Connection, DbError, Transaction, WriteBatch, bulk_statement, concatcp, for_each_row,
    query, query_scalar, row, rows,
};
use platform::ids::{Id, Uuid};
use platform::time::Moment;

/// The columns of a [`Notification`] from the notification `n`.
const COLUMNS: &str =
    "n.id, n.user_id, n.kind, n.auction_id, n.item_id, COALESCE(n.title, '') AS title, n.detail,
         n.sequence, n.created_at, n.read_at";

/// Adds notifications to `writes`, each for a user who wants its kind.
pub fn insert(writes: &mut WriteBatch, new: &[NewNotification], now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        sqlite:
            "INSERT INTO notifications
                 (user_id, id, kind, auction_id, item_id, title, detail, sequence, book_id, created_at)
             SELECT ?1, ?2, ?3, ?5, ?6,
                    COALESCE(?7, (SELECT name FROM items WHERE id = ?6), (SELECT name FROM auctions WHERE id = ?5)),
                    ?8, ?9, ?10, ?11 FROM users
             WHERE id = ?1 AND notify & ?4 <> 0 AND erased_at IS NULL",
        "INSERT INTO notifications
             (user_id, id, kind, auction_id, item_id, title, detail, sequence, book_id, created_at)
         SELECT given.user_id, given.id, given.kind, given.auction_id, given.item_id,
                COALESCE(given.title, i.name, a.name), given.detail, given.sequence, given.book_id, given.created_at
         FROM",
        [user_id uuid, id uuid, kind text, bit bigint, auction_id uuid, item_id uuid, title text, detail text,
         sequence bigint, book_id uuid, created_at bigint],
        "JOIN users u ON u.id = given.user_id AND u.notify & given.bit <> 0 AND u.erased_at IS NULL
         LEFT JOIN items i ON i.id = given.item_id LEFT JOIN auctions a ON a.id = given.auction_id"
    )
    .common_for_many();
    let row = |one: &NewNotification| {
        let (id, kind) = (NotificationId::new(now), one.kind);
        row![
            one.user_id,
            id,
            kind,
            kind.bit(),
            one.auction_id,
            one.item_id,
            &one.title,
            &one.detail,
            one.sequence,
            one.book_id,
            one.happened_at.unwrap_or(now)
        ]
    };
    writes.add(STATEMENT, new.iter().map(row));
}

/// The users, among these, with an unread notification since `since` of their balance in the book.
pub async fn knowing_of_balance(
    conn: &mut Connection,
    book_id: BookId,
    users: &[UserId],
    since: Moment,
) -> Result<HashSet<UserId>, DbError> {
    let millis = u64::try_from(since.millis()).unwrap_or(0);
    // Ids begin with the moment of their creation, or a later one: most older notifications are not read.
    let after = NotificationId::of(Uuid::from_u64_pair(millis << 16, 0));
    let found: Vec<UserId> = query_scalar(for_each_row!(
        "SELECT DISTINCT n.user_id FROM",
        [user_id id],
        "CROSS JOIN notifications n
         WHERE n.user_id = given.user_id AND n.id > $2 AND n.book_id = $3 AND n.read_at IS NULL
           AND n.created_at > $4"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .bind(after)
    .bind(book_id)
    .bind(since)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}

/// The newest notifications of a user before `before`, newest first.
pub async fn newest(
    conn: &mut Connection,
    user: UserId,
    before: Option<NotificationId>,
    only_unread: bool,
    limit: i64,
) -> Result<Vec<Notification>, DbError> {
    let found = query(concatcp!(
        "SELECT ",
        COLUMNS,
        " FROM notifications n
         WHERE n.user_id = $1 AND ($2 IS NULL OR n.id < $2) AND NOT ($3 AND n.read_at IS NOT NULL)
         ORDER BY n.id DESC LIMIT $4"
    ))
    .bind(user)
    .bind(before)
    .bind(only_unread)
    .bind(limit)
    .fetch_all(&mut *conn)
    .await?;
    with_prices(conn, found).await
}

/// The newest notifications of a user past an id, at most `limit`, in order.
pub async fn following(
    conn: &mut Connection,
    user: UserId,
    after: NotificationId,
    limit: i64,
) -> Result<Vec<Notification>, DbError> {
    let mut found: Vec<Notification> = query(concatcp!(
        "SELECT ",
        COLUMNS,
        " FROM notifications n WHERE n.user_id = $1 AND n.id > $2 ORDER BY n.id DESC LIMIT $3"
    ))
    .bind(user)
    .bind(after)
    .bind(limit)
    .fetch_all(&mut *conn)
    .await?;
    found.reverse();
    with_prices(conn, found).await
}

/// The notifications of many users, each past an id, at most `limit`, in order.
pub async fn following_all(
    conn: &mut Connection,
    users: &[(UserId, NotificationId)],
    limit: i64,
) -> Result<Vec<Notification>, DbError> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let found = query(for_each_row!(
        concatcp!("SELECT ", COLUMNS, " FROM"),
        [user_id id, after id],
        "JOIN notifications n ON n.user_id = given.user_id AND n.id > given.after ORDER BY n.id LIMIT $2"
    ))
    .bind(rows(users)?)
    .bind(limit)
    .fetch_all(&mut *conn)
    .await?;
    with_prices(conn, found).await
}

/// The newest notification of a user.
pub async fn last_id(conn: &mut Connection, user: UserId) -> Result<Option<NotificationId>, DbError> {
    query_scalar("SELECT id FROM notifications WHERE user_id = $1 ORDER BY id DESC LIMIT 1")
        .bind(user)
        .fetch_optional(conn)
        .await
}

/// The members of an auction who want notifications of this kind, except `except`.
pub async fn members_who_want(
    conn: &mut Connection,
    auction_id: AuctionId,
    kind: NotificationKind,
    except: UserId,
) -> Result<Vec<UserId>, DbError> {
    query_scalar(
        "SELECT m.user_id FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.auction_id = $1 AND m.user_id <> $2 AND (u.notify & $3 <> 0 OR u.mail & $3 <> 0)",
    )
    .bind(auction_id)
    .bind(except)
    .bind(kind.bit())
    .fetch_all(conn)
    .await
}

/// The pairs, among these, whose user has an unread notification of this kind about the item.
pub async fn with_unread(
    conn: &mut Connection,
    pairs: &[(ItemId, UserId)],
    kind: NotificationKind,
) -> Result<HashSet<(ItemId, UserId)>, DbError> {
    if pairs.is_empty() {
        return Ok(HashSet::new());
    }
    let found: Vec<(ItemId, UserId)> = query(for_each_row!(
        "SELECT n.item_id, n.user_id FROM",
        [item_id id, user_id id],
        "JOIN notifications n ON n.user_id = given.user_id AND n.kind = $2 AND n.item_id = given.item_id
         AND n.read_at IS NULL"
    ))
    .bind(rows(pairs)?)
    .bind(kind)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}

/// How many notifications of a user are unread, at most `max`.
pub async fn unread(conn: &mut Connection, user: UserId, max: i64) -> Result<i64, DbError> {
    query_scalar(
        "SELECT COUNT(*) FROM (SELECT 1 FROM notifications WHERE user_id = $1 AND read_at IS NULL LIMIT $2) AS unread",
    )
    .bind(user)
    .bind(max)
    .fetch_one(conn)
    .await
}

pub async fn mark_all_read(conn: &mut Transaction, user: UserId, now: Moment) -> Result<(), DbError> {
    let sql = "UPDATE notifications SET read_at = $2 WHERE user_id = $1 AND read_at IS NULL";
    query(sql).bind(user).bind(now).execute(conn).await?;
    Ok(())
}

pub async fn mark_read(
    conn: &mut Transaction,
    user: UserId,
    ids: &[NotificationId],
    now: Moment,
) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(
        sqlite: "UPDATE notifications SET read_at = ?3 WHERE user_id = ?1 AND id = ?2 AND read_at IS NULL",
        "UPDATE notifications SET read_at = given.now FROM",
        [user_id uuid, id uuid, now bigint],
        "WHERE notifications.user_id = given.user_id AND notifications.id = given.id
           AND notifications.read_at IS NULL"
    );
    let mut writes = WriteBatch::default();
    writes.add(STATEMENT, ids.iter().map(|id| row![user, *id, now]));
    conn.run(writes).await
}

/// Users with notifications to delete: more than `kept` of a kind, some from before `before`, or of an
/// account that was deleted.
pub async fn with_old(
    conn: &mut Connection,
    before: Moment,
    kept: i64,
    limit: i64,
) -> Result<Vec<UserId>, DbError> {
    query_scalar(
        "SELECT DISTINCT n.user_id FROM notifications n JOIN users u ON u.id = n.user_id
         GROUP BY n.user_id, u.erased_at, n.kind
         HAVING COUNT(*) > $1 OR MIN(n.created_at) < $2 OR u.erased_at IS NOT NULL LIMIT $3",
    )
    .bind(kept)
    .bind(before)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// Deletes, of a user, all but the newest notifications of each kind and those from before `before`, or all
/// of a deleted account.
pub async fn delete_old(
    conn: &mut Transaction,
    user: UserId,
    before: Moment,
    kept: i64,
) -> Result<(), DbError> {
    query(
        "DELETE FROM notifications WHERE user_id = $1 AND (
             created_at < $2
             OR id IN (SELECT id FROM (
                 SELECT id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY id DESC) AS place
                 FROM notifications WHERE user_id = $1) AS placed WHERE place > $3)
             OR EXISTS (SELECT 1 FROM users u WHERE u.id = $1 AND u.erased_at IS NOT NULL))",
    )
    .bind(user)
    .bind(before)
    .bind(kept)
    .execute(conn)
    .await?;
    Ok(())
}
