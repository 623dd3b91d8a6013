//! Currency profiles and their denominations in SQL.

use std::collections::HashMap;

use rules_engine::money::Literal;
use rules_engine::{DenominationDefinition, ProfileDefinition};

use super::{Currency, DenominationNames};
use crate::ids::{AuctionId, CurrencyId};
use platform::db::{Connection, DbError, query, query_scalar};
use platform::time::Moment;

#[derive(sqlx::FromRow)]
struct CurrencyRow {
    id: CurrencyId,
    code: String,
    name: String,
    symbol: String,
    rate_to_base: String,
    input_mode: String,
    precision: i64,
    fraction_policy: String,
    is_default: bool,
    version: i64,
    created_at: Moment,
    updated_at: Moment,
}

#[derive(sqlx::FromRow)]
struct DenominationRow {
    profile_id: CurrencyId,
    code: String,
    name: String,
    symbol: String,
    factor: String,
}

impl CurrencyRow {
    fn read(self, auction_id: AuctionId, denominations: Vec<DenominationRow>) -> Result<Currency, DbError> {
        let corrupt = |what: &str| DbError::Corrupt(format!("currency profile `{}` with a {what}", self.id));
        let (names, denominations) = denominations.into_iter().map(DenominationRow::split).unzip();
        Ok(Currency {
            id: self.id,
            auction_id,
            is_default: self.is_default,
            definition: ProfileDefinition {
                id: self.id.to_string(),
                input_mode: self.input_mode.parse().map_err(|()| corrupt("strange input mode"))?,
                rate_to_base: Literal::from(self.rate_to_base.as_str()),
                precision: u8::try_from(self.precision).map_err(|_| corrupt("strange precision"))?,
                fraction_policy: (self.fraction_policy.parse())
                    .map_err(|()| corrupt("strange fraction policy"))?,
                denominations,
            },
            names,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            code: self.code,
            name: self.name,
            symbol: self.symbol,
        })
    }
}

impl DenominationRow {
    fn split(self) -> (DenominationNames, DenominationDefinition) {
        let definition = DenominationDefinition { code: self.code, factor: Literal::from(self.factor) };
        (DenominationNames { name: self.name, symbol: self.symbol }, definition)
    }
}

/// An auction's profiles in the order in which they came, with their denominations.
pub async fn of_auction(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<Currency>, DbError> {
    let rows: Vec<CurrencyRow> = query(
        "SELECT id, code, name, symbol, rate_to_base, input_mode, precision, fraction_policy, is_default,
                version, created_at, updated_at
         FROM currency_profiles WHERE auction_id = $1 ORDER BY id",
    )
    .bind(auction_id)
    .fetch_all(&mut *conn)
    .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let denominations: Vec<DenominationRow> = query(
        "SELECT d.profile_id, d.code, d.name, d.symbol, d.factor
         FROM currency_profiles c JOIN denominations d ON d.profile_id = c.id
         WHERE c.auction_id = $1 ORDER BY d.profile_id, d.position",
    )
    .bind(auction_id)
    .fetch_all(conn)
    .await?;
    let mut by_profile: HashMap<CurrencyId, Vec<DenominationRow>> = HashMap::new();
    for row in denominations {
        by_profile.entry(row.profile_id).or_default().push(row);
    }
    let currency = |row: CurrencyRow| {
        let denominations = by_profile.remove(&row.id).unwrap_or_default();
        row.read(auction_id, denominations)
    };
    rows.into_iter().map(currency).collect()
}

/// Whether the auction has profiles; without any it is legacy.
pub async fn any(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM currency_profiles WHERE auction_id = $1)")
        .bind(auction_id)
        .fetch_one(conn)
        .await
}

/// Adds a profile with its denominations.
pub async fn insert(conn: &mut Connection, currency: &Currency) -> Result<(), DbError> {
    let definition = &currency.definition;
    query(
        "INSERT INTO currency_profiles (id, auction_id, code, name, symbol, rate_to_base, input_mode,
                                        precision, fraction_policy, is_default, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
    )
    .bind(currency.id)
    .bind(currency.auction_id)
    .bind(&currency.code)
    .bind(&currency.name)
    .bind(&currency.symbol)
    .bind(definition.rate_to_base.as_str())
    .bind(definition.input_mode.as_str())
    .bind(i64::from(definition.precision))
    .bind(definition.fraction_policy.as_str())
    .bind(currency.is_default)
    .bind(currency.version)
    .bind(currency.created_at)
    .bind(currency.updated_at)
    .execute(&mut *conn)
    .await?;
    insert_denominations(conn, currency).await
}

async fn insert_denominations(conn: &mut Connection, currency: &Currency) -> Result<(), DbError> {
    let denominations = currency.definition.denominations.iter().zip(&currency.names);
    for (position, (denomination, names)) in (0_i64..).zip(denominations) {
        query(
            "INSERT INTO denominations (profile_id, position, code, name, symbol, factor)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(currency.id)
        .bind(position)
        .bind(&denomination.code)
        .bind(&names.name)
        .bind(&names.symbol)
        .bind(denomination.factor.as_str())
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

/// Takes the default from whichever profile of the auction has it.
pub async fn clear_default(conn: &mut Connection, auction_id: AuctionId, now: Moment) -> Result<(), DbError> {
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

/// Brings a profile and its denominations to what it is now.
pub async fn update(conn: &mut Connection, currency: &Currency) -> Result<(), DbError> {
    let definition = &currency.definition;
    query(
        "UPDATE currency_profiles
         SET code = $2, name = $3, symbol = $4, rate_to_base = $5, input_mode = $6, precision = $7,
             fraction_policy = $8, is_default = $9, version = $10, updated_at = $11
         WHERE id = $1",
    )
    .bind(currency.id)
    .bind(&currency.code)
    .bind(&currency.name)
    .bind(&currency.symbol)
    .bind(definition.rate_to_base.as_str())
    .bind(definition.input_mode.as_str())
    .bind(i64::from(definition.precision))
    .bind(definition.fraction_policy.as_str())
    .bind(currency.is_default)
    .bind(currency.version)
    .bind(currency.updated_at)
    .execute(&mut *conn)
    .await?;
    query("DELETE FROM denominations WHERE profile_id = $1").bind(currency.id).execute(&mut *conn).await?;
    insert_denominations(conn, currency).await
}

/// Removes a profile with its denominations.
pub async fn delete(conn: &mut Connection, currency_id: CurrencyId) -> Result<(), DbError> {
    query("DELETE FROM currency_profiles WHERE id = $1").bind(currency_id).execute(conn).await?;
    Ok(())
}
