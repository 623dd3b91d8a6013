//! The group of an auction: all of its people are members (SPEC, section 14).

use accounts::groups::PersonNumber;
use accounts::groups::store as groups;

use super::AuctionTerms;
use crate::access::store::numbers;
use crate::books::posting::{self, JoinError};
use crate::books::store::holders;
use crate::ids::{AuctionId, BookId, GroupId, UserId};
use platform::db::{Connection, Transaction};
use platform::fields::FieldError;
use platform::time::Moment;
use platform::verb::VerbError;

/// Refuses a group that the user does not keep.
pub async fn check<R>(
    conn: &mut Connection,
    group_id: Option<GroupId>,
    user: UserId,
) -> Result<(), VerbError<R>> {
    match group_id {
        Some(group_id) if !groups::keeps(conn, group_id, user).await? => {
            Err(vec![FieldError::new("groupId", "must be the id of a group that you keep")].into())
        }
        _ => Ok(()),
    }
}

/// Makes people of a group members of its auctions, and holders of their books. The transaction has locked
/// the auctions and the group.
pub async fn join(
    db: &mut Transaction,
    auctions: &[OfGroup],
    people: &[(Option<PersonNumber>, UserId)],
    now: Moment,
) -> Result<(), JoinError> {
    let joining = auctions
        .iter()
        .flat_map(|auction| people.iter().map(|(number, user)| (auction.id, *user, *number)))
        .collect::<Vec<_>>();
    numbers::join(db, &joining, now).await?;
    let mut books: Vec<_> = auctions.iter().filter_map(|auction| auction.book_id).collect();
    books.sort_unstable();
    books.dedup();
    for book_id in books {
        posting::admit(db, book_id, people.iter().map(|(_, user)| *user), now).await?;
    }
    Ok(())
}

/// An open auction of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OfGroup {
    pub id: AuctionId,
    pub book_id: Option<BookId>,
}

/// Makes the people of the group of a new or changed auction its members, in place of the numbers of an
/// earlier group. The transaction has locked the group.
pub async fn enter(
    db: &mut Transaction,
    auction_id: AuctionId,
    terms: &AuctionTerms,
    now: Moment,
) -> Result<(), JoinError> {
    numbers::clear(db, auction_id).await?;
    let Some(group_id) = terms.group_id else { return Ok(()) };
    let people = groups::places(db, group_id).await?;
    let people: Vec<_> = people.into_iter().map(|place| (place.number, place.user)).collect();
    join(db, &[OfGroup { id: auction_id, book_id: None }], &people, now).await?;
    let Some(book_id) = terms.book_id else { return Ok(()) };
    // A user who has left the book comes back by an own act alone.
    let left = holders::left(db, book_id).await?;
    let users = people.into_iter().map(|(_, user)| user).filter(|user| !left.contains(user));
    posting::join(db, book_id, users, now).await
}
