//! The bid that a person can hand over, against a table of every amount.

use proptest::{collection::vec, option, prelude::*, sample::select};
use rules_engine::{
    BidContext, DenominationDefinition, Entered, FractionPolicy, InputMode, ItemTerms, Literal, Normalized,
    ProfileDefinition, RuleDefinition, RuleParams, RuleSet, RuleType,
};

/// Pieces with whole factors, and what rules ask of a bid.
#[derive(Clone, Debug)]
struct Sale {
    factors: Vec<u64>,
    /// Pieces that are not written.
    unwritten: Vec<usize>,
    least: u64,
    most: Option<u64>,
    step: Option<u64>,
    ladder: bool,
    /// A piece and how many of it are required.
    required: Option<(usize, u64)>,
    /// A piece and its least share, in ten-thousandths.
    share: Option<(usize, u64)>,
}

const LADDER: [u64; 6] = [100, 120, 150, 200, 300, 700];

fn literal(number: u64) -> Literal {
    number.to_string().as_str().into()
}

impl Sale {
    fn code(at: usize) -> String {
        format!("C{at}")
    }

    fn compile(&self) -> RuleSet {
        let denomination = |(at, factor): (usize, &u64)| DenominationDefinition {
            code: Self::code(at),
            factor: literal(*factor),
            written: self.is_written(at),
        };
        let profile = ProfileDefinition {
            id: "p".into(),
            input_mode: InputMode::Denomination,
            rate_to_base: "1".into(),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: self.factors.iter().enumerate().map(denomination).collect(),
        };
        let none = RuleParams::default;
        let mut rules: Vec<(RuleType, RuleParams)> = Vec::new();
        if let Some(most) = self.most {
            rules.push((RuleType::MaxBid, RuleParams { amount: Some(literal(most)), ..none() }));
        }
        if let Some(step) = self.step {
            rules.push((RuleType::Step, RuleParams { step: Some(literal(step)), ..none() }));
        }
        if self.ladder {
            let ladder = LADDER.into_iter().map(literal).collect();
            rules.push((RuleType::Step, RuleParams { ladder: Some(ladder), ..none() }));
        }
        if let Some((at, count)) = self.required {
            let (denomination, min_count) = (Some(Self::code(at)), Some(literal(count)));
            rules.push((RuleType::RequiredDenomination, RuleParams { denomination, min_count, ..none() }));
        }
        if let Some((at, share)) = self.share {
            let min_ratio = Some(format!("0.{share:04}").as_str().into());
            let denomination = Some(Self::code(at));
            rules.push((RuleType::MinComponentRatio, RuleParams { denomination, min_ratio, ..none() }));
        }
        let rule = |(at, (rule_type, params)): (usize, (RuleType, RuleParams))| RuleDefinition {
            id: format!("r{at}"),
            currency_profile_id: Some("p".into()),
            rule_type,
            params,
            enabled: true,
            position: 0,
        };
        let rules: Vec<RuleDefinition> = rules.into_iter().enumerate().map(rule).collect();
        let minimum: Normalized = self.least.to_string().parse().expect("an amount");
        let item = ItemTerms { min_bid_normalized: Some(minimum), ..ItemTerms::default() };
        RuleSet::compile(&profile, &rules, &item).expect("bounds")
    }

    fn is_written(&self, at: usize) -> bool {
        !self.unwritten.contains(&at)
    }

    fn accepts(&self, value: u64) -> bool {
        let on_ladder = || (0..9).any(|n| LADDER.iter().any(|each| each * 10_u64.pow(n) == value));
        value > 0
            && value >= self.least
            && self.most.is_none_or(|most| value <= most)
            && self.step.is_none_or(|step| value.is_multiple_of(step))
            && (!self.ladder || value < LADDER[0] || on_ladder())
    }

    /// What the rules demand of each piece in a bid of this value.
    fn demanded(&self, value: u64) -> Vec<u64> {
        let mut counts = vec![0; self.factors.len()];
        if let Some((at, count)) = self.required {
            counts[at] = count;
        }
        if let Some((at, share)) = self.share {
            counts[at] = counts[at].max((value * share).div_ceil(self.factors[at] * 10_000));
        }
        counts
    }

    /// The fewest written pieces for every value up to `end`.
    fn table(&self, end: u64) -> Vec<Option<u64>> {
        let mut fewest: Vec<Option<u64>> = vec![Some(0)];
        for value in 1..=end {
            let written = self.factors.iter().enumerate().filter(|(at, _)| self.is_written(*at));
            let before = written.filter_map(|(_, factor)| {
                let rest = usize::try_from(value.checked_sub(*factor)?).expect("small");
                fewest[rest]
            });
            let least = before.min().map(|least| least + 1);
            fewest.push(least);
        }
        fewest
    }

