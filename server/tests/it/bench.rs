//! The parts of `farthing bench` that need no measurement.

use server::cli::bench::load::is_complete;
use server::cli::bench::table::{BIDS, Row, Unit, table};

#[test]
fn a_limit_applies_to_the_median() {
    let mut speed = Row::speed("bids", 0.45, 0.6);
    let mut cost = Row::cost("a bid", Unit::Milliseconds, 2.0, 1.5);
    for ratio in [0.9, 0.1, 0.45] {
        speed.add(ratio);
        cost.add(4.0 * ratio);
    }
    assert!(speed.holds() && cost.holds());
    speed.add(0.2);
    cost.add(3.0);
    assert!(!speed.holds() && !cost.holds());
    assert!(Row::plain("nothing", Unit::Ratio).holds());
    assert!(table(&[speed]).contains("| 0.325 | 0.100–0.900 | ≥ 0.45 | ≥ 0.6 |"));
    assert!(table(&[cost]).contains("| 2 ms | 0 ms–4 ms | ≤ 2 ms | ≤ 1.5 ms |"));
}

#[test]
fn each_database_keeps_its_table() {
    let one = BIDS.with("", "SQLite", "| a |\n", "2026-01-01", 5);
    let both = BIDS.with(&one, "PostgreSQL", "| b |\n", "2026-01-02", 5);
    let again = BIDS.with(&both, "SQLite", "| c |\n", "2026-01-03", 5);
    assert!(both.contains("| a |\n\n## PostgreSQL\n") && both.ends_with("| b |\n"));
    assert!(!again.contains("| a |") && again.contains("| b |") && again.contains("| c |"));
    assert_eq!(BIDS.with(&again, "SQLite", "| c |\n", "2026-01-03", 5), again);
}

#[test]
fn an_answer_ends_after_its_body() {
    assert!(!is_complete(b"HTTP/1.1 200 OK\r\n"));
    assert!(!is_complete(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"));
    assert!(is_complete(b"HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n{}"));
    assert!(!is_complete(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n"));
    assert!(is_complete(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"));
}
