//! Members in responses.

use rules_engine::money::Normalized;
use serde::Serialize;
use utoipa::ToSchema;

use super::list::is_known;
use crate::access::{Action, Member, Role};
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
    /// True if the member is present. Absent otherwise, and for others than the member, OWNER, ADMIN and
    /// CLERK.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub present: bool,
}

impl MemberDocument {
    pub fn of(member: Member, auction: &AuctionView) -> Self {
        let (people, is_known) = (PeopleShown::of(&auction.auction), is_known(&member, auction));
        let Member { id, name, role, joined_at, present } = member;
        let present = present && (id == auction.viewer || auction.may(Action::RunHall));
        let person = Person { id, name };
        let user = people.person(person.clone(), is_known).unwrap_or_else(|| people.known(person));
        Self { user, role, joined_at, present }
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

/// Members who have come or gone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChangedMembers)]
pub struct ChangedMembersDocument {
    pub members: Vec<MemberDocument>,
}

impl ChangedMembersDocument {
    pub fn of(members: Vec<Member>, auction: &AuctionView) -> Self {
        Self { members: members.into_iter().map(|member| MemberDocument::of(member, auction)).collect() }
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
