//! SQL on users whom a keeper has removed from a group.

use crate::groups::RemovedPerson;
use crate::ids::{GroupId, UserId};
use crate::person::Person;
use platform::db::{Connection, DbError, Transaction, query, query_scalar};
use platform::time::Moment;

pub async fn insert(
    conn: &mut Transaction,
    group_id: GroupId,
    user: UserId,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO removed_people (group_id, user_id, removed_at) VALUES ($1, $2, $3)
         ON CONFLICT (group_id, user_id) DO NOTHING",
    )
    .bind(group_id)
    .bind(user)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a keeper has removed the user from the group.
pub async fn contains(conn: &mut Connection, group_id: GroupId, user: UserId) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM removed_people WHERE group_id = $1 AND user_id = $2)")
        .bind(group_id)
        .bind(user)
        .fetch_one(conn)
        .await
}

/// The users whom keepers have removed from the group, by their ids, without those whose account is deleted.
pub async fn list(
    conn: &mut Connection,
    group_id: GroupId,
    after: Option<UserId>,
    limit: i64,
) -> Result<Vec<RemovedPerson>, DbError> {
    let rows: Vec<(UserId, String, Moment)> = query(
        "SELECT u.id, u.name, r.removed_at FROM removed_people r JOIN users u ON u.id = r.user_id
         WHERE r.group_id = $1 AND ($2 IS NULL OR r.user_id > $2) AND u.erased_at IS NULL
         ORDER BY r.user_id LIMIT $3",
    )
    .bind(group_id)
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    let removed = |(id, name, removed_at)| RemovedPerson { person: Person { id, name }, removed_at };
    Ok(rows.into_iter().map(removed).collect())
}

/// Forgets that the user was removed from the group. Whether the user was.
pub async fn forget(conn: &mut Transaction, group_id: GroupId, user: UserId) -> Result<bool, DbError> {
    let sql = "DELETE FROM removed_people WHERE group_id = $1 AND user_id = $2";
    let forgotten = query(sql).bind(group_id).bind(user).execute(conn).await?;
    Ok(forgotten > 0)
}
