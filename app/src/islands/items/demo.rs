//! The example on the start page: the fields and the evaluation of the bid form, for an item that does not
//! exist.

use leptos::prelude::*;
use rules_engine::{FractionPolicy, InputMode, ItemTerms, Literal, RuleDefinition, RuleParams, RuleType};

use crate::components::figures::Figures;
use crate::islands::items::bid_form::{BidFields, LeastBidButton, Total};
use crate::islands::items::form_state::{BidFormState, InitialBid};
use crate::islands::items::verdict::Verdict;
use crate::model::{BaseUnit, BidCurrency, BidFormData, Denomination};

/// Highest bid of the example, in base units.
const HIGHEST: &str = "1001";

/// Evaluates any bid that is typed. Nothing is sent.
#[island]
pub fn BidDemo() -> impl IntoView {
    let values = [("count.GALLEON", "1"), ("count.SICKLE", "18")];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let initial = InitialBid { values, refused: false };
    let form = BidFormState::new(
        &data(),
        &initial,
        Signal::stored(Some(HIGHEST.to_owned())),
        Signal::stored(None),
        Signal::stored(false),
    );
    let hydrated = RwSignal::new(false);
    Effect::new(move |_| hydrated.set(true));
    view! {
        <div class="bid-form demo" class:hydrated=hydrated role="group" aria-label="Try a bid">
            <p class="demo-rule">
                <span>"Highest bid " <Figures text=HIGHEST.to_owned() /> " Knuts"</span>
                <span>"The next bid must be 50 Knuts higher and have at least 2 Galleons"</span>
            </p>
            <BidFields form=form.clone() />
            <Total form=form.clone() />
            <div class="bid-actions">
                <LeastBidButton form=form.clone() />
            </div>
            <Verdict form />
        </div>
    }
}

/// Wizarding money: 17 sickles to the galleon, 29 knuts to the sickle.
fn data() -> BidFormData {
    let denominations =
        [("GALLEON", "Galleon", "G", "493"), ("SICKLE", "Sickle", "s", "29"), ("KNUT", "Knut", "k", "1")];

    let denomination = |(code, name, symbol, factor): (&str, &str, &str, &str)| Denomination {
        code: code.to_owned(),
        name: name.to_owned(),
        plural: Some(format!("{name}s")),
        symbol: symbol.to_owned(),
        factor: Literal::from(factor),
        written: true,
    };
    let increment = RuleParams { amount: Some(Literal::from("50")), ..RuleParams::default() };
    let galleons = RuleParams {
        denomination: Some("GALLEON".to_owned()),
        min_count: Some(Literal::from("2")),
        ..RuleParams::default()
    };
    BidFormData {
        auction_id: String::new(),
        item_id: String::new(),
        currencies: vec![BidCurrency {
            profile_id: Some("wizarding".to_owned()),
            name: "Wizarding money".to_owned(),
            plural: None,
            symbol: String::new(),
            input_mode: InputMode::Denomination,
            rate_to_base: Literal::from("1"),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: denominations.map(denomination).into(),
        }],
        selected: 0,
        base_unit: BaseUnit {
            name: "Knut".to_owned(),
            plural: Some("Knuts".to_owned()),
            ..BaseUnit::default()
        },
        terms: ItemTerms::default(),
        rules: vec![
            rule("increment", RuleType::MinIncrement, increment),
            rule("galleons", RuleType::RequiredDenomination, galleons),
        ],
        available: None,
        costs: None,
        may_be_anonymous: false,
        idempotency_key: String::new(),
    }
}

fn rule(id: &str, rule_type: RuleType, params: RuleParams) -> RuleDefinition {
    RuleDefinition {
        id: id.to_owned(),
        currency_profile_id: Some("wizarding".to_owned()),
        rule_type,
        params,
        enabled: true,
        position: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::islands::items::evaluation::Evaluator;

    fn evaluator() -> Evaluator {
        Evaluator::all(&data()).pop().expect("one currency")
    }

    fn typed(counts: [&str; 3]) -> Vec<String> {
        counts.map(str::to_owned).into()
    }

    #[test]
    fn the_example_starts_with_a_refused_bid() {
        let evaluation = evaluator().evaluate(&typed(["1", "18", ""]), Some(HIGHEST), None, false);
        assert_eq!(evaluation.normalized.as_deref(), Some("1015"));
        assert_eq!(evaluation.violations.len(), 2);
    }

    #[test]
    fn the_least_bid_is_accepted() {
        let evaluator = evaluator();
        let least = evaluator.least(Some(HIGHEST), None).expect("a bid");
        assert!(evaluator.evaluate(&least, Some(HIGHEST), None, false).accepted());
    }

    #[test]
    fn empty_fields_are_ignored() {
        let evaluator = evaluator();
        assert_eq!(evaluator.bid(&typed(["", " ", ""])).entered_representation, None);
        let bid = evaluator.bid(&typed(["3", "", " 7 "])).entered_representation.expect("counts");
        let counts: Vec<_> =
            bid.iter().map(|entry| (entry.denomination.as_str(), entry.count.as_str())).collect();
        assert_eq!(counts, [("GALLEON", "3"), ("KNUT", "7")]);
        assert!(evaluator.evaluate(&typed(["", "", ""]), None, None, false).empty);
    }

    #[test]
    fn a_violation_names_its_field() {
        let evaluator = evaluator();
        let evaluation = evaluator.evaluate(&typed(["1", "x", ""]), None, None, false);
        let slots: Vec<_> = evaluation.violations.iter().map(|violation| evaluator.slot(violation)).collect();
        assert_eq!(slots, [Some(1)]);
    }

    #[test]
    fn an_amount_is_converted_exactly_or_rounded_up() {
        let evaluator = evaluator();
        for (amount, worth, exact) in [("1001", "1001", true), ("1001.5", "1002", false)] {
            let (texts, is_exact) = evaluator.converted(amount).expect("a bid");
            assert_eq!(evaluator.evaluate(&texts, None, None, false).normalized.as_deref(), Some(worth));
            assert_eq!(is_exact, exact, "{amount}");
        }
        assert_eq!(evaluator.converted("many"), None);
    }

    #[test]
    fn the_value_of_one_of_a_denomination_is_known() {
        assert_eq!(evaluator().value_of_one(1).as_deref(), Some("29"));
    }
}
