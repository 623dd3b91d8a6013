//! Columns of a table: each is listed once, with its value, for SELECT, INSERT and UPDATE.

use super::query::{Query, Value};
use super::{DbError, Driver, Transaction};

/// Columns of one row with their values, made with [`columns`] or [`table_columns`].
pub type Columns = Vec<(&'static str, Value)>;

/// Columns with their values: `columns! { name: &item.name, version: item.version }`.
#[macro_export]
macro_rules! columns {
    ($($name:ident: $value:expr),+ $(,)?) => {
        vec![$((stringify!($name), $crate::db::Value::from($value))),+]
    };
}
pub use columns;

/// Declares the columns of a table with their values. Yields each function, which returns its [`Columns`],
/// and a macro with the names of all of them for the list of a SELECT: `book_columns!("b.")` is `b.id,
/// b.name, …`, and `book_columns!("b." AS "book_")` is `b.id AS book_id, b.name AS book_name, …`.
///
/// ```ignore
/// table_columns! {
///     book_columns;
///     /// The columns that only an INSERT writes.
///     fn inserted(book: &Book) { id: book.id }
///     /// The columns that a change writes.
///     fn changed(book: &Book) { name: &book.name, version: book.version }
/// }
/// ```
#[macro_export]
macro_rules! table_columns {
    (
        $names:ident;
        $($(#[$about:meta])* fn $function:ident($row:ident: $type:ty) {
            $($column:ident: $value:expr),+ $(,)?
        })+
    ) => {
        $(
            $(#[$about])*
            fn $function($row: $type) -> Result<$crate::db::Columns, $crate::db::DbError> {
                Ok($crate::columns! { $($column: $value),+ })
            }
        )+
        $crate::table_columns!(@names ($) $names $($($column)+)+);
    };
    (@names ($d:tt) $names:ident $first:ident $($column:ident)*) => {
        macro_rules! $names {
            ($d prefix:literal) => {
                concat!($d prefix, stringify!($first) $(, ", ", $d prefix, stringify!($column))*)
            };
            ($d prefix:literal AS $d alias:literal) => {
                concat!(
                    $d prefix, stringify!($first), " AS ", $d alias, stringify!($first)
                    $(, ", ", $d prefix, stringify!($column), " AS ", $d alias, stringify!($column))*
                )
            };
        }
    };
}
pub use table_columns;

/// Rows that are inserted together.
const TOGETHER: usize = 64;

/// Inserts a row.
pub async fn insert(conn: &mut Transaction, table: &'static str, columns: Columns) -> Result<(), DbError> {
    let text = insert_text(conn, table, std::slice::from_ref(&columns));
    insert_together(conn, text, vec![columns]).await
}

/// Inserts rows with the same columns.
pub async fn insert_all(
    conn: &mut Transaction,
    table: &'static str,
    rows: impl IntoIterator<Item = Columns>,
) -> Result<(), DbError> {
    let mut rows = rows.into_iter().peekable();
    let mut text = None;
    while rows.peek().is_some() {
        let part: Vec<Columns> = rows.by_ref().take(TOGETHER).collect();
        if part.len() == TOGETHER {
            let text: &String = text.get_or_insert_with(|| insert_text(conn, table, &part));
            insert_together(conn, text.clone(), part).await?;
        } else {
            // One by one, so that there are two texts to prepare, not one for each number of rows.
            for row in part {
                insert(conn, table, row).await?;
            }
        }
    }
    Ok(())
}

fn insert_text(conn: &mut Transaction, table: &'static str, rows: &[Columns]) -> String {
    let names: Vec<&str> = rows.first().into_iter().flatten().map(|(name, _)| *name).collect();
    let cells = placeholders(conn, rows.len(), names.len());
    format!("INSERT INTO {table} ({}) VALUES {cells}", names.join(", "))
}

async fn insert_together(conn: &mut Transaction, text: String, rows: Vec<Columns>) -> Result<(), DbError> {
    let values = rows.into_iter().flatten().map(|(_, value)| value).collect();
    Query::built(text, values).execute(conn).await?;
    Ok(())
}

/// The placeholders of many rows: `($1, $2), ($3, $4)`. SQLite gets `(?, ?), (?, ?)`: to bind a placeholder
/// with a name, it compares the names of all placeholders before it.
fn placeholders(conn: &mut Transaction, rows: usize, width: usize) -> String {
    if matches!(conn.driver(), Driver::Sqlite(_)) {
        let row = format!("({})", vec!["?"; width].join(", "));
        return vec![row.as_str(); rows].join(", ");
    }
    let mut places = 1..;
    let row = |_| {
        let cells = places.by_ref().take(width).map(|place| format!("${place}"));
        format!("({})", cells.collect::<Vec<_>>().join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// Updates columns of the row with this `id`.
pub async fn update(
    conn: &mut Transaction,
    table: &'static str,
    id: impl Into<Value>,
    columns: Columns,
) -> Result<(), DbError> {
    let (names, mut values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let changes: Vec<String> = names.iter().zip(1..).map(|(name, n)| format!("{name} = ${n}")).collect();
    values.push(id.into());
    let text = format!("UPDATE {table} SET {} WHERE id = ${}", changes.join(", "), values.len());
    Query::built(text, values).execute(conn).await?;
    Ok(())
}

/// Updates columns of the rows with these ids, each with values of its own. All have the same columns.
pub async fn update_all(
    conn: &mut Transaction,
    table: &'static str,
    rows: Vec<(Value, Columns)>,
) -> Result<(), DbError> {
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let part: Vec<(Value, Columns)> = rows.by_ref().take(TOGETHER).collect();
        if part.len() == TOGETHER {
            update_together(conn, table, part).await?;
        } else {
            for (id, columns) in part {
                update(conn, table, id, columns).await?;
            }
        }
    }
    Ok(())
}

async fn update_together(
    conn: &mut Transaction,
    table: &'static str,
    rows: Vec<(Value, Columns)>,
) -> Result<(), DbError> {
    let names: Vec<&str> = rows.first().into_iter().flat_map(|(_, row)| row).map(|(name, _)| *name).collect();
    let changes: Vec<String> = names.iter().map(|name| format!("{name} = given.{name}")).collect();
    let cells = placeholders(conn, rows.len(), names.len() + 1);
    let row = |(id, columns): (Value, Columns)| {
        std::iter::once(id).chain(columns.into_iter().map(|(_, value)| value))
    };
    let values = rows.into_iter().flat_map(row).collect();
    let text = format!(
        "WITH given (id, {}) AS (VALUES {}) UPDATE {table} SET {} FROM given WHERE {table}.id = given.id",
        names.join(", "),
        cells,
        changes.join(", ")
    );
    Query::built(text, values).execute(conn).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    struct Lamp {
        name: String,
        watts: i64,
    }

    table_columns! {
        lamp_columns;
        fn inserted(lamp: &Lamp) { name: &lamp.name }
        fn changed(lamp: &Lamp) { watts: lamp.watts }
    }

    #[test]
    fn columns_are_listed_for_a_select_and_have_values() {
        assert_eq!(lamp_columns!("l."), "l.name, l.watts");
        assert_eq!(lamp_columns!("l." AS "lamp_"), "l.name AS lamp_name, l.watts AS lamp_watts");
        let lamp = Lamp { name: "Desk".to_owned(), watts: 7 };
        let columns = [inserted(&lamp).unwrap(), changed(&lamp).unwrap()].concat();
        assert_eq!(format!("{columns:?}"), r#"[("name", Text(Some("Desk"))), ("watts", Number(Some(7)))]"#);
    }
}
