//! The unit of normalized amounts.

use platform::shape::{Members, Shape};
use serde::Serialize;
use utoipa::ToSchema;

/// The name of the unit that every bid of an auction is converted to, and that a book counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct BaseUnit {
    /// 1–60 characters.
    #[sqlx(rename = "base_unit_name")]
    pub name: String,
    /// 0–8 characters.
    #[sqlx(rename = "base_unit_symbol")]
    pub symbol: String,
}

impl Shape for BaseUnit {
    const NAME: &'static str = "NewBaseUnit";

    fn members(&mut self, members: &mut Members<'_>) {
        members.line("name", 1..=60, &mut self.name);
        members.line("symbol", 0..=8, &mut self.symbol);
    }
}
