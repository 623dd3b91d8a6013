//! Memberships in SQL.

use super::Role;
use crate::clock::Moment;
use crate::db::{Connection, DbError};
use crate::ids::{AuctionId, UserId};

pub async fn role(
    conn: &mut Connection,
    auction_id: AuctionId,
    user_id: UserId,
) -> Result<Option<Role>, DbError> {
    let name: Option<String> =
        sqlx::query_scalar("SELECT role FROM members WHERE auction_id = $1 AND user_id = $2")
            .bind(auction_id.to_string())
            .bind(user_id.to_string())
            .fetch_optional(conn)
            .await?;
    name.map(|name| read_role(&name)).transpose()
}

/// Makes somebody a member. Who is one already keeps their role.
pub async fn insert(
    conn: &mut Connection,
    auction_id: AuctionId,
    user_id: UserId,
    role: Role,
    now: Moment,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO members (auction_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (auction_id, user_id) DO NOTHING",
    )
    .bind(auction_id.to_string())
    .bind(user_id.to_string())
    .bind(role.as_str())
    .bind(now.millis())
    .execute(conn)
    .await?;
    Ok(())
}

/// A role as a row holds it.
pub fn read_role(name: &str) -> Result<Role, DbError> {
    Role::named(name).ok_or_else(|| DbError::Corrupt(format!("the role `{name}`")))
}
