//! Currency profiles and their denominations in SQL.

use std::collections::{HashMap, HashSet};

use rules_engine::money::Literal;
use rules_engine::{DenominationDefinition, ProfileDefinition};

use super::{Currency, DenominationNames};
use crate::ids::{AuctionId, CurrencyId};
use platform::db::{
    self, Columns, Connection, DbError, Transaction, columns, for_each_row, query, query_scalar, rows,
};
use platform::time::Moment;

#[derive(sqlx_macros::FromRow)]
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

#[derive(sqlx_macros::FromRow)]
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

/// Those of `auctions` that have profiles.
pub async fn having_any(
    conn: &mut Connection,
    auctions: &HashSet<AuctionId>,
) -> Result<HashSet<AuctionId>, DbError> {
    if auctions.is_empty() {
        return Ok(HashSet::new());
    }
    let found: Vec<AuctionId> = query_scalar(for_each_row!(
        "SELECT given.auction_id FROM",
        [auction_id id],
        "WHERE EXISTS (SELECT 1 FROM currency_profiles c WHERE c.auction_id = given.auction_id)"
    ))
    .bind(rows(auctions.iter().map(|id| [*id]))?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}

/// The columns that a change of a profile writes.
fn changing(currency: &Currency) -> Columns {
    let definition = &currency.definition;
    columns! {
        code: &currency.code,
        name: &currency.name,
        symbol: &currency.symbol,
        rate_to_base: definition.rate_to_base.as_str(),
        input_mode: definition.input_mode.as_str(),
        precision: i64::from(definition.precision),
        fraction_policy: definition.fraction_policy.as_str(),
        is_default: currency.is_default,
        version: currency.version,
        updated_at: currency.updated_at,
    }
}

/// Adds a profile with its denominations.
pub async fn insert(conn: &mut Transaction, currency: &Currency) -> Result<(), DbError> {
    let mut columns = columns! {
        id: currency.id,
        auction_id: currency.auction_id,
        created_at: currency.created_at,
    };
    columns.extend(changing(currency));
    db::insert(conn, "currency_profiles", columns).await?;
    insert_denominations(conn, currency).await
}

async fn insert_denominations(conn: &mut Transaction, currency: &Currency) -> Result<(), DbError> {
    let denominations = currency.definition.denominations.iter().zip(&currency.names);
    for (position, (denomination, names)) in (0_i64..).zip(denominations) {
        let columns = columns! {
            profile_id: currency.id,
            position: position,
            code: &denomination.code,
            name: &names.name,
            symbol: &names.symbol,
            factor: denomination.factor.as_str(),
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
    db::update(conn, "currency_profiles", currency.id, changing(currency)).await?;
    query("DELETE FROM denominations WHERE profile_id = $1").bind(currency.id).execute(&mut *conn).await?;
    insert_denominations(conn, currency).await
}

/// Removes a profile with its denominations.
pub async fn delete(conn: &mut Transaction, currency_id: CurrencyId) -> Result<(), DbError> {
    query("DELETE FROM currency_profiles WHERE id = $1").bind(currency_id).execute(conn).await?;
    Ok(())
}
