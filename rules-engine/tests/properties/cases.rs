//! Generated cases: mostly valid, with numbers of every size, and highest bids close to the bid.

use proptest::{bool::weighted, collection::vec, option, prelude::*, sample::select};
use rules_engine::{
    BidContext, BidForm, DenominationDefinition, EnteredCount, FractionPolicy, InputMode, ItemTerms, Literal,
    Normalized, ProfileDefinition, RuleDefinition, RuleParams, RuleSet, RuleType, Tier,
};

/// What decides a bid, and the bid.
#[derive(Clone, Debug)]
pub struct Case {
    pub profile: ProfileDefinition,
    pub rules: Vec<RuleDefinition>,
    pub item: ItemTerms,
    pub highest: Option<Normalized>,
    pub available: Option<Normalized>,
    pub bid: BidForm,
}

impl Case {
    pub fn compile(&self) -> RuleSet {
        RuleSet::compile(&self.profile, &self.rules, &self.item).expect("cases keep the bounds")
    }

    pub fn context(&self) -> BidContext {
        BidContext { highest: self.highest, available: self.available }
    }

    /// The case in JSON; with `numbers`, literals that are JSON numbers are written as numbers.
    pub fn json(&self, numbers: bool) -> String {
        let json = |value: &dyn erased::Json| value.json();
        let bid = json(&self.bid);
        let bid = if numbers { unquote(&bid) } else { bid };
        format!(
            r#"{{"profile":{},"rules":{},"item":{},"highest":{},"available":{},"bid":{bid}}}"#,
            json(&self.profile),
            json(&self.rules),
            json(&self.item),
            json(&self.highest),
            json(&self.available),
        )
    }
}

mod erased {
    /// The JSON that `serde_json` writes.
    pub trait Json {
        fn json(&self) -> String;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).expect("JSON")
        }
    }
}

/// Removes the quotes from numbers.
fn unquote(json: &str) -> String {
    let part = |part: &str| match serde_json::from_str::<serde_json::Number>(part) {
        Ok(_) => part.to_owned(),
        Err(_) => format!("\"{part}\""),
    };
    let parts = json.split('"').enumerate();
    parts.map(|(at, text)| if at % 2 == 1 { part(text) } else { text.to_owned() }).collect()
}

/// The digits of a decimal above zero, of any size up to so many digits before and after the point.
pub fn positive(integer: usize, fraction: usize) -> impl Strategy<Value = String> {
    let digits = (1..=integer, 0..=fraction).prop_flat_map(|(integer, fraction)| {
        (vec(0_u8..10, integer), vec(0_u8..10, fraction)).prop_map(|(integer, fraction)| {
            let digits = |digits: Vec<u8>| {
                digits.into_iter().map(|digit| char::from(b'0' + digit)).collect::<String>()
            };
            let (integer, fraction) = (digits(integer), digits(fraction));
            if fraction.is_empty() { integer } else { format!("{integer}.{fraction}") }
        })
    });
    digits.prop_map(
        |text| if text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { text } else { "1".into() },
    )
}

fn literal(integer: usize, fraction: usize) -> impl Strategy<Value = Literal> {
    positive(integer, fraction).prop_map(Literal::from)
}

/// At most as large as a bound, or the bound itself.
fn up_to(bound: &'static str, integer: usize, fraction: usize) -> impl Strategy<Value = Literal> {
    prop_oneof![9 => literal(integer, fraction), 1 => Just(Literal::from(bound))]
}

fn normalized(text: &str) -> Normalized {
    text.parse().expect("a normalized amount")
}

/// Numbers that a user may type, valid or not.
fn entered() -> impl Strategy<Value = Literal> {
    let wrong =
        select(vec!["", "-", "abc", "1e3", "+1", ".5", "1.", "1.0000000000", "9999999999999999999", "١"]);
    prop_oneof![
        10 => literal(4, 2),
        6 => literal(2, 6),
        2 => literal(12, 4),
        1 => literal(18, 9),
        1 => select(vec!["0", "-0.0", "000", "1000000000000", "1000000000000.00004", "1000000000000.0001", "0.5", "2.5"])
            .prop_map(Literal::from),
        1 => literal(3, 2).prop_map(|literal| format!("-{literal}").into()),
        1 => wrong.prop_map(Literal::from),
    ]
}

