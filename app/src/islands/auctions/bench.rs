//! The test bench: evaluates any bid in any of the auction's currencies while it is typed. Nothing is sent.

use leptos::prelude::*;
use rules_engine::{Normalized, ViolationCode};

use crate::components::island_state::initial_state;
use crate::components::money::{number_note, typed_amount};
use crate::islands::items::bid_field::BidField;
use crate::islands::items::bid_form::{Available, BidFields, CurrencySelect, LeastBidButton, Total};
use crate::islands::items::evaluation::Evaluation;
use crate::islands::items::form_state::{BidFormState, InitialBid};
use crate::islands::items::verdict::Verdict;
use crate::model::{BenchRule, BidFormData, wire_struct};

wire_struct! {
    /// The initial state of the island.
    #[derive(Debug)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BenchState {
        pub data: BidFormData,
        /// By position.
        pub rules: Vec<BenchRule>,
        pub initial: InitialBid,
        /// Bids are also limited by what their bidder has available.
        pub has_book: bool,
    }
}

/// Its state is a [`BenchState`].
#[island]
pub fn TestBench() -> impl IntoView {
    initial_state().map(|state| view! { <Bench state /> })
}

/// A form, so that it works without JavaScript too: its button requests the page again with the typed values.
#[component]
fn Bench(state: BenchState) -> impl IntoView {
    let BenchState { data, rules, initial, has_book } = state;
    let submitted = |name: &str| {
        let field = initial.values.iter().find(|(field, _)| field == name);
        RwSignal::new(field.map(|(_, value)| value.clone()).unwrap_or_default())
    };
    let (typed, typed_available) = (submitted("highest"), submitted("available"));
    let (unit, currencies) = (data.base_unit.clone(), data.currencies.clone());
    let read = move |text: &str| typed_amount(&unit, &currencies, text);
    let highest = Memo::new({
        let read = read.clone();
        move |_| typed.with(|text| highest(&read(text)))
    });
    let available = Memo::new(move |_| typed_available.with(|text| available(&read(text))));
    let form = BidFormState::new(&data, &initial, highest.into(), available.into(), Signal::stored(false));
    let available_problem = Signal::derive(move || {
        let invalid = available.with(Option::is_none) && typed_available.with(|text| !text.trim().is_empty());
        invalid.then(|| typed_available.with(|text| number_note(2, text.trim()).to_owned()))
    });
    let problem = Signal::derive(move || {
        let invalid = highest.with(Option::is_none) && typed.with(|text| !text.trim().is_empty());
        invalid.then(|| "a number above 0, such as 12.5".to_owned())
    });
    let hydrated = RwSignal::new(false);
    Effect::new(move |_| hydrated.set(true));
    let several = data.currencies.len() > 1;
    view! {
        <form
            class="bid-form bench"
            class:hydrated=hydrated
            aria-label="Test bench"
            novalidate
            on:submit=move |event| event.prevent_default()
        >
            <CurrencySelect form=form.clone() submit="Show" />
            <div class="bench-highest">
                <BidField
                    adopts=true
                    id="bench-highest".to_owned()
                    name="highest".to_owned()
                    label="Highest bid so far".to_owned()
                    symbol=String::new()
                    note=Some(format!("In {}. Empty before the first bid", form.unit.asked()))
                    steps=false
                    value=typed
                    problem
                />
            </div>
            {has_book
                .then(|| {
                    view! {
                        <div class="bench-highest">
                            <BidField
                                adopts=true
                                id="bench-available".to_owned()
                                name="available".to_owned()
                                label="Available".to_owned()
                                symbol=String::new()
                                note=Some(format!("In {}. Empty for a bid without a limit", form.unit.asked()))
                                steps=false
                                value=typed_available
                                problem=available_problem
                            />
                        </div>
                    }
                })}
            <BidFields form=form.clone() />
            <Total form=form.clone() />
            <Available form=form.clone() />
            <div class="bid-actions">
                <LeastBidButton form=form.clone() />
                {(!several)
                    .then(|| view! { <button class="button quiet show-fields" type="submit">"Show"</button> })}
            </div>
            <Verdict form=form.clone() />
            <RuleResults form rules />
        </form>
    }
}

