//! The words of rules: of each type, of each parameter in the form, and of one rule as a sentence with the
//! names of the auction's currencies.

use app::components::field::Field;
use app::components::money::{amount_in, base_amount, counted, percent};
use app::model::{BaseUnit, Noun};
use rules_engine::{Literal, RuleDefinition, RuleParams, RuleType};

use crate::pages::currencies::CurrenciesPage;

/// Field for the currency whose bids a rule judges.
pub const CURRENCY: Field =
    Field::new("currencyProfileId", "For bids in", "Choose a currency of the list.").called("the currency");
pub const DENOMINATION: Field =
    Field::new("params.denomination", "Denomination", "Choose a denomination of the list.");
pub const AMOUNT: Field =
    Field::new("params.amount", "Amount", "Enter the amount as a number above 0, such as 5 or 0.5.");
pub const PERCENT: Field = Field::new("params.percent", "Percent", "Enter a percentage above 0, up to 100.")
    .called("the percentage");
pub const STEP: Field =
    Field::new("params.step", "Step", "Enter the step as a number above 0, such as 5 or 0.5.");
pub const LADDER: Field = Field::new(
    "params.ladder",
    "Values",
    "Enter amounts that rise, the last below ten times the first, such as 100 120 150 200 500.",
);
pub const TIERS: Field = Field::new("params.tiers", "Tiers", "Enter at least one tier.");
pub const TIER_FROM: Field = Field::cell(
    "Tier",
    "params.tiers.*.from",
    "from",
    "Enter where it starts: 0 in the first tier, and more in each next.",
)
.called("the start");
pub const TIER_AMOUNT: Field =
    Field::cell("Tier", "params.tiers.*.amount", "amount", "Enter the increment as a number above 0.")
        .called("the increment");
pub const TIER_STEP: Field =
    Field::cell("Tier", "params.tiers.*.step", "step", "Enter the step as a number above 0.");
const MIN_PERCENT: Field =
    Field::new("params.minPercent", "Minimum share", "Enter a percentage from 1 to 100.");
const MIN_COUNT: Field =
    Field::new("params.minCount", "Minimum count", "Enter how many there must be: a number above 0.");
/// Fields that the forms of all types of rules share.
pub const FIELDS: &[Field] = &[
    CURRENCY,
    DENOMINATION,
    AMOUNT,
    PERCENT,
    STEP,
    LADDER,
    TIERS,
    TIER_FROM,
    TIER_AMOUNT,
    TIER_STEP,
    MIN_PERCENT,
    MIN_COUNT,
];

/// Title of a type of rules, and what such a rule requires.
pub struct TypeWords {
    pub title: &'static str,
    pub about: &'static str,
}

pub fn type_words(kind: RuleType) -> TypeWords {
    let (title, about) = match kind {
        RuleType::MinIncrement => ("Minimum increment", "How much higher the next bid must be"),
        RuleType::Step => ("Steps", "Such as 5, 10, 15, and nothing between"),
        RuleType::MaxIncrement => ("Largest rise", "How much higher the next bid may be"),
        RuleType::MaxBid => ("Largest bid", "No bid is higher than this"),
        RuleType::MinComponentRatio => ("Share of the value", "Such as half of the value in Galleons"),
        RuleType::RequiredDenomination => ("Required denomination", "Such as two Sickles in every bid"),
    };
    TypeWords { title, about }
}

/// The field of a parameter, and its hint. Absent for parameters that have no text field of their own.
pub fn parameter_field(name: &str) -> Option<(Field, &'static str)> {
    match name {
        "minRatio" => Some((MIN_PERCENT, "In percent of the bid’s value: 50 is half of it")),
        "minCount" => Some((MIN_COUNT, "Such as 2")),
        _ => None,
    }
}

/// One sentence without its full stop: `At least half of the value in Galleons`. Amounts are in the pieces of
/// the rule's currency, or of the default one.
pub fn in_words(rule: &RuleDefinition, page: &CurrenciesPage) -> String {
    let currency = rule.currency_profile_id.as_ref().and_then(|id| page.currency(id));
    let written_in = currency.map(|entry| Box::new(entry.currency.clone()));
    let unit = &page.base_unit;
    let unit = &BaseUnit { written_in: written_in.or_else(|| unit.written_in.clone()), ..unit.clone() };
    let amount = || amount_in(text(rule.params.amount.as_ref()), unit);
    let words = match rule.rule_type {
        RuleType::MinIncrement => increment(&rule.params, unit),
        RuleType::Step => step(&rule.params, unit),
        RuleType::MaxIncrement => match &rule.params.percent {
            Some(percentage) => format!("At most {}\u{a0}% above the highest bid", percentage.as_str()),
            None => format!("At most {} above the highest bid", amount()),
        },
        RuleType::MaxBid => format!("No bid above {}", amount()),
        RuleType::MinComponentRatio => {
            let share = share(text(rule.params.min_ratio.as_ref()));
            format!("{share} in {}", denomination(rule, page).several())
        }
        RuleType::RequiredDenomination => {
            format!("At least {}", counted(text(rule.params.min_count.as_ref()), denomination(rule, page)))
        }
    };
    match currency {
        Some(entry) if !rule.rule_type.needs_profile() => {
            format!("{words}, for bids in {}", entry.currency.name)
        }
        _ => words,
    }
}

