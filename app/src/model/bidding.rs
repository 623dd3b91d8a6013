//! What the viewer may bid with.

use super::BaseUnit;
use super::CurrencyNames;
use super::Noun;
use super::wire::wire_struct;
use rules_engine::DenominationDefinition;
use rules_engine::FractionPolicy;
use rules_engine::InputMode;
use rules_engine::ItemTerms;
use rules_engine::Literal;
use rules_engine::ProfileDefinition;
use rules_engine::RuleDefinition;
use rules_engine::shape::JsonReader;
use rules_engine::shape::Read;
use rules_engine::shape::ReadJson;
use rules_engine::words::NamedCurrency;

/// Whether the viewer may bid, and if not, why.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a page has one of them")]
pub enum Bidding {
    Open(BidFormData),
    SignIn,
    /// Only members may bid, and the viewer is none.
    Outside,
    Removed,
    OwnItem,
    NotOpen,
}

/// The form as an object, or the reason as a text.
#[cfg(feature = "ssr")]
impl serde::Serialize for Bidding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Open(data) => data.serialize(serializer),
            Self::SignIn => "SIGN_IN".serialize(serializer),
            Self::Outside => "OUTSIDE".serialize(serializer),
            Self::Removed => "REMOVED".serialize(serializer),
            Self::OwnItem => "OWN_ITEM".serialize(serializer),
            Self::NotOpen => "NOT_OPEN".serialize(serializer),
        }
    }
}

impl ReadJson for Bidding {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        if !reader.is_at_text() {
            return BidFormData::read_json(reader).map(Self::Open);
        }
        let reason = reader.text()?;
        Ok(match &*reason {
            "SIGN_IN" => Self::SignIn,
            "OUTSIDE" => Self::Outside,
            "REMOVED" => Self::Removed,
            "OWN_ITEM" => Self::OwnItem,
            _ => Self::NotOpen,
        })
    }
}

wire_struct! {
    /// The bid form's currencies, item terms and rules. The engine compiles them in the browser.
    #[derive(Debug, Clone, Default, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BidFormData {
        pub auction_id: String,
        pub item_id: String,
        pub currencies: Vec<BidCurrency>,
        /// Index in `currencies` of the currency that the form shows first.
        pub selected: usize,
        pub base_unit: BaseUnit,
        pub terms: ItemTerms,
        pub rules: Vec<RuleDefinition>,
        /// What the bidder has available for the item, in base units; absent in an auction without a book.
        pub available: Option<String>,
        /// Words before the value of a typed bid on a sealed item, such as `Costs at most`.
        pub costs: Option<String>,
        /// The bidder may hide their name with this bid.
        pub may_be_anonymous: bool,
        /// Sent with the form when it is submitted without JavaScript: a second submission places no second
        /// bid.
        pub idempotency_key: String,
    }
}

wire_struct! {
    /// A currency of the bid form. `profile_id` is absent in a legacy auction.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BidCurrency {
        pub profile_id: Option<String>,
        pub name: String,
        pub plural: Option<String>,
        pub symbol: String,
        pub input_mode: InputMode,
        pub rate_to_base: Literal,
        pub precision: u8,
        pub fraction_policy: FractionPolicy,
        /// One for each field of a bid by denomination, in order.
        pub denominations: Vec<Denomination>,
    }
}

wire_struct! {
    /// A denomination of a currency.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct Denomination {
        pub code: String,
        pub name: String,
        pub plural: Option<String>,
        pub symbol: String,
        /// Units of the currency that one of the denomination is worth.
        pub factor: Literal,
        /// Amounts are written and suggested with it.
        pub written: bool,
    }
}

impl Denomination {
    pub fn noun(&self) -> Noun<'_> {
        Noun::new(&self.name, self.plural.as_ref())
    }
}

impl BidCurrency {
    pub fn by_denomination(&self) -> bool {
        self.input_mode == InputMode::Denomination
    }

    pub fn noun(&self) -> Noun<'_> {
        Noun::new(&self.name, self.plural.as_ref())
    }

    /// The denomination with this code; a deleted one is named by its code.
    pub fn piece<'a>(&'a self, code: &'a str) -> Noun<'a> {
        let found = self.denominations.iter().find(|denomination| denomination.code == code);
        found.map_or(Noun { one: code, several: None }, Denomination::noun)
    }

    /// The names alone, as lists of bids need them.
    pub fn names(&self) -> CurrencyNames {
        CurrencyNames {
            profile_id: self.profile_id.clone(),
            name: self.name.clone(),
            plural: self.plural.clone(),
            symbol: self.symbol.clone(),
            denominations: self.denominations.clone(),
        }
    }

    /// The currency as the engine writes amounts in it.
    pub fn named(&self) -> NamedCurrency<'_> {
        let pieces = self.denominations.iter().map(|piece| (piece.code.as_str(), piece.noun())).collect();
        NamedCurrency { definition: self.definition(), noun: self.noun(), pieces }
    }

    /// The currency as the engine reads it.
    pub fn definition(&self) -> ProfileDefinition {
        let denomination = |denomination: &Denomination| DenominationDefinition {
            code: denomination.code.clone(),
            factor: denomination.factor.clone(),
            written: denomination.written,
        };
        ProfileDefinition {
            // An ISO currency has none.
            id: self.profile_id.as_ref().unwrap_or(&self.name).clone(),
            input_mode: self.input_mode,
            rate_to_base: self.rate_to_base.clone(),
            precision: self.precision,
            fraction_policy: self.fraction_policy,
            denominations: self.denominations.iter().map(denomination).collect(),
        }
    }
}
