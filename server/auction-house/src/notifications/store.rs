//! Notifications in SQL.

use crate::events::signal::{self, Signal};
use crate::ids::{AuctionId, ItemId, NotificationId, UserId};
use crate::notifications::{Kind, NewNotification, Notification};
use platform::db::{
    BulkStatement, Connection, DbError, Transaction, WriteBatch, bulk_statement, for_each_row, query,
    query_scalar, row, rows,
};
use platform::time::Moment;

/// Notifications `n` with the names of what they are about. The name of an item or an auction that was deleted is absent.
macro_rules! select {
    ($from:expr) => {
        concat!(
            "SELECT n.id, n.user_id, n.kind, n.auction_id, n.item_id, n.detail, n.created_at, n.read_at,
                    COALESCE(n.title, i.name, CASE WHEN n.item_id IS NULL THEN a.name END) AS title
             FROM ",
            $from
        )
    };
}

/// The item and the auction of a notification `n`.
macro_rules! names {
    () => {
        " LEFT JOIN items i ON i.id = n.item_id LEFT JOIN auctions a ON a.id = n.auction_id "
    };
}

#[derive(sqlx::FromRow)]
struct NotificationRow {
    id: NotificationId,
    user_id: UserId,
    kind: String,
    auction_id: Option<AuctionId>,
    item_id: Option<ItemId>,
    detail: Option<String>,
    created_at: Moment,
    read_at: Option<Moment>,
    title: Option<String>,
}

impl NotificationRow {
    fn read(self) -> Result<Notification, DbError> {
        let kind = Kind::named(&self.kind)
            .ok_or_else(|| DbError::Corrupt(format!("a notification `{}`", self.kind)))?;
        let deleted = if self.item_id.is_some() { "Deleted item" } else { "Deleted auction" };
        let title = self.title.unwrap_or_else(|| deleted.to_owned());
        let Self { id, user_id, auction_id, item_id, detail, created_at, read_at, .. } = self;
        Ok(Notification { id, user_id, kind, auction_id, item_id, title, detail, created_at, read_at })
    }
}

/// Writes notifications, each for a user who wants its kind, and the signal for other servers.
pub fn insert(writes: &mut WriteBatch, new: &[NewNotification], now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        sqlite:
            "INSERT INTO notifications (user_id, id, kind, auction_id, item_id, title, detail, created_at)
             SELECT ?1, ?2, ?3, ?5, ?6, ?7, ?8, ?9 FROM users
             WHERE id = ?1 AND notify & ?4 <> 0 AND erased_at IS NULL",
        "INSERT INTO notifications (user_id, id, kind, auction_id, item_id, title, detail, created_at)
         SELECT given.user_id, given.id, given.kind, given.auction_id, given.item_id, given.title, given.detail,
                given.created_at
         FROM",
        [user_id uuid, id uuid, kind text, bit bigint, auction_id uuid, item_id uuid, title text, detail text,
         created_at bigint],
        "JOIN users u ON u.id = given.user_id AND u.notify & given.bit <> 0 AND u.erased_at IS NULL"
    );
    if new.is_empty() {
        return;
    }
    let row = |one: &NewNotification| {
        let (id, kind) = (NotificationId::new(now), one.kind);
        row![
            one.user_id,
            id,
            kind.as_str(),
            kind.bit(),
            one.auction_id,
            one.item_id,
            &one.title,
            &one.detail,
            now
        ]
    };
    writes.add(STATEMENT, new.iter().map(row));
    signal::send_with(writes, &Signal::UserEvents(new.iter().map(|one| one.user_id).collect()));
}

/// Writes notifications in the transaction of their cause. To be published after the commit with the returned signal.
pub async fn notify(conn: &mut Transaction, new: &[NewNotification], now: Moment) -> Result<Signal, DbError> {
    let mut writes = WriteBatch::default();
    insert(&mut writes, new, now);
    conn.run(writes).await?;
    Ok(Signal::UserEvents(new.iter().map(|one| one.user_id).collect()))
}

/// The newest notifications of a user before `before`, newest first.
pub async fn newest(
    conn: &mut Connection,
    user: UserId,
    before: Option<NotificationId>,
    only_unread: bool,
    limit: i64,
) -> Result<Vec<Notification>, DbError> {
    let found: Vec<NotificationRow> = query(select!(concat!(
        "notifications n",
        names!(),
        "WHERE n.user_id = $1 AND ($2 IS NULL OR n.id < $2) AND NOT ($3 AND n.read_at IS NOT NULL)
         ORDER BY n.id DESC LIMIT $4"
    )))
    .bind(user)
    .bind(before)
    .bind(only_unread)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    found.into_iter().map(NotificationRow::read).collect()
}

/// The newest notifications of a user past an id, at most `limit`, in order.
pub async fn following(
    conn: &mut Connection,
    user: UserId,
    after: NotificationId,
    limit: i64,
) -> Result<Vec<Notification>, DbError> {
    let found: Vec<NotificationRow> = query(select!(concat!(
        "notifications n",
        names!(),
        "WHERE n.user_id = $1 AND n.id > $2 ORDER BY n.id DESC LIMIT $3"
    )))
    .bind(user)
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    found.into_iter().rev().map(NotificationRow::read).collect()
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
    let found: Vec<NotificationRow> = query(for_each_row!(
        "SELECT n.id, n.user_id, n.kind, n.auction_id, n.item_id, n.detail, n.created_at, n.read_at,
                COALESCE(n.title, i.name, CASE WHEN n.item_id IS NULL THEN a.name END) AS title
         FROM",
        [user_id id, after id],
        "JOIN notifications n ON n.user_id = given.user_id AND n.id > given.after
         LEFT JOIN items i ON i.id = n.item_id LEFT JOIN auctions a ON a.id = n.auction_id
         ORDER BY n.id LIMIT $2"
    ))
    .bind(rows(users)?)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    found.into_iter().map(NotificationRow::read).collect()
}

/// The newest notification of a user.
pub async fn last_id(conn: &mut Connection, user: UserId) -> Result<Option<NotificationId>, DbError> {
    query_scalar("SELECT id FROM notifications WHERE user_id = $1 ORDER BY id DESC LIMIT 1")
        .bind(user)
        .fetch_optional(conn)
        .await
}
