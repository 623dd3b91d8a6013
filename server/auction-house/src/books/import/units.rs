//! Units of the amounts in a table of a book.

use platform::db::{Connection, DbError};
use platform::text::same_letters;
use rules_engine::typed::{TypedCurrency, typed_amount};

use crate::base_unit::BaseUnit;
use crate::books::Book;
use crate::usage::{WrittenIn, books_written_in};

/// The base unit of a book, and the currency in whose pieces its amounts are written.
#[derive(Debug, Clone, Default)]
pub struct BookUnits {
    base: BaseUnit,
    written_in: Option<WrittenIn>,
}

impl BookUnits {
    /// # Errors
    /// The database did not answer.
    pub async fn of(conn: &mut Connection, book: &Book) -> Result<Self, DbError> {
        let written_in = books_written_in(conn, &[book.id]).await?.remove(&book.id);
        Ok(Self { base: book.terms.base_unit.clone(), written_in })
    }

    /// The units as the engine reads cells in them.
    pub(super) fn typed(&self) -> TypedUnits<'_> {
        let BaseUnit { name, plural, symbol } = &self.base;
        let names = [name, plural.as_deref().unwrap_or_default(), symbol];
        TypedUnits {
            base: TypedCurrency::of_unit(names, same_letters),
            written_in: self.written_in.iter().map(WrittenIn::typed).collect(),
        }
    }
}

/// Units with the names that may stand beside the numbers of a table.
pub(super) struct TypedUnits<'u> {
    base: TypedCurrency<'u>,
    written_in: Vec<TypedCurrency<'u>>,
}

impl TypedUnits<'_> {
    /// The amount in base units that a cell means. A text that has no meaning, or several, stays one that is
    /// no number.
    pub(super) fn amount(&self, cell: &str) -> String {
        typed_amount(&self.base, &self.written_in, cell)
    }
}
