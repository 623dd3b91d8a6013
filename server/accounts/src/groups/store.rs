//! SQL on groups.

mod door;
pub mod number_failures;
mod people;
pub mod removed;

pub use door::{place_of_managed, sign_in, threshold};
pub use people::{
    failing, has_other_keeper, insert_people, is_upgraded_since, keepers, keeps, keeps_any_alone, leave,
    leave_all, leave_others, managed, named_people, numbers_of, people, people_of_list, person, places,
    set_list, set_upgraded, take_numbers, update_person,
};

use super::{GroupCode, GroupView};
use crate::ids::{GroupId, UserId};
use platform::db::{
    Connection, DbError, Transaction, columns, concatcp, insert as insert_row, query, query_scalar,
};
use platform::time::Moment;

/// A group with the role of one of its people, from the group `g` and the person `p`.
const SELECT_GROUPS: &str =
    "SELECT g.id, g.name, g.code, g.joinable, g.open_until, p.user_id AS viewer, p.role,
             (SELECT COUNT(*) FROM group_people n WHERE n.group_id = g.id) AS people_count,
             g.created_at, g.updated_at
         FROM group_people p JOIN groups g ON g.id = p.group_id ";

/// A group, for one of its people.
pub async fn find(
    conn: &mut Connection,
    group_id: GroupId,
    viewer: UserId,
) -> Result<Option<GroupView>, DbError> {
    query(concatcp!(SELECT_GROUPS, "WHERE g.id = $1 AND p.user_id = $2"))
        .bind(group_id)
        .bind(viewer)
        .fetch_optional(conn)
        .await
}

/// The groups of a user, newest first.
pub async fn list(conn: &mut Connection, user: UserId) -> Result<Vec<GroupView>, DbError> {
    query(concatcp!(SELECT_GROUPS, "WHERE p.user_id = $1 ORDER BY g.id DESC LIMIT 100"))
        .bind(user)
        .fetch_all(conn)
        .await
}

/// The group that has this code, and whether users join with it.
pub async fn by_code(conn: &mut Connection, code: &GroupCode) -> Result<Option<(GroupId, bool)>, DbError> {
    query("SELECT id, joinable FROM groups WHERE code = $1").bind(code.as_str()).fetch_optional(conn).await
}

pub async fn name(conn: &mut Connection, id: GroupId) -> Result<Option<String>, DbError> {
    query_scalar("SELECT name FROM groups WHERE id = $1").bind(id).fetch_optional(conn).await
}

pub async fn code(conn: &mut Connection, id: GroupId) -> Result<Option<GroupCode>, DbError> {
    query_scalar("SELECT code FROM groups WHERE id = $1").bind(id).fetch_optional(conn).await
}

/// The groups that a user keeps, by name.
pub async fn kept(conn: &mut Connection, user: UserId) -> Result<Vec<(GroupId, String)>, DbError> {
    query(
        "SELECT g.id, g.name FROM group_people p JOIN groups g ON g.id = p.group_id
         WHERE p.user_id = $1 AND p.role = 'KEEPER' ORDER BY g.name, g.id LIMIT 100",
    )
    .bind(user)
    .fetch_all(conn)
    .await
}

/// The number of groups of a user.
pub async fn count_of(conn: &mut Connection, user: UserId) -> Result<i64, DbError> {
    query_scalar("SELECT COUNT(*) FROM group_people WHERE user_id = $1").bind(user).fetch_one(conn).await
}

/// Adds a group without people. A unique violation says that another group has the code.
pub async fn insert(
    conn: &mut Transaction,
    id: GroupId,
    (name, joinable, code): (&str, bool, &GroupCode),
    now: Moment,
) -> Result<(), DbError> {
    let row = columns! {
        id: id, name: name, code: code.as_str(), joinable: joinable, created_at: now, updated_at: now,
    };
    insert_row(conn, "groups", row).await
}

pub async fn update(
    conn: &mut Transaction,
    id: GroupId,
    name: &str,
    joinable: bool,
    now: Moment,
) -> Result<(), DbError> {
    query("UPDATE groups SET name = $2, joinable = $3, updated_at = $4 WHERE id = $1")
        .bind(id)
        .bind(name)
        .bind(joinable)
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

/// A unique violation says that another group has the code.
pub async fn set_code(
    conn: &mut Transaction,
    id: GroupId,
    code: &GroupCode,
    now: Moment,
) -> Result<(), DbError> {
    let sql = "UPDATE groups SET code = $2, updated_at = $3 WHERE id = $1";
    query(sql).bind(id).bind(code.as_str()).bind(now).execute(conn).await?;
    Ok(())
}

/// Failed sign-ins lock no number of the group until then.
pub async fn set_open(conn: &mut Transaction, id: GroupId, until: Moment) -> Result<(), DbError> {
    query("UPDATE groups SET open_until = $2 WHERE id = $1").bind(id).bind(until).execute(conn).await?;
    Ok(())
}

/// Removes a group with its people, whose accounts stay.
pub async fn delete(conn: &mut Transaction, id: GroupId) -> Result<(), DbError> {
    query("DELETE FROM groups WHERE id = $1").bind(id).execute(conn).await?;
    Ok(())
}
