//! Creates a group, of which its creator is the first keeper.

use accounts::groups::store as groups;
use accounts::groups::{GROUPS_MAX, GroupCode, GroupRole, GroupView};
use accounts::locks::write_as;

use super::access::authorize;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{GroupId, ListId, UserId};
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// What a keeper says of a group.
#[derive(Debug, Clone, Default)]
pub struct GroupBody {
    pub(super) name: String,
    pub(super) joinable: bool,
}

impl Shape for GroupBody {
    const NAME: &'static str = "NewGroup";

    fn members(&mut self, members: &mut Members<'_>) {
        members.line("name", 1..=200, &mut self.name);
        members.flag("joinable", &mut self.joinable).about("Users with an e-mail join with the code.");
    }
}

refusals! {
    /// Why a group is not created.
    pub enum CreateGroupRefusal {
        LimitReached => codes::LIMIT_REACHED, "You are in 100 groups: leave or delete some first.";
    }
}

/// The creator keeps the group, without a number.
pub async fn create_group(
    context: &Context,
    keeper: UserId,
    body: impl Body,
) -> Result<Created<GroupView>, VerbError<CreateGroupRefusal>> {
    let now = context.clock.now();
    let mut db = write_as(&context.db, keeper).await?;
    let (object, creation) = Creation::read(&mut db, keeper, "groups".to_owned(), body, now).await?;
    if let Some(earlier) = creation.replays() {
        return Ok(Created::replayed(authorize(&mut db, earlier, keeper).await?));
    }
    let GroupBody { name, joinable } = shape::parse(object)?;
    creation.check_key()?;
    if groups::count_of(&mut db, keeper).await? >= GROUPS_MAX {
        return Err(CreateGroupRefusal::LimitReached.into());
    }
    let id = GroupId::new(now);
    let code = free_code(&mut db).await?;
    groups::insert(&mut db, id, (&name, joinable, &code), now).await?;
    groups::insert_people(&mut db, id, &[(None, keeper)], (GroupRole::Keeper, ListId::new(now)), now).await?;
    let seen = authorize(&mut db, id, keeper).await?;
    creation.record(&mut db, id, now).await?;
    db.commit().await?;
    Ok(Created::new(seen))
}

/// A code that no group has.
pub(super) async fn free_code(db: &mut Transaction) -> Result<GroupCode, DbError> {
    loop {
        let code = GroupCode::new()?;
        if groups::by_code(db, &code).await?.is_none() {
            return Ok(code);
        }
    }
}
