//! Memberships in SQL.

use std::collections::HashMap;

use super::Role;
use crate::clock::Moment;
use crate::db::rows::{self, Statement};
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

/// Whether somebody owns an auction, open or closed.
pub async fn owns_any(conn: &mut Connection, user_id: UserId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM members WHERE user_id = $1 AND role = 'OWNER')";
    Ok(sqlx::query_scalar(sql).bind(user_id.to_string()).fetch_one(conn).await?)
}

/// Ends all memberships of somebody.
pub async fn leave_all(conn: &mut Connection, user_id: UserId) -> Result<(), DbError> {
    sqlx::query("DELETE FROM members WHERE user_id = $1").bind(user_id.to_string()).execute(conn).await?;
    Ok(())
}

/// A role as a row holds it.
pub fn read_role(name: &str) -> Result<Role, DbError> {
    Role::named(name).ok_or_else(|| DbError::Corrupt(format!("the role `{name}`")))
}

/// What those of `wanted` are who are members.
pub async fn roles(
    conn: &mut Connection,
    wanted: &[(AuctionId, UserId)],
) -> Result<HashMap<(AuctionId, UserId), Role>, DbError> {
    let mut found = HashMap::new();
    for group in rows::padded(wanted) {
        let mut statement =
            Statement::new("SELECT auction_id, user_id, role FROM members WHERE (auction_id, user_id) IN (");
        statement.push_values(group, |mut row, (auction_id, user_id)| {
            row.push_bind(auction_id.to_string()).push_bind(user_id.to_string());
        });
        let rows: Vec<(String, String, String)> =
            statement.push(")").build_query_as().fetch_all(&mut *conn).await?;
        let read = |(auction, user, role): &(String, String, String)| {
            Some(((auction.parse().ok()?, user.parse().ok()?), Role::named(role)?))
        };
        found.extend(rows.iter().filter_map(read));
    }
    Ok(found)
}
