//! Runs of a book once more, apart from the engine: in fractions of unbounded integers, from the text of the
//! parameters.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use serde_json::Value;

pub struct Second {
    /// Holder, asked, amount.
    pub rows: Vec<(String, String, String)>,
    pub kept: String,
}

fn fraction(text: &str) -> BigRational {
    let (whole, digits) = text.split_once('.').unwrap_or((text, ""));
    let number: BigInt = format!("{whole}{digits}").parse().expect("digits");
    BigRational::new(number, BigInt::from(10).pow(u32::try_from(digits.len()).expect("few")))
}

fn zero() -> BigRational {
    BigRational::from_integer(BigInt::from(0))
}

/// Canonical decimal of a fraction with at most 13 digits.
fn print(number: &BigRational) -> String {
    let units = number * BigRational::from_integer(BigInt::from(10).pow(13));
    assert!(units.is_integer(), "{number}");
    let units = units.to_integer();
    let minus = if units < BigInt::from(0) { "-" } else { "" };
    let digits = format!("{:0>14}", units.magnitude().to_string());
    let (whole, rest) = digits.split_at(digits.len() - 13);
    format!("{minus}{whole}.{rest}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How many whole units of the last digit there are, towards zero.
fn units(number: &BigRational, digits: u32) -> BigInt {
    (number * BigRational::from_integer(BigInt::from(10).pow(digits))).trunc().to_integer()
}

fn of_units(units: BigInt, digits: u32) -> BigRational {
    BigRational::new(units, BigInt::from(10).pow(digits))
}

struct Book<'a> {
    caps: Option<&'a [Option<String>; 4]>,
    /// Balance, and what was given this week.
    holders: BTreeMap<String, (BigRational, BigRational)>,
    digits: u32,
    rows: Vec<(String, String, String)>,
}

impl Book<'_> {
    fn give(&mut self, id: &str, asked: &BigRational) -> BigRational {
        let (balance, given) = self.holders[id].clone();
        let mut gets = asked.clone();
        if let Some([soft, percent, hard, weekly]) = self.caps {
            if let Some(soft) = soft {
                let free = fraction(soft) - &balance;
                let percent = fraction(percent.as_deref().unwrap_or("0")) / fraction("100");
                if free <= zero() {
                    gets *= percent;
                } else if gets > free {
                    gets = &free + (&gets - &free) * percent;
                }
            }
            for (most, has) in [(hard, &balance), (weekly, &given)] {
                if let Some(most) = most {
                    let free = fraction(most) - has;
                    if free < zero() {
                        gets = zero();
                    } else if gets > free {
                        gets = free;
                    }
                }
            }
        }
        let gets = of_units(units(&gets, self.digits), self.digits);
        self.holders.insert(id.to_owned(), (balance + &gets, given + &gets));
        self.rows.push((id.to_owned(), print(asked), print(&gets)));
        gets
    }

    fn take(&mut self, id: &str, amount: &BigRational) {
        let (balance, given) = self.holders[id].clone();
        self.holders.insert(id.to_owned(), (balance + amount, given));
        self.rows.push((id.to_owned(), print(amount), print(amount)));
    }
}

impl Second {
    pub fn compute(
        kind: &str,
        params: &str,
        caps: Option<&[Option<String>; 4]>,
        holders: &[(String, String, String)],
        pot: &str,
    ) -> Self {
        let params: Value = serde_json::from_str(params).expect("JSON");
        let digits = u32::try_from(params["digits"].as_u64().expect("digits")).expect("few");
        let has = |(id, balance, given): &(String, String, String)| {
            (id.clone(), (fraction(balance), fraction(given)))
        };
        let mut book = Book { caps, holders: holders.iter().map(has).collect(), digits, rows: Vec::new() };
        let mut kept = zero();
        match kind {
            "SHARE" => kept = share(&mut book, &params, holders, fraction(pot)),
            "DECAY" => decay(&mut book, &params),
            _ => {
                let amount = fraction(params["amount"].as_str().expect("an amount"));
                let amount = of_units(units(&amount, digits), digits);
                for (id, ..) in holders {
                    if amount < zero() {
                        book.take(id, &amount);
                    } else {
                        book.give(id, &amount);
                    }
                }
            }
        }
        Self { rows: book.rows, kept: print(&kept) }
    }
}

fn share(
    book: &mut Book<'_>,
    params: &Value,
    holders: &[(String, String, String)],
    pot: BigRational,
) -> BigRational {
    let digits = book.digits;
    let mut rest = pot.clone();
    let mut kept = pot.clone();
    for cut in params["cuts"].as_array().expect("cuts") {
        let percent = fraction(cut["percent"].as_str().expect("a percentage")) / fraction("100");
        let part = of_units(units(&(&pot * percent), digits), digits);
        rest -= &part;
        kept -= book.give(cut["holder"].as_str().expect("a holder"), &part);
    }
    let to = params["to"].as_array().expect("receivers");
    let weight = |to: &Value| BigRational::from_integer(to["weight"].as_u64().expect("a weight").into());
    let weights = to.iter().map(weight).fold(zero(), |sum, weight| sum + weight);
    let exact: Vec<BigRational> = to.iter().map(|to| &rest * weight(to) / &weights).collect();
    let mut parts: Vec<BigInt> = exact.iter().map(|part| units(part, digits)).collect();
    if params["rest"] == "SPREAD" {
        // One unit after the other, to the one who lacks most; of equals to the first of the book.
        let place =
            |at: usize| holders.iter().position(|(id, ..)| to[at]["holder"] == **id).expect("a holder");
        let mut lacking: Vec<usize> = (0..to.len()).collect();
        let lack = |at: usize| &exact[at] - of_units(units(&exact[at], digits), digits);
        lacking.sort_by(|a, b| lack(*b).cmp(&lack(*a)).then(place(*a).cmp(&place(*b))));
        let mut left = units(&rest, digits) - parts.iter().sum::<BigInt>();
        for at in lacking {
            if left > BigInt::from(0) {
                parts[at] += 1;
                left -= 1;
            }
        }
    }
    for (to, part) in to.iter().zip(parts) {
        kept -= book.give(to["holder"].as_str().expect("a holder"), &of_units(part, digits));
    }
    kept
}

fn decay(book: &mut Book<'_>, params: &Value) {
    let percent = fraction(params["percent"].as_str().expect("a percentage")) / fraction("100");
    let floor = fraction(params["floor"].as_str().expect("a floor"));
    for id in params["to"].as_array().expect("holders") {
        let id = id.as_str().expect("a holder");
        let balance = book.holders[id].0.clone();
        let mut less = zero();
        if balance > floor {
            let above = &balance - &floor;
            less =
                if params["base"] == "ABOVE" { &above * &percent } else { (&balance * &percent).min(above) };
        } else if balance < zero() && params["debts"] == "SHRINK" {
            less = &balance * &percent;
        }
        let less = of_units(units(&less, book.digits), book.digits);
        book.take(id, &(zero() - less));
    }
}
