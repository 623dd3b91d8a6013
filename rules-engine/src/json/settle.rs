//! One sealed item as JSON: its bids, their winners and the prices (section 7).

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

use super::{
    CaseAmount,
    case::read,
    draw::{ID, check_copies, checked_seed},
    one_line, writer,
};
use crate::{
    bid::{BidForm, BidText, EnteredCount},
    bounds,
    definition::DefinitionErrors,
    draw::Drawing,
    money::{Literal, Normalized},
    profile::ProfileDefinition,
    rules::{ItemTerms, RuleDefinition, RuleSet},
    settle::{self, MAX_BIDS, PriceRule, SealedBid, SealedTerms, SettledFormat, Tie, TieRule, Win},
    shape::{Text, Value, constant_value, shape},
};

constant_value!(SettledFormat, "expected SEALED");
constant_value!(PriceRule, "expected OWN, NEXT or LOWEST");
constant_value!(TieRule, "expected EARLIEST, ROLL or NOBODY");

shape! {
    /// What `settle` reads: the standing bids on a sealed item, and what decides which of them win.
    pub(crate) struct SettleCase as SettleText {
        /// The format of the item.
        format = "format": SettledFormat,
        /// What winners pay.
        price = "price": PriceRule = PriceRule::Own,
        /// Base units above the best losing bid, with NEXT: 0 to 10^15.
        plus = "plus": Normalized = Normalized::ZERO,
        /// Which of equal bids win if there are too few copies for all of them.
        tie = "tie": TieRule = TieRule::Earliest,
        /// How many bids win, at most: 1–100.
        copies = "copies": u32 [range(min = 1, max = 100)] = 1,
        /// The item's minimum in base units: 0 to 10^15.
        minimum = "minimum": Option<Normalized>,
        /// At most 10 000, in any order.
        bids = "bids": Vec<SettleBid> [length(max = 10_000)],
        /// Currencies of the bids, with their rules, which prices obey too.
        rules = "rules": SettleRules,
        /// With ROLL: 32 bytes in lower-case hexadecimal.
        seed = "seed": Option<String>,
        /// With ROLL: 1–64 characters, part of the text of each draw.
        item_id = "itemId": Option<String>,
    }
}

shape! {
    /// A standing bid: with `amount` or `enteredRepresentation`, as its currency requires.
    pub(crate) struct SettleBid as SettleBidText {
        /// 1–64 characters, unique.
        id = "id": String [length(min = 1, max = 64)],
        /// The id of its currency profile.
        profile = "profile": String,
        /// Units of the currency, in SCALAR mode.
        #[serde(skip_serializing_if = "Option::is_none")]
        amount = "amount": Option<Literal>,
        /// At most 64 counts, in DENOMINATION mode.
        #[serde(skip_serializing_if = "Option::is_none")]
        entered_representation = "enteredRepresentation": Option<Vec<EnteredCount>> [length(max = 64)],
        /// The order of receipt, unique.
        receipt = "receipt": u32,
    }
}

shape! {
    /// The currencies of an auction and its rules, as in cases of `evaluate`.
    pub(crate) struct SettleRules as SettleRulesText {
        /// 1–64, one for each currency of a bid at least.
        profiles = "profiles": Vec<ProfileDefinition> [length(min = 1, max = 64)],
        /// At most 64, each for its own profile or for all.
        rules = "rules": Vec<RuleDefinition> [length(max = 64)],
    }
}

/// Currency profiles of a case, at most.
const MAX_PROFILES: usize = 64;
const PLUS: CaseAmount = CaseAmount { name: "plus", least: Normalized::ZERO };
const MINIMUM: CaseAmount = CaseAmount { name: "minimum", least: Normalized::ZERO };

/// Decides which sealed bids win and what they pay, or `{"error": "…"}` if the case is invalid.
///
/// ```
/// let case = r#"{"format": "SEALED", "price": "NEXT", "plus": 5, "minimum": 100, "rules": {"profiles":
///     [{"id": "gbp", "inputMode": "SCALAR", "rateToBase": 1}], "rules": []}, "bids": [
///     {"id": "a", "profile": "gbp", "amount": 280, "receipt": 1},
///     {"id": "b", "profile": "gbp", "amount": 350, "receipt": 2}]}"#;
/// let answer = rules_engine::settle(case);
/// assert_eq!(answer, r#"{"winners":[{"id":"b","copy":1,"price":"285","amount":"285"}]}"#);
/// ```
#[must_use]
pub fn settle(case: &str) -> String {
    answer(case).unwrap_or_else(|error| writer::error(&error))
}