const CODES: [&str; 16] = [
    "A",
    "B",
    "C",
    "D",
    "E",
    "F",
    "G",
    "H",
    "GALLEON",
    "SICKLE",
    "KNUT",
    "X_1",
    "X-2",
    "0-",
    "Z",
    "ABCDEFGHIJKL",
];

fn policy() -> impl Strategy<Value = FractionPolicy> {
    select(FractionPolicy::ALL.to_vec())
}

pub fn profile(mode: InputMode) -> impl Strategy<Value = ProfileDefinition> {
    let count = match mode {
        InputMode::Scalar => 0..=0_usize,
        InputMode::Denomination => 1..=CODES.len(),
    };
    let rate = prop_oneof![Just(Literal::from("1")), up_to("1000000", 6, 6)];
    let factors = prop_oneof![
        3 => count.clone().prop_flat_map(|count| vec(up_to("1000000", 6, 3), count.min(4))),
        1 => count.prop_flat_map(|count| vec(up_to("1000000", 6, 3), count)),
    ];
    let precision = if mode == InputMode::Scalar { 0_u8..=8 } else { 0..=4 };
    let unwritten = option::weighted(0.3, 0..CODES.len());
    (rate, precision, policy(), factors, unwritten).prop_map(
        move |(rate_to_base, precision, fraction_policy, factors, unwritten)| {
            let denomination = |(code, factor): (&str, Literal)| DenominationDefinition {
                code: code.into(),
                factor,
                written: true,
            };
            let mut denominations: Vec<_> = CODES.into_iter().zip(factors).map(denomination).collect();
            if let Some(piece) = unwritten.and_then(|at: usize| denominations.get_mut(at + 1)) {
                piece.written = false;
            }
            let fraction = rate_to_base.as_str().split_once('.').map_or("", |(_, digits)| digits);
            let fine = fraction.trim_end_matches('0').len() > 5;
            let precision = if fine { precision.min(7) } else { precision };
            ProfileDefinition {
                id: "p".into(),
                input_mode: mode,
                rate_to_base,
                precision,
                fraction_policy,
                denominations,
            }
        },
    )
}

/// The starts of up to five tiers, and an amount for each.
fn tiers(amount: impl Strategy<Value = Literal>) -> impl Strategy<Value = Vec<(Literal, Literal)>> {
    vec((1_u64..10_000, amount), 1..6).prop_map(|tiers| {
        let mut from = 0;
        let tier = |(width, amount): (u64, Literal)| {
            let start = from.to_string().as_str().into();
            from += width;
            (start, amount)
        };
        tiers.into_iter().map(tier).collect()
    })
}

fn increment() -> impl Strategy<Value = RuleParams> {
    let tier = |(from, amount)| Tier { from, amount: Some(amount), step: None };
    let tiers = tiers(literal(4, 6)).prop_map(move |tiers| tiers.into_iter().map(tier).collect());
    prop_oneof![
        up_to("1000000000000000", 4, 6)
            .prop_map(|amount| RuleParams { amount: Some(amount), ..RuleParams::default() }),
        up_to("100", 2, 3).prop_map(|percent| RuleParams { percent: Some(percent), ..RuleParams::default() }),
        tiers.prop_map(|tiers| RuleParams { tiers: Some(tiers), ..RuleParams::default() }),
    ]
}