fn increment(params: &RuleParams, unit: &BaseUnit) -> String {
    if let Some(amount) = &params.amount {
        return format!("At least {} above the highest bid", amount_in(amount.as_str(), unit));
    }
    if let Some(percentage) = &params.percent {
        return format!("At least {}\u{a0}% above the highest bid", percentage.as_str());
    }
    let tiers = params.tiers.iter().flatten().map(|tier| {
        let amount = amount_in(text(tier.amount.as_ref()), unit);
        match tier.from.as_str() {
            "0" => format!("At least {amount} above the highest bid"),
            from => format!("then {amount} from {} up", amount_in(from, unit)),
        }
    });
    tiers.collect::<Vec<_>>().join(", ")
}

fn step(params: &RuleParams, unit: &BaseUnit) -> String {
    if let Some(ladder) = &params.ladder {
        return ladder_in_words(ladder, unit);
    }
    if let Some(step) = &params.step {
        return format!("Bids go up in steps of {}", amount_in(step.as_str(), unit));
    }
    let tiers = params.tiers.iter().flatten().map(|tier| {
        let step = amount_in(text(tier.step.as_ref()), unit);
        match tier.from.as_str() {
            "0" => format!("Bids go up in steps of {step}"),
            from => format!("then of {step} from {} up", amount_in(from, unit)),
        }
    });
    tiers.collect::<Vec<_>>().join(", ")
}

/// The first values of a ladder, and how it goes on.
fn ladder_in_words(ladder: &[Literal], unit: &BaseUnit) -> String {
    const SHOWN: usize = 6;
    let mut values: Vec<&str> = ladder.iter().map(Literal::as_str).collect();
    let last = values.pop().unwrap_or_default();
    if values.is_empty() {
        return format!(
            "Bids from {} up are that amount times 1, 10, 100 and so on",
            base_amount(last, unit)
        );
    }
    if values.len() > SHOWN {
        values.truncate(SHOWN);
        values.push("…");
    }
    let first = values.join(", ");
    format!(
        "Bids go up by the ladder {first}, {}, and ten times as much in each decade",
        base_amount(last, unit)
    )
}

/// The least ratio as text.
fn share(ratio: &str) -> String {
    match ratio {
        "1" => "The whole value".to_owned(),
        "0.5" => "At least half of the value".to_owned(),
        "0.25" => "At least a quarter of the value".to_owned(),
        "0.75" => "At least three quarters of the value".to_owned(),
        ratio => format!("At least {} of the value", percent(ratio)),
    }
}

/// The denomination of the rule.
fn denomination<'a>(rule: &'a RuleDefinition, page: &'a CurrenciesPage) -> Noun<'a> {
    let code = rule.params.denomination.as_deref().unwrap_or_default();
    let entry = rule.currency_profile_id.as_ref().and_then(|id| page.currency(id));
    entry.map_or(Noun { one: code, several: None }, |entry| entry.currency.piece(code))
}

fn text(literal: Option<&Literal>) -> &str {
    literal.map_or("", |literal| literal.as_str())
}

#[cfg(test)]
pub(super) mod tests {
    use rules_engine::{FractionPolicy, InputMode, Tier};

    use super::*;
    use crate::pages::currencies::CurrencyEntry;
    use app::model::{AuctionAccess, BaseUnit, BidCurrency, Denomination};

    pub fn page() -> CurrenciesPage {
        let sickle = Denomination {
            code: "SICKLE".to_owned(),
            name: "Sickle".to_owned(),
            plural: Some("Sickles".to_owned()),
            symbol: String::new(),
            factor: Literal::from("29"),
            written: true,
        };
        let entry = CurrencyEntry {
            id: "p".to_owned(),
            code: "GSK".to_owned(),
            is_default: true,
            in_use: false,
            version: 1,
            currency: BidCurrency {
                profile_id: Some("p".to_owned()),
                name: "Wizarding money".to_owned(),
                plural: None,
                symbol: String::new(),
                input_mode: InputMode::Denomination,
                rate_to_base: Literal::from("1"),
                precision: 0,
                fraction_policy: FractionPolicy::Reject,
                denominations: vec![sickle],
            },
            values: Vec::new(),
        };
        CurrenciesPage {
            auction_id: "a".to_owned(),
            auction_name: "Fair".to_owned(),
            auction_version: 1,
            has_book: false,
            base_unit: BaseUnit {
                name: "Knut".to_owned(),
                plural: Some("Knuts".to_owned()),
                ..BaseUnit::default()
            },
            can_edit: true,
            access: AuctionAccess::default(),
            currencies: vec![entry],
            rules: Vec::new(),
        }
    }

    fn words(rule_type: RuleType, currency: Option<&str>, params: RuleParams) -> String {
        let rule = RuleDefinition {
            id: "r".to_owned(),
            currency_profile_id: currency.map(str::to_owned),
            rule_type,
            params,
            enabled: true,
            position: 0,
        };
        in_words(&rule, &page())
    }

