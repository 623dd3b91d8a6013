//! Statements. The stores write one text for both databases if possible; a statement with two texts is a
//! [`Sql`].

use futures::TryStreamExt;
use futures::stream::BoxStream;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Encode, FromRow, SqlSafeStr, SqlStr, Type};

use tokio::task::consume_budget;

use super::read_row::read_row;
use super::{Connection, DbError, Driver, Transaction};
use crate::ids::{Id, Uuid};
use crate::time::Moment;
use crate::token::LinkToken;
use crate::touched_rows::table_of;

/// The text of a statement, with `$n` for its values.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self { sqlite: text, postgres: text }
    }
}

/// A statement on many rows, which are bound as one value: the JSON array of arrays that
/// [`rows`](super::rows) makes. The texts before and after surround a table `given` of these rows, with
/// columns of the type `id`, `text` or `bigint`. The statement is the same for any number of rows, so each
/// text is prepared once. The rows are the value `$1`, unless a place such as `"$3"` comes first.
///
/// A text after it that begins with `JOIN` reads its table by these rows. SQLite, which knows nothing of
/// their number, might read the rows anew for each row of that table, and is told the order by `CROSS JOIN`.
#[macro_export]
macro_rules! for_each_row {
    ($before:expr, [$($name:ident $type:ident),+ $(,)?], $after:expr) => {
        $crate::for_each_row!("$1" => $before, [$($name $type),+], $after)
    };
    ($place:literal => $before:expr, [$($name:ident $type:ident),+ $(,)?], $after:expr) => {
        $crate::db::Sql {
            sqlite: if $crate::db::is_join($after) {
                $crate::db::concatcp!(
                    $before, " (SELECT ", $crate::cells_of!(sqlite, [] $($name $type)+),
                    " FROM json_each(", $place, ")) AS given CROSS ", $after
                )
            } else {
                $crate::db::concatcp!(
                    $before, " (SELECT ", $crate::cells_of!(sqlite, [] $($name $type)+),
                    " FROM json_each(", $place, ")) AS given ", $after
                )
            },
            postgres: $crate::db::concatcp!(
                $before, " (SELECT ", $crate::cells_of!(postgres, [] $($name $type)+),
                " FROM json_array_elements(CAST(", $place, " AS json)) AS list (value)) AS given ", $after
            ),
        }
    };
}
pub use for_each_row;

/// Whether a text joins a table to the rows before it. Internal to [`for_each_row`].
pub const fn is_join(text: &str) -> bool {
    matches!(text.as_bytes(), [b'J', b'O', b'I', b'N', b' ', ..])
}

/// The select list of [`for_each_row`]: the cells of a JSON array with their names.
#[macro_export]
macro_rules! cells_of {
    ($database:ident, [$($before:ident)*] $name:ident $type:ident) => {
        concat!($crate::cell_of!($database, $type, $crate::count!($($before)*)), " AS ", stringify!($name))
    };
    ($database:ident, [$($before:ident)*] $name:ident $type:ident $($rest:ident)+) => {
        concat!(
            $crate::cells_of!($database, [$($before)*] $name $type), ", ",
            $crate::cells_of!($database, [$($before)* $name] $($rest)+)
        )
    };
}
pub use cells_of;

/// A cell of a JSON array, converted to the column's type in the database.
#[macro_export]
macro_rules! cell_of {
    (sqlite, id, $n:expr) => {
        concat!("unhex(value ->> ", $n, ", '-')")
    };
    (postgres, id, $n:expr) => {
        concat!("CAST(value ->> ", $n, " AS UUID)")
    };
    (sqlite, bigint, $n:expr) => {
        concat!("value ->> ", $n)
    };
    (postgres, bigint, $n:expr) => {
        concat!("CAST(value ->> ", $n, " AS BIGINT)")
    };
    ($database:ident, text, $n:expr) => {
        concat!("value ->> ", $n)
    };
}
pub use cell_of;

