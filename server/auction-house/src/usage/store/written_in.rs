//! The currencies in whose pieces amounts are written.

use std::collections::HashMap;

use rules_engine::money::FractionPolicy;
use rules_engine::typed::TypedCurrency;
use rules_engine::words::{NamedCurrency, Noun};
use rules_engine::{InputMode, ProfileDefinition};

use crate::denomination::Denomination;
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
    pub pieces: Vec<Denomination>,
}

impl WrittenIn {
    /// The currency as the engine reads typed texts in it.
    pub fn typed(&self) -> TypedCurrency<'_> {
        let own = [&self.name, self.plural.as_deref().unwrap_or_default(), &self.symbol];
        let pieces = self.pieces.iter().map(Denomination::names);
        TypedCurrency::new(self.definition.clone(), own, pieces, same_letters)
    }

    /// The currency as the engine writes amounts in it.
    pub fn named(&self) -> NamedCurrency<'_> {
        NamedCurrency {
            definition: self.definition.clone(),
            noun: Noun::new(&self.name, self.plural.as_ref()),
            pieces: self.pieces.iter().map(|piece| (piece.code.as_str(), piece.noun())).collect(),
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
struct DenominationRow {
    profile_id: CurrencyId,
    #[sqlx(flatten)]
    denomination: Denomination,
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
    let mut by_profile = denominations(conn, &ids).await?;
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
    let mut by_profile = denominations(conn, ids).await?;
    let written_in = |currency: CurrencyRow| {
        let pieces = by_profile.remove(&currency.id).unwrap_or_default();
        (currency.id, currency.with(pieces))
    };
    Ok(currencies.into_iter().map(written_in).collect())
}

/// The denominations of currencies, in their order.
pub async fn denominations(
    conn: &mut Connection,
    currencies: &[CurrencyId],
) -> Result<HashMap<CurrencyId, Vec<Denomination>>, DbError> {
    if currencies.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<DenominationRow> = query(for_each_row!(
        "SELECT d.profile_id, d.code, d.name, d.plural, d.symbol, d.factor, d.written FROM denominations d
         WHERE d.profile_id IN (SELECT given.profile_id FROM",
        [profile_id id],
        ") ORDER BY d.profile_id, d.position"
    ))
    .bind(rows(currencies.iter().map(|id| [*id]))?)
    .fetch_all(conn)
    .await?;
    let mut by_profile: HashMap<CurrencyId, Vec<Denomination>> = HashMap::new();
    for row in found {
        by_profile.entry(row.profile_id).or_default().push(row.denomination);
    }
    Ok(by_profile)
}

impl CurrencyRow {
    fn with(self, pieces: Vec<Denomination>) -> WrittenIn {
        let definition = ProfileDefinition {
            id: self.id.to_string(),
            input_mode: self.input_mode.0,
            rate_to_base: self.rate_to_base.into(),
            precision: self.precision.0,
            fraction_policy: self.fraction_policy.0,
            denominations: pieces.iter().map(Denomination::definition).collect(),
        };
        WrittenIn { name: self.name, plural: self.plural, symbol: self.symbol, definition, pieces }
    }
}