    #[test]
    fn every_parameter_of_a_denomination_has_a_field() {
        for kind in RuleType::ALL.into_iter().filter(|kind| kind.needs_profile()) {
            for parameter in kind.parameters().filter(|parameter| parameter.name != "denomination") {
                assert!(parameter_field(parameter.name).is_some(), "{}", parameter.name);
            }
        }
    }

    #[test]
    fn an_increment_says_how_much_above() {
        let amount = RuleParams { amount: Some(Literal::from("1")), ..RuleParams::default() };
        assert_eq!(words(RuleType::MinIncrement, None, amount), "At least 1\u{a0}Knut above the highest bid");
        let percent = RuleParams { percent: Some(Literal::from("2.5")), ..RuleParams::default() };
        assert_eq!(
            words(RuleType::MinIncrement, Some("p"), percent),
            "At least 2.5\u{a0}% above the highest bid, for bids in Wizarding money"
        );
        let tier = |from, amount| Tier {
            from: Literal::from(from),
            amount: Some(Literal::from(amount)),
            step: None,
        };
        let tiers =
            RuleParams { tiers: Some(vec![tier("0", "1"), tier("100", "5")]), ..RuleParams::default() };
        assert_eq!(
            words(RuleType::MinIncrement, None, tiers),
            "At least 1\u{a0}Knut above the highest bid, then 5\u{a0}Knuts from 100\u{a0}Knuts up"
        );
    }

    #[test]
    fn a_step_says_how_bids_go_up() {
        let step = RuleParams { step: Some(Literal::from("5")), ..RuleParams::default() };
        assert_eq!(
            words(RuleType::Step, Some("p"), step),
            "Bids go up in steps of 5\u{a0}Knuts, for bids in Wizarding money"
        );
        let tier =
            |from, step| Tier { from: Literal::from(from), amount: None, step: Some(Literal::from(step)) };
        let tiers =
            RuleParams { tiers: Some(vec![tier("0", "1"), tier("100", "5")]), ..RuleParams::default() };
        assert_eq!(
            words(RuleType::Step, None, tiers),
            "Bids go up in steps of 1\u{a0}Knut, then of 5\u{a0}Knuts from 100\u{a0}Knuts up"
        );
    }

    #[test]
    fn a_ladder_names_its_first_values() {
        let ladder = |values: &[&str]| RuleParams {
            ladder: Some(values.iter().map(|value| Literal::from(*value)).collect()),
            ..RuleParams::default()
        };
        assert_eq!(
            words(RuleType::Step, None, ladder(&["1", "2", "5"])),
            "Bids go up by the ladder 1, 2, 5\u{a0}Knuts, and ten times as much in each decade"
        );
        assert_eq!(
            words(RuleType::Step, None, ladder(&["10", "12", "15", "18", "20", "22", "25", "28", "30"])),
            "Bids go up by the ladder 10, 12, 15, 18, 20, 22, …, 30\u{a0}Knuts, and ten times as much in each decade"
        );
        assert_eq!(
            words(RuleType::Step, None, ladder(&["5"])),
            "Bids from 5\u{a0}Knuts up are that amount times 1, 10, 100 and so on"
        );
    }

    #[test]
    fn upper_limits_say_how_much() {
        let amount = || RuleParams { amount: Some(Literal::from("50")), ..RuleParams::default() };
        assert_eq!(words(RuleType::MaxBid, None, amount()), "No bid above 50\u{a0}Knuts");
        let in_pieces = RuleParams { amount: Some(Literal::from("58")), ..RuleParams::default() };
        assert_eq!(
            words(RuleType::MaxBid, Some("p"), in_pieces),
            "No bid above 2\u{a0}Sickles (58\u{a0}Knuts), for bids in Wizarding money"
        );
        assert_eq!(
            words(RuleType::MaxIncrement, Some("p"), amount()),
            "At most 50\u{a0}Knuts above the highest bid, for bids in Wizarding money"
        );
        let percent = RuleParams { percent: Some(Literal::from("20")), ..RuleParams::default() };
        assert_eq!(words(RuleType::MaxIncrement, None, percent), "At most 20\u{a0}% above the highest bid");
    }

    #[test]
    fn a_ratio_is_a_share_of_the_value() {
        let ratio = |ratio| RuleParams {
            denomination: Some("SICKLE".to_owned()),
            min_ratio: Some(Literal::from(ratio)),
            ..RuleParams::default()
        };
        let text = |share| words(RuleType::MinComponentRatio, Some("p"), ratio(share));
        assert_eq!(text("0.5"), "At least half of the value in Sickles");
        assert_eq!(text("1"), "The whole value in Sickles");
        assert_eq!(text("0.333"), "At least 33.3\u{a0}% of the value in Sickles");
    }

    #[test]
    fn a_count_names_the_denomination() {
        let params = RuleParams {
            denomination: Some("SICKLE".to_owned()),
            min_count: Some(Literal::from("2")),
            ..RuleParams::default()
        };
        assert_eq!(words(RuleType::RequiredDenomination, Some("p"), params), "At least 2\u{a0}Sickles");
    }
}