/// Steps of every size, and often those that auctions use.
fn step() -> impl Strategy<Value = RuleParams> {
    let size = || {
        let usual = select(vec!["0.01", "0.05", "0.25", "0.5", "1", "2.5", "5", "10", "100"]);
        prop_oneof![2 => usual.prop_map(Literal::from), 1 => up_to("1000000000000000", 4, 6)]
    };
    let tier = |(from, step)| Tier { from, amount: None, step: Some(step) };
    let tiers = tiers(size()).prop_map(move |tiers| tiers.into_iter().map(tier).collect());
    prop_oneof![
        size().prop_map(|step| RuleParams { step: Some(step), ..RuleParams::default() }),
        ladder().prop_map(|ladder| RuleParams { ladder: Some(ladder), ..RuleParams::default() }),
        tiers.prop_map(|tiers| RuleParams { tiers: Some(tiers), ..RuleParams::default() }),
    ]
}

/// Ladders that rise within one decade.
fn ladder() -> impl Strategy<Value = Vec<Literal>> {
    let values = proptest::collection::btree_set(1_u32..899_991, 0..8);
    (values, 0_u32..=6).prop_map(|(values, digits)| {
        let unit = 10_u32.pow(digits);
        let value = |value: u32| {
            let width = usize::try_from(digits).expect("a few");
            let text = format!("{}.{:0width$}", value / unit, value % unit);
            if digits == 0 { value.to_string().as_str().into() } else { text.as_str().into() }
        };
        let values = values.into_iter().map(|value| value + 99_999);
        [99_999].into_iter().chain(values).map(value).collect()
    })
}

/// The most that a bid may rise, or that it may be.
fn limit() -> impl Strategy<Value = (RuleType, RuleParams)> {
    let amount = || up_to("1000000000000000", 8, 6);
    prop_oneof![
        amount().prop_map(|amount| {
            (RuleType::MaxIncrement, RuleParams { amount: Some(amount), ..RuleParams::default() })
        }),
        up_to("1000", 3, 3).prop_map(|percent| {
            (RuleType::MaxIncrement, RuleParams { percent: Some(percent), ..RuleParams::default() })
        }),
        amount().prop_map(|amount| {
            (RuleType::MaxBid, RuleParams { amount: Some(amount), ..RuleParams::default() })
        }),
    ]
}

fn component(denominations: usize) -> impl Strategy<Value = (RuleType, RuleParams)> {
    let code = || (0..denominations).prop_map(|at| CODES.get(at).map(|code| (*code).to_owned()));
    let ratio = prop_oneof![
        (1_u32..=10_000).prop_map(|ratio| if ratio == 10_000 { "1".into() } else { format!("0.{ratio:04}") }),
        select(vec!["0.5", "0.25", "0.4", "1"]).prop_map(String::from),
    ];
    let min_ratio = (code(), ratio).prop_map(|(denomination, ratio)| {
        let params =
            RuleParams { denomination, min_ratio: Some(ratio.as_str().into()), ..RuleParams::default() };
        (RuleType::MinComponentRatio, params)
    });
    let required = (code(), up_to("1000000000000", 2, 4)).prop_map(|(denomination, count)| {
        let params = RuleParams { denomination, min_count: Some(count), ..RuleParams::default() };
        (RuleType::RequiredDenomination, params)
    });
    prop_oneof![min_ratio, required]
}

/// A few rules, of which some are disabled, some of another profile, some at one position.
pub fn rules(denominations: usize) -> BoxedStrategy<Vec<RuleDefinition>> {
    let increment = increment().prop_map(|params| (RuleType::MinIncrement, params));
    let step = step().prop_map(|params| (RuleType::Step, params));
    let amount = prop_oneof![2 => increment, 2 => step, 1 => limit()];
    let rule = match denominations {
        0 => amount.boxed(),
        more => prop_oneof![amount, component(more)].boxed(),
    };
    let settings = (rule, weighted(0.9), 0_u32..4, 0_u8..10);
    vec(settings, 0..6)
        .prop_map(|settings| {
            let define = |(number, settings): (usize, ((RuleType, RuleParams), bool, u32, u8))| {
                let ((rule_type, params), enabled, position, whose) = settings;
                RuleDefinition {
                    id: format!("r{}", number * 7 % 10),
                    currency_profile_id: match whose {
                        0 if !rule_type.needs_profile() => Some("other".into()),
                        1..=3 if !rule_type.needs_profile() => None,
                        _ => Some("p".into()),
                    },
                    rule_type,
                    params,
                    enabled,
                    position,
                }
            };
            settings.into_iter().enumerate().map(define).collect()
        })
        .boxed()
}

