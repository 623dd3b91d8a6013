//! Records which members are present: a book shares among them what was spent.

use std::collections::BTreeSet;
use std::convert::Infallible;

use crate::access::store;
use crate::access::{Action, Member, MemberKey};
use crate::auctions::access::{AuctionView, authorize};
use crate::context::Context;
use crate::engine_schema::uuid;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use accounts::groups::PersonNumber;
use platform::body::Body;
use platform::fields::FieldError;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;
use utoipa::openapi::schema::{ObjectBuilder, Type};

const NUMBERS: &str = "numbers";
const USER_IDS: &str = "userIds";
/// Members of one request, at most.
pub const NAMED_MAX: usize = 1_000;

/// Members who have come or gone.
#[derive(Debug, Clone, Default)]
pub struct PresentBody {
    numbers: Option<Vec<i64>>,
    user_ids: Option<Vec<String>>,
    present: Option<bool>,
}

impl Shape for PresentBody {
    const NAME: &'static str = "PresentMembers";
    const ABOUT: &'static str = "`numbers` or `userIds`, or both: at most 1,000 in all.";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .optional(NUMBERS, &mut self.numbers)
            .list_of(|| ObjectBuilder::new().schema_type(Type::Integer).into())
            .about("Numbers in the group of the auction.");
        members
            .optional(USER_IDS, &mut self.user_ids)
            .list_of(|| ObjectBuilder::new().schema_type(Type::String).format(Some(uuid())).into());
        members.required("present", &mut self.present).of::<bool>();
    }
}

/// Records that members have come or gone: all of them, or none if one is unknown.
pub async fn set_present(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<(Vec<Member>, AuctionView), VerbError<Infallible>> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, context.clock.now()).await?.require(Action::RunHall)?;
    let PresentBody { numbers, user_ids, present } = shape::parse(body.read()?)?;
    let (numbers, user_ids) = (numbers.unwrap_or_default(), user_ids.unwrap_or_default());
    let count = numbers.len().saturating_add(user_ids.len());
    if count == 0 {
        return Err(vec![FieldError::missing(NUMBERS)].into());
    }
    if count > NAMED_MAX {
        return Err(vec![FieldError::new(NUMBERS, "must be at most 1,000 members in all")].into());
    }
    let by_number = numbers.into_iter().enumerate().map(|(at, number)| {
        (format!("{NUMBERS}.{at}"), PersonNumber::try_from(number).ok().map(MemberKey::Number))
    });
    let by_id = user_ids
        .iter()
        .enumerate()
        .map(|(at, id)| (format!("{USER_IDS}.{at}"), id.parse().ok().map(MemberKey::User)));
    let named: Vec<(String, Option<MemberKey>)> = by_number.chain(by_id).collect();
    let keys: Vec<_> = named.iter().filter_map(|(_, key)| Some((auction_id, (*key)?))).collect();
    let found = store::named::find(&mut db, &keys).await?;
    let (mut users, mut errors) = (BTreeSet::new(), Vec::new());
    for (path, key) in named {
        match key.and_then(|key| found.get(&(auction_id, key))) {
            Some(person) => drop(users.insert(person.id)),
            None => errors.push(FieldError::new(path, "must be a member of the auction")),
        }
    }
    if !errors.is_empty() {
        return Err(errors.into());
    }
    // INVARIANT: a required member that is absent is an error.
    let users = Vec::from_iter(users);
    store::set_present(&mut db, auction_id, &users, present.unwrap_or_default()).await?;
    let members = store::among(&mut db, auction_id, &users).await?;
    db.commit().await?;
    Ok((members, seen))
}
