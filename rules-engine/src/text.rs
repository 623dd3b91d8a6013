//! Definitions and bids as text, borrowed from wherever they stand: in a typed definition, or in a document that
//! is read without a copy of each string. What is here is well formed, and not yet known to keep the bounds.

use alloc::{borrow::Cow, vec::Vec};

use crate::{
    bid::BidForm,
    money::{FractionPolicy, Literal},
    profile::{InputMode, ProfileDefinition},
    rules::{RuleDefinition, RuleParams, RuleType},
};

/// An id, a code or a number, as it is written.
pub(crate) type Text<'a> = Cow<'a, str>;

/// [`ProfileDefinition`].
pub(crate) struct ProfileText<'a> {
    pub(crate) id: Text<'a>,
    pub(crate) input_mode: InputMode,
    pub(crate) rate_to_base: Text<'a>,
    pub(crate) precision: u8,
    pub(crate) fraction_policy: FractionPolicy,
    pub(crate) denominations: Vec<DenominationText<'a>>,
}

/// A denomination of a profile.
pub(crate) struct DenominationText<'a> {
    pub(crate) code: Text<'a>,
    pub(crate) factor: Text<'a>,
}

/// [`RuleDefinition`].
pub(crate) struct RuleText<'a> {
    pub(crate) id: Text<'a>,
    pub(crate) currency_profile_id: Option<Text<'a>>,
    pub(crate) rule_type: RuleType,
    pub(crate) params: ParamsText<'a>,
    pub(crate) enabled: bool,
    pub(crate) position: u32,
}

/// [`RuleParams`].
#[derive(Default)]
pub(crate) struct ParamsText<'a> {
    pub(crate) amount: Option<Text<'a>>,
    pub(crate) percent: Option<Text<'a>>,
    pub(crate) tiers: Option<Vec<TierText<'a>>>,
    pub(crate) denomination: Option<Text<'a>>,
    pub(crate) min_ratio: Option<Text<'a>>,
    pub(crate) min_count: Option<Text<'a>>,
}

/// A tier of an increment.
pub(crate) struct TierText<'a> {
    pub(crate) from: Text<'a>,
    pub(crate) amount: Text<'a>,
}

/// [`BidForm`].
#[derive(Default)]
pub(crate) struct BidText<'a> {
    pub(crate) amount: Option<Text<'a>>,
    pub(crate) entries: Option<Vec<EntryText<'a>>>,
}

/// An entry of a bid.
pub(crate) struct EntryText<'a> {
    pub(crate) denomination: Text<'a>,
    pub(crate) count: Text<'a>,
}

fn text(text: &str) -> Text<'_> {
    Cow::Borrowed(text)
}

fn literal(literal: &Literal) -> Text<'_> {
    Cow::Borrowed(literal.as_str())
}

impl<'a> From<&'a ProfileDefinition> for ProfileText<'a> {
    fn from(definition: &'a ProfileDefinition) -> Self {
        let denominations = definition.denominations.iter();
        Self {
            id: text(&definition.id),
            input_mode: definition.input_mode,
            rate_to_base: literal(&definition.rate_to_base),
            precision: definition.precision,
            fraction_policy: definition.fraction_policy,
            denominations: denominations
                .map(|each| DenominationText { code: text(&each.code), factor: literal(&each.factor) })
                .collect(),
        }
    }
}

impl<'a> From<&'a RuleDefinition> for RuleText<'a> {
    fn from(definition: &'a RuleDefinition) -> Self {
        Self {
            id: text(&definition.id),
            currency_profile_id: definition.currency_profile_id.as_deref().map(text),
            rule_type: definition.rule_type,
            params: ParamsText::from(&definition.params),
            enabled: definition.enabled,
            position: definition.position,
        }
    }
}

impl<'a> From<&'a RuleParams> for ParamsText<'a> {
    fn from(params: &'a RuleParams) -> Self {
        let tiers = params.tiers.as_ref().map(|tiers| {
            let tier = tiers
                .iter()
                .map(|tier| TierText { from: literal(&tier.from), amount: literal(&tier.amount) });
            tier.collect()
        });
        Self {
            amount: params.amount.as_ref().map(literal),
            percent: params.percent.as_ref().map(literal),
            tiers,
            denomination: params.denomination.as_deref().map(text),
            min_ratio: params.min_ratio.as_ref().map(literal),
            min_count: params.min_count.as_ref().map(literal),
        }
    }
}

impl<'a> From<&'a BidForm> for BidText<'a> {
    fn from(form: &'a BidForm) -> Self {
        let entries = form.entered_representation.as_ref().map(|entries| {
            let entry = |entry: &'a crate::bid::EnteredCount| EntryText {
                denomination: text(&entry.denomination),
                count: literal(&entry.count),
            };
            entries.iter().map(entry).collect()
        });
        Self { amount: form.amount.as_ref().map(literal), entries }
    }
}
