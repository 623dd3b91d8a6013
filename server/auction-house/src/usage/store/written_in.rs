//! The currencies in whose pieces amounts are written.

use std::collections::HashMap;

use rules_engine::money::FractionPolicy;
use rules_engine::typed::TypedCurrency;
use rules_engine::words::{NamedCurrency, Noun};
use rules_engine::{DenominationDefinition, InputMode, ProfileDefinition};

use crate::ids::{BookId, CurrencyId};
use platform::db::{Connection, DbError, Integer, Parsed, for_each_row, query, rows};
use platform::text::same_letters;

/// A currency of an auction, as amounts are written in it.
#[derive(Debug, Clone)]
pub struct WrittenIn {
    pub name: String,
    pub plural: Option<String>,
    pub symbol: String,
    pub definition: ProfileDefinition,
    /// One for each denomination of the definition, in their order.
    pub pieces: Vec<PieceName>,
}

/// The name of a denomination.
#[derive(Debug, Clone)]
pub struct PieceName {
    pub name: String,
    pub plural: Option<String>,
    pub symbol: String,
}

impl WrittenIn {
    /// The currency as the engine reads typed texts in it.
    pub fn typed(&self) -> TypedCurrency<'_> {
        let own = [&self.name, self.plural.as_deref().unwrap_or_default(), &self.symbol];
        let codes = self.definition.denominations.iter().map(|piece| piece.code.as_str());
        let pieces = self.pieces.iter().zip(codes).map(|(piece, code)| {
            [&piece.name, piece.plural.as_deref().unwrap_or_default(), &piece.symbol, code]
        });
        TypedCurrency::new(self.definition.clone(), own, pieces, same_letters)
    }

    /// The currency as the engine writes amounts in it.
    pub fn named(&self) -> NamedCurrency<'_> {
        let codes = self.definition.denominations.iter().map(|piece| piece.code.as_str());
        let nouns = self.pieces.iter().map(|piece| Noun::new(&piece.name, piece.plural.as_ref()));
        NamedCurrency {
            definition: self.definition.clone(),
            noun: Noun::new(&self.name, self.plural.as_ref()),
            pieces: codes.zip(nouns).collect(),
        }
    }
}

#[derive(sqlx_macros::FromRow)]
struct CurrencyRow {
    id: CurrencyId,
    name: String,
    plural: Option<String>,
    symbol: String,
    input_mode: Parsed<InputMode>,
    rate_to_base: String,
    precision: Integer<u8>,
    fraction_policy: Parsed<FractionPolicy>,
}

#[derive(sqlx_macros::FromRow)]
struct BookCurrencyRow {
    book_id: BookId,
    #[sqlx(flatten)]
    currency: CurrencyRow,
}

#[derive(sqlx_macros::FromRow)]
struct PieceRow {
    profile_id: CurrencyId,
    code: String,
    name: String,
    plural: Option<String>,
    symbol: String,
    factor: String,
    written: bool,
}

/// For each book the default currency of its newest auction that has currencies. A book without such an
/// auction is absent.
pub async fn books_written_in(
    conn: &mut Connection,
    books: &[BookId],
) -> Result<HashMap<BookId, WrittenIn>, DbError> {
    let found: Vec<BookCurrencyRow> = query(for_each_row!(
        "SELECT given.book_id, c.id, c.name, c.plural, c.symbol, c.input_mode, c.rate_to_base,
                c.precision, c.fraction_policy
         FROM",
        [book_id id],
        "JOIN currency_profiles c ON c.id = (
             SELECT newest.id FROM auctions a JOIN currency_profiles newest ON newest.auction_id = a.id
             WHERE a.book_id = given.book_id ORDER BY a.id DESC, newest.is_default DESC, newest.id LIMIT 1)"
    ))
    .bind(rows(books.iter().map(|id| [*id]))?)
    .fetch_all(&mut *conn)
    .await?;
    let ids: Vec<_> = found.iter().map(|row| row.currency.id).collect();
    let mut by_profile = pieces(conn, &ids).await?;
    let written_in = |BookCurrencyRow { book_id, currency }: BookCurrencyRow| {
        let pieces = by_profile.remove(&currency.id).unwrap_or_default();
        (book_id, currency.with(pieces))
    };
    Ok(found.into_iter().map(written_in).collect())
}

/// Currencies by their ids. One that was deleted is absent.
pub async fn currencies_written(
    conn: &mut Connection,
    ids: &[CurrencyId],
) -> Result<HashMap<CurrencyId, WrittenIn>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let currencies: Vec<CurrencyRow> = query(for_each_row!(
        "SELECT c.id, c.name, c.plural, c.symbol, c.input_mode, c.rate_to_base, c.precision,
                c.fraction_policy
         FROM currency_profiles c WHERE c.id IN (SELECT given.id FROM",
        [id id],
        ")"
    ))
    .bind(rows(ids.iter().map(|id| [*id]))?)
    .fetch_all(&mut *conn)
    .await?;
    let mut by_profile = pieces(conn, ids).await?;
    let written_in = |currency: CurrencyRow| {
        let pieces = by_profile.remove(&currency.id).unwrap_or_default();
        (currency.id, currency.with(pieces))
    };
    Ok(currencies.into_iter().map(written_in).collect())
}

/// The pieces of currencies, in their order.
async fn pieces(
    conn: &mut Connection,
    currencies: &[CurrencyId],
) -> Result<HashMap<CurrencyId, Vec<PieceRow>>, DbError> {
    let found: Vec<PieceRow> = query(for_each_row!(
        "SELECT d.profile_id, d.code, d.name, d.plural, d.symbol, d.factor, d.written FROM denominations d
         WHERE d.profile_id IN (SELECT given.profile_id FROM",
        [profile_id id],
        ") ORDER BY d.profile_id, d.position"
    ))
    .bind(rows(currencies.iter().map(|id| [*id]))?)
    .fetch_all(conn)
    .await?;
    let mut by_profile: HashMap<CurrencyId, Vec<PieceRow>> = HashMap::new();
    for row in found {
        by_profile.entry(row.profile_id).or_default().push(row);
    }
    Ok(by_profile)
}

impl CurrencyRow {
    fn with(self, pieces: Vec<PieceRow>) -> WrittenIn {
        let piece = |PieceRow { code, name, plural, symbol, factor, written, .. }: PieceRow| {
            (
                DenominationDefinition { code, factor: factor.into(), written },
                PieceName { name, plural, symbol },
            )
        };
        let (denominations, pieces) = pieces.into_iter().map(piece).unzip();
        let definition = ProfileDefinition {
            id: self.id.to_string(),
            input_mode: self.input_mode.0,
            rate_to_base: self.rate_to_base.into(),
            precision: self.precision.0,
            fraction_policy: self.fraction_policy.0,
            denominations,
        };
        WrittenIn { name: self.name, plural: self.plural, symbol: self.symbol, definition, pieces }
    }
}
