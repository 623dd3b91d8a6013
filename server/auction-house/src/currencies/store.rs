//! Currency profiles and their denominations in SQL.

use rules_engine::InputMode;
use rules_engine::money::FractionPolicy;

use super::{Currency, Denomination};
use crate::ids::{AuctionId, CurrencyId};
use crate::usage::denominations;
use platform::db::{
    self, Connection, DbError, Integer, Parsed, Transaction, columns, for_each_row, query, query_scalar,
    rows, table_columns,
};
use platform::time::Moment;

table_columns! {
    currency_columns;
    /// The columns that only an INSERT writes.
    fn inserted(currency: &Currency) {
        id: currency.id,
        auction_id: currency.auction_id,
        created_at: currency.created_at,
    }
    /// The columns that a change of a profile writes.
    fn changed(currency: &Currency) {
        code: &currency.code,
        name: &currency.name,
        plural: currency.plural.as_ref(),
        symbol: &currency.symbol,
        rate_to_base: &currency.rate_to_base,
        input_mode: currency.input_mode.as_str(),
        precision: i64::from(currency.precision),
        fraction_policy: currency.fraction_policy.as_str(),
        is_default: currency.is_default,
        version: currency.version,
        updated_at: currency.updated_at,
    }
}

#[derive(sqlx_macros::FromRow)]
struct CurrencyRow {
    id: CurrencyId,
    auction_id: AuctionId,
    code: String,
    name: String,
    plural: Option<String>,
    symbol: String,
    rate_to_base: String,
    input_mode: Parsed<InputMode>,
    precision: Integer<u8>,
    fraction_policy: Parsed<FractionPolicy>,
    is_default: bool,
    version: i64,
    created_at: Moment,
    updated_at: Moment,
}

impl CurrencyRow {
    fn with(self, denominations: Vec<Denomination>) -> Currency {
        Currency {
            id: self.id,
            auction_id: self.auction_id,
            code: self.code,
            name: self.name,
            plural: self.plural,
            symbol: self.symbol,
            rate_to_base: self.rate_to_base,
            input_mode: self.input_mode.0,
            precision: self.precision.0,
            fraction_policy: self.fraction_policy.0,
            denominations,
            is_default: self.is_default,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// An auction's profiles in the order in which they came, with their denominations.
pub async fn of_auction(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<Currency>, DbError> {
    of_auctions(conn, &[auction_id]).await
}

/// The profiles of auctions in the order in which they came, with their denominations.
pub async fn of_auctions(conn: &mut Connection, auction_ids: &[AuctionId]) -> Result<Vec<Currency>, DbError> {
    let profiles: Vec<CurrencyRow> = query(for_each_row!(
        concat!("SELECT ", currency_columns!("c."), " FROM"),
        [auction_id id],
        "JOIN currency_profiles c ON c.auction_id = given.auction_id ORDER BY c.id"
    ))
    .bind(rows(auction_ids.iter().map(|id| [*id]))?)
    .fetch_all(&mut *conn)
    .await?;
    let ids: Vec<_> = profiles.iter().map(|profile| profile.id).collect();
    let mut by_profile = denominations(conn, &ids).await?;
    let currency = |row: CurrencyRow| {
        let denominations = by_profile.remove(&row.id).unwrap_or_default();
        row.with(denominations)
    };
    Ok(profiles.into_iter().map(currency).collect())
}

/// Whether the auction has profiles; without any it is legacy.
pub async fn any(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM currency_profiles WHERE auction_id = $1)")
        .bind(auction_id)
        .fetch_one(conn)
        .await
}

/// Adds a profile with its denominations.
pub async fn insert(conn: &mut Transaction, currency: &Currency) -> Result<(), DbError> {
    let mut columns = inserted(currency)?;
    columns.extend(changed(currency)?);
    db::insert(conn, "currency_profiles", columns).await?;
    insert_denominations(conn, currency).await
}

async fn insert_denominations(conn: &mut Transaction, currency: &Currency) -> Result<(), DbError> {
    for (position, denomination) in (0_i64..).zip(&currency.denominations) {
        let columns = columns! {
            profile_id: currency.id,
            position: position,
            code: &denomination.code,
            name: &denomination.name,
            plural: denomination.plural.as_ref(),
            symbol: &denomination.symbol,
            factor: &denomination.factor,
            written: denomination.written,
        };
        db::insert(conn, "denominations", columns).await?;
    }
    Ok(())
}

/// Takes the default from whichever profile of the auction has it.
pub async fn clear_default(
    conn: &mut Transaction,
    auction_id: AuctionId,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "UPDATE currency_profiles SET is_default = FALSE, version = version + 1, updated_at = $2
         WHERE auction_id = $1 AND is_default",
    )
    .bind(auction_id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes a profile and its denominations.
pub async fn update(conn: &mut Transaction, currency: &Currency) -> Result<(), DbError> {
    db::update(conn, "currency_profiles", currency.id, changed(currency)?).await?;
    query("DELETE FROM denominations WHERE profile_id = $1").bind(currency.id).execute(&mut *conn).await?;
    insert_denominations(conn, currency).await
}

/// Removes a profile with its denominations.
pub async fn delete(conn: &mut Transaction, currency_id: CurrencyId) -> Result<(), DbError> {
    query("DELETE FROM currency_profiles WHERE id = $1").bind(currency_id).execute(conn).await?;
    Ok(())
}
