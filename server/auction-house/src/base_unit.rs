//! The unit of normalized amounts.

use platform::shape::{Members, Shape};
use rules_engine::words::Noun;
use serde::Serialize;
use utoipa::ToSchema;

/// The name of the unit that every bid of an auction is converted to, and that a book counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct BaseUnit {
    /// 1–60 characters.
    #[sqlx(rename = "base_unit_name")]
    pub name: String,
    /// 1–60 characters; null: the name stands for every count.
    #[sqlx(rename = "base_unit_plural")]
    pub plural: Option<String>,
    /// 0–8 characters.
    #[sqlx(rename = "base_unit_symbol")]
    pub symbol: String,
}

impl BaseUnit {
    /// The name of the unit, or else its symbol. None without both.
    pub fn noun(&self) -> Option<Noun<'_>> {
        match (self.name.as_str(), self.symbol.as_str()) {
            ("", "") => None,
            ("", symbol) => Some(Noun { one: symbol, several: None }),
            (name, _) => Some(Noun::new(name, self.plural.as_ref())),
        }
    }

    /// Whether a request that gives this unit may mean `other`: it may leave out the plural.
    pub fn may_mean(&self, other: &Self) -> bool {
        let plural = self.plural.as_ref().or(other.plural.as_ref());
        (&self.name, &self.symbol, plural) == (&other.name, &other.symbol, other.plural.as_ref())
    }
}

impl Shape for BaseUnit {
    const NAME: &'static str = "NewBaseUnit";

    fn members(&mut self, members: &mut Members<'_>) {
        members.line("name", 1..=60, &mut self.name);
        members.optional_line("plural", 1..=60, &mut self.plural);
        members.line("symbol", 0..=8, &mut self.symbol);
    }
}
