//! A second implementation of SPEC, sections 5 and 6, in fractions of unbounded integers, written for
//! clarity.

use num_bigint::BigInt;
use num_rational::BigRational;
use rules_engine::{FractionPolicy, InputMode, Literal, RuleDefinition, RuleType, Violation, ViolationCode};

use crate::cases::Case;

/// A violation without its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub code: ViolationCode,
    pub rule_id: Option<String>,
    pub required: Option<String>,
    pub actual: Option<String>,
    pub denomination: Option<String>,
}

impl From<&Violation> for Expected {
    fn from(violation: &Violation) -> Self {
        let Violation { code, rule_id, message, required, actual, denomination } = violation.clone();
        assert!(message.ends_with('.'), "{message}");
        Self { code, rule_id, required, actual, denomination }
    }
}

pub type Rational = BigRational;

pub fn int(value: u64) -> Rational {
    Rational::from_integer(value.into())
}

pub fn power(digits: usize) -> Rational {
    (0..digits).fold(int(1), |power, _| power * int(10))
}

/// A decimal in the form of SPEC, section 1, if it is one.
pub fn decimal(text: &str) -> Option<Rational> {
    let (minus, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let sound = plain(integer) && plain(fraction) && !integer.is_empty() && !digits.ends_with('.');
    if !sound || integer.trim_start_matches('0').len() > 18 || fraction.len() > 9 {
        return None;
    }
    let all: BigInt = format!("{integer}{fraction}").parse().ok()?;
    let value = Rational::from_integer(all) / power(fraction.len());
    Some(if minus { -value } else { value })
}

/// A decimal in canonical form. Every one here has at most 13 fraction digits.
pub fn print(value: &Rational) -> String {
    let scaled = value * power(13);
    assert!(scaled.is_integer(), "{value} has more than 13 digits");
    let digits = scaled.to_integer().to_string();
    let (minus, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |digits| ("-", digits));
    let padded = format!("{digits:0>14}");
    let (integer, fraction) = padded.split_at(padded.len() - 13);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{minus}{integer}{point}{fraction}")
}

fn number(literal: &Literal) -> Rational {
    decimal(literal.as_str()).expect("a decimal")
}

/// A number rounded to the precision; none if the policy refuses it.
pub fn round(value: &Rational, precision: usize, policy: FractionPolicy) -> Option<Rational> {
    let steps = value * power(precision);
    let half = int(1) / int(2);
    let rest = &steps - steps.floor();
    let rounded = match policy {
        FractionPolicy::Reject if rest != int(0) => return None,
        FractionPolicy::Reject | FractionPolicy::Down => steps.floor(),
        FractionPolicy::Up => steps.ceil(),
        FractionPolicy::HalfUp => (steps + half).floor(),
        FractionPolicy::HalfEven if rest == half => (steps / int(2) + half).floor() * int(2),
        FractionPolicy::HalfEven => (steps + half).floor(),
    };
    Some(rounded / power(precision))
}

/// A bid that can be normalized: the count and value of each denomination, and the total value.
pub struct Bid {
    pub counts: Vec<Rational>,
    pub values: Vec<Rational>,
    pub value: Rational,
}

/// The input phase.
pub fn read(case: &Case) -> Result<Bid, Vec<Expected>> {
    let only = |code, required: Option<&str>| {
        let required = required.map(String::from);
        Err(vec![Expected { code, rule_id: None, required, actual: None, denomination: None }])
    };
    let profile = &case.profile;
    let mode = profile.input_mode;
    let (amount, entries) = (&case.bid.amount, case.bid.entered_representation.as_ref());
    let entered: Vec<(Option<&str>, &Literal)> = match (mode, amount, entries) {
        (InputMode::Scalar, Some(amount), None) => vec![(None, amount)],
        (InputMode::Scalar, None, None) => return only(ViolationCode::AmountRequired, None),
        (InputMode::Denomination, None, entries) if entries.is_none_or(Vec::is_empty) => {
            return only(ViolationCode::RepresentationRequired, None);
        }
        (InputMode::Denomination, None, Some(entries)) => {
            entries.iter().map(|entry| (Some(entry.denomination.as_str()), &entry.count)).collect()
        }
        _ => return only(ViolationCode::InputModeMismatch, Some(mode.as_str())),
    };
    let mut counts = vec![int(0); profile.denominations.len().max(1)];
    let mut broken = Vec::new();
    for (at, (code, literal)) in entered.iter().enumerate() {
        let index = match code {
            None => Some(0),
            Some(code) => profile.denominations.iter().position(|denomination| denomination.code == *code),
        };
        let again = entered.iter().take(at).any(|(earlier, _)| earlier == code);
        match count(case, *code, literal, index.is_some(), again) {
            Ok(count) => counts[index.expect("known")] = count,
            Err(flaw) => broken.push(flaw),
        }
    }
    broken.sort_by_key(|broken| broken.code);
    if !broken.is_empty() {
        return Err(broken);
    }
    let rate = number(&profile.rate_to_base);
    let factors = profile.denominations.iter().map(|denomination| number(&denomination.factor));
    let factors = if mode == InputMode::Scalar { vec![int(1)] } else { factors.collect() };
    let values: Vec<Rational> =
        counts.iter().zip(factors).map(|(count, factor)| count * factor * &rate).collect();
    let value = values.iter().fold(int(0), |sum, value| sum + value);
    if value == int(0) {
        only(ViolationCode::NotPositive, None)
    } else if value > power(15) {
        only(ViolationCode::AmountOutOfRange, Some("1000000000000000"))
    } else {
        Ok(Bid { counts, values, value })
    }
}

fn count(
    case: &Case,
    code: Option<&str>,
    literal: &Literal,
    known: bool,
    again: bool,
) -> Result<Rational, Expected> {
    let flaw = |code_of: ViolationCode, required: Option<String>, actual: Option<String>| {
        Err(Expected { code: code_of, rule_id: None, required, actual, denomination: code.map(String::from) })
    };
    let Some(value) = decimal(literal.as_str()) else {
        return flaw(ViolationCode::InvalidNumber, None, Some(literal.as_str().chars().take(64).collect()));
    };
    let precision = usize::from(case.profile.precision);
    let rounded = round(&value, precision, case.profile.fraction_policy);
    match rounded {
        _ if value < int(0) => flaw(ViolationCode::Negative, Some("0".into()), Some(print(&value))),
        _ if !known => flaw(ViolationCode::UnknownDenomination, None, None),
        _ if again => flaw(ViolationCode::DuplicateDenomination, None, None),
        None => flaw(ViolationCode::FractionNotAllowed, Some(precision.to_string()), Some(print(&value))),
        Some(rounded) if rounded > power(16 - precision.max(4)) => {
            let most = print(&power(16 - precision.max(4)));
            flaw(ViolationCode::AmountOutOfRange, Some(most), Some(print(&rounded)))
        }
        Some(rounded) => Ok(rounded),
    }
}

/// The rules' phase.
pub fn judge(case: &Case, bid: &Bid) -> Vec<Expected> {
    let value = &bid.value;
    let highest = case.highest.map(|highest| Rational::from_integer(highest.mantissa().into()) / power(13));
    let own = |amount: Option<rules_engine::Normalized>| {
        amount.map(|amount| Rational::from_integer(amount.mantissa().into()) / power(13))
    };
    let mut broken = Vec::new();
    let mut note = |code, rule: Option<&RuleDefinition>, required: &Rational, actual: &Rational| {
        broken.push(Expected {
            code,
            rule_id: rule.map(|rule| rule.id.clone()),
            required: Some(print(required)),
            actual: Some(print(actual)),
            denomination: rule.and_then(|rule| rule.params.denomination.clone()),
        });
    };
    if let Some(minimum) = own(case.item.min_bid_normalized).filter(|minimum| value < minimum) {
        note(ViolationCode::MinBid, None, &minimum, value);
    }
    if let Some(highest) = highest.as_ref().filter(|highest| value <= highest) {
        note(ViolationCode::EqualNotHigher, None, highest, value);
    }
    if let (Some(highest), Some(step)) = (&highest, own(case.item.min_increment_normalized)) {
        let required = highest + step;
        if *value < required {
            note(ViolationCode::MinIncrement, None, &required, value);
        }
    }
    let available = own(case.available);
    let mut rules: Vec<&RuleDefinition> = case.rules.iter().filter(|rule| rule.enabled).collect();
    rules.retain(|rule| rule.currency_profile_id.as_ref().is_none_or(|id| *id == case.profile.id));
    let order = |rule: &&RuleDefinition| {
        let place = RuleType::ALL.iter().position(|rule_type| *rule_type == rule.rule_type);
        (place, rule.position, rule.id.clone())
    };
    rules.sort_by_key(order);
    for rule in rules {
        let code = rule.params.denomination.as_ref();
        let index =
            case.profile.denominations.iter().position(|denomination| Some(&denomination.code) == code);
        match (rule.rule_type, index) {
            (RuleType::MinIncrement, _) => {
                let required = highest.as_ref().map(|highest| highest + increment(rule, highest));
                if let Some(required) = required.filter(|required| value < required) {
                    note(ViolationCode::MinIncrement, Some(rule), &required, value);
                }
            }
            (RuleType::Step, _) => {
                let required = next_step(rule, value);
                if *value != required {
                    note(ViolationCode::Step, Some(rule), &required, value);
                }
            }
            (RuleType::MaxIncrement, _) => {
                let most = highest.as_ref().map(|highest| highest + rise(rule, highest));
                if let Some(most) = most.filter(|most| value > most) {
                    note(ViolationCode::MaxIncrement, Some(rule), &most, value);
                }
            }
            (RuleType::MaxBid, _) => {
                let most = number(rule.params.amount.as_ref().expect("an amount"));
                if *value > most {
                    note(ViolationCode::MaxBid, Some(rule), &most, value);
                }
            }
            (RuleType::MinComponentRatio, Some(index)) => {
                let required = number(rule.params.min_ratio.as_ref().expect("a ratio"));
                let ratio = &bid.values[index] / value;
                if ratio < required {
                    let cut = (ratio * power(6)).floor() / power(6);
                    note(ViolationCode::MinComponentRatio, Some(rule), &required, &cut);
                }
            }
            (RuleType::RequiredDenomination, Some(index)) => {
                let required = number(rule.params.min_count.as_ref().expect("a count"));
                if bid.counts[index] < required {
                    note(ViolationCode::RequiredDenomination, Some(rule), &required, &bid.counts[index]);
                }
            }
            (_, None) => unreachable!("cases name denominations that exist"),
        }
    }
    if let Some(available) = available.filter(|available| value > available) {
        note(ViolationCode::InsufficientBalance, None, value, &available);
    }
    broken
}

fn increment(rule: &RuleDefinition, highest: &Rational) -> Rational {
    let params = &rule.params;
    if let Some(amount) = &params.amount {
        return number(amount);
    }
    if let Some(percent) = &params.percent {
        return (highest * number(percent) / int(100) * power(13)).ceil() / power(13);
    }
    let mut tiers = params.tiers.iter().flatten().rev();
    let tier = tiers.find(|tier| number(&tier.from) <= *highest);
    tier.and_then(|tier| tier.amount.as_ref()).map(number).expect("the first tier")
}

fn rise(rule: &RuleDefinition, highest: &Rational) -> Rational {
    let params = &rule.params;
    let percent = || number(params.percent.as_ref().expect("an amount or a percentage"));
    let share = || (highest * percent() / int(100) * power(13)).floor() / power(13);
    params.amount.as_ref().map_or_else(share, number)
}

/// The step that applies to a value.
pub fn step(rule: &RuleDefinition, value: &Rational) -> Rational {
    let mut tiers = rule.params.tiers.iter().flatten().rev();
    let tier = tiers.find(|tier| number(&tier.from) <= *value);
    let step = tier.map_or(rule.params.step.as_ref(), |tier| tier.step.as_ref());
    step.map(number).expect("the first tier, or the only step")
}

/// The smallest value from `value` on that keeps the rule.
pub fn next_step(rule: &RuleDefinition, value: &Rational) -> Rational {
    if let Some(ladder) = &rule.params.ladder {
        let values: Vec<Rational> = ladder.iter().map(number).collect();
        if *value < values[0] {
            return value.clone();
        }
        let decades = (0..24).map(power);
        let all = decades.flat_map(|decade| values.iter().map(move |each| each * &decade));
        return all.filter(|each| each >= value).min().expect("a value of the ladder");
    }
    let starts = rule.params.tiers.iter().flatten().map(|tier| number(&tier.from));
    let starts = std::iter::once(value.clone()).chain(starts.filter(|start| start > value));
    let first = |start: Rational| {
        let step = step(rule, &start);
        (start / &step).ceil() * step
    };
    // The first multiple of the step of one tier may lie in another, and counts only if it keeps the step
    // there.
    let kept = |next: &Rational| (next / step(rule, next)).is_integer();
    starts.map(first).filter(kept).min().expect("a multiple of the last step")
}
