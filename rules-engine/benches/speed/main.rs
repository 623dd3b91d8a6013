//! `cargo bench -p rules-engine`: the speed of the engine compared with hand-written code, in one table.
//!
//! Times differ from machine to machine and from minute to minute; the ratio of two times that are measured
//! alternately does not. So the limits apply to ratios, and a ratio above its limit fails the run.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints its results, and stops if its own cases are invalid"
)]

mod by_hand;
mod by_hand_json;
mod reference;

use std::{hint::black_box, process::ExitCode, time::Instant};

use reference::Reference;
use rules_engine::{Amount, BidContext, Normalized};

/// Rounds over all cases.
const ROUNDS: usize = 301;
/// Cases of one measurement; the median counts. It takes less than a millisecond, so that it is rarely
/// preempted.
const DECISIONS: usize = 4096;
const ANSWERS: usize = 128;

/// Cases from JSON to JSON: few enough for the processor's cache.
const TEXTS: usize = 512;

/// One comparison, in nanoseconds per decision.
struct Row {
    what: &'static str,
    engine: f64,
    by_hand: f64,
    ratio: f64,
    limit: f64,
}

fn main() -> ExitCode {
    let bids = reference::bids();
    let rows = [decide(&bids), answer(&bids)];
    println!("| what | engine | by hand | ratio | limit |\n|---|---:|---:|---:|---:|");
    for Row { what, engine, by_hand, ratio, limit } in &rows {
        let over = if ratio > limit { " **over**" } else { "" };
        println!("| {what} | {engine:.0} ns | {by_hand:.0} ns | {ratio:.2}{over} | {limit:.2} |");
    }
    if rows.iter().any(|row| row.ratio > row.limit) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// From numbers to the list of violated rules.
fn decide(bids: &[Reference]) -> Row {
    let rules = reference::rule_set();
    let own: Vec<([Amount; 3], Normalized)> = bids.iter().map(|bid| (bid.amounts(), bid.highest())).collect();
    let auction = by_hand::Auction::reference();
    let theirs: Vec<by_hand::Bid> = bids.iter().map(by_hand::Bid::from).collect();

    let engine = |(counts, highest): &([Amount; 3], Normalized)| {
        let mut breaches = Vec::new();
        if let Some(bid) = &rules.count(counts) {
            rules.evaluate_into(BidContext::over(Some(*highest)), bid, &mut breaches);
        }
        breaches
    };
    let by_hand = |bid: &by_hand::Bid| auction.evaluate(bid);
    for (own, theirs) in own.iter().zip(&theirs) {
        assert_eq!(engine(own).len(), by_hand(theirs).len());
    }
    compare(
        "evaluate, mixed bids, against `rust_decimal`",
        0.50,
        DECISIONS,
        (&own, engine),
        (&theirs, by_hand),
    )
}

/// From JSON to JSON.
fn answer(bids: &[Reference]) -> Row {
    let cases: Vec<String> = bids.iter().take(TEXTS).map(Reference::json).collect();
    for case in &cases {
        assert_eq!(rules_engine::evaluate(case), by_hand_json::evaluate(case), "{case}");
    }
    let engine = |case: &String| rules_engine::evaluate(case);
    let by_hand = |case: &String| by_hand_json::evaluate(case);
    compare("evaluate, JSON to JSON, against `serde_json`", 1.0, ANSWERS, (&cases, engine), (&cases, by_hand))
}

/// Measures both alternately over all cases, so that anything that slows the machine slows both.
fn compare<A, B, R, S>(
    what: &'static str,
    limit: f64,
    turn: usize,
    (own, engine): (&[A], impl Fn(&A) -> R),
    (theirs, by_hand): (&[B], impl Fn(&B) -> S),
) -> Row {
    let mut turns: Vec<(f64, f64)> = Vec::new();
    for _ in 0..ROUNDS {
        let pairs = own.chunks(turn).zip(theirs.chunks(turn));
        turns.extend(pairs.map(|(own, theirs)| (each(own, &engine), each(theirs, &by_hand))));
    }
    Row {
        what,
        engine: median(turns.iter().map(|(engine, _)| *engine)),
        by_hand: median(turns.iter().map(|(_, by_hand)| *by_hand)),
        ratio: median(turns.iter().map(|(engine, by_hand)| engine / by_hand)),
        limit,
    }
}

/// Nanoseconds per case.
fn each<T, R>(cases: &[T], run: impl Fn(&T) -> R) -> f64 {
    let begun = Instant::now();
    for case in cases {
        black_box(run(black_box(case)));
    }
    begun.elapsed().as_secs_f64() * 1e9 / cases.len() as f64
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
