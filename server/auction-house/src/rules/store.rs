//! Currency rules in SQL. `params` is JSON whose decimals are strings.

use rules_engine::RuleDefinition;

use super::CurrencyRule;
use crate::ids::{AuctionId, CurrencyId, RuleId};
use platform::db::{
    self, Columns, Connection, DbError, Transaction, columns, json, query, stored, stored_json,
};
use platform::time::Moment;

#[derive(sqlx_macros::FromRow)]
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

/// The columns that a change of a rule writes.
fn changing(rule: &CurrencyRule) -> Result<Columns, DbError> {
    let definition = &rule.definition;
    // The engine has ids as texts.
    let currency_id = definition.currency_profile_id.as_deref();
    let currency_id = currency_id.map(|id| stored::<CurrencyId>("currency_profile_id", id)).transpose()?;
    Ok(columns! {
        currency_profile_id: currency_id,
        params: json(&definition.params)?,
        enabled: definition.enabled,
        position: i64::from(definition.position),
        version: rule.version,
        updated_at: rule.updated_at,
    })
}

pub async fn insert(conn: &mut Transaction, rule: &CurrencyRule) -> Result<(), DbError> {
    let mut columns = columns! {
        id: rule.id,
        auction_id: rule.auction_id,
        rule_type: rule.definition.rule_type.as_str(),
        created_at: rule.created_at,
    };
    columns.extend(changing(rule)?);
    db::insert(conn, "currency_rules", columns).await
}

pub async fn update(conn: &mut Transaction, rule: &CurrencyRule) -> Result<(), DbError> {
    db::update(conn, "currency_rules", rule.id, changing(rule)?).await
}

pub async fn delete(conn: &mut Transaction, rule_id: RuleId) -> Result<(), DbError> {
    query("DELETE FROM currency_rules WHERE id = $1").bind(rule_id).execute(conn).await?;
    Ok(())
}
