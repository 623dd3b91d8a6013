//! Runs of a book: the table of SPEC, section 12, the laws, and ten thousand random books against a second
//! implementation, which counts in whole units of the last digit.

#![expect(clippy::expect_used, reason = "a test whose own arithmetic fails has failed")]

#[path = "support/numbers.rs"]
mod numbers;
#[path = "support/second_pot.rs"]
mod second_pot;

use numbers::Numbers;
use rules_engine::{
    Normalized,
    pot::{Caps, Holding, Rest, RunKind, RunParams, RunResult, Share, ShareSource, compute},
    run,
};
use second_pot::Second;
use serde_json::Value;

/// The answer to a case, in which `ids` have these balances.
fn answer(kind: &str, params: &str, caps: &str, holders: &[(&str, &str, &str)]) -> Value {
    let holders: Vec<String> = holders
        .iter()
        .map(|(id, balance, given)| format!(r#"{{"id":"{id}","balance":"{balance}","given":"{given}"}}"#))
        .collect();
    let case = format!(
        r#"{{"kind":"{kind}","params":{params},"caps":{caps},"holders":[{}],"pot":"100"}}"#,
        holders.join(",")
    );
    serde_json::from_str(&run(&case)).expect("JSON")
}

fn column<'a>(answer: &'a Value, name: &str) -> Vec<&'a str> {
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("no rows: {answer}"));
    rows.iter().map(|row| row[name].as_str().expect("a decimal")).collect()
}

fn people(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("p{number}")).collect()
}

