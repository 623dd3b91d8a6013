//! Joins a group with its code.

use accounts::groups::store as groups;
use accounts::groups::{GROUPS_MAX, GroupCode, GroupRole, GroupView, PEOPLE_MAX, PersonNumber};
use accounts::limits::RateLimits;

use super::GroupWrite;
use super::access::authorize;
use crate::auctions::group;
use crate::codes;
use crate::context::Context;
use crate::ids::{ListId, UserId};
use platform::body::Body;
use platform::net::ClientAddress;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The code of a group as typed.
#[derive(Debug, Clone, Default)]
pub struct GroupJoinBody {
    code: String,
}

impl Shape for GroupJoinBody {
    const NAME: &'static str = "GroupJoinBody";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("code", 1..=40, &mut self.code).about("Case and blanks do not matter.");
    }
}

refusals! {
    /// Why a user does not join a group.
    pub enum JoinGroupRefusal {
        NotJoinable => codes::FORBIDDEN, "Nobody joins this group with the code: ask its keeper.";
        Removed => codes::FORBIDDEN, "The keeper has removed you from this group: ask to be let in again, and join with its code then.";
        InGroups => codes::LIMIT_REACHED, "You are in 100 groups: leave some first.";
        Full => codes::LIMIT_REACHED, "The group has 2,000 people, as many as it can have.";
        BookFull => codes::LIMIT_REACHED, "A book of the group's auctions has 10,000 holders, as many as it can have.";
    }
}

/// Makes the user a PERSON of the group with the lowest free number, and a member of its open auctions.
pub async fn join_group(
    context: &Context,
    (limits, address): (&RateLimits, ClientAddress),
    user: UserId,
    body: impl Body,
) -> Result<GroupView, VerbError<JoinGroupRefusal>> {
    let now = context.clock.now();
    let GroupJoinBody { code } = shape::parse(body.read()?)?;
    let code: Option<GroupCode> = code.parse().ok();
    let found = match &code {
        Some(code) => groups::by_code(&mut context.db.read().await?, code).await?,
        None => None,
    };
    let Some((group_id, _)) = found else {
        // The answer tells which codes there are.
        limits.disclosure(address)?;
        return Err(VerbError::NotFound);
    };
    let GroupWrite { mut db, auctions } = GroupWrite::begin(context, group_id, &[]).await?;
    if let Some(seen) = groups::find(&mut db, group_id, user).await? {
        return Ok(seen);
    }
    if groups::removed::contains(&mut db, group_id, user).await? {
        limits.disclosure(address)?;
        return Err(JoinGroupRefusal::Removed.into());
    }
    let now_known = match &code {
        Some(code) => groups::by_code(&mut db, code).await?,
        None => None,
    };
    match now_known {
        Some((id, true)) if id == group_id => {}
        Some((id, false)) if id == group_id => {
            limits.disclosure(address)?;
            return Err(JoinGroupRefusal::NotJoinable.into());
        }
        _ => return Err(VerbError::NotFound),
    }
    if groups::count_of(&mut db, user).await? >= GROUPS_MAX {
        return Err(JoinGroupRefusal::InGroups.into());
    }
    let taken = groups::places(&mut db, group_id).await?;
    if taken.len() >= PEOPLE_MAX {
        return Err(JoinGroupRefusal::Full.into());
    }
    let taken: Vec<PersonNumber> = taken.into_iter().filter_map(|place| place.number).collect();
    let joining: Vec<_> =
        PersonNumber::lowest_free(&taken).map(|number| (Some(number), user)).take(1).collect();
    groups::insert_people(&mut db, group_id, &joining, (GroupRole::Person, ListId::new(now)), now).await?;
    let joined = group::join(&mut db, &auctions, &joining, now).await;
    joined.map_err(|error| error.or(JoinGroupRefusal::BookFull))?;
    let seen = authorize(&mut db, group_id, user).await?;
    db.commit().await?;
    Ok(seen)
}