/// The result of each rule.
#[component]
fn RuleResults(form: BidFormState, rules: Vec<BenchRule>) -> impl IntoView {
    let higher = BenchRule {
        id: String::new(),
        words: "Higher than the highest bid".to_owned(),
        profile_id: None,
        enabled: true,
    };
    let evaluation = form.evaluation;
    let rows = std::iter::once(higher).chain(rules).map(|rule| {
        let form = form.clone();
        let words = rule.words.clone();
        let result = Memo::new(move |_| {
            let profile =
                form.with_evaluator(form.selected.get(), |evaluator| evaluator.currency.profile_id.clone());
            evaluation.with(|evaluation| result_of(&rule, profile.flatten().as_deref(), evaluation))
        });
        view! {
            <li class=move || result.get().class()>
                <span class="mark-words">{words}</span>
                " "
                <span class="mark-said">{move || result.get().text()}</span>
            </li>
        }
    });
    view! {
        <ul class="marks" role="list" aria-label="Rules">
            {rows.collect_view()}
        </ul>
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RuleResult {
    /// There is no bid to evaluate yet.
    NotEvaluated,
    Kept,
    Broken,
    /// The rule is for another currency.
    OtherCurrency,
    Off,
}

impl RuleResult {
    fn class(self) -> &'static str {
        match self {
            Self::Kept => "mark kept",
            Self::Broken => "mark broken",
            Self::NotEvaluated | Self::OtherCurrency | Self::Off => "mark",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::NotEvaluated => "",
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::OtherCurrency => "not for this currency",
            Self::Off => "switched off",
        }
    }
}

fn result_of(rule: &BenchRule, profile: Option<&str>, evaluation: &Evaluation) -> RuleResult {
    let is_other_currency = rule.profile_id.is_some() && rule.profile_id.as_deref() != profile;
    let broken = evaluation.violations.iter().any(|violation| match &violation.rule_id {
        Some(id) => *id == rule.id,
        None => rule.id.is_empty() && violation.code == ViolationCode::EqualNotHigher,
    });
    match evaluation.normalized {
        _ if !rule.enabled => RuleResult::Off,
        _ if is_other_currency => RuleResult::OtherCurrency,
        None => RuleResult::NotEvaluated,
        Some(_) if broken => RuleResult::Broken,
        Some(_) => RuleResult::Kept,
    }
}

/// A valid highest bid, in canonical form.
fn highest(number: &str) -> Option<String> {
    let highest: Normalized = number.parse().ok()?;
    Some(highest.to_string()).filter(|text| text != "0" && !text.starts_with('-'))
}

/// What a bidder has available, in canonical form; below zero for a bidder in debt.
fn available(number: &str) -> Option<String> {
    let available: Normalized = number.parse().ok()?;
    Some(available.to_string())
}

#[cfg(test)]
mod tests {
    use rules_engine::Violation;

    use super::*;

    fn evaluated(broken: &[(ViolationCode, Option<&str>)]) -> Evaluation {
        let violation = |&(code, rule_id): &(ViolationCode, Option<&str>)| Violation {
            code,
            rule_id: rule_id.map(str::to_owned),
            message: String::new(),
            required: None,
            actual: None,
            denomination: None,
        };
        Evaluation {
            empty: false,
            normalized: Some("5".to_owned()),
            violations: broken.iter().map(violation).collect(),
            ..Evaluation::default()
        }
    }

    fn rule(id: &str, profile: Option<&str>, enabled: bool) -> BenchRule {
        BenchRule { id: id.to_owned(), words: String::new(), profile_id: profile.map(str::to_owned), enabled }
    }

    #[test]
    fn each_rule_has_its_own_result() {
        let evaluation =
            evaluated(&[(ViolationCode::EqualNotHigher, None), (ViolationCode::MinIncrement, Some("r1"))]);
        let result = |rule: BenchRule| result_of(&rule, Some("p"), &evaluation);
        assert_eq!(result(rule("", None, true)), RuleResult::Broken, "the built-in one");
        assert_eq!(result(rule("r1", None, true)), RuleResult::Broken);
        assert_eq!(result(rule("r2", Some("p"), true)), RuleResult::Kept);
        assert_eq!(result(rule("r3", Some("q"), true)), RuleResult::OtherCurrency);
        assert_eq!(result(rule("r4", None, false)), RuleResult::Off);
        let invalid = Evaluation { normalized: None, ..evaluation.clone() };
        assert_eq!(result_of(&rule("r2", None, true), Some("p"), &invalid), RuleResult::NotEvaluated);
    }

    #[test]
    fn a_highest_bid_is_a_positive_number() {
        assert_eq!(highest("12.50").as_deref(), Some("12.5"));
        for text in ["", "0", "-1", "1e3", "many"] {
            assert_eq!(highest(text), None, "{text}");
        }
    }
}
