//! Rules that leave no bid possible together, found while they are made.

use rules_engine::{BidContext, ItemTerms, RuleDefinition, RuleSet, RuleType};

use crate::pages::currencies::CurrenciesPage;

/// Bids, each the least over the one before, that two rules must allow.
const BIDS: usize = 8;

/// Pairs of rules that are switched on and together allow no bid, in one of the auction's currencies.
pub fn conflicts(page: &CurrenciesPage) -> Vec<(&RuleDefinition, &RuleDefinition)> {
    let rules = page.rules.iter().map(|rule| &rule.definition);
    let rules: Vec<&RuleDefinition> = rules.filter(|rule| rule.enabled && is_on_amounts(rule)).collect();
    let pairs = rules.iter().enumerate().flat_map(|(at, first)| {
        let later = rules.iter().skip(at + 1);
        later.map(move |second| (*first, *second))
    });
    pairs.filter(|(first, second)| exclude_each_other(page, first, second)).collect()
}

fn is_on_amounts(rule: &RuleDefinition) -> bool {
    !rule.rule_type.needs_profile()
}

/// Whether no currency that both rules judge has a first bid, or a further one. That a largest bid ends the
/// bidding is its purpose.
fn exclude_each_other(page: &CurrenciesPage, first: &RuleDefinition, second: &RuleDefinition) -> bool {
    let both = [first.clone(), second.clone()];
    let ends = both.iter().any(|rule| rule.rule_type == RuleType::MaxBid);
    let judged = page.currencies.iter().filter(|entry| {
        both.iter().all(|rule| rule.currency_profile_id.as_ref().is_none_or(|id| *id == entry.id))
    });
    let sets = judged.filter_map(|entry| {
        RuleSet::compile(&entry.currency.definition(), &both, &ItemTerms::default()).ok()
    });
    let mut excluded = sets.map(|rules| allowed(&rules) < if ends { 1 } else { BIDS }).peekable();
    excluded.peek().is_some() && excluded.all(|excluded| excluded)
}

/// How many bids the rules allow one after the other, up to [`BIDS`].
fn allowed(rules: &RuleSet) -> usize {
    let mut highest = None;
    for bids in 0..BIDS {
        let bid = rules.suggest(BidContext::over(highest));
        let Some((_, worth)) = bid.and_then(|bid| rules.normalize(&bid).ok()) else { return bids };
        highest = Some(worth);
    }
    BIDS
}

#[cfg(test)]
mod tests {
    use rules_engine::{Literal, RuleParams};

    use super::*;
    use crate::pages::currencies::RuleEntry;
    use crate::pages::currencies::rules::words::tests;
    use app::model::Denomination;

    fn rule(id: &str, rule_type: RuleType, params: RuleParams) -> RuleDefinition {
        RuleDefinition {
            id: id.to_owned(),
            currency_profile_id: None,
            rule_type,
            params,
            enabled: true,
            position: 0,
        }
    }

    fn amount(rule_type: RuleType, amount: &str) -> RuleDefinition {
        let params = RuleParams { amount: Some(Literal::from(amount)), ..RuleParams::default() };
        rule(&format!("{rule_type:?}"), rule_type, params)
    }

    fn step(step: &str) -> RuleDefinition {
        rule("step", RuleType::Step, RuleParams { step: Some(Literal::from(step)), ..RuleParams::default() })
    }

    /// The ids of the rules of which no two can be kept, in an auction with knuts.
    fn found(rules: Vec<RuleDefinition>) -> Vec<[String; 2]> {
        let mut page = tests::page();
        let entry = &mut page.currencies[0];
        let sickle = entry.currency.denominations[0].clone();
        let knut = Denomination { code: "KNUT".to_owned(), factor: Literal::from("1"), ..sickle };
        entry.currency.denominations.push(knut);
        page.rules = rules.into_iter().map(|definition| RuleEntry { version: 1, definition }).collect();
        conflicts(&page).into_iter().map(|(one, other)| [one.id.clone(), other.id.clone()]).collect()
    }

    #[test]
    fn rules_that_leave_no_bid_are_named() {
        let pair = |one: &str, other: &str| vec![[one.to_owned(), other.to_owned()]];
        let rise = |most: &str| amount(RuleType::MaxIncrement, most);
        assert_eq!(
            found(vec![amount(RuleType::MinIncrement, "5"), rise("2")]),
            pair("MinIncrement", "MaxIncrement")
        );
        assert_eq!(found(vec![step("10"), rise("9")]), pair("step", "MaxIncrement"));
        assert_eq!(found(vec![step("150"), amount(RuleType::MaxBid, "100")]), pair("step", "MaxBid"));
        let off = RuleDefinition { enabled: false, ..rise("2") };
        assert!(found(vec![amount(RuleType::MinIncrement, "5"), off]).is_empty());
    }

    #[test]
    fn rules_that_fit_each_other_are_not() {
        let rules = vec![
            amount(RuleType::MinIncrement, "5"),
            amount(RuleType::MaxIncrement, "20"),
            amount(RuleType::MaxBid, "100"),
            step("10"),
        ];
        assert!(found(rules).is_empty());
    }
}
