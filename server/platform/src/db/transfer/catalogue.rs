//! The tables of a database with their columns, as its own catalogue lists them.

use std::collections::{BTreeMap, BTreeSet};

use super::TransferError;
use crate::db::{Connection, DbError, Sql, query};

/// Columns by table. A column that numbers itself has a type of its own, which nothing copies: the next
/// number would have to be set.
const COLUMNS: Sql = Sql {
    sqlite: "SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND t.name <> '_sqlx_migrations'
             ORDER BY t.name, c.name",
    postgres: "SELECT CAST(c.table_name AS TEXT), CAST(c.column_name AS TEXT),
                      CASE WHEN c.is_identity = 'YES' OR c.column_default LIKE 'nextval(%' THEN 'sequence'
                           ELSE CAST(c.data_type AS TEXT) END
               FROM information_schema.columns c
               JOIN information_schema.tables t USING (table_schema, table_name)
               WHERE t.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
                 AND t.table_name <> '_sqlx_migrations'",
};
/// Tables with the tables that they refer to.
const REFERENCES: Sql = Sql {
    sqlite: r#"SELECT t.name, r."table" FROM sqlite_schema t, pragma_foreign_key_list(t.name) r
               WHERE t.type = 'table'"#,
    postgres: "SELECT CAST(t.relname AS TEXT), CAST(r.relname AS TEXT) FROM pg_constraint k
               JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
               WHERE k.contype = 'f' AND k.connamespace = CAST(current_schema() AS regnamespace)",
};

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub name: String,
    /// In the order of their names, which is that of both databases.
    pub columns: Vec<Column>,
    refers_to: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub name: String,
    pub kind: Kind,
}

/// The types of columns that the schema has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Id,
    Text,
    Number,
    Flag,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "BLOB" | "uuid" => Self::Id,
            "TEXT" | "text" => Self::Text,
            "BIGINT" | "bigint" => Self::Number,
            "BOOLEAN" | "boolean" => Self::Flag,
            _ => return None,
        })
    }
}

impl Table {
    /// The columns for a list in a statement.
    pub fn column_list(&self) -> String {
        self.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// Every table, except that of the applied migrations.
pub(super) async fn tables(connection: &mut Connection) -> Result<Vec<Table>, TransferError> {
    let columns: Vec<(String, String, String)> = query(COLUMNS).fetch_all(connection).await?;
    let references: Vec<(String, String)> = query(REFERENCES).fetch_all(connection).await?;
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for (table, column, kind) in columns {
        let Some(kind) = Kind::of(&kind) else { return Err(TransferError::Kind { table, column, kind }) };
        let new = Table { name: table.clone(), columns: Vec::new(), refers_to: BTreeSet::new() };
        tables.entry(table).or_insert(new).columns.push(Column { name: column, kind });
    }
    for (table, other) in references {
        let missing = || DbError::Corrupt(format!("a constraint of the unknown table {table}"));
        tables.get_mut(&table).ok_or_else(missing)?.refers_to.insert(other);
    }
    for table in tables.values_mut() {
        table.columns.sort_by(|one, other| one.name.cmp(&other.name));
    }
    Ok(tables.into_values().collect())
}

/// Sorts the tables so that each comes after those that it refers to.
pub(super) fn in_order(mut left: Vec<Table>) -> Result<Vec<Table>, TransferError> {
    let mut ordered: Vec<Table> = Vec::new();
    while !left.is_empty() {
        let is_there = |name: &String| ordered.iter().any(|table| table.name == *name);
        let (ready, waiting): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|table| table.refers_to.iter().all(is_there));
        if ready.is_empty() {
            let names: Vec<_> = waiting.into_iter().map(|table| table.name).collect();
            return Err(TransferError::Cycle(names.join(", ")));
        }
        ordered.extend(ready);
        left = waiting;
    }
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, refers_to: &[&str]) -> Table {
        let refers_to = refers_to.iter().map(|name| (*name).to_owned()).collect();
        Table { name: name.to_owned(), columns: Vec::new(), refers_to }
    }

    #[test]
    fn a_table_comes_after_those_that_it_refers_to() {
        let given = vec![table("bids", &["items", "users"]), table("items", &["users"]), table("users", &[])];
        let ordered: Vec<_> = in_order(given).unwrap().into_iter().map(|table| table.name).collect();
        assert_eq!(ordered, ["users", "items", "bids"]);
        let circular = in_order(vec![table("a", &["b"]), table("b", &["a"]), table("c", &[])]).unwrap_err();
        assert!(circular.to_string().contains("the tables a, b refer to each other"), "{circular}");
    }
}
