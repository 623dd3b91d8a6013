//! Rows of any table: their values, and a digest of all of them.

use futures::TryStreamExt;
use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, ColumnIndex, Decode, Type};

use super::catalogue::{Kind, Table};
use crate::db::{Connection, DbError, Driver};
use crate::ids::Uuid;

/// A batch has at most this many rows …
const BATCH_ROWS: usize = 500;
/// … and about this many bytes of text.
const BATCH_BYTES: usize = 1024 * 1024;

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    Null,
    Id(Uuid),
    Text(String),
    Number(i64),
    Flag(bool),
}

pub(super) type Row = Vec<Cell>;

/// Passes all rows of the table to `take`, some at a time.
pub(super) async fn each_batch(
    connection: &mut Connection,
    table: &Table,
    mut take: impl AsyncFnMut(Vec<Row>) -> Result<(), DbError>,
) -> Result<(), DbError> {
    let sql = format!("SELECT {} FROM {}", table.column_list(), table.name);
    let (mut batch, mut bytes) = (Vec::new(), 0);
    macro_rules! pass {
        ($driver:expr) => {{
            let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch($driver);
            while let Some(row) = rows.try_next().await? {
                let row = cells(&row, table)?;
                bytes += row.iter().map(Cell::text_bytes).sum::<usize>();
                batch.push(row);
                if batch.len() == BATCH_ROWS || bytes > BATCH_BYTES {
                    bytes = 0;
                    take(std::mem::take(&mut batch)).await?;
                }
            }
        }};
    }
    match connection.driver() {
        Driver::Sqlite(driver) => pass!(driver),
        Driver::Postgres(driver) => pass!(driver),
    }
    connection.answered();
    if batch.is_empty() { Ok(()) } else { take(batch).await }
}

fn cells<R: sqlx::Row>(row: &R, table: &Table) -> Result<Row, sqlx::Error>
where
    usize: ColumnIndex<R>,
    for<'r> Uuid: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> String: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> i64: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> bool: Decode<'r, R::Database> + Type<R::Database>,
{
    let cell = |(place, kind): (usize, Kind)| {
        let cell = match kind {
            Kind::Id => row.try_get::<Option<Uuid>, _>(place)?.map(Cell::Id),
            Kind::Text => row.try_get::<Option<String>, _>(place)?.map(Cell::Text),
            Kind::Number => row.try_get::<Option<i64>, _>(place)?.map(Cell::Number),
            Kind::Flag => row.try_get::<Option<bool>, _>(place)?.map(Cell::Flag),
        };
        Ok(cell.unwrap_or(Cell::Null))
    };
    table.columns.iter().map(|column| column.kind).enumerate().map(cell).collect()
}

impl Cell {
    fn text_bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            _ => 0,
        }
    }
}

/// A digest of rows in any order: their number, and the sum of their hashes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Digest {
    rows: u64,
    sum: u128,
}

impl Digest {
    pub fn add(&mut self, row: &Row) {
        let mut hash = Sha256::new();
        for cell in row {
            match cell {
                Cell::Null => hash.update([0]),
                Cell::Id(id) => hash.update([&[1], id.as_bytes().as_slice()].concat()),
                Cell::Number(number) => hash.update([&[2], number.to_be_bytes().as_slice()].concat()),
                Cell::Flag(flag) => hash.update([3, u8::from(*flag)]),
                Cell::Text(text) => {
                    hash.update([4]);
                    hash.update(text.len().to_be_bytes());
                    hash.update(text);
                }
            }
        }
        let mut half = [0; 16];
        half.copy_from_slice(&hash.finalize()[..16]);
        self.rows += 1;
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(half));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(rows: &[Row]) -> Digest {
        let mut digest = Digest::default();
        rows.iter().for_each(|row| digest.add(row));
        digest
    }

    #[test]
    fn a_digest_depends_on_every_value_and_not_on_the_order() {
        let (one, other) =
            (vec![Cell::Text("a".to_owned()), Cell::Number(1)], vec![Cell::Text("b".to_owned()), Cell::Null]);
        let both = digest(&[one.clone(), other.clone()]);
        assert_eq!(both, digest(&[other.clone(), one.clone()]));
        let changed = vec![Cell::Text("b".to_owned()), Cell::Number(0)];
        for rows in [vec![one.clone()], vec![one.clone(), one.clone()], vec![one, changed]] {
            assert_ne!(digest(&rows), both, "{rows:?}");
        }
    }
}
