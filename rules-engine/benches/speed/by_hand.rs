//! The same decision written by hand with `rust_decimal`: rules as data, a list of violations.

use rust_decimal::Decimal;

use crate::reference::{self, Reference};

pub struct Auction {
    pub rate: Decimal,
    pub factors: Vec<Decimal>,
    pub rules: Vec<Rule>,
}

pub enum Rule {
    MinIncrement(Decimal),
    MinComponentRatio { denomination: usize, ratio: Decimal },
    RequiredDenomination { denomination: usize, count: Decimal },
}

pub struct Bid {
    pub counts: Vec<Decimal>,
    pub highest: Option<Decimal>,
}

#[derive(Debug)]
pub enum Violation {
    EqualNotHigher { highest: Decimal, normalized: Decimal },
    MinIncrement { required: Decimal, normalized: Decimal },
    MinComponentRatio { denomination: usize, required: Decimal, component: Decimal, normalized: Decimal },
    RequiredDenomination { denomination: usize, required: Decimal, count: Decimal },
}

impl Auction {
    pub fn reference() -> Self {
        let decimal = |text: &str| text.parse().expect("a decimal");
        Self {
            rate: decimal(reference::RATE),
            factors: reference::DENOMINATIONS.iter().map(|(_, factor)| decimal(factor)).collect(),
            rules: vec![
                Rule::MinIncrement(decimal(reference::INCREMENT)),
                Rule::MinComponentRatio { denomination: 0, ratio: decimal(reference::MIN_RATIO) },
                Rule::RequiredDenomination { denomination: 1, count: decimal(reference::MIN_COUNT) },
            ],
        }
    }

    pub fn normalize(&self, counts: &[Decimal]) -> Decimal {
        let value: Decimal = counts.iter().zip(&self.factors).map(|(count, factor)| count * factor).sum();
        value * self.rate
    }

    pub fn evaluate(&self, bid: &Bid) -> Vec<Violation> {
        let normalized = self.normalize(&bid.counts);
        let mut violations = Vec::new();
        if let Some(highest) = bid.highest
            && normalized <= highest
        {
            violations.push(Violation::EqualNotHigher { highest, normalized });
        }
        for rule in &self.rules {
            match *rule {
                Rule::MinIncrement(increment) => {
                    if let Some(required) = bid.highest.map(|highest| highest + increment)
                        && normalized < required
                    {
                        violations.push(Violation::MinIncrement { required, normalized });
                    }
                }
                Rule::MinComponentRatio { denomination, ratio } => {
                    let component = bid.counts[denomination] * self.factors[denomination] * self.rate;
                    if component < normalized * ratio {
                        violations.push(Violation::MinComponentRatio {
                            denomination,
                            required: ratio,
                            component,
                            normalized,
                        });
                    }
                }
                Rule::RequiredDenomination { denomination, count: required } => {
                    let count = bid.counts[denomination];
                    if count < required {
                        violations.push(Violation::RequiredDenomination { denomination, required, count });
                    }
                }
            }
        }
        violations
    }
}

impl From<&Reference> for Bid {
    fn from(bid: &Reference) -> Self {
        Self {
            counts: bid.counts.iter().map(|count| Decimal::from(*count)).collect(),
            highest: Some(Decimal::new(bid.highest.into(), 2)),
        }
    }
}
