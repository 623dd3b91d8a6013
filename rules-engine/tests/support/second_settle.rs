//! Winners and prices of sealed bids once more, apart from the engine: each bid is compared with every other,
//! and a price is the least of all bids that its currency has. In thousandths of the base unit.

use serde_json::Value;

use super::second_draw;

/// Thousandths of a small decimal.
pub fn thousandths(value: &Value) -> i64 {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let (whole, digits) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{digits:0<3}").parse().expect("at most three digits")
}

/// A currency: the value of each piece at the last digit of its precision, and how many of it make one.
struct Currency<'a> {
    id: &'a str,
    /// Code and value, of which SCALAR has one.
    steps: Vec<(&'a str, i64)>,
    per_unit: i64,
    rules: Vec<&'a Value>,
    minimum: i64,
}

impl<'a> Currency<'a> {
    fn of(case: &'a Value, id: &str) -> Self {
        let all = |value: &'a Value| value.as_array().expect("a list").iter();
        let profile = all(&case["rules"]["profiles"]).find(|profile| profile["id"] == id).expect("a profile");
        let per_unit = 10_i64.pow(u32::try_from(profile["precision"].as_u64().unwrap_or(0)).expect("few"));
        let rate = thousandths(&profile["rateToBase"]);
        let step = |factor: i64| {
            let value = factor * rate;
            assert_eq!(value % (1_000 * per_unit), 0, "a case in thousandths");
            value / 1_000 / per_unit
        };
        let pieces = profile["denominations"].as_array().into_iter().flatten();
        let pieces: Vec<(&str, i64)> = pieces
            .map(|piece| (piece["code"].as_str().expect("a code"), step(thousandths(&piece["factor"]))))
            .collect();
        let steps = if pieces.is_empty() { vec![("", step(1_000))] } else { pieces };
        let own = |rule: &&Value| {
            let named = &rule["currencyProfileId"];
            rule["enabled"] != false && (named.is_null() || named == profile["id"].as_str().expect("an id"))
        };
        Self {
            id: profile["id"].as_str().expect("an id"),
            steps,
            per_unit,
            rules: all(&case["rules"]["rules"]).filter(own).collect(),
            minimum: if case["minimum"].is_null() { 0 } else { thousandths(&case["minimum"]) },
        }
    }

    fn value(&self, counts: &[i64]) -> i64 {
        self.steps.iter().zip(counts).map(|((_, value), count)| value * count).sum()
    }

    /// The counts of a bid, or of a price.
    fn counts(&self, bid: &Value) -> Vec<i64> {
        let steps = |number: &Value| thousandths(number) * self.per_unit / 1_000;
        let Some(entries) = bid["enteredRepresentation"].as_array() else {
            return vec![steps(&bid["amount"])];
        };
        let count = |code: &str| {
            entries
                .iter()
                .filter(|entry| entry["denomination"] == code)
                .map(|entry| steps(&entry["count"]))
                .sum()
        };
        self.steps.iter().map(|(code, _)| count(code)).collect()
    }

    fn breaks_no_rule(&self, counts: &[i64]) -> bool {
        let value = self.value(counts);
        let of = |rule: &Value| {
            let code = &rule["params"]["denomination"];
            let at = self.steps.iter().position(|(piece, _)| code == piece).expect("a piece");
            (counts[at], counts[at] * self.steps[at].1)
        };
        value >= self.minimum
            && self.rules.iter().all(|rule| {
                let params = &rule["params"];
                match rule["type"].as_str().expect("a type") {
                    "MAX_BID" => value <= thousandths(&params["amount"]),
                    "REQUIRED_DENOMINATION" => {
                        of(rule).0 * 1_000 >= thousandths(&params["minCount"]) * self.per_unit
                    }
                    "MIN_COMPONENT_RATIO" => of(rule).1 * 1_000 >= thousandths(&params["minRatio"]) * value,
                    "STEP" => is_on_step(params, value),
                    // These compare with a highest bid.
                    _ => true,
                }
            })
    }

    /// The least value from `floor` on, below `end`, of all bids that break no rule.
    fn least(&self, floor: i64, end: i64) -> Option<i64> {
        let mut best = end;
        self.search(&mut vec![0; self.steps.len()], 0, floor, &mut best);
        (best < end).then_some(best)
    }

    fn search(&self, counts: &mut Vec<i64>, at: usize, floor: i64, best: &mut i64) {
        let value = self.value(counts);
        if value >= *best {
            return;
        }
        if at == counts.len() {
            if value > 0 && value >= floor && self.breaks_no_rule(counts) {
                *best = value;
            }
            return;
        }
        let most = (*best - value) / self.steps[at].1;
        for count in 0..=most {
            counts[at] = count;
            self.search(counts, at + 1, floor, best);
        }
        counts[at] = 0;
    }
}