fn answer(json: &str) -> Result<String, String> {
    let case = read::<SettleCase>(json)?;
    let plus = PLUS.check(Some(case.plus))?.unwrap_or_default();
    let minimum = MINIMUM.check(case.minimum)?;
    let mut errors = DefinitionErrors::default();
    check_copies(case.copies, &mut errors);
    let seed = match (case.tie, &case.seed) {
        (TieRule::Roll, Some(seed)) => checked_seed(seed, &mut errors),
        _ => None,
    };
    if case.tie == TieRule::Roll {
        errors.required("seed", case.seed.as_deref());
        let id = errors.required("itemId", case.item_id.as_deref());
        errors.check(id.is_none_or(bounds::is_id), "itemId", ID);
    }
    check_bids(&case.bids, &mut errors);
    errors.finish().map_err(|errors| one_line("", errors))?;
    let sets = compiled(case.rules, minimum)?;
    let entries = entries(case.bids, &sets)?;
    let item_id = case.item_id.as_deref().unwrap_or_default();
    let tie = match (case.tie, &seed) {
        (TieRule::Nobody, _) => Tie::Nobody,
        (TieRule::Roll, Some(seed)) => Tie::Roll(Drawing { seed, item_id }),
        // INVARIANT: a roll without a seed is an error.
        _ => Tie::Earliest,
    };
    let terms = SealedTerms { copies: case.copies, price: case.price, plus, tie, minimum };
    let bids: Vec<SealedBid<'_>> = entries.iter().map(Entry::bid).collect();
    Ok(written(&entries, &settle::settle(&terms, &bids)))
}

fn check_bids(bids: &[SettleBidText<'_>], errors: &mut DefinitionErrors) {
    errors.check(bids.len() <= MAX_BIDS, "bids", "must have at most 10,000 entries");
    let (mut ids, mut receipts) = (BTreeMap::new(), BTreeSet::new());
    for (at, bid) in bids.iter().enumerate().take(MAX_BIDS) {
        if !bounds::is_id(&bid.id) {
            errors.add(format_args!("bids.{at}.id"), ID);
        } else if ids.insert(&*bid.id, at).is_some() {
            errors.duplicate(format_args!("bids.{at}.id"), "must be unique");
        }
        if !receipts.insert(bid.receipt) {
            errors.duplicate(format_args!("bids.{at}.receipt"), "must be unique");
        }
    }
}

/// The rules of each currency, in the order of the profiles.
fn compiled(rules: SettleRulesText<'_>, minimum: Option<Normalized>) -> Result<Vec<RuleSet>, String> {
    if !(1..=MAX_PROFILES).contains(&rules.profiles.len()) {
        return Err("rules.profiles must have 1 to 64 entries".into());
    }
    let item = ItemTerms { min_bid_normalized: minimum, min_increment_normalized: None };
    let mut sets: Vec<RuleSet> = Vec::new();
    for (at, profile) in rules.profiles.into_iter().enumerate() {
        if sets.iter().any(|set| set.profile().id() == profile.id) {
            return Err(format!("rules.profiles.{at}.id must be unique"));
        }
        let set = RuleSet::build(profile, &rules.rules, &item.text()).map_err(|mut errors| {
            for error in &mut errors {
                if let Some(member) = error.path.strip_prefix("profile.") {
                    error.path = format!("profiles.{at}.{member}");
                }
            }
            one_line("rules.", errors)
        })?;
        sets.push(set);
    }
    Ok(sets)
}

/// A bid in numbers.
struct Entry<'a> {
    id: Text<'a>,
    receipt: u64,
    normalized: Normalized,
    entered: BidForm,
    rules: &'a RuleSet,
}

impl Entry<'_> {
    fn bid(&self) -> SealedBid<'_> {
        let Self { receipt, normalized, entered, rules, .. } = self;
        SealedBid { receipt: *receipt, normalized: *normalized, entered, rules }
    }
}

/// The bids in numbers. One that is no bid in its currency is an error.
fn entries<'a>(bids: Vec<SettleBidText<'a>>, sets: &'a [RuleSet]) -> Result<Vec<Entry<'a>>, String> {
    let entry = |(at, bid): (usize, SettleBidText<'a>)| {
        let SettleBidText { id, profile, amount, entered_representation, receipt } = bid;
        let rules = sets.iter().find(|set| set.profile().id() == profile);
        let rules =
            rules.ok_or_else(|| format!("bids.{at}.profile must be the id of one of the profiles"))?;
        let text = BidText { amount, entered_representation };
        text.check().map_err(|errors| one_line(&format!("bids.{at}."), errors))?;
        let (entered, normalized) = rules.normalize_text(&text).map_err(|violations| {
            let message = violations.first().map(|violation| violation.message.as_str());
            format!("bids.{at} is no bid: {}", message.unwrap_or_default())
        })?;
        Ok(Entry { id, receipt: receipt.into(), normalized, entered: BidForm::from(&entered), rules })
    };
    bids.into_iter().enumerate().map(entry).collect()
}

fn written(entries: &[Entry<'_>], wins: &[Win]) -> String {
    let mut json = String::from(r#"{"winners":"#);
    writer::list(&mut json, wins, |json, win| {
        writer::member(json, r#"{"id":"#, entries.get(win.bid).map(|entry| &*entry.id));
        json.push_str(&format!(r#","copy":{}"#, win.copy));
        writer::member(json, r#","price":"#, Some(&String::from(win.price)));
        json.push(',');
        writer::entered(json, &win.entered);
        json.push('}');
    });
    json.push('}');
    json
}
