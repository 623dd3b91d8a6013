//! SQL on the numbers of members, which they have in the group of the auction, and on members who are such by
//! the group.

use std::collections::HashMap;

use crate::ids::{AuctionId, UserId};
use accounts::groups::PersonNumber;
use platform::db::{
    BulkStatement, Connection, DbError, Json, Sql, Transaction, WriteBatch, bulk_statement, for_each_row,
    query, query_scalar, row, rows,
};
use platform::time::Moment;

/// A person of a group who becomes a member of an auction.
pub type Joining = (AuctionId, UserId, Option<PersonNumber>);

/// Makes people BIDDER of the auctions of their group, with their numbers. A member keeps the role, and a
/// user who was removed comes back.
pub async fn join(conn: &mut Transaction, joining: &[Joining], now: Moment) -> Result<(), DbError> {
    const MEMBERS: BulkStatement = bulk_statement!(
        "INSERT INTO members (auction_id, user_id, role, number, joined_at)
         SELECT given.auction_id, given.user_id, 'BIDDER', given.number, given.joined_at FROM",
        [auction_id uuid, user_id uuid, number bigint, joined_at bigint],
        "JOIN users u ON u.id = given.user_id WHERE u.erased_at IS NULL
         ON CONFLICT (auction_id, user_id) DO UPDATE SET number = excluded.number"
    );
    const REMOVED: BulkStatement = bulk_statement!(
        "DELETE FROM removed_members WHERE (auction_id, user_id) IN (SELECT given.auction_id, given.user_id FROM",
        [auction_id uuid, user_id uuid],
        ")"
    );
    let mut writes = WriteBatch::default();
    writes.add(
        MEMBERS,
        joining
            .iter()
            .map(|(auction, user, number)| row![*auction, *user, number.map(PersonNumber::get), now]),
    );
    writes.add(REMOVED, joining.iter().map(|(auction, user, _)| row![*auction, *user]));
    conn.run(writes).await
}

/// The numbers of the members of an auction, in one row: the driver hands each row from thread to thread,
/// which takes longer than to read it.
pub async fn of_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<HashMap<UserId, PersonNumber>, DbError> {
    macro_rules! of_members {
        ($array:literal) => {
            concat!("SELECT ", $array, " FROM members WHERE auction_id = $1 AND number IS NOT NULL")
        };
    }
    let sql = Sql {
        sqlite: of_members!("json_group_array(json_array(hex(user_id), number))"),
        postgres: of_members!("CAST(COALESCE(json_agg(json_build_array(user_id, number)), '[]') AS TEXT)"),
    };
    let Json(found): Json<Vec<(UserId, i64)>> = query_scalar(sql).bind(auction_id).fetch_one(conn).await?;
    let numbered = |(user, number): (UserId, i64)| {
        let number = number.try_into().map_err(|error| DbError::Corrupt(format!("a number {error}")))?;
        Ok((user, number))
    };
    found.into_iter().map(numbered).collect()
}

/// Takes the numbers of all members of an auction, which has another group from now on, or none.
pub async fn clear(conn: &mut Transaction, auction_id: AuctionId) -> Result<(), DbError> {
    let sql = "UPDATE members SET number = NULL WHERE auction_id = $1 AND number IS NOT NULL";
    query(sql).bind(auction_id).execute(conn).await?;
    Ok(())
}

/// Changes or takes the number of a member of these auctions.
pub async fn change(
    conn: &mut Transaction,
    auctions: &[AuctionId],
    user: UserId,
    number: Option<PersonNumber>,
) -> Result<(), DbError> {
    query(for_each_row!(
        "UPDATE members SET number = $3 WHERE user_id = $2 AND auction_id IN (SELECT given.auction_id FROM",
        [auction_id id],
        ")"
    ))
    .bind(rows(auctions.iter().map(|auction| [auction]))?)
    .bind(user)
    .bind(number.map(PersonNumber::get))
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the memberships of these auctions that a user has by the group alone: those of a BIDDER. Another role
/// stays, without a number.
pub async fn leave(conn: &mut Transaction, auctions: &[AuctionId], users: &[UserId]) -> Result<(), DbError> {
    const LEAVE: BulkStatement = bulk_statement!(
        "DELETE FROM members WHERE role = 'BIDDER' AND (auction_id, user_id) IN (
             SELECT given.auction_id, given.user_id FROM",
        [auction_id uuid, user_id uuid],
        ")"
    );
    const CLEAR: BulkStatement = bulk_statement!(
        "UPDATE members SET number = NULL WHERE (auction_id, user_id) IN (
             SELECT given.auction_id, given.user_id FROM",
        [auction_id uuid, user_id uuid],
        ")"
    );
    let pairs = || auctions.iter().flat_map(|auction| users.iter().map(|user| row![*auction, *user]));
    let mut writes = WriteBatch::default();
    writes.add(LEAVE, pairs());
    writes.then();
    writes.add(CLEAR, pairs());
    conn.run(writes).await
}
