//! Members in responses.

use rules_engine::money::Normalized;
use serde::Serialize;
use utoipa::ToSchema;

use super::list::is_known;
use crate::access::{Member, Role};
use crate::auctions::access::AuctionView;
use crate::auctions::people::PeopleShown;
use crate::books::funds::Funds;
use crate::ids::BookId;
use accounts::Person;
use accounts::person::PersonDocument;
use platform::paging::Paged;
use platform::time::Moment;

/// A member as other members see them: without e-mail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Member)]
pub struct MemberDocument {
    pub user: PersonDocument,
    pub role: Role,
    #[schema(value_type = String, format = DateTime)]
    pub joined_at: Moment,
}

impl MemberDocument {
    pub fn of(member: Member, auction: &AuctionView) -> Self {
        let (people, is_known) = (PeopleShown::of(&auction.auction), is_known(&member, auction));
        let Member { id, name, role, joined_at } = member;
        let person = Person { id, name };
        let user = people.person(person.clone(), is_known).unwrap_or_else(|| people.known(person));
        Self { user, role, joined_at }
    }
}

/// Members of an auction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Members)]
pub struct MembersDocument {
    pub members: Vec<MemberDocument>,
    pub next_cursor: Option<String>,
}

impl MembersDocument {
    pub fn of(page: Paged<Member>, auction: &AuctionView) -> Self {
        let members = page.entries.into_iter().map(|member| MemberDocument::of(member, auction)).collect();
        Self { members, next_cursor: page.next_cursor }
    }
}

/// What a user has in a book, in base units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Balance)]
pub struct BalanceDocument {
    #[schema(value_type = String, format = "uuid")]
    pub book_id: BookId,
    /// The sum of the entries.
    #[schema(value_type = String)]
    pub balance: Normalized,
    /// The sum of the bids with which the user leads items without an outcome.
    #[schema(value_type = String)]
    pub committed: Normalized,
    /// Balance and credit limit less what is committed; below zero for a user who has committed more.
    #[schema(value_type = String)]
    pub available: Normalized,
}

impl BalanceDocument {
    pub fn of(book_id: BookId, funds: &Funds) -> Self {
        Self {
            book_id,
            balance: funds.balance,
            committed: funds.committed.amount(),
            available: funds.available(),
        }
    }
}