/// Counts columns. Internal to [`cells_of`].
#[macro_export]
macro_rules! count {
    () => {
        "0"
    };
    ($a:ident) => {
        "1"
    };
    ($a:ident $b:ident) => {
        "2"
    };
    ($a:ident $b:ident $c:ident) => {
        "3"
    };
    ($a:ident $b:ident $c:ident $d:ident) => {
        "4"
    };
    ($a:ident $b:ident $c:ident $d:ident $e:ident) => {
        "5"
    };
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident) => {
        "6"
    };
}
pub use count;

/// A value to bind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(Option<String>),
    Id(Option<Uuid>),
    Number(Option<i64>),
    Flag(bool),
}

macro_rules! value_from {
    ($($from:ty => |$value:ident| $to:expr;)*) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $to
            }
        })*
    };
}
value_from! {
    String => |text| Self::Text(Some(text));
    &String => |text| Self::Text(Some(text.clone()));
    &str => |text| Self::Text(Some(text.to_owned()));
    &LinkToken => |token| Self::Text(Some(token.as_str().to_owned()));
    Option<String> => |text| Self::Text(text);
    &Option<String> => |text| Self::Text(text.clone());
    Option<&String> => |text| Self::Text(text.cloned());
    Option<&str> => |text| Self::Text(text.map(str::to_owned));
    Moment => |moment| Self::Number(Some(moment.millis()));
    Option<Moment> => |moment| Self::Number(moment.map(Moment::millis));
    i64 => |number| Self::Number(Some(number));
    Option<i64> => |number| Self::Number(number);
    bool => |flag| Self::Flag(flag);
}

impl<T: Id> From<T> for Value {
    fn from(id: T) -> Self {
        Self::Id(Some(id.uuid()))
    }
}

impl<T: Id> From<Option<T>> for Value {
    fn from(id: Option<T>) -> Self {
        Self::Id(id.map(T::uuid))
    }
}

/// A type that can be read from a row of either database.
pub trait ReadRow: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

impl<T> ReadRow for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// The text of a statement: a literal, or one built from literals.
#[derive(Debug)]
enum Text {
    Literal(Sql),
    Built(String),
}

impl Text {
    fn sqlite(self) -> SqlStr {
        match self {
            Self::Literal(sql) => sql.sqlite.into_sql_str(),
            Self::Built(text) => AssertSqlSafe(text).into_sql_str(),
        }
    }

    fn postgres(self) -> SqlStr {
        match self {
            Self::Literal(sql) => sql.postgres.into_sql_str(),
            Self::Built(text) => AssertSqlSafe(text).into_sql_str(),
        }
    }
}

/// A statement with its values.
#[derive(Debug)]
pub struct Query {
    text: Text,
    values: Vec<Value>,
}

/// A statement whose rows have one column.
#[derive(Debug)]
pub struct ScalarQuery(Query);

/// A statement that reads whole rows.
pub fn query(sql: impl Into<Sql>) -> Query {
    Query { text: Text::Literal(sql.into()), values: Vec::new() }
}

/// A statement that reads one column.
pub fn query_scalar(sql: impl Into<Sql>) -> ScalarQuery {
    ScalarQuery(query(sql))
}

/// Executes a query on either database, and reads its rows by `$read`.
macro_rules! fetch {
    ($query:expr, $conn:expr, |$rows:ident, $reader:ident| $read:expr) => {{
        let Query { text, values } = $query;
        let fetched = match $conn.driver() {
            Driver::Sqlite($reader) => {
                let text = text.sqlite();
                let query = sqlx::query_with(text.clone(), arguments::<Sqlite>(values)?);
                let $rows = query.try_map(move |row| read_row(&row, text.as_str()));
                Box::pin($read).await
            }
            Driver::Postgres($reader) => {
                let text = text.postgres();
                let query = sqlx::query_with(text.clone(), arguments::<Postgres>(values)?);
                let $rows = query.try_map(move |row| read_row(&row, text.as_str()));
                Box::pin($read).await
            }
        };
        if fetched.is_ok() {
            $conn.answered();
        }
        fetched
    }};
}

