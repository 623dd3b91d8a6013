//! SQL on the people of groups.

use crate::groups::store::number_failures::FAILURES_OF_NUMBERS;
use crate::groups::store::number_failures::LOCK_MILLIS;
use crate::groups::store::number_failures::LOCK_SECONDS;
use crate::groups::store::number_failures::NUMBER_FAILURES_MAX;
use crate::groups::{GroupPerson, GroupPlace, GroupRole, PersonKey, PersonNumber};
use crate::ids::{GroupId, ListId, UserId};
use crate::person::Person;
use platform::db::{
    Connection, DbError, Integer, Query, Transaction, concatcp, for_each_row, query, query_scalar, rows,
};
use platform::time::Moment;

/// The people of the group `$1` that fulfil a condition, from the person `p` and the user `u`. `$2` to `$4`
/// are those of [`people_query`].
const SELECT_PEOPLE: &str = concatcp!(
    "SELECT p.number, p.user_id, u.name, u.email IS NULL AS is_managed, p.role,
                 p.disabled_at IS NOT NULL AS is_disabled, f.locked_by, COALESCE(f.failures, 0) AS failures,
                 u.last_sign_in_at, p.upgraded_at, p.created_at
             FROM group_people p JOIN users u ON u.id = p.user_id
             LEFT JOIN (",
    FAILURES_OF_NUMBERS,
    ") f ON f.number = p.number
             WHERE p.group_id = $1 AND "
);

#[derive(sqlx_macros::FromRow)]
struct PersonRow {
    number: Option<Integer<PersonNumber>>,
    user_id: UserId,
    name: String,
    is_managed: bool,
    role: GroupRole,
    is_disabled: bool,
    /// The failure that has locked the number.
    locked_by: Option<Moment>,
    failures: i64,
    last_sign_in_at: Option<Moment>,
    upgraded_at: Option<Moment>,
    created_at: Moment,
}

impl From<PersonRow> for GroupPerson {
    fn from(row: PersonRow) -> Self {
        Self {
            number: row.number.map(|number| number.0),
            person: Person { id: row.user_id, name: row.name },
            is_managed: row.is_managed,
            role: row.role,
            is_disabled: row.is_disabled,
            locked_until: row.locked_by.map(|failure| failure.plus_seconds(LOCK_SECONDS)),
            failures: row.failures,
            upgraded_at: row.upgraded_at,
            last_sign_in_at: row.last_sign_in_at,
            created_at: row.created_at,
        }
    }
}

/// A query of people of a group, with what tells how often their numbers failed.
fn people_query(sql: &'static str, group_id: GroupId, now: Moment) -> Query {
    let since = now.plus_seconds(-LOCK_SECONDS);
    query(sql).bind(group_id).bind(since).bind(LOCK_MILLIS).bind(NUMBER_FAILURES_MAX)
}

/// The people of a group by number. Keepers without one come last.
pub async fn people(
    conn: &mut Connection,
    group_id: GroupId,
    now: Moment,
) -> Result<Vec<GroupPerson>, DbError> {
    const PEOPLE: &str = concatcp!(SELECT_PEOPLE, "TRUE ORDER BY p.number IS NULL, p.number, p.user_id");
    let found: Vec<PersonRow> = people_query(PEOPLE, group_id, now).fetch_all(conn).await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// The person with this number, or this user.
pub async fn person(
    conn: &mut Connection,
    group_id: GroupId,
    key: PersonKey,
    now: Moment,
) -> Result<Option<GroupPerson>, DbError> {
    let query = match key {
        PersonKey::Number(number) => {
            people_query(concatcp!(SELECT_PEOPLE, "p.number = $5"), group_id, now).bind(number)
        }
        PersonKey::User(id) => {
            people_query(concatcp!(SELECT_PEOPLE, "p.user_id = $5"), group_id, now).bind(id)
        }
    };
    let found: Option<PersonRow> = query.fetch_optional(conn).await?;
    Ok(found.map(Into::into))
}

/// The people whom one request has added or changed, by number.
pub async fn people_of_list(
    conn: &mut Connection,
    group_id: GroupId,
    list: ListId,
    now: Moment,
) -> Result<Vec<GroupPerson>, DbError> {
    let found: Vec<PersonRow> = people_query(
        concatcp!(SELECT_PEOPLE, "p.list_id = $5 ORDER BY p.number IS NULL, p.number"),
        group_id,
        now,
    )
    .bind(list)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// The people whose numbers failed most within the last 15 minutes, at most 50.
pub async fn failing(
    conn: &mut Connection,
    group_id: GroupId,
    now: Moment,
) -> Result<Vec<GroupPerson>, DbError> {
    const FAILING: &str =
        concatcp!(SELECT_PEOPLE, "f.failures > 0 ORDER BY f.failures DESC, p.number LIMIT 50");
    let found: Vec<PersonRow> = people_query(FAILING, group_id, now).fetch_all(conn).await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// The places of the people of a group by number. Keepers without one come last.
pub async fn places(conn: &mut Connection, group_id: GroupId) -> Result<Vec<GroupPlace>, DbError> {
    let found: Vec<(Option<Integer<PersonNumber>>, UserId, GroupRole)> = query(
        "SELECT number, user_id, role FROM group_people
         WHERE group_id = $1 ORDER BY number IS NULL, number, user_id",
    )
    .bind(group_id)
    .fetch_all(conn)
    .await?;
    let place = |(number, user, role): (Option<Integer<PersonNumber>>, _, _)| GroupPlace {
        number: number.map(|number| number.0),
        user,
        role,
    };
    Ok(found.into_iter().map(place).collect())
}

/// Takes the numbers of these keepers, who have none from then on.
pub async fn take_numbers(
    conn: &mut Transaction,
    group_id: GroupId,
    keepers: &[UserId],
) -> Result<(), DbError> {
    query(for_each_row!(
        "UPDATE group_people SET number = NULL WHERE group_id = $2 AND user_id IN (SELECT given.user_id FROM",
        [user_id id],
        ")"
    ))
    .bind(rows(keepers.iter().map(|user| [user]))?)
    .bind(group_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// The numbers that a user has in groups.
pub async fn numbers_of(conn: &mut Connection, user: UserId) -> Result<Vec<PersonNumber>, DbError> {
    let found: Vec<Integer<PersonNumber>> =
        query_scalar("SELECT number FROM group_people WHERE user_id = $1 AND number IS NOT NULL")
            .bind(user)
            .fetch_all(conn)
            .await?;
    Ok(found.into_iter().map(|number| number.0).collect())
}

/// Records when the managed user of a group became a full account, or that the keepers took that back.
pub async fn set_upgraded(
    conn: &mut Transaction,
    group_id: GroupId,
    user: UserId,
    at: Option<Moment>,
) -> Result<(), DbError> {
    let sql = "UPDATE group_people SET upgraded_at = $3 WHERE group_id = $1 AND user_id = $2";
    query(sql).bind(group_id).bind(user).bind(at).execute(conn).await?;
    Ok(())
}

/// Removes a user from all groups but this one. A group that only the user keeps is kept by `heir` from then
/// on.
pub async fn leave_others(
    conn: &mut Transaction,
    user: UserId,
    group_id: GroupId,
    heir: UserId,
) -> Result<(), DbError> {
    // The heir, if not in such a group, takes the place with the number; else the role.
    for sql in [
        "UPDATE group_people SET role = 'KEEPER' WHERE user_id = $3 AND group_id <> $2 AND group_id IN
             (SELECT k.group_id FROM group_people k WHERE k.user_id = $1 AND k.role = 'KEEPER')",
        "UPDATE group_people SET user_id = $3 WHERE user_id = $1 AND group_id <> $2 AND role = 'KEEPER'
             AND NOT EXISTS (SELECT 1 FROM group_people o WHERE o.group_id = group_people.group_id
                 AND o.user_id <> $1 AND (o.role = 'KEEPER' OR o.user_id = $3))",
    ] {
        query(sql).bind(user).bind(group_id).bind(heir).execute(&mut *conn).await?;
    }
    let sql = "DELETE FROM group_people WHERE user_id = $1 AND group_id <> $2";
    query(sql).bind(user).bind(group_id).execute(conn).await?;
    Ok(())
}

/// The managed users of a group.
pub async fn managed(conn: &mut Connection, group_id: GroupId) -> Result<Vec<UserId>, DbError> {
    query_scalar(
        "SELECT p.user_id FROM group_people p JOIN users u ON u.id = p.user_id
         WHERE p.group_id = $1 AND u.email IS NULL ORDER BY p.user_id",
    )
    .bind(group_id)
    .fetch_all(conn)
    .await
}

/// Adds people to a group: each a user with a number, or a keeper without one. A unique violation says that a
/// number is taken.
pub async fn insert_people(
    conn: &mut Transaction,
    group_id: GroupId,
    people: &[(Option<PersonNumber>, UserId)],
    (role, list): (GroupRole, ListId),
    now: Moment,
) -> Result<(), DbError> {
    query(for_each_row!(
        "INSERT INTO group_people (group_id, number, user_id, role, list_id, created_at)
         SELECT $2, CAST(given.number AS BIGINT), given.user_id, $3, $4, $5 FROM",
        [number text, user_id id],
        "WHERE TRUE"
    ))
    .bind(rows(people.iter().map(|(number, user)| (number.map(|number| number.to_string()), *user)))?)
    .bind(group_id)
    .bind(role)
    .bind(list)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Marks people as changed by a list.
pub async fn set_list(
    conn: &mut Transaction,
    group_id: GroupId,
    users: &[UserId],
    list: ListId,
) -> Result<(), DbError> {
    query(for_each_row!(
        "UPDATE group_people SET list_id = $3 WHERE group_id = $2 AND user_id IN (SELECT given.user_id FROM",
        [user_id id],
        ")"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .bind(group_id)
    .bind(list)
    .execute(conn)
    .await?;
    Ok(())
}

/// Changes the number, the role and the state of a person. A unique violation says that the number is taken.
pub async fn update_person(
    conn: &mut Transaction,
    group_id: GroupId,
    person: &GroupPerson,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "UPDATE group_people SET number = $3, role = $4,
             disabled_at = CASE WHEN $5 THEN COALESCE(disabled_at, $6) END
         WHERE group_id = $1 AND user_id = $2",
    )
    .bind(group_id)
    .bind(person.person.id)
    .bind(person.number.map(PersonNumber::get))
    .bind(person.role)
    .bind(person.is_disabled)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a person from a group.
pub async fn leave(conn: &mut Transaction, group_id: GroupId, user: UserId) -> Result<(), DbError> {
    let sql = "DELETE FROM group_people WHERE group_id = $1 AND user_id = $2";
    query(sql).bind(group_id).bind(user).execute(conn).await?;
    Ok(())
}

/// Removes these users from all of their groups.
pub async fn leave_all(conn: &mut Transaction, users: &[UserId]) -> Result<(), DbError> {
    query(for_each_row!(
        "DELETE FROM group_people WHERE user_id IN (SELECT given.user_id FROM",
        [user_id id],
        ")"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether the group has another keeper than this user.
pub async fn has_other_keeper(
    conn: &mut Connection,
    group_id: GroupId,
    user: UserId,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM group_people WHERE group_id = $1 AND user_id <> $2 AND role = 'KEEPER')",
    )
    .bind(group_id)
    .bind(user)
    .fetch_one(conn)
    .await
}

/// Whether the user is the only keeper of any group.
pub async fn keeps_any_alone(conn: &mut Connection, user: UserId) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (
             SELECT 1 FROM group_people p WHERE p.user_id = $1 AND p.role = 'KEEPER' AND NOT EXISTS (
                 SELECT 1 FROM group_people o
                 WHERE o.group_id = p.group_id AND o.user_id <> p.user_id AND o.role = 'KEEPER'))",
    )
    .bind(user)
    .fetch_one(conn)
    .await
}

/// Whether the user has become a full account since this moment, from a managed user of a group.
pub async fn is_upgraded_since(conn: &mut Connection, user: UserId, since: Moment) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM group_people WHERE user_id = $1 AND upgraded_at > $2)")
        .bind(user)
        .bind(since)
        .fetch_one(conn)
        .await
}

/// The keepers of a group.
pub async fn keepers(conn: &mut Connection, group_id: GroupId) -> Result<Vec<UserId>, DbError> {
    query_scalar("SELECT user_id FROM group_people WHERE group_id = $1 AND role = 'KEEPER' ORDER BY user_id")
        .bind(group_id)
        .fetch_all(conn)
        .await
}

/// Whether the user keeps the group.
pub async fn keeps(conn: &mut Connection, group_id: GroupId, user: UserId) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM group_people WHERE group_id = $1 AND user_id = $2 AND role = 'KEEPER')",
    )
    .bind(group_id)
    .bind(user)
    .fetch_one(conn)
    .await
}

/// The people of a group with their numbers and names.
pub async fn named_people(
    conn: &mut Connection,
    group_id: GroupId,
) -> Result<Vec<(Option<PersonNumber>, Person)>, DbError> {
    let found: Vec<(Option<Integer<PersonNumber>>, UserId, String)> = query(
        "SELECT p.number, u.id, u.name FROM group_people p JOIN users u ON u.id = p.user_id WHERE p.group_id = $1",
    )
    .bind(group_id)
    .fetch_all(conn)
    .await?;
    let named = |(number, id, name): (Option<Integer<PersonNumber>>, _, _)| {
        (number.map(|number| number.0), Person { id, name })
    };
    Ok(found.into_iter().map(named).collect())
}