    /// The fewest pieces of an accepted bid of each value.
    fn fewest(&self, table: &[Option<u64>], value: u64) -> Option<u64> {
        if !self.accepts(value) {
            return None;
        }
        let demanded = self.demanded(value);
        let worth: u64 = demanded.iter().zip(&self.factors).map(|(count, factor)| count * factor).sum();
        let rest = usize::try_from(value.checked_sub(worth)?).expect("small");
        Some(table.get(rest).copied().flatten()? + demanded.iter().sum::<u64>())
    }

    /// The fewest pieces close to the least value with their value, and the least value; none if there is no
    /// bid up to `end`.
    fn best(&self, end: u64) -> Option<((u64, u64), u64)> {
        let table = self.table(end);
        let least = (1..=end).find(|value| self.fewest(&table, *value).is_some())?;
        let smallest = self.factors.iter().enumerate().filter(|(at, _)| self.is_written(*at));
        let smallest = smallest.map(|(_, factor)| *factor).min().unwrap_or(0);
        let close = least..=(least + smallest.max(least / 100)).min(end);
        let best = close.filter_map(|value| Some((self.fewest(&table, value)?, value))).min()?;
        Some((best, least))
    }

    /// What the engine suggests: how many pieces, and their value.
    fn suggested(&self) -> Option<(u64, u64)> {
        let bid = self.compile().suggest(BidContext::default())?;
        let mut pieces = (0, 0);
        for entry in bid.entered_representation.iter().flatten() {
            let count: u64 = entry.count.as_str().parse().expect("whole");
            let at =
                (0..self.factors.len()).find(|at| Self::code(*at) == entry.denomination).expect("a code");
            pieces = (pieces.0 + count, pieces.1 + count * self.factors[at]);
        }
        Some(pieces)
    }

    /// Whether the written pieces divide one another and nothing is demanded, so that the least value counts.
    fn is_plain(&self) -> bool {
        let written = self.factors.iter().enumerate().filter(|(at, _)| self.is_written(*at));
        let mut written: Vec<u64> = written.map(|(_, factor)| *factor).collect();
        written.sort_unstable();
        let divide = written.windows(2).all(|pair| pair[1].is_multiple_of(pair[0]));
        divide && self.required.is_none() && self.share.is_none()
    }
}

fn sale() -> impl Strategy<Value = Sale> {
    let factors = prop_oneof![
        vec(1_u64..60, 1..=6),
        vec(1_u64..1_000, 2..=6),
        select(vec![vec![252, 240, 60, 12, 6, 1], vec![50, 30, 1], vec![25, 20, 10, 5, 1], vec![1000, 7]]),
    ];
    let parts = factors.prop_flat_map(|factors| {
        let count = factors.len();
        let unwritten = option::weighted(0.3, 0..count);
        let required = option::weighted(0.15, (0..count, 1_u64..20));
        let share = option::weighted(0.15, (0..count, 1_u64..9_000));
        let step = option::weighted(0.2, select(vec![2_u64, 5, 6, 25, 100]));
        let least = prop_oneof![1_u64..200, 1_u64..4_000];
        (
            Just(factors),
            unwritten,
            least,
            option::weighted(0.2, 0_u64..300),
            step,
            any::<u8>(),
            required,
            share,
        )
    });
    parts.prop_map(|(factors, unwritten, least, room, step, ladder, required, share)| Sale {
        unwritten: unwritten.into_iter().filter(|_| factors.len() > 1).collect(),
        most: room.map(|room| least + room),
        ladder: ladder < 30,
        factors,
        least,
        step,
        required,
        share,
    })
}

/// Sixteen pieces of about the same value, with three digits each: without a limit on its branches the search
/// would not end.
fn close_pieces() -> impl Strategy<Value = Vec<u64>> {
    vec(900_000_u64..1_000_000, 16)
}

