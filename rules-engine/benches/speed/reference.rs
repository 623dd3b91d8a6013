//! The reference decision: three denominations, four conditions, and 4096 bids of which half are accepted and
//! an eighth each violate one, two, three and all four conditions.

use rules_engine::{
    Amount, BidContext, DenominationDefinition, FractionPolicy, InputMode, ItemTerms, Normalized,
    ProfileDefinition, RuleDefinition, RuleParams, RuleSet, RuleType,
};

pub const RATE: &str = "1.0825";
/// Code and factor.
pub const DENOMINATIONS: [(&str, &str); 3] = [("CROWN", "100"), ("FLORIN", "12.5"), ("GROAT", "0.25")];
pub const INCREMENT: &str = "25";
/// At least this share in the first denomination …
pub const MIN_RATIO: &str = "0.4";
/// … and this many of the second.
pub const MIN_COUNT: &str = "2";

const BIDS: usize = 4096;

/// One bid, and the highest bid.
#[derive(Clone)]
pub struct Reference {
    /// Count of each denomination.
    pub counts: [u32; 3],
    /// In hundredths of a base unit.
    pub highest: u32,
}

impl Reference {
    pub fn highest(&self) -> Normalized {
        let hundredths = i128::from(self.highest);
        Normalized::from_mantissa(hundredths * 10_i128.pow(11)).expect("within the range")
    }

    pub fn amounts(&self) -> [Amount; 3] {
        self.counts
            .map(|count| Amount::from_mantissa(i128::from(count) * 100_000_000).expect("within the range"))
    }

    /// The whole case as JSON.
    pub fn json(&self) -> String {
        let (profile, rules) = (to_json(&profile()), to_json(&rules()));
        let entry = |(count, (code, _)): (&u32, &(&str, &str))| {
            format!(r#"{{"denomination":"{code}","count":"{count}"}}"#)
        };
        let entries: Vec<String> = self.counts.iter().zip(&DENOMINATIONS).map(entry).collect();
        format!(
            r#"{{"profile":{profile},"rules":{rules},"item":{{"minBidNormalized":null,"minIncrementNormalized":null}},"highest":"{}","bid":{{"enteredRepresentation":[{}]}}}}"#,
            self.highest(),
            entries.join(",")
        )
    }
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("JSON")
}

pub fn profile() -> ProfileDefinition {
    let denomination = |(code, factor): (&str, &str)| DenominationDefinition {
        code: code.into(),
        factor: factor.into(),
        written: true,
    };
    ProfileDefinition {
        id: "crowns".into(),
        input_mode: InputMode::Denomination,
        rate_to_base: RATE.into(),
        precision: 0,
        fraction_policy: FractionPolicy::Reject,
        denominations: DENOMINATIONS.map(denomination).into(),
    }
}

pub fn rules() -> Vec<RuleDefinition> {
    let [first, second, _] = DENOMINATIONS.map(|(code, _)| Some(code.to_owned()));
    let rule = |id: &str, position, rule_type, params| RuleDefinition {
        id: id.into(),
        currency_profile_id: Some("crowns".into()),
        rule_type,
        params,
        enabled: true,
        position,
    };
    let increment = RuleParams { amount: Some(INCREMENT.into()), ..RuleParams::default() };
    let share =
        RuleParams { denomination: first, min_ratio: Some(MIN_RATIO.into()), ..RuleParams::default() };
    let required =
        RuleParams { denomination: second, min_count: Some(MIN_COUNT.into()), ..RuleParams::default() };
    vec![
        rule("increment", 0, RuleType::MinIncrement, increment),
        rule("share", 1, RuleType::MinComponentRatio, share),
        rule("required", 2, RuleType::RequiredDenomination, required),
    ]
}

pub fn rule_set() -> RuleSet {
    RuleSet::compile(&profile(), &rules(), &ItemTerms::default()).expect("within the bounds")
}

/// The same 4096 bids in the same order at every run.
pub fn bids() -> Vec<Reference> {
    let rules = rule_set();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    // The remaining bids by number of violated conditions.
    let mut remaining = [BIDS / 2, BIDS / 8, BIDS / 8, BIDS / 8, BIDS / 8];
    let mut bids = Vec::new();
    let mut breaches = Vec::new();
    while bids.len() < BIDS {
        let counts = [random.below(12), random.below(12), random.below(2_000)];
        let bid = Reference { counts, highest: random.below(200_000) };
        let Some(read) = rules.count(&bid.amounts()) else { continue };
        breaches.clear();
        rules.evaluate_into(BidContext::over(Some(bid.highest())), &read, &mut breaches);
        let left = &mut remaining[breaches.len()];
        if *left > 0 {
            *left -= 1;
            bids.push(bid);
        }
    }
    for at in (1..bids.len()).rev() {
        bids.swap(at, random.below(at as u32 + 1) as usize);
    }
    bids
}

/// Marsaglia's xorshift: random enough to mix bids, and the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32 % end
    }
}
