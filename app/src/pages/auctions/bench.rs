//! The test bench: any bid in any of the auction's currencies, judged as it is typed, before anybody bids.

use leptos::prelude::*;
use rules_engine::{Normalized, ViolationCode};
use serde::{Deserialize, Serialize};

use crate::components::money::plural;
use crate::model::{BenchRule, BidDesk};
use crate::pages::items::bid_field::BidField;
use crate::pages::items::bid_form::{BidFields, CurrencyChoice, LeastBid, Total};
use crate::pages::items::entry::{Begin, Entry};
use crate::pages::items::judgement::Judgement;

/// All that the bench begins with.
#[derive(Debug, Serialize, Deserialize)]
pub struct BenchState {
    pub desk: BidDesk,
    /// By position.
    pub rules: Vec<BenchRule>,
    pub begin: Begin,
}

/// `state` is a [`BenchState`] as JSON, as that of the item's page.
#[island]
pub fn TestBench(state: String) -> impl IntoView {
    let state = serde_json::from_str::<BenchState>(&state).ok();
    state.map(|state| view! { <Bench state /> })
}

/// A form, so that it also judges without scripts: its button asks for the page again with what was typed.
#[component]
fn Bench(state: BenchState) -> impl IntoView {
    let BenchState { desk, rules, begin } = state;
    let begun = begin.values.iter().find(|(name, _)| name == "highest").map(|(_, value)| value.clone());
    let typed = RwSignal::new(begun.unwrap_or_default());
    let highest = Memo::new(move |_| typed.with(|text| highest(text)));
    let entry = Entry::new(&desk, &begin, highest.into());
    let problem = Signal::derive(move || {
        let unread = highest.with(Option::is_none) && typed.with(|text| !text.trim().is_empty());
        unread.then(|| "digits only, such as 12".to_owned())
    });
    let awake = RwSignal::new(false);
    Effect::new(move |_| awake.set(true));
    let several = desk.currencies.len() > 1;
    view! {
        <form
            class="bid-form bench"
            class:awake=awake
            aria-label="Test bench"
            novalidate
            on:submit=move |event| event.prevent_default()
        >
            <CurrencyChoice entry=entry.clone() sends="Show" />
            <div class="bench-highest">
                <BidField
                    id="bench-highest".to_owned()
                    name="highest".to_owned()
                    label="Highest bid so far".to_owned()
                    symbol=String::new()
                    worth=Some(format!("In {}; empty before the first bid", plural(&entry.unit)))
                    steps=false
                    value=typed
                    problem
                />
            </div>
            <BidFields entry=entry.clone() />
            <Total entry=entry.clone() />
            <RuleMarks entry=entry.clone() rules />
            <div class="bid-actions">
                <LeastBid entry />
                {(!several)
                    .then(|| view! { <button class="button quiet show-fields" type="submit">"Show"</button> })}
            </div>
        </form>
    }
}

/// What each rule says to the bid, one line a rule.
#[component]
fn RuleMarks(entry: Entry, rules: Vec<BenchRule>) -> impl IntoView {
    let higher = BenchRule {
        id: String::new(),
        words: "Higher than the highest bid".to_owned(),
        profile_id: None,
        enabled: true,
    };
    let judgement = entry.judgement;
    let rows = std::iter::once(higher).chain(rules).map(|rule| {
        let entry = entry.clone();
        let words = rule.words.clone();
        let mark = Memo::new(move |_| {
            let profile = entry.with_judge(entry.selected.get(), |judge| judge.currency.profile_id.clone());
            judgement.with(|judgement| mark(&rule, profile.flatten().as_deref(), judgement))
        });
        view! {
            <li class=move || mark.get().class()>
                <span class="mark-words">{words}</span>
                " "
                <span class="mark-said">{move || mark.get().said()}</span>
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
enum Mark {
    /// There is no bid to judge yet.
    Untried,
    Kept,
    Broken,
    /// It is for another currency.
    Elsewhere,
    Off,
}

impl Mark {
    fn class(self) -> &'static str {
        match self {
            Self::Kept => "mark kept",
            Self::Broken => "mark broken",
            Self::Untried | Self::Elsewhere | Self::Off => "mark",
        }
    }

    fn said(self) -> &'static str {
        match self {
            Self::Untried => "",
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::Elsewhere => "not for this currency",
            Self::Off => "switched off",
        }
    }
}

fn mark(rule: &BenchRule, profile: Option<&str>, judgement: &Judgement) -> Mark {
    let elsewhere = rule.profile_id.is_some() && rule.profile_id.as_deref() != profile;
    let broken = judgement.violations.iter().any(|violation| match &violation.rule_id {
        Some(id) => *id == rule.id,
        None => rule.id.is_empty() && violation.code == ViolationCode::EqualNotHigher,
    });
    match judgement.normalized {
        _ if !rule.enabled => Mark::Off,
        _ if elsewhere => Mark::Elsewhere,
        None => Mark::Untried,
        Some(_) if broken => Mark::Broken,
        Some(_) => Mark::Kept,
    }
}

/// A highest bid that could be one, in canonical form.
fn highest(text: &str) -> Option<String> {
    let highest: Normalized = text.trim().parse().ok()?;
    Some(highest.to_string()).filter(|text| text != "0" && !text.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use rules_engine::Violation;

    use super::*;

    fn judged(broken: &[(ViolationCode, Option<&str>)]) -> Judgement {
        let violation = |&(code, rule_id): &(ViolationCode, Option<&str>)| Violation {
            code,
            rule_id: rule_id.map(str::to_owned),
            message: String::new(),
            required: None,
            actual: None,
            denomination: None,
        };
        Judgement {
            empty: false,
            normalized: Some("5".to_owned()),
            violations: broken.iter().map(violation).collect(),
        }
    }

    fn rule(id: &str, profile: Option<&str>, enabled: bool) -> BenchRule {
        BenchRule { id: id.to_owned(), words: String::new(), profile_id: profile.map(str::to_owned), enabled }
    }

    #[test]
    fn each_rule_says_what_it_thinks_of_the_bid() {
        let judgement =
            judged(&[(ViolationCode::EqualNotHigher, None), (ViolationCode::MinIncrement, Some("r1"))]);
        let said = |rule: BenchRule| mark(&rule, Some("p"), &judgement);
        assert_eq!(said(rule("", None, true)), Mark::Broken, "the built-in one");
        assert_eq!(said(rule("r1", None, true)), Mark::Broken);
        assert_eq!(said(rule("r2", Some("p"), true)), Mark::Kept);
        assert_eq!(said(rule("r3", Some("q"), true)), Mark::Elsewhere);
        assert_eq!(said(rule("r4", None, false)), Mark::Off);
        let unread = Judgement { normalized: None, ..judgement.clone() };
        assert_eq!(mark(&rule("r2", None, true), Some("p"), &unread), Mark::Untried);
    }

    #[test]
    fn a_highest_bid_is_a_positive_number() {
        assert_eq!(highest(" 12.50 ").as_deref(), Some("12.5"));
        for text in ["", "0", "-1", "1e3", "many"] {
            assert_eq!(highest(text), None, "{text}");
        }
    }
}
