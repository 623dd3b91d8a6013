//! The example on the start page: the bid form's own fields and judgement, on an item that nobody sells.

use leptos::prelude::*;
use rules_engine::{
    DenominationDefinition, FractionPolicy, InputMode, ItemTerms, Literal, ProfileDefinition, RuleDefinition,
    RuleParams, RuleType,
};

use crate::components::figures::Figures;
use crate::model::{BaseUnit, BidCurrency, BidDesk, DenominationName};
use crate::pages::items::bid_form::{BidFields, LeastBid, Total};
use crate::pages::items::entry::{Begin, Entry};

/// The highest bid of the example, in its base unit.
const HIGHEST: &str = "1001";

/// Type any bid and see what becomes of it.
#[island]
pub fn BidDemo() -> impl IntoView {
    let values = [("count.GALLEON", "1"), ("count.SICKLE", "18")];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let begin = Begin { values, refusal: None };
    let entry = Entry::new(&desk(), &begin, Signal::stored(Some(HIGHEST.to_owned())));
    let awake = RwSignal::new(false);
    Effect::new(move |_| awake.set(true));
    view! {
        <div class="bid-form demo" class:awake=awake role="group" aria-label="Try a bid">
            <p class="demo-rule">
                <span>"Highest bid " <Figures text=HIGHEST.to_owned() /> " Knuts"</span>
                <span>"The next one is 50 Knuts more, with 2 Galleons at least"</span>
            </p>
            <BidFields entry=entry.clone() />
            <Total entry=entry.clone() />
            <div class="bid-actions">
                <LeastBid entry />
            </div>
        </div>
    }
}

/// Galleon, sickle and knut: 17 sickles to the galleon, 29 knuts to the sickle.
fn desk() -> BidDesk {
    let pieces =
        [("GALLEON", "Galleon", "G", "493"), ("SICKLE", "Sickle", "s", "29"), ("KNUT", "Knut", "k", "1")];
    let definition = ProfileDefinition {
        id: "wizarding".to_owned(),
        input_mode: InputMode::Denomination,
        rate_to_base: Literal::from("1"),
        precision: 0,
        fraction_policy: FractionPolicy::Reject,
        denominations: pieces
            .map(|(code, _, _, factor)| DenominationDefinition {
                code: code.to_owned(),
                factor: Literal::from(factor),
            })
            .into(),
    };
    let name = |(code, name, symbol, _): (&str, &str, &str, &str)| DenominationName {
        code: code.to_owned(),
        name: name.to_owned(),
        symbol: symbol.to_owned(),
    };
    let increment = RuleParams { amount: Some(Literal::from("50")), ..RuleParams::default() };
    let galleons = RuleParams {
        denomination: Some("GALLEON".to_owned()),
        min_count: Some(Literal::from("2")),
        ..RuleParams::default()
    };
    BidDesk {
        auction_id: String::new(),
        item_id: String::new(),
        currencies: vec![BidCurrency {
            profile_id: Some(definition.id.clone()),
            name: "Wizarding money".to_owned(),
            symbol: String::new(),
            definition,
            denominations: pieces.map(name).into(),
        }],
        selected: 0,
        base_unit: BaseUnit { name: "Knut".to_owned(), symbol: String::new() },
        terms: ItemTerms::default(),
        rules: vec![
            rule("increment", RuleType::MinIncrement, increment),
            rule("galleons", RuleType::RequiredDenomination, galleons),
        ],
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
    use crate::pages::items::judgement::Judge;

    fn judge() -> Judge {
        Judge::all(&desk()).pop().expect("one currency")
    }

    fn typed(counts: [&str; 3]) -> Vec<String> {
        counts.map(str::to_owned).into()
    }

    #[test]
    fn the_example_begins_with_something_to_do() {
        let judgement = judge().judge(&typed(["1", "18", ""]), Some(HIGHEST));
        assert_eq!(judgement.normalized.as_deref(), Some("1015"));
        assert_eq!(judgement.violations.len(), 2);
    }

    #[test]
    fn the_least_bid_would_lead() {
        let judge = judge();
        let least = judge.least(Some(HIGHEST)).expect("a bid");
        assert!(judge.judge(&least, Some(HIGHEST)).accepted());
    }

    #[test]
    fn an_empty_field_is_an_absent_one() {
        let judge = judge();
        assert_eq!(judge.bid(&typed(["", " ", ""])).entered_representation, None);
        let bid = judge.bid(&typed(["3", "", " 7 "])).entered_representation.expect("counts");
        let counts: Vec<_> =
            bid.iter().map(|entry| (entry.denomination.as_str(), entry.count.as_str())).collect();
        assert_eq!(counts, [("GALLEON", "3"), ("KNUT", "7")]);
        assert!(judge.judge(&typed(["", "", ""]), None).empty);
    }

    #[test]
    fn a_violation_stands_beside_its_field() {
        let judge = judge();
        let judgement = judge.judge(&typed(["1", "x", ""]), None);
        let slots: Vec<_> = judgement.violations.iter().map(|violation| judge.slot(violation)).collect();
        assert_eq!(slots, [Some(1)]);
    }

    #[test]
    fn a_piece_says_what_it_is_worth() {
        assert_eq!(judge().worth_of_one(1).as_deref(), Some("29"));
    }
}
