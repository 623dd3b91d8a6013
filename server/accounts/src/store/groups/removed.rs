//! SQL on users whom a keeper has removed from a group.

use crate::ids::{GroupId, UserId};
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