fn bid(profile: &ProfileDefinition) -> BoxedStrategy<BidForm> {
    let count = profile.denominations.len();
    if count == 0 {
        return entered().prop_map(|amount| BidForm { amount: Some(amount), ..BidForm::default() }).boxed();
    }
    let known: Vec<&'static str> = CODES.into_iter().take(count).collect();
    let code = prop_oneof![40 => select(known.clone()), 1 => Just("NOPE")];
    let any = vec((code, entered()), 0..=count + 1);
    let sound = (proptest::sample::subsequence(known, 1..=count).prop_shuffle(), vec(literal(4, 2), count))
        .prop_map(|(codes, counts)| codes.into_iter().zip(counts).collect::<Vec<_>>());
    let entry =
        |(denomination, count): (&str, Literal)| EnteredCount { denomination: denomination.into(), count };
    prop_oneof![1 => any, 2 => sound]
        .prop_map(move |entries| BidForm {
            amount: None,
            entered_representation: Some(entries.into_iter().map(entry).collect()),
        })
        .boxed()
}

/// An amount, absolute or at a distance from the bid's value.
#[derive(Clone, Debug)]
enum Mark {
    At(Normalized),
    Near(i128),
}

fn mark() -> impl Strategy<Value = Option<Mark>> {
    let near = select(vec![-1_i128, 0, 1, 10_000_000_000_000, -10_000_000_000_000, 50_000_000_000_000]);
    option::weighted(
        0.7,
        prop_oneof![positive(8, 13).prop_map(|text| Mark::At(normalized(&text))), near.prop_map(Mark::Near),],
    )
}

impl Mark {
    fn amount(self, value: Normalized) -> Normalized {
        match self {
            Self::At(amount) => amount,
            Self::Near(distance) => {
                let most = 10_i128.pow(28);
                Normalized::from_mantissa((value.mantissa() + distance).clamp(1, most)).expect("in range")
            }
        }
    }
}

pub fn mode() -> impl Strategy<Value = InputMode> {
    prop_oneof![1 => Just(InputMode::Scalar), 2 => Just(InputMode::Denomination)]
}

/// What the bidder has, which may be less than nothing, and is often close to the bid's value.
fn available() -> impl Strategy<Value = (bool, Mark)> {
    (weighted(0.1), mark().prop_filter_map("some", |mark| mark))
}

/// A case whose minimum, highest bid and available amount are often at the bid's own value, or next to it.
pub fn case() -> impl Strategy<Value = Case> {
    case_in(mode())
}

/// A case in the given mode.
pub fn case_in(mode: impl Strategy<Value = InputMode>) -> impl Strategy<Value = Case> {
    let profile = mode.prop_flat_map(profile);
    let parts = profile.prop_flat_map(|profile| {
        let (rules, bid) = (rules(profile.denominations.len()), bid(&profile));
        (Just(profile), rules, bid, mark(), mark(), option::of(available()), option::of(positive(4, 6)))
    });
    parts.prop_map(|(profile, rules, bid, minimum, highest, available, increment)| {
        let mut case =
            Case { profile, rules, item: ItemTerms::default(), highest: None, available: None, bid };
        let value = case.compile().normalize(&case.bid).map_or(Normalized::ZERO, |(_, value)| value);
        case.item.min_bid_normalized = minimum.map(|mark| mark.amount(value));
        case.item.min_increment_normalized = increment.map(|text| normalized(&text));
        case.highest = highest.map(|mark| mark.amount(value));
        case.available = available.map(|(debt, mark)| {
            let amount = mark.amount(value).mantissa();
            Normalized::from_mantissa(if debt { -amount } else { amount }).expect("in range")
        });
        case
    })
}
