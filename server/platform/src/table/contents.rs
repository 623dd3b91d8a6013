//! The contents of a table, by which the same one is known again (SPEC, section 3).

use sha2::{Digest, Sha256};

use super::{Column, Table};

/// SHA-256 of the cells that an import reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentHash(String);

impl ContentHash {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const N: usize> Table<N> {
    /// Hash of the filled cells by their fields, row by row, and of what the request says besides: `further`,
    /// with its names. `counted` is the text that counts for a cell, which it gets with the index of the
    /// column. None if a row can't be read: no import writes such a table.
    pub fn content_hash<'t>(
        &'t self,
        columns: &[Column; N],
        further: &[(&str, &str)],
        counted: impl Fn(usize, &'t str) -> &'t str,
    ) -> Option<ContentHash> {
        if !self.errors.is_empty() {
            return None;
        }
        let mut hash = Sha256::new();
        // INVARIANT: no cell contains NUL, and no name is empty: different contents have different texts.
        let mut add = |name: &str, text: &str| {
            for part in [name, text] {
                hash.update(part);
                hash.update([0]);
            }
        };
        further.iter().for_each(|(name, text)| add(name, text));
        for row in &self.rows {
            add("", "");
            for (at, (column, cell)) in columns.iter().zip(&row.cells).enumerate() {
                let text = counted(at, cell);
                if !text.is_empty() {
                    add(column.name(), text);
                }
            }
        }
        Some(ContentHash(const_hex::encode(hash.finalize())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Reading;

    const COLUMNS: [Column; 3] =
        [Column::optional("lot"), Column::optional("name"), Column::optional("estimate")];

    fn hash(text: &str) -> Option<ContentHash> {
        let table = Table::read(text, &COLUMNS, &Reading::default(), 10).unwrap();
        table.content_hash(&COLUMNS, &[], |_, cell| cell)
    }

    #[test]
    fn the_cells_that_are_read_make_a_table_the_same() {
        let seen = hash("lot,name,estimate\n7,A lamp,\n8,An urn,20\n").unwrap();
        for same in [
            "lot;name;estimate\r\n7;A lamp;\r\n8;An urn;20\r\n",
            "\u{feff}Name\tShelf\tLOT\tEstimate\nA lamp\tB\t7\t\n\nAn urn\t\t8\t20\n",
            "A sale\nlot,name,estimate\n 7 ,\"A lamp\",\n8,An urn,20",
        ] {
            assert_eq!(hash(same).as_ref(), Some(&seen), "{same:?}");
        }
        for other in [
            "lot,name,estimate\n8,An urn,20\n7,A lamp,\n",
            "lot,name,estimate\n7,A lamp,20\n8,An urn,\n",
            "lot,name,estimate\n7,A lamp,\n",
            "lot,name,estimate\n7,A lamp,\n8,An urn,21\n",
            "lot,name,estimate\n7,,A lamp\n8,An urn,20\n",
        ] {
            assert_ne!(hash(other), Some(seen.clone()), "{other:?}");
        }
    }

    #[test]
    fn a_table_with_a_wrong_row_has_no_contents() {
        assert_eq!(hash("lot,name\n7,\"A\" lamp\n8,An urn\n"), None);
    }

    #[test]
    fn the_request_counts_too_and_decides_which_texts_count() {
        let table = Table::read("lot,name\n7,A lamp\n8,\n", &COLUMNS, &Reading::default(), 10).unwrap();
        let of = |further: &[(&str, &str)]| table.content_hash(&COLUMNS, further, |_, cell| cell).unwrap();
        assert_ne!(of(&[]), of(&[("groupId", "7")]));
        let filled =
            Table::read("lot,name\n7,A lamp\n8,A vase\n", &COLUMNS, &Reading::default(), 10).unwrap();
        let counted = table
            .content_hash(&COLUMNS, &[], |at, cell| if at == 1 && cell.is_empty() { "A vase" } else { cell });
        assert_eq!(counted, filled.content_hash(&COLUMNS, &[], |_, cell| cell));
    }
}
