//! SQL on accounts as the Deployment Admin sees them, disabled ones included.

use super::SystemUser;
use crate::ids::UserId;
use crate::user::store::{USER_COLUMNS, UserRow};
use platform::db::{Connection, DbError, concatcp, query};
use platform::email::Email;
use platform::time::Moment;

/// Selects the columns of a [`SystemUserRow`] from the users that fulfil a condition.
const SELECT_WHERE: &str = concatcp!(
    "SELECT ",
    USER_COLUMNS,
    ", u.last_sign_in_at, u.disabled_at FROM users u WHERE u.erased_at IS NULL AND "
);

#[derive(sqlx_macros::FromRow)]
struct SystemUserRow {
    #[sqlx(flatten)]
    user: UserRow,
    last_sign_in_at: Option<Moment>,
    disabled_at: Option<Moment>,
}

impl SystemUserRow {
    fn into_system_user(self) -> Result<SystemUser, DbError> {
        let Self { user, last_sign_in_at, disabled_at } = self;
        Ok(SystemUser { user: user.into_user()?, last_sign_in_at, is_disabled: disabled_at.is_some() })
    }
}

pub async fn by_id(db: &mut Connection, id: UserId) -> Result<Option<SystemUser>, DbError> {
    let row: Option<SystemUserRow> =
        query(concatcp!(SELECT_WHERE, "u.id = $1")).bind(id).fetch_optional(db).await?;
    row.map(SystemUserRow::into_system_user).transpose()
}

pub async fn by_email(db: &mut Connection, email: &Email) -> Result<Option<SystemUser>, DbError> {
    let row: Option<SystemUserRow> =
        query(concatcp!(SELECT_WHERE, "u.email_folded = $1")).bind(email.folded()).fetch_optional(db).await?;
    row.map(SystemUserRow::into_system_user).transpose()
}

/// Accounts after this one, in the order of their registration.
pub async fn list(
    db: &mut Connection,
    after: Option<UserId>,
    limit: i64,
) -> Result<Vec<SystemUser>, DbError> {
    let statement = match after {
        None => query(concatcp!(SELECT_WHERE, "TRUE ORDER BY u.id LIMIT $1")),
        Some(after) => query(concatcp!(SELECT_WHERE, "u.id > $1 ORDER BY u.id LIMIT $2")).bind(after),
    };
    let rows: Vec<SystemUserRow> = statement.bind(limit).fetch_all(db).await?;
    rows.into_iter().map(SystemUserRow::into_system_user).collect()
}
