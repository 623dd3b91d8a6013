//! SQL on members by what names them.

use std::collections::HashMap;

use crate::access::MemberKey;
use crate::ids::{AuctionId, UserId};
use accounts::Person;
use accounts::groups::PersonNumber;
use platform::db::{Connection, DbError, Integer, for_each_row, query, rows};

/// The entries of `wanted` that name a member.
pub async fn find(
    conn: &mut Connection,
    wanted: &[(AuctionId, MemberKey)],
) -> Result<HashMap<(AuctionId, MemberKey), Person>, DbError> {
    let (mut numbers, mut users) = (Vec::new(), Vec::new());
    for (auction_id, key) in wanted {
        match key {
            MemberKey::Number(number) => numbers.push((*auction_id, number.get())),
            MemberKey::User(user_id) => users.push((*auction_id, *user_id)),
        }
    }
    let mut found = HashMap::new();
    if !numbers.is_empty() {
        let members: Vec<(AuctionId, Integer<PersonNumber>, UserId, String)> = query(for_each_row!(
            "SELECT given.auction_id, m.number, u.id, u.name FROM",
            [auction_id id, number bigint],
            "JOIN members m ON m.auction_id = given.auction_id AND m.number = given.number
             JOIN users u ON u.id = m.user_id"
        ))
        .bind(rows(numbers)?)
        .fetch_all(&mut *conn)
        .await?;
        found.extend(members.into_iter().map(|(auction_id, number, id, name)| {
            ((auction_id, MemberKey::Number(number.0)), Person { id, name })
        }));
    }
    if !users.is_empty() {
        let members: Vec<(AuctionId, UserId, String)> = query(for_each_row!(
            "SELECT given.auction_id, u.id, u.name FROM",
            [auction_id id, user_id id],
            "JOIN members m ON m.auction_id = given.auction_id AND m.user_id = given.user_id
             JOIN users u ON u.id = m.user_id"
        ))
        .bind(rows(users)?)
        .fetch_all(&mut *conn)
        .await?;
        found.extend(
            members
                .into_iter()
                .map(|(auction_id, id, name)| ((auction_id, MemberKey::User(id)), Person { id, name })),
        );
    }
    Ok(found)
}
