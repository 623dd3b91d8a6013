//! Currency rules in SQL. `params` is JSON whose decimals are strings.

use rules_engine::{RuleDefinition, RuleParams, RuleType};

use super::CurrencyRule;
use crate::ids::{AuctionId, CurrencyId, RuleId};
use platform::db::{
    self, Connection, DbError, Integer, Json, Parsed, Transaction, for_each_row, json, query, rows, stored,
    table_columns,
};
use platform::time::Moment;

table_columns! {
    rule_columns;
    /// The columns that only an INSERT writes.
    fn inserted(rule: &CurrencyRule) {
        id: rule.id,
        auction_id: rule.auction_id,
        rule_type: rule.definition.rule_type.as_str(),
        created_at: rule.created_at,
    }
    /// The columns that a change of a rule writes.
    fn changed(rule: &CurrencyRule) {
        currency_profile_id: currency_id(rule)?,
        params: json(&rule.definition.params)?,
        enabled: rule.definition.enabled,
        position: i64::from(rule.definition.position),
        version: rule.version,
        updated_at: rule.updated_at,
    }
}

/// The engine has ids as texts.
fn currency_id(rule: &CurrencyRule) -> Result<Option<CurrencyId>, DbError> {
    let text = rule.definition.currency_profile_id.as_deref();
    text.map(|text| stored("currency_profile_id", text)).transpose()
}

#[derive(sqlx_macros::FromRow)]
struct RuleRow {
    id: RuleId,
    auction_id: AuctionId,
    currency_profile_id: Option<CurrencyId>,
    rule_type: Parsed<RuleType>,
    params: Json<RuleParams>,
    enabled: bool,
    position: Integer<u32>,
    version: i64,
    created_at: Moment,
    updated_at: Moment,
}

impl From<RuleRow> for CurrencyRule {
    fn from(row: RuleRow) -> Self {
        Self {
            id: row.id,
            auction_id: row.auction_id,
            definition: RuleDefinition {
                id: row.id.to_string(),
                rule_type: row.rule_type.0,
                params: row.params.0,
                enabled: row.enabled,
                position: row.position.0,
                currency_profile_id: row.currency_profile_id.map(|id| id.to_string()),
            },
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// An auction's rules by position, and by id where two share one.
pub async fn of_auction(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<CurrencyRule>, DbError> {
    of_auctions(conn, &[auction_id]).await
}

/// The rules of auctions by position, and by id where two share one.
pub async fn of_auctions(
    conn: &mut Connection,
    auction_ids: &[AuctionId],
) -> Result<Vec<CurrencyRule>, DbError> {
    let found: Vec<RuleRow> = query(for_each_row!(
        concat!("SELECT ", rule_columns!("r."), " FROM"),
        [auction_id id],
        "JOIN currency_rules r ON r.auction_id = given.auction_id ORDER BY r.position, r.id"
    ))
    .bind(rows(auction_ids.iter().map(|id| [*id]))?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(CurrencyRule::from).collect())
}

pub async fn insert(conn: &mut Transaction, rule: &CurrencyRule) -> Result<(), DbError> {
    let mut columns = inserted(rule)?;
    columns.extend(changed(rule)?);
    db::insert(conn, "currency_rules", columns).await
}

pub async fn update(conn: &mut Transaction, rule: &CurrencyRule) -> Result<(), DbError> {
    db::update(conn, "currency_rules", rule.id, changed(rule)?).await
}

pub async fn delete(conn: &mut Transaction, rule_id: RuleId) -> Result<(), DbError> {
    query("DELETE FROM currency_rules WHERE id = $1").bind(rule_id).execute(conn).await?;
    Ok(())
}
