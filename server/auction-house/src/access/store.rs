//! Memberships in SQL.

pub mod invites;
pub mod named;
pub mod numbers;
pub mod removed;

use std::collections::HashMap;

use super::{Member, Membership, Role, Standing};
use crate::ids::{AuctionId, UserId};
use accounts::groups::PersonNumber;
use platform::db::{
    BulkStatement, Connection, DbError, Integer, Sql, Transaction, WriteBatch, bulk_statement, concatcp,
    for_each_row, query, query_scalar, row, rows,
};
use platform::time::Moment;

pub async fn role(
    conn: &mut Connection,
    auction_id: AuctionId,
    user_id: UserId,
) -> Result<Option<Role>, DbError> {
    query_scalar("SELECT role FROM members WHERE auction_id = $1 AND user_id = $2")
        .bind(auction_id)
        .bind(user_id)
        .fetch_optional(conn)
        .await
}

/// How the user stands with the auction.
pub async fn standing(
    conn: &mut Connection,
    auction_id: AuctionId,
    user_id: UserId,
) -> Result<Standing, DbError> {
    let role = role(conn, auction_id, user_id).await?;
    let is_removed = role.is_none() && removed::contains(conn, auction_id, user_id).await?;
    Ok(Standing::of(role, is_removed))
}

macro_rules! insert {
    ($lock:literal) => {
        concat!(
            "INSERT INTO members (auction_id, user_id, role, joined_at, number)
             SELECT $1, id, $3, $4,
                 (SELECT p.number FROM group_people p JOIN auctions a ON a.group_id = p.group_id
                  WHERE a.id = $1 AND p.user_id = $2)
             FROM users WHERE id = $2 AND erased_at IS NULL ",
            $lock,
            " ON CONFLICT (auction_id, user_id) DO NOTHING"
        )
    };
}

/// Makes a user a member. A member keeps their role.
pub async fn insert(
    conn: &mut Transaction,
    auction_id: AuctionId,
    user_id: UserId,
    role: Role,
    now: Moment,
) -> Result<(), DbError> {
    query(Sql {
        sqlite: insert!(""),
        // Waits for who is about to delete the account, and then sees that it is gone.
        postgres: insert!("FOR KEY SHARE"),
    })
    .bind(auction_id)
    .bind(user_id)
    .bind(role)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes users BIDDER in the transaction of the bids with which they join. A member keeps their role.
pub fn insert_bidders(
    writes: &mut WriteBatch,
    joining: impl Iterator<Item = (AuctionId, UserId)>,
    now: Moment,
) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "INSERT INTO members (auction_id, user_id, role, joined_at, number)
         SELECT given.auction_id, given.user_id, 'BIDDER', given.joined_at,
             (SELECT p.number FROM group_people p JOIN auctions a ON a.group_id = p.group_id
              WHERE a.id = given.auction_id AND p.user_id = given.user_id)
         FROM",
        [auction_id uuid, user_id uuid, joined_at bigint],
        "JOIN users u ON u.id = given.user_id WHERE u.erased_at IS NULL
         ON CONFLICT (auction_id, user_id) DO NOTHING"
    );
    writes.add(STATEMENT, joining.map(|(auction, user)| row![auction, user, now]));
}

/// The columns of a [`Member`] with the tables that they come from.
const SELECT_MEMBERS: &str = "SELECT m.user_id, u.name, m.role, m.joined_at, m.present FROM members m JOIN users u ON u.id = m.user_id ";

pub async fn member(
    conn: &mut Connection,
    auction_id: AuctionId,
    user_id: UserId,
) -> Result<Option<Member>, DbError> {
    query(concatcp!(SELECT_MEMBERS, "WHERE m.auction_id = $1 AND m.user_id = $2"))
        .bind(auction_id)
        .bind(user_id)
        .fetch_optional(conn)
        .await
}

