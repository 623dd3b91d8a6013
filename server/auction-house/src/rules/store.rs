//! Currency rules in SQL. `params` is JSON whose decimals are strings.

use rules_engine::RuleDefinition;

use super::CurrencyRule;
use crate::ids::{AuctionId, CurrencyId, RuleId};
use platform::db::{Connection, DbError, json, query, stored, stored_json};
use platform::time::Moment;

#[derive(sqlx::FromRow)]
struct RuleRow {
    id: RuleId,
    currency_profile_id: Option<CurrencyId>,
    rule_type: String,
    params: String,
    enabled: bool,
    position: i64,
    version: i64,
    created_at: Moment,
    updated_at: Moment,
}

impl RuleRow {
    fn read(self, auction_id: AuctionId) -> Result<CurrencyRule, DbError> {
        let corrupt = |what: &str| DbError::Corrupt(format!("rule `{}` with a {what}", self.id));
        Ok(CurrencyRule {
            id: self.id,
            auction_id,
            definition: RuleDefinition {
                id: self.id.to_string(),
                rule_type: self.rule_type.parse().map_err(|()| corrupt("strange type"))?,
                params: stored_json("params", &self.params)?,
                enabled: self.enabled,
                position: u32::try_from(self.position).map_err(|_| corrupt("strange position"))?,
                currency_profile_id: self.currency_profile_id.map(|id| id.to_string()),
            },
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

/// An auction's rules by position, and by id where two share one.
pub async fn of_auction(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<CurrencyRule>, DbError> {
    let rows: Vec<RuleRow> = query(
        "SELECT id, currency_profile_id, rule_type, params, enabled, position, version, created_at, updated_at
         FROM currency_rules WHERE auction_id = $1 ORDER BY position, id",
    )
    .bind(auction_id)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| row.read(auction_id)).collect()
}

pub async fn insert(conn: &mut Connection, rule: &CurrencyRule) -> Result<(), DbError> {
    let definition = &rule.definition;
    query(
        "INSERT INTO currency_rules (id, auction_id, currency_profile_id, rule_type, params, enabled, position,
                                     version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(rule.id)
    .bind(rule.auction_id)
    .bind(currency_id(rule)?)
    .bind(definition.rule_type.as_str())
    .bind(json(&definition.params)?)
    .bind(definition.enabled)
    .bind(i64::from(definition.position))
    .bind(rule.version)
    .bind(rule.created_at)
    .bind(rule.updated_at)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn update(conn: &mut Connection, rule: &CurrencyRule) -> Result<(), DbError> {
    let definition = &rule.definition;
    query(
        "UPDATE currency_rules
         SET currency_profile_id = $2, params = $3, enabled = $4, position = $5, version = $6, updated_at = $7
         WHERE id = $1",
    )
    .bind(rule.id)
    .bind(currency_id(rule)?)
    .bind(json(&definition.params)?)
    .bind(definition.enabled)
    .bind(i64::from(definition.position))
    .bind(rule.version)
    .bind(rule.updated_at)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn delete(conn: &mut Connection, rule_id: RuleId) -> Result<(), DbError> {
    query("DELETE FROM currency_rules WHERE id = $1").bind(rule_id).execute(conn).await?;
    Ok(())
}

/// The engine has ids as texts.
fn currency_id(rule: &CurrencyRule) -> Result<Option<CurrencyId>, DbError> {
    let id = rule.definition.currency_profile_id.as_deref();
    id.map(|id| stored("currency_profile_id", id)).transpose()
}