fn is_on_step(params: &Value, value: i64) -> bool {
    if let Some(ladder) = params["ladder"].as_array() {
        let mut first: Vec<i64> = ladder.iter().map(thousandths).collect();
        if value < first[0] {
            return true;
        }
        while first.iter().all(|step| *step < value) {
            first.iter_mut().for_each(|step| *step *= 10);
        }
        return first.contains(&value);
    }
    let step = match params["tiers"].as_array() {
        Some(tiers) => {
            let reached = tiers.iter().rfind(|tier| thousandths(&tier["from"]) <= value);
            thousandths(&reached.expect("a tier from 0")["step"])
        }
        None => thousandths(&params["step"]),
    };
    value % step == 0
}

/// Id, copy and price of each winner.
pub fn winners(case: &Value) -> Vec<(String, usize, i64)> {
    let bids = case["bids"].as_array().expect("bids");
    let copies = usize::try_from(case["copies"].as_u64().expect("a number")).expect("few");
    let value = |bid: &Value| {
        let currency = Currency::of(case, bid["profile"].as_str().expect("an id"));
        currency.value(&currency.counts(bid))
    };
    let values: Vec<i64> = bids.iter().map(value).collect();
    let receipt = |at: usize| bids[at]["receipt"].as_u64().expect("a number");
    let all = || 0..bids.len();
    let above = |at: usize| all().filter(|other| values[*other] > values[at]).count();
    let equal = |at: usize| all().filter(|other| values[*other] == values[at]).count();
    let earlier = |at: usize| {
        all().filter(|other| values[*other] == values[at] && receipt(*other) < receipt(at)).count()
    };
    // The place of each winner, from 0.
    let mut places: Vec<(usize, usize)> = Vec::new();
    for at in all() {
        let ties = above(at) < copies && above(at) + equal(at) > copies;
        let place = above(at) + earlier(at);
        match case["tie"].as_str().expect("a tie") {
            "NOBODY" if ties => {}
            "ROLL" if ties => {
                let (seed, item) = (&case["seed"], &case["itemId"]);
                let mut tied: Vec<usize> = all().filter(|other| values[*other] == values[at]).collect();
                tied.sort_by_key(|other| receipt(*other));
                let tickets: Vec<(String, usize)> = tied.iter().map(|other| (other.to_string(), 1)).collect();
                let drawn = second_draw::winners(
                    (seed.as_str().expect("a seed"), item.as_str().expect("an id")),
                    copies - above(at),
                    true,
                    &tickets,
                );
                let own = drawn.iter().position(|(id, ..)| *id == at.to_string());
                places.extend(own.map(|own| (above(at) + own, at)));
            }
            _ if place < copies => places.push((place, at)),
            _ => {}
        }
    }
    places.sort_unstable();
    let wins = |at: usize| places.iter().any(|(_, winner)| *winner == at);
    let losing = all().filter(|at| !wins(*at)).map(|at| values[at]).max();
    let lowest = all().filter(|at| wins(*at)).map(|at| values[at]).min();
    let minimum = if case["minimum"].is_null() { 0 } else { thousandths(&case["minimum"]) };
    let price = |at: usize| {
        let own = values[at];
        let floor = match case["price"].as_str().expect("a price") {
            "OWN" => own,
            "NEXT" => losing.map_or(minimum, |losing| minimum.max(losing + thousandths(&case["plus"]))),
            _ => lowest.expect("a winner"),
        };
        let currency = Currency::of(case, bids[at]["profile"].as_str().expect("an id"));
        currency.least(floor, own).unwrap_or(own)
    };
    let id = |at: usize| bids[at]["id"].as_str().expect("an id").to_owned();
    places.iter().map(|(place, at)| (id(*at), place + 1, price(*at))).collect()
}

/// Whether a winner pays less than the bid. Its price must be said in the bid's own currency: as the own bid,
/// or as one that breaks no rule.
pub fn is_reduced(case: &Value, winner: &Value) -> bool {
    let bids = case["bids"].as_array().expect("bids");
    let bid = bids.iter().find(|bid| bid["id"] == winner["id"]).expect("the bid");
    let currency = Currency::of(case, bid["profile"].as_str().expect("an id"));
    let (own, counts) = (currency.counts(bid), currency.counts(winner));
    let price = currency.value(&counts);
    assert_eq!(price, thousandths(&winner["price"]), "{}: {winner} of {case}", currency.id);
    let is_reduced = price < currency.value(&own);
    assert!(if is_reduced { currency.breaks_no_rule(&counts) } else { counts == own }, "{winner} of {case}");
    is_reduced
}
