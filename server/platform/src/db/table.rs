//! Inserting and updating rows: each column is listed once, with its value.

use super::query::{Query, Value};
use super::{DbError, Transaction};

/// Columns of one row with their values, made with [`columns`].
pub type Columns = Vec<(&'static str, Value)>;

/// Columns with their values: `columns! { name: &item.name, version: item.version }`.
#[macro_export]
macro_rules! columns {
    ($($name:ident: $value:expr),+ $(,)?) => {
        vec![$((stringify!($name), $crate::db::Value::from($value))),+]
    };
}
pub use columns;

/// Inserts a row.
pub async fn insert(conn: &mut Transaction, table: &'static str, columns: Columns) -> Result<(), DbError> {
    let (names, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let placeholders: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
    let text = format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), placeholders.join(", "));
    Query::built(text, values).execute(conn).await?;
    Ok(())
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