fn shared(params: &str, count: usize) -> (Vec<String>, String) {
    let ids = people(count);
    let holders: Vec<(&str, &str, &str)> = ids.iter().map(|id| (id.as_str(), "0", "0")).collect();
    let to: Vec<String> = ids.iter().map(|id| format!(r#"{{"holder":"{id}"}}"#)).collect();
    let params = params.replace("EVERYONE", &to.join(","));
    let answer = answer("SHARE", &params, "null", &holders);
    let amounts = column(&answer, "amount").into_iter().map(str::to_owned).collect();
    (amounts, answer["kept"].as_str().expect("a decimal").to_owned())
}

fn after(kind: &str, params: &str, caps: &str, balance: &str, given: &str) -> String {
    column(&answer(kind, params, caps, &[("p1", balance, given)]), "after")[0].to_owned()
}

#[test]
fn a_share_gives_what_the_table_says() {
    assert_eq!(
        shared(r#"{"amount":"100","to":[EVERYONE]}"#, 3),
        (vec!["33.33".to_owned(); 3], "0.01".to_owned())
    );
    let spread = shared(r#"{"amount":"100","to":[EVERYONE],"rest":"SPREAD"}"#, 3);
    assert_eq!(spread, (["33.34", "33.33", "33.33"].map(str::to_owned).to_vec(), "0".to_owned()));
    let seven = shared(r#"{"amount":300,"to":[EVERYONE]}"#, 7);
    assert_eq!(seven, (vec!["42.85".to_owned(); 7], "0.05".to_owned()));
    let pot = r#"{"auctionId":"a","digits":0,"cuts":[{"holder":"c1","percent":6},{"holder":"c2","percent":"6"}],
        "to":[{"holder":"p1"},{"holder":"p2"},{"holder":"p3"},{"holder":"p4"}]}"#;
    let holders = ["c1", "c2", "p1", "p2", "p3", "p4"].map(|id| (id, "1.5", "0"));
    let cut = answer("SHARE", pot, "null", &holders);
    assert_eq!(column(&cut, "amount"), ["6", "6", "22", "22", "22", "22"]);
    assert_eq!((column(&cut, "after")[5], &cut["kept"]), ("23.5", &Value::from("0")));
}

#[test]
fn a_decay_takes_what_the_table_says() {
    let mut balance = "500".to_owned();
    for expected in ["450", "405", "364.5", "328.05"] {
        balance = after("DECAY", r#"{"percent":10,"to":"ALL"}"#, "null", &balance, "0");
        assert_eq!(balance, expected);
    }
    for (params, had, has) in [
        (r#""percent":15,"floor":20"#, "83", "74"),
        (r#""percent":15,"floor":20,"base":"WHOLE""#, "83", "71"),
        (r#""percent":50,"floor":250"#, "300", "275"),
        (r#""percent":50,"floor":250,"base":"WHOLE""#, "300", "250"),
        (r#""percent":10"#, "-344", "-344"),
        (r#""percent":10,"debts":"SHRINK""#, "-344", "-310"),
    ] {
        let params = format!(r#"{{"digits":0,"to":["p1"],{params}}}"#);
        assert_eq!(after("DECAY", &params, "null", had, "0"), has, "{params}");
    }
}

#[test]
fn caps_leave_what_the_table_says() {
    let (soft, hard) = (r#"{"soft":500,"softPercent":10}"#, r#"{"hard":"100"}"#);
    let weekly = r#"{"weekly":10,"weekStart":"MONDAY","timeZone":"Europe/Berlin"}"#;
    for (caps, had, given, asked, has) in [
        (soft, "492", "0", "20", "501.2"),
        (soft, "520", "0", "20", "522"),
        (hard, "95", "0", "10", "100"),
        (hard, "123", "0", "10", "123"),
        (weekly, "5", "5", "8", "10"),
        (weekly, "5", "11", "8", "5"),
        (hard, "123", "0", "-10", "113"),
    ] {
        let params = format!(r#"{{"amount":"{asked}","to":"ALL"}}"#);
        assert_eq!(after("GRANT", &params, caps, had, given), has, "{had} + {asked} with {caps}");
    }
    let capped = answer(
        "SHARE",
        r#"{"auctionId":"a","to":["p1","p2"]}"#,
        hard,
        &[("p1", "95", "0"), ("p2", "0", "0")],
    );
    assert_eq!((column(&capped, "asked"), column(&capped, "amount")), (vec!["50", "50"], vec!["5", "50"]));
    assert_eq!(capped["kept"], "45");
}

#[test]
fn a_grant_keeps_its_own_digits() {
    let grant = |digits: &str| format!(r#"{{"amount":"-1.23456789",{digits}"to":"ALL"}}"#);
    assert_eq!(after("GRANT", &grant(""), "null", "0", "0"), "-1.23456789");
    assert_eq!(after("GRANT", &grant(r#""digits":3,"#), "null", "0", "0"), "-1.234");
    let caps = r#"{"soft":0,"softPercent":"33.333"}"#;
    assert_eq!(after("GRANT", r#"{"amount":"1","to":"ALL"}"#, caps, "0", "0"), "0.33");
    assert_eq!(after("GRANT", r#"{"amount":"1.0001","to":"ALL"}"#, caps, "0", "0"), "0.3333");
}

#[test]
fn what_is_wrong_is_an_error_that_names_it() {
    let holders = [("p1", "1", "0"), ("p2", "1000000000000000", "0")];
    for (kind, params, caps, error) in [
        ("TAKE", "{}", "null", "expected SHARE, DECAY or GRANT"),
        ("SHARE", "[]", "null", "expected an object"),
        ("SHARE", r#"{"to":["p1"]}"#, "null", "params.amount must be given, or auctionId"),
        ("SHARE", r#"{"amount":0,"to":["p1"]}"#, "null", "params.amount must be a decimal above 0"),
        ("SHARE", r#"{"amount":1}"#, "null", "params.to must be given"),
        ("SHARE", r#"{"amount":1,"to":"PRESENT"}"#, "null", "params.to must list the holders"),
        (
            "SHARE",
            r#"{"amount":1,"to":["p1","p1"]}"#,
            "null",
            "params.to.1 must be a holder who is not named",
        ),
        ("SHARE", r#"{"amount":1,"to":["p3"]}"#, "null", "params.to.0.holder must be a holder"),
        ("SHARE", r#"{"amount":1,"to":[{"holder":"p1","weight":0}]}"#, "null", "params.to.0.weight must be"),
        ("SHARE", r#"{"amount":1,"to":["p1"],"percent":1}"#, "null", "unknown member percent"),
        ("SHARE", r#"{"amount":1,"to":["p1"],"digits":7}"#, "null", "params.digits must be from 0 to 6"),
        ("SHARE", r#"{"amount":1,"to":["p2"]}"#, "null", "holders.1.balance would be beyond"),
        ("DECAY", r#"{"percent":0,"to":"ALL"}"#, "null", "params.percent must be a decimal above 0"),
        ("DECAY", r#"{"percent":"-20","to":"ALL"}"#, "null", "params.percent must be a decimal above 0"),
        ("DECAY", r#"{"percent":"1.0001","to":"ALL"}"#, "null", "params.percent must be a decimal above 0"),
        ("DECAY", r#"{"percent":1,"floor":-1,"to":"ALL"}"#, "null", "params.floor must be"),
        ("DECAY", r#"{"percent":1,"to":"ALL","period":""}"#, "null", "params.period must be"),
        ("DECAY", r#"{"percent":1,"to":"ALL"}"#, r#"{"soft":-1}"#, "caps.soft must be"),
        ("DECAY", r#"{"percent":1,"to":"ALL"}"#, r#"{"softPercent":1}"#, "caps.softPercent must have"),
        ("DECAY", r#"{"percent":1,"to":"ALL"}"#, r#"{"weekStart":"NOON"}"#, "expected a day such as MONDAY"),
        ("GRANT", r#"{"amount":0,"to":"ALL"}"#, "null", "params.amount must not be 0"),
        ("GRANT", r#"{"amount":1,"to":[]}"#, "null", "params.to must have an entry"),
    ] {
        let answer = answer(kind, params, caps, &holders);
        let told = answer["error"].as_str().unwrap_or_else(|| panic!("{params}: {answer}"));
        assert!(told.starts_with(error), "{params}: {told}");
    }
    let sixty = r#"{"auctionId":"a","to":["p1"],
        "cuts":[{"holder":"p1","percent":60},{"holder":"p2","percent":"40.001"}]}"#;
    assert_eq!(
        answer("SHARE", sixty, "null", &holders)["error"],
        "params.cuts must be at most 100 percent together"
    );
    let case =
        r#"{"kind":"SHARE","params":{"itemId":"i","to":["a"]},"holders":[{"id":"a","balance":0}],"pot":POT}"#;
    for pot in ["null", "0", "-5"] {
        assert_eq!(run(&case.replace("POT", pot)), r#"{"error":"pot must be above 0"}"#);
    }
    let twice = r#"{"kind":"GRANT","params":{"amount":1,"to":"ALL"},"holders":[{"id":"a","balance":0},{"id":"a","balance":0}]}"#;
    assert_eq!(run(twice), r#"{"error":"holders.1.id must be an id that is not there before"}"#);
}

#[test]
fn whatever_is_not_a_case_is_an_error() {
    for case in ["", "{}", "null", "[[[[", r#"{"kind":"SHARE"}"#, r#"{"kind":"SHARE","params":{"#] {
        assert!(run(case).starts_with(r#"{"error":""#), "{case}");
    }
    let whole = r#"{"kind":"DECAY","params":{"percent":"7.5","to":["ä"]},"caps":{"hard":4},"holders":[{"id":"ä","balance":"9"}]}"#;
    assert!(run(whole).starts_with(r#"{"rows":"#));
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        assert!(run(&whole[..end]).starts_with(r#"{"error":""#), "{}", &whole[..end]);
    }
}

#[test]
fn parameters_are_written_as_they_are_read() {
    for (kind, params) in [
        (RunKind::Share, r#"{"amount":"7","to":["a",{"holder":"b","weight":3}]}"#),
        (
            RunKind::Share,
            r#"{"itemId":"i","to":"PRESENT","rest":"SPREAD","digits":6,"cuts":[{"holder":"\"","percent":"0.001"}]}"#,
        ),
        (RunKind::Decay, r#"{"percent":100,"to":"ALL"}"#),
        (
            RunKind::Decay,
            r#"{"percent":1.5,"to":["a"],"floor":2,"base":"WHOLE","debts":"SHRINK","period":"2026-W48"}"#,
        ),
        (RunKind::Grant, r#"{"amount":"-0.5","to":"ALL"}"#),
    ] {
        let read = RunParams::parse(kind, params).expect("parameters");
        assert_eq!(RunParams::parse(kind, &read.json()), Ok(read.clone()), "{}", read.json());
        assert_eq!(read.kind(), kind);
    }
}

impl Numbers {
    /// An amount from 0, with up to six digits.
    fn amount(&mut self, whole: u64) -> String {
        let digits = self.below(7);
        let fraction = self.below(10_u64.pow(u32::try_from(digits).expect("small")));
        let whole = self.below(whole);
        if digits == 0 {
            whole.to_string()
        } else {
            format!("{whole}.{fraction:0>width$}", width = usize::try_from(digits).expect("small"))
        }
    }

    fn percent(&mut self, most: u64) -> String {
        let thousandths = 1 + self.below(most * 1_000);
        format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)
    }
}

/// A random book, and what is asked of it.
struct Random {
    kind: RunKind,
    params: String,
    caps: Option<[Option<String>; 4]>,
    holders: Vec<(String, String, String)>,
    pot: String,
}

fn random(numbers: &mut Numbers) -> Random {
    let count = 1 + numbers.below(9);
    let holders: Vec<(String, String, String)> = (0..count)
        .map(|number| {
            let sign = if numbers.below(4) == 0 { "-" } else { "" };
            (format!("h{number}"), format!("{sign}{}", numbers.amount(900)), numbers.amount(60))
        })
        .collect();
    let some = |numbers: &mut Numbers, item: fn(&mut Numbers, &str) -> String| {
        let mut chosen = Vec::new();
        for (id, ..) in holders.iter().rev() {
            if numbers.below(3) > 0 {
                chosen.push(item(numbers, id));
            }
        }
        if chosen.is_empty() { vec![item(numbers, "h0")] } else { chosen }
    };
    let digits = numbers.below(7);
    let (kind, params) = match numbers.below(3) {
        0 => {
            let to = some(numbers, |numbers, id| {
                let most = [3, 10_000][usize::try_from(numbers.below(2)).expect("small")];
                let weight = 1 + numbers.below(most);
                format!(r#"{{"holder":"{id}","weight":{weight}}}"#)
            });
            let mut cuts = some(numbers, |numbers, id| {
                format!(r#"{{"holder":"{id}","percent":"{}"}}"#, numbers.percent(11))
            });
            cuts.truncate(usize::try_from(numbers.below(10)).expect("small"));
            let rest = if numbers.below(2) == 0 { "KEEP" } else { "SPREAD" };
            let params = format!(
                r#"{{"auctionId":"a","digits":{digits},"cuts":[{}],"to":[{}],"rest":"{rest}"}}"#,
                cuts.join(","),
                to.join(",")
            );
            (RunKind::Share, params)
        }
        1 => {
            let to = some(numbers, |_, id| format!(r#""{id}""#));
            let base = if numbers.below(2) == 0 { "ABOVE" } else { "WHOLE" };
            let debts = if numbers.below(2) == 0 { "LEAVE" } else { "SHRINK" };
            let params = format!(
                r#"{{"digits":{digits},"percent":"{}","floor":"{}","base":"{base}","debts":"{debts}","to":[{}]}}"#,
                numbers.percent(100),
                numbers.amount(200),
                to.join(",")
            );
            (RunKind::Decay, params)
        }
        _ => {
            let sign = if numbers.below(4) == 0 { "-" } else { "" };
            let amount = format!("{sign}{}", numbers.amount(300));
            let amount =
                if amount.trim_start_matches(['-', '0', '.']).is_empty() { "1".to_owned() } else { amount };
            (RunKind::Grant, format!(r#"{{"digits":{digits},"amount":"{amount}","to":"ALL"}}"#))
        }
    };
    let caps = (numbers.below(2) == 0).then(|| {
        let soft = (numbers.below(2) == 0).then(|| numbers.amount(600));
        let percent = soft.is_some().then(|| numbers.percent(100));
        let hard = (numbers.below(2) == 0).then(|| numbers.amount(900));
        let weekly = (numbers.below(2) == 0).then(|| numbers.amount(90));
        [soft, percent, hard, weekly]
    });
    Random {
        kind,
        params,
        caps,
        holders,
        pot: format!("{}.000001", numbers.amount(2_000).split('.').next().expect("a whole")),
    }
}

impl Random {
    fn first(&self) -> (Vec<Holding>, RunParams, RunResult) {
        let decimal = |text: &str| text.parse::<Normalized>().expect("a decimal");
        let holders: Vec<Holding> = self
            .holders
            .iter()
            .map(|(id, balance, given)| Holding {
                id: id.clone(),
                balance: decimal(balance),
                given: decimal(given),
            })
            .collect();
        let caps = self
            .caps
            .as_ref()
            .map(|caps| Caps::check([0, 1, 2, 3].map(|at| caps[at].as_deref())).expect("caps"));
        let params = RunParams::parse(self.kind, &self.params)
            .unwrap_or_else(|error| panic!("{}: {error:?}", self.params));
        let result = compute(&params, caps.as_ref(), &holders, Some(decimal(&self.pot)));
        let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", self.params));
        (holders, params, result)
    }
}

fn books() -> impl Iterator<Item = Random> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    (0..10_000).map(move |_| random(&mut numbers))
}

#[test]
fn ten_thousand_random_books_are_those_of_a_second_implementation() {
    let (mut capped, mut rows) = (0, 0);
    for book in books() {
        let (holders, _, result) = book.first();
        let second =
            Second::compute(book.kind.as_str(), &book.params, book.caps.as_ref(), &book.holders, &book.pot);
        let first: Vec<(String, String, String)> = result
            .rows
            .iter()
            .map(|row| (holders[row.holder].id.clone(), row.asked.to_string(), row.amount.to_string()))
            .collect();
        assert_eq!(first, second.rows, "{} of {:?} with {:?}", book.params, book.holders, book.caps);
        assert_eq!(result.kept.to_string(), second.kept, "{}", book.params);
        capped += result.rows.iter().filter(|row| row.amount != row.asked).count();
        rows += result.rows.len();
    }
    assert!(capped > 4_000 && rows > 40_000, "{capped} of {rows} rows are capped");
}

#[test]
fn what_is_given_and_what_is_kept_are_the_pot() {
    let mut shares = 0;
    for book in books() {
        let (_, params, result) = book.first();
        let RunParams::Share(Share { source, rest, digits, .. }) = params else { continue };
        assert!(matches!(source, ShareSource::Auction(_)));
        let pot: Normalized = book.pot.parse().expect("a decimal");
        let sum = result.rows.iter().try_fold(result.kept, |sum, row| sum.checked_add(row.amount));
        assert_eq!(sum, Some(pot), "{}", book.params);
        assert!(!result.kept.is_negative());
        if rest == Rest::Spread && book.caps.is_none() {
            let unit = 10_i128.pow(13 - digits);
            assert!(result.kept.mantissa() < unit, "{} of {}", result.kept, book.params);
        }
        shares += 1;
    }
    assert!(shares > 3_000);
}

#[test]
fn no_decay_crosses_its_floor() {
    for book in books() {
        let (_, params, result) = book.first();
        let RunParams::Decay(decay) = params else { continue };
        for row in result.rows {
            let kept_floor = row.before <= decay.floor || row.after >= decay.floor;
            assert!(kept_floor && (row.after <= row.before || row.before.is_negative()), "{row:?}");
            assert!(!row.before.is_negative() || row.after <= Normalized::ZERO, "{row:?}");
        }
    }
}

#[test]
fn caps_take_nothing() {
    for book in books() {
        let (_, _, result) = book.first();
        for row in result.rows.iter().filter(|row| !row.asked.is_negative()) {
            assert!(
                !row.amount.is_negative() && row.amount <= row.asked && row.after >= row.before,
                "{row:?}"
            );
        }
        for row in result.rows.iter().filter(|row| row.asked.is_negative()) {
            assert_eq!(row.amount, row.asked);
        }
    }
}

#[test]
fn the_opposite_of_each_entry_restores_every_balance() {
    for book in books() {
        let (holders, _, result) = book.first();
        let mut balances: Vec<Normalized> = holders.iter().map(|holder| holder.balance).collect();
        for row in &result.rows {
            assert_eq!(balances[row.holder], row.before);
            balances[row.holder] = balances[row.holder].checked_add(row.amount).expect("a balance");
            assert_eq!(balances[row.holder], row.after);
        }
        for row in &result.rows {
            balances[row.holder] = balances[row.holder].checked_sub(row.amount).expect("a balance");
        }
        assert!(balances.iter().zip(&holders).all(|(balance, holder)| *balance == holder.balance));
    }
}

#[test]
fn the_largest_pot_and_the_most_holders_are_exact() {
    let ids: Vec<String> = (0..10_000).map(|number| format!("h{number}")).collect();
    let holders: Vec<Holding> = ids
        .iter()
        .map(|id| Holding { id: id.clone(), balance: Normalized::ZERO, given: Normalized::ZERO })
        .collect();
    let to: Vec<String> = ids.iter().map(|id| format!(r#"{{"holder":"{id}","weight":10000}}"#)).collect();
    let params = format!(r#"{{"auctionId":"a","digits":6,"rest":"SPREAD","to":[{}]}}"#, to.join(","));
    let params = RunParams::parse(RunKind::Share, &params).expect("parameters");
    let pot: Normalized = "999999999999999.9999999999999".parse().expect("a decimal");
    let result = compute(&params, None, &holders, Some(pot)).expect("a run");
    let sum = result.rows.iter().try_fold(result.kept, |sum, row| sum.checked_add(row.amount));
    assert_eq!((sum, result.kept.to_string()), (Some(pot), "0.0000009999999".to_owned()));
    assert_eq!(result.rows[0].amount.to_string(), "100000000000");
    assert_eq!(result.rows[9_999].amount.to_string(), "99999999999.999999");
}