impl Query {
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// A statement with a built text, for both databases.
    pub(super) fn built(text: String, values: Vec<Value>) -> Self {
        Self { text: Text::Built(text), values }
    }

    pub(super) fn bind_all(mut self, values: Vec<Value>) -> Self {
        self.values = values;
        self
    }

    /// Returns how many rows were changed.
    pub async fn execute(self, conn: &mut Transaction) -> Result<u64, DbError> {
        let Self { text, values } = self;
        let (text, changed) = match conn.driver() {
            Driver::Sqlite(conn) => {
                let text = text.sqlite();
                let query = sqlx::query_with(text.clone(), arguments::<Sqlite>(values)?);
                (text, Box::pin(query.execute(conn)).await?.rows_affected())
            }
            Driver::Postgres(conn) => {
                let text = text.postgres();
                let query = sqlx::query_with(text.clone(), arguments::<Postgres>(values)?);
                (text, Box::pin(query.execute(conn)).await?.rows_affected())
            }
        };
        conn.answered();
        conn.touch(table_of(text.as_str()), changed);
        Ok(changed)
    }

    pub async fn fetch_optional<T: ReadRow>(self, conn: &mut Connection) -> Result<Option<T>, DbError> {
        Ok(fetch!(self, conn, |rows, conn| rows.fetch_optional(conn))?)
    }

    pub async fn fetch_all<T: ReadRow>(self, conn: &mut Connection) -> Result<Vec<T>, DbError> {
        Ok(fetch!(self, conn, |rows, conn| collect(rows.fetch(conn)))?)
    }
}

impl ScalarQuery {
    pub fn bind(self, value: impl Into<Value>) -> Self {
        Self(self.0.bind(value))
    }

    pub async fn fetch_one<T>(self, conn: &mut Connection) -> Result<T, DbError>
    where
        (T,): ReadRow,
    {
        let row: Result<(T,), sqlx::Error> = fetch!(self.0, conn, |rows, conn| rows.fetch_one(conn));
        Ok(row?.0)
    }

    pub async fn fetch_optional<T>(self, conn: &mut Connection) -> Result<Option<T>, DbError>
    where
        (T,): ReadRow,
    {
        Ok(self.0.fetch_optional::<(T,)>(conn).await?.map(|(value,)| value))
    }

    pub async fn fetch_all<T>(self, conn: &mut Connection) -> Result<Vec<T>, DbError>
    where
        (T,): ReadRow,
    {
        Ok(self.0.fetch_all::<(T,)>(conn).await?.into_iter().map(|(value,)| value).collect())
    }
}

/// Reads all rows. The rows of a large answer may all be there already: other tasks of the thread run between
/// them.
async fn collect<T>(mut rows: BoxStream<'_, Result<T, sqlx::Error>>) -> Result<Vec<T>, sqlx::Error> {
    let mut all = Vec::new();
    while let Some(row) = rows.try_next().await? {
        all.push(row);
        consume_budget().await;
    }
    Ok(all)
}

fn arguments<D: sqlx::Database>(values: Vec<Value>) -> Result<D::Arguments, sqlx::Error>
where
    Option<String>: for<'v> Encode<'v, D> + Type<D>,
    Option<i64>: for<'v> Encode<'v, D> + Type<D>,
    Option<Uuid>: for<'v> Encode<'v, D> + Type<D>,
    bool: for<'v> Encode<'v, D> + Type<D>,
{
    let mut arguments = D::Arguments::default();
    arguments.reserve(values.len(), 0);
    for value in values {
        match value {
            Value::Text(text) => arguments.add(text),
            Value::Id(id) => arguments.add(id),
            Value::Number(number) => arguments.add(number),
            Value::Flag(flag) => arguments.add(flag),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}