/// Up to `limit` members whose ids are greater than `after`, in the order of their ids.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    after: Option<UserId>,
    limit: i64,
) -> Result<Vec<Member>, DbError> {
    query(concatcp!(
        SELECT_MEMBERS,
        "WHERE m.auction_id = $1 AND ($2 IS NULL OR m.user_id > $2) ORDER BY m.user_id LIMIT $3"
    ))
    .bind(auction_id)
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// Up to `limit` members after the number and the id, those without a number first.
pub async fn list_by_number(
    conn: &mut Connection,
    auction_id: AuctionId,
    after: Option<(i64, UserId)>,
    limit: i64,
) -> Result<Vec<Member>, DbError> {
    let (number, id) = after.unwrap_or((0, UserId::NOBODY));
    query(concatcp!(
        SELECT_MEMBERS,
        "WHERE m.auction_id = $1 AND (COALESCE(m.number, 0) > $2 OR COALESCE(m.number, 0) = $2 AND m.user_id > $3)
         ORDER BY COALESCE(m.number, 0), m.user_id LIMIT $4"
    ))
    .bind(auction_id)
    .bind(number)
    .bind(id)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// The OWNER of an auction.
pub async fn owner(conn: &mut Connection, auction_id: AuctionId) -> Result<Option<Member>, DbError> {
    query(concatcp!(SELECT_MEMBERS, "WHERE m.auction_id = $1 AND m.role = 'OWNER'"))
        .bind(auction_id)
        .fetch_optional(conn)
        .await
}

/// The names of the OWNER and the ADMINs of an auction, without this user.
pub async fn other_managers(
    conn: &mut Connection,
    auction_id: AuctionId,
    user_id: UserId,
) -> Result<Vec<String>, DbError> {
    query_scalar(
        "SELECT u.name FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.auction_id = $1 AND m.user_id <> $2 AND m.role IN ('OWNER', 'ADMIN') ORDER BY m.joined_at",
    )
    .bind(auction_id)
    .bind(user_id)
    .fetch_all(conn)
    .await
}

pub async fn set_role(
    conn: &mut Transaction,
    auction_id: AuctionId,
    user_id: UserId,
    role: Role,
) -> Result<(), DbError> {
    query("UPDATE members SET role = $3 WHERE auction_id = $1 AND user_id = $2")
        .bind(auction_id)
        .bind(user_id)
        .bind(role)
        .execute(conn)
        .await?;
    Ok(())
}

/// The members, among these users.
pub async fn among(
    conn: &mut Connection,
    auction_id: AuctionId,
    users: &[UserId],
) -> Result<Vec<Member>, DbError> {
    query(for_each_row!(
        "SELECT m.user_id, u.name, m.role, m.joined_at, m.present FROM",
        [user_id id],
        "CROSS JOIN members m JOIN users u ON u.id = m.user_id
         WHERE m.auction_id = $2 AND m.user_id = given.user_id ORDER BY m.user_id"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .bind(auction_id)
    .fetch_all(conn)
    .await
}

/// Records that members have come or gone.
pub async fn set_present(
    conn: &mut Transaction,
    auction_id: AuctionId,
    users: &[UserId],
    present: bool,
) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE members SET present = given.present FROM",
        [auction_id uuid, user_id uuid, present boolean],
        "WHERE members.auction_id = given.auction_id AND members.user_id = given.user_id"
    );
    let mut writes = WriteBatch::default();
    writes.add(STATEMENT, users.iter().map(|user| row![auction_id, *user, present]));
    conn.run(writes).await
}

/// The members who are present.
pub async fn present(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<UserId>, DbError> {
    query_scalar("SELECT user_id FROM members WHERE auction_id = $1 AND present ORDER BY user_id")
        .bind(auction_id)
        .fetch_all(conn)
        .await
}

/// Ends a membership.
pub async fn remove(conn: &mut Transaction, auction_id: AuctionId, user_id: UserId) -> Result<(), DbError> {
    query("DELETE FROM members WHERE auction_id = $1 AND user_id = $2")
        .bind(auction_id)
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Makes `heir` the owner of what a user owns. The user stays a BIDDER everywhere.
pub async fn hand_over(
    conn: &mut Transaction,
    user_id: UserId,
    heir: UserId,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO members (auction_id, user_id, role, joined_at)
         SELECT auction_id, $2, 'OWNER', $3 FROM members WHERE user_id = $1 AND role = 'OWNER'
         ON CONFLICT (auction_id, user_id) DO UPDATE SET role = 'OWNER'",
    )
    .bind(user_id)
    .bind(heir)
    .bind(now)
    .execute(&mut *conn)
    .await?;
    let sql = "UPDATE members SET role = 'BIDDER' WHERE user_id = $1 AND role <> 'BIDDER'";
    query(sql).bind(user_id).execute(conn).await?;
    Ok(())
}

/// Whether a user owns an auction, open or closed.
pub async fn owns_any(conn: &mut Connection, user_id: UserId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM members WHERE user_id = $1 AND role = 'OWNER')";
    query_scalar(sql).bind(user_id).fetch_one(conn).await
}

/// The users who are members of an auction.
pub async fn members_of(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<UserId>, DbError> {
    let sql = "SELECT user_id FROM members WHERE auction_id = $1 ORDER BY user_id";
    query_scalar(sql).bind(auction_id).fetch_all(conn).await
}

/// The auctions that any of these users is a member of.
pub async fn auctions_of(conn: &mut Connection, users: &[UserId]) -> Result<Vec<AuctionId>, DbError> {
    query_scalar(for_each_row!(
        "SELECT DISTINCT m.auction_id FROM",
        [user_id id],
        "JOIN members m ON m.user_id = given.user_id ORDER BY m.auction_id"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .fetch_all(conn)
    .await
}

/// Ends all memberships of these users.
pub async fn leave_all(conn: &mut Transaction, users: &[UserId]) -> Result<(), DbError> {
    query(for_each_row!(
        "DELETE FROM members WHERE user_id IN (SELECT given.user_id FROM",
        [user_id id],
        ")"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends all memberships of an auction, and its invites.
pub async fn delete_all_of(conn: &mut Transaction, auction_id: AuctionId) -> Result<(), DbError> {
    for sql in ["DELETE FROM members WHERE auction_id = $1", "DELETE FROM invites WHERE auction_id = $1"] {
        query(sql).bind(auction_id).execute(&mut *conn).await?;
    }
    Ok(())
}

/// The memberships of those of `wanted` who are members.
pub async fn memberships(
    conn: &mut Connection,
    wanted: &[(AuctionId, UserId)],
) -> Result<HashMap<(AuctionId, UserId), Membership>, DbError> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<(AuctionId, UserId, String, Option<Integer<PersonNumber>>)> = query(for_each_row!(
        "SELECT m.auction_id, m.user_id, m.role, m.number FROM",
        [auction_id id, user_id id],
        "JOIN members m ON m.auction_id = given.auction_id AND m.user_id = given.user_id"
    ))
    .bind(rows(wanted)?)
    .fetch_all(conn)
    .await?;
    let read = |(auction, user, role, number): (_, _, String, Option<Integer<PersonNumber>>)| {
        let membership = Membership { role: role.parse().ok()?, number: number.map(|number| number.0) };
        Some(((auction, user), membership))
    };
    Ok(found.into_iter().filter_map(read).collect())
}

/// Members with their names: `first`, even after leaving, then the OWNER, ADMINs, CLERKs, CREATORs and
/// BIDDERs, each by name.
pub async fn names(
    conn: &mut Connection,
    auction_id: AuctionId,
    first: UserId,
    limit: i64,
) -> Result<Vec<(UserId, String)>, DbError> {
    query(
        "SELECT u.id, u.name
         FROM (SELECT user_id, role FROM members WHERE auction_id = $1 UNION ALL
               SELECT id, 'SELLER' FROM users
               WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM members WHERE auction_id = $1 AND user_id = $2)) AS m
         JOIN users u ON u.id = m.user_id
         ORDER BY CASE WHEN u.id = $2 THEN 0 WHEN m.role = 'OWNER' THEN 1 WHEN m.role = 'ADMIN' THEN 2
                       WHEN m.role = 'CLERK' THEN 3 WHEN m.role = 'CREATOR' THEN 4 ELSE 5 END, u.name, u.id
         LIMIT $3",
    )
    .bind(auction_id)
    .bind(first)
    .bind(limit)
    .fetch_all(conn)
    .await
}
