//! Denominations of currencies: as a request says, as they are stored, and as responses contain them.

use std::ops::RangeInclusive;

use rules_engine::DenominationDefinition;
use rules_engine::money::Literal;
use rules_engine::words::Noun;
use serde::Serialize;
use utoipa::ToSchema;

use crate::engine::canonical;
use platform::shape::{Members, Shape};

/// Codes are stored in capitals.
pub const CODE_PATTERN: &str = "^[A-Za-z0-9_-]{1,12}$";
pub const NAME_CHARS: RangeInclusive<usize> = 1..=60;
pub const SYMBOL_CHARS: RangeInclusive<usize> = 0..=8;
pub const PLURAL: &str = "Without it the name stands for every count.";

/// A denomination of a currency profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct Denomination {
    pub code: String,
    pub name: String,
    /// Null: the name stands for every count.
    pub plural: Option<String>,
    pub symbol: String,
    /// A decimal: units of the currency that one of the denomination is worth.
    pub factor: String,
    /// Amounts are written and suggested with it. It may be bid in any case.
    pub written: bool,
}

impl Default for Denomination {
    fn default() -> Self {
        Self {
            code: String::new(),
            name: String::new(),
            plural: None,
            symbol: String::new(),
            factor: String::new(),
            written: true,
        }
    }
}

impl Shape for Denomination {
    const NAME: &'static str = "NewDenomination";

    fn members(&mut self, members: &mut Members<'_>) {
        members.given("code", &mut self.code).pattern(CODE_PATTERN).example("GALLEON");
        members.line("name", NAME_CHARS, &mut self.name);
        members.optional_line("plural", NAME_CHARS, &mut self.plural).about(PLURAL);
        members.line("symbol", SYMBOL_CHARS, &mut self.symbol);
        let mut factor = Literal::from(self.factor.as_str());
        members.given("factor", &mut factor).or_number().example("493").about(
            "A decimal: units of the currency for one of the denomination; 0 < f ≤ 1 000 000, at most 3 fraction \
             digits.",
        );
        self.factor = canonical(&factor).into();
        members.flag("written", &mut self.written).about(
            "Amounts are written and suggested with this piece; at least one is. Any piece may be bid.",
        );
    }
}

impl Denomination {
    /// The denomination as the engine reads it.
    pub fn definition(&self) -> DenominationDefinition {
        let Self { code, factor, written, .. } = self;
        DenominationDefinition { code: code.clone(), factor: factor.as_str().into(), written: *written }
    }

    pub fn noun(&self) -> Noun<'_> {
        Noun::new(&self.name, self.plural.as_ref())
    }

    /// Texts that a person may write for it. Those that it lacks are empty.
    pub fn names(&self) -> [&str; 4] {
        [&self.name, self.plural.as_deref().unwrap_or_default(), &self.symbol, &self.code]
    }
}
