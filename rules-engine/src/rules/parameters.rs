//! The parameters of all rules, as data.

use alloc::{string::String, vec::Vec};

use crate::{
    money::Literal,
    shape::{Value, shape},
};

shape! {
    /// From `from` base units on, the increment is `amount`, or the step is `step`. Null is absent.
    pub struct Tier as TierText {
        /// 0 for the first, then strictly rising, ≤ 10^15.
        pub from = "from": Literal,
        /// `MIN_INCREMENT`: base units, 0 < d ≤ 10^15, at most 6 fraction digits.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub amount = "amount": Option<Literal>,
        /// `STEP`: base units, 0 < d ≤ 10^15, at most 6 fraction digits.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub step = "step": Option<Literal>,
    }
}

shape! {
    /// The parameters of a rule: of these members those that its type takes. Null is absent.
    #[derive(Default)]
    pub struct RuleParams as ParamsText {
        /// `MIN_INCREMENT`, `MAX_INCREMENT`, `MAX_BID`: base units, 0 < d ≤ 10^15, at most 6 fraction digits.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub amount = "amount": Option<Literal>,
        /// `MIN_INCREMENT`: hundredths of the highest bid, 0 < d ≤ 100, at most 3 fraction digits.
        /// `MAX_INCREMENT`: the same, 0 < d ≤ 1000.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub percent = "percent": Option<Literal>,
        /// `STEP`: base units, 0 < d ≤ 10^15, at most 6 fraction digits.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub step = "step": Option<Literal>,
        /// `STEP`: 1–64 values, strictly rising, the last below ten times the first; each as a step.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ladder = "ladder": Option<Vec<Literal>> [length(min = 1, max = 64)],
        /// `MIN_INCREMENT`: 1–32 tiers of the highest bid. `STEP`: 1–32 tiers of the bid.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub tiers = "tiers": Option<Vec<Tier>> [length(min = 1, max = 32)],
        /// `MIN_COMPONENT_RATIO`, `REQUIRED_DENOMINATION`: a denomination's code.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub denomination = "denomination": Option<String>,
        /// `MIN_COMPONENT_RATIO`: 0 < d ≤ 1, at most 4 fraction digits.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub min_ratio = "minRatio": Option<Literal>,
        /// `REQUIRED_DENOMINATION`: 0 < d ≤ 10^12, at most 4 fraction digits.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub min_count = "minCount": Option<Literal>,
    }
}

impl RuleParams {
    /// Changes every decimal among the parameters, for example to its canonical form.
    pub fn for_each_decimal(&mut self, mut change: impl FnMut(&mut Literal)) {
        Value::for_each_decimal(self, &mut change);
    }
}