proptest! {
    #![proptest_config(crate::tries())]

    /// The search ends: without its bounds these pieces would take hours. The time has room for a busy
    /// machine.
    #[test]
    fn many_close_pieces_take_bounded_work(factors in close_pieces(), least in 1_u64..1_000_000_000_000) {
        let sale = Sale {
            unwritten: vec![],
            least,
            most: None,
            step: None,
            ladder: false,
            required: None,
            share: None,
            factors,
        };
        let rules = sale.compile();
        let begun = std::time::Instant::now();
        let suggested = rules.suggest(BidContext::default());
        prop_assert!(begun.elapsed().as_secs() < 2, "{:?}", begun.elapsed());
        prop_assert!(suggested.is_some());
    }

    /// An amount in written pieces is worth exactly that, and every multiple of the smallest piece has one.
    #[test]
    fn an_amount_in_pieces_is_worth_it(sale in sale(), amount in 1_u64..1_000_000) {
        let rules = sale.compile();
        let value: Normalized = amount.to_string().parse().expect("an amount");
        let written = Entered::worth(rules.profile(), value);
        if let Some(written) = &written {
            let bid = written.into();
            prop_assert_eq!(rules.normalize(&bid).map(|(_, worth)| worth), Ok(value));
            let Entered::Representation(counts) = written else { panic!("pieces") };
            for (at, _) in sale.factors.iter().enumerate().filter(|(at, _)| !sale.is_written(*at)) {
                prop_assert!(counts.iter().all(|(code, _)| *code != Sale::code(at)));
            }
        }
        let smallest = sale.factors.iter().enumerate().filter(|(at, _)| sale.is_written(*at));
        let smallest = smallest.map(|(_, factor)| *factor).min().unwrap_or(1);
        prop_assert!(written.is_some() || !amount.is_multiple_of(smallest));
    }

    /// A suggested bid and the words of its value are the same pieces, unless rules demand some.
    #[test]
    fn words_of_a_suggested_value_are_its_pieces(sale in sale()) {
        let sale = Sale { required: None, share: None, ..sale };
        let rules = sale.compile();
        if let Some(suggested) = rules.suggest(BidContext::default()) {
            let (_, worth) = rules.normalize(&suggested).expect("a bid");
            let written = Entered::worth(rules.profile(), worth).expect("pieces");
            prop_assert_eq!(rules_engine::BidForm::from(&written), suggested);
        }
    }

    /// With six pieces and values of this size nothing but the fewest pieces will do.
    #[test]
    fn few_pieces_are_the_fewest(sale in sale()) {
        let end = 12_000;
        let suggested = sale.suggested();
        match sale.best(end) {
            Some((_, least)) if sale.is_plain() => prop_assert_eq!(suggested.map(|pieces| pieces.1), Some(least)),
            Some((best, _)) => prop_assert_eq!(suggested, Some(best)),
            None => prop_assert!(suggested.is_none_or(|pieces| pieces.1 > end), "{:?}", suggested),
        }
    }
}

/// A sale with larger amounts, nearly up to the bound of section 7, and mostly a share of any size.
fn large_sale() -> impl Strategy<Value = Sale> {
    let share = option::weighted(0.7, (0_usize..6, 1_u64..9_999));
    (sale(), 1_u64..90_000, any::<bool>(), share).prop_map(|(sale, least, is_large, share)| {
        let least = if is_large { least } else { sale.least };
        let most = sale.most.map(|most| most - sale.least + least);
        let share = share.map(|(at, share)| (at % sale.factors.len(), share)).or(sale.share);
        Sale { least, most, share, ..sale }
    })
}

proptest! {
    #![proptest_config(crate::tries())]

    /// Up to 10^5 times the largest amount that divides every written factor, however far a share moves the
    /// least bid away from the minimum.
    #[test]
    fn the_fewest_pieces_are_found_up_to_the_bound(sale in large_sale()) {
        match sale.best(105_000) {
            Some((best, least)) if !sale.is_plain() && least <= 100_000 => {
                prop_assert_eq!(sale.suggested(), Some(best));
            }
            _ => {}
        }
    }
}

/// A share that only a bid far above the minimum can hold, in any but a few thousand amounts.
#[test]
fn a_share_far_above_the_minimum_is_held_by_few_pieces() {
    let sale = Sale {
        factors: vec![802, 109, 182, 534, 672],
        unwritten: vec![],
        least: 12_712,
        most: None,
        step: None,
        ladder: false,
        required: Some((3, 4)),
        share: Some((1, 9_359)),
    };
    assert_eq!(sale.suggested(), Some((291, 33_419)));
}

/// The written pieces are too large, and the demanded one alone is no bid.
#[test]
fn a_piece_that_is_not_written_never_fills_up_a_bid() {
    let sale = Sale {
        factors: vec![74, 477, 871],
        unwritten: vec![0],
        least: 75,
        most: Some(296),
        step: None,
        ladder: false,
        required: None,
        share: Some((0, 1341)),
    };
    assert_eq!(sale.suggested(), None);
}

/// A bid at the most that is accepted would have to hold two pieces, which are worth more than it.
#[test]
fn a_share_that_is_too_large_at_the_most_hides_no_bid_below() {
    let sale = Sale {
        factors: vec![56, 670],
        unwritten: vec![],
        least: 9,
        most: Some(66),
        step: None,
        ladder: false,
        required: None,
        share: Some((0, 8485)),
    };
    assert_eq!(sale.suggested(), Some((1, 56)));
}
