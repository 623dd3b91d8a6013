//! Compares random grants, shares, decays, caps and reversals in a book with a simple model, which counts in
//! hundredths. A failure names the seed of its run.

use serde_json::{Value, json};

use super::{Class, add, keyed};
use crate::dice::Dice;
use crate::harness::times;

const STEPS: usize = 60;
const PEOPLE: usize = 4;
const STARTING: i64 = 30_000;

/// A run, or a grant to one holder.
struct Made {
    /// The number of a run.
    number: Option<i64>,
    /// The entry of a grant to one.
    sequence: Option<i64>,
    /// What holders got, in order.
    amounts: Vec<(usize, i64)>,
    /// Whether caps count it.
    is_given: bool,
    is_reversed: bool,
}

/// Caps in hundredths; the part above `soft` in percent.
#[derive(Default)]
struct Caps {
    soft: Option<(i64, i64)>,
    hard: Option<i64>,
    weekly: Option<i64>,
}

struct Run {
    class: Class,
    ids: Vec<String>,
    balances: [i64; PEOPLE],
    made: Vec<Made>,
    caps: Caps,
    keys: u64,
    dice: Dice,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "a run that fails is found again by its seed")]
async fn runs_do_what_the_model_does() {
    for run in 0..times(4, 100) {
        let seed = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(run + 1);
        eprintln!("seed {seed:#x}");
        let mut run = Run::begin(seed).await;
        for _ in 0..STEPS {
            run.step().await;
            run.check().await;
        }
    }
}

/// A decimal of hundredths, in canonical form.
fn decimal(hundredths: i64) -> String {
    let (sign, digits) = (if hundredths < 0 { "-" } else { "" }, hundredths.abs());
    match (digits / 100, digits % 100) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, rest) if rest % 10 == 0 => format!("{sign}{whole}.{}", rest / 10),
        (whole, rest) => format!("{sign}{whole}.{rest:02}"),
    }
}

impl Run {
    async fn begin(seed: u64) -> Self {
        let class = Class::start().await;
        let more = class.app.user("more").await;
        add(&class.owner, &class.book, &more).await;
        let listed = class.owner.get(&class.path("runs?limit=1")).await.expect(200);
        assert_eq!(listed["runs"], json!([]));
        let holders = class.owner.get(&class.path("holders")).await.expect(200);
        // Everyone has joined one after the other, the owner without a grant.
        let id = |holder: &Value| holder["user"]["id"].as_str().unwrap().to_owned();
        let ids: Vec<String> = holders["holders"].as_array().unwrap().iter().map(id).collect();
        let balances = [0, STARTING, STARTING, STARTING];
        Self { class, ids, balances, made: Vec::new(), caps: Caps::default(), keys: 0, dice: Dice(seed) }
    }

    fn below(&mut self, bound: i64) -> i64 {
        i64::try_from(self.dice.below(bound.unsigned_abs())).unwrap()
    }

    fn chance(&mut self) -> bool {
        self.dice.below(2) == 0
    }

    /// Some holders, in any order.
    fn some(&mut self) -> Vec<usize> {
        let first = usize::try_from(self.below(PEOPLE as i64)).unwrap();
        let count = 1 + usize::try_from(self.below(PEOPLE as i64)).unwrap();
        (0..PEOPLE).cycle().skip(first).take(count).collect()
    }

    async fn step(&mut self) {
        match self.dice.below(100) {
            0..25 => self.grant().await,
            25..50 => self.share().await,
            50..70 => self.decay().await,
            70..85 => self.reverse().await,
            _ => self.cap().await,
        }
    }

    /// What caps leave of an amount for a holder who has got `more` in this run.
    fn admit(&self, holder: usize, asked: i64, more: i64) -> i64 {
        let (balance, mut amount) = (self.balances[holder] + more, asked);
        if let Some((soft, percent)) = self.caps.soft {
            let whole = amount.min((soft - balance).max(0));
            amount = whole + (amount - whole) * percent / 100;
        }
        if let Some(hard) = self.caps.hard {
            amount = amount.min((hard - balance).max(0));
        }
        if let Some(weekly) = self.caps.weekly {
            let given = self.made.iter().filter(|made| made.is_given && !made.is_reversed);
            let given =
                given.flat_map(|made| &made.amounts).filter(|(to, amount)| *to == holder && *amount > 0);
            let given: i64 = given.map(|(_, amount)| amount).sum();
            amount = amount.min((weekly - given - more).max(0));
        }
        amount
    }

    /// What caps leave of credits, in order: holders may be named twice.
    fn admit_all(&self, asked: &[(usize, i64)]) -> Vec<(usize, i64)> {
        let (mut more, mut amounts) = ([0; PEOPLE], Vec::new());
        for (holder, asked) in asked {
            let amount = if *asked > 0 { self.admit(*holder, *asked, more[*holder]) } else { *asked };
            more[*holder] += amount;
            amounts.push((*holder, amount));
        }
        amounts
    }

    async fn grant(&mut self) {
        let amount = match self.below(9_000) - 2_000 {
            0 => 1,
            amount => amount,
        };
        let to = if self.chance() { (0..PEOPLE).collect() } else { self.some() };
        let ids: Vec<&str> = to.iter().map(|holder| self.ids[*holder].as_str()).collect();
        let body = json!({"holders": ids, "amount": decimal(amount), "reason": "Cakes"});
        let asked: Vec<_> = to.iter().map(|holder| (*holder, amount)).collect();
        let amounts = self.admit_all(&asked);
        let answer = self.ask("entries", &body).await;
        if amounts.iter().all(|(_, amount)| *amount == 0) {
            answer.expect_problem(422, "INVALID_BODY");
            return;
        }
        let entries = answer.expect(201)["entries"].clone();
        let run = entries[0]["run"].as_i64();
        assert_eq!(run.is_some(), to.len() > 1);
        let sequence = entries[0]["sequence"].as_i64().filter(|_| run.is_none());
        self.keep(run, sequence, amounts, true);
    }

    async fn share(&mut self) {
        let (amount, to) = (1 + self.below(30_000), self.some());
        let weights: Vec<i64> = to.iter().map(|_| 1 + self.dice.below(3) as i64).collect();
        let (cut, spread) = (self.below(3) * 10, self.chance());
        let receivers: Vec<Value> = to
            .iter()
            .zip(&weights)
            .map(|(holder, weight)| json!({"holder": self.ids[*holder], "weight": weight}))
            .collect();
        let cuts = if cut == 0 { json!([]) } else { json!([{"holder": self.ids[0], "percent": cut}]) };
        let rest = if spread { "SPREAD" } else { "KEEP" };
        let params = json!({"amount": decimal(amount), "cuts": cuts, "to": receivers, "rest": rest});
        let first = amount * cut / 100;
        let (left, sum) = (amount - first, weights.iter().sum::<i64>());
        let mut parts: Vec<i64> = weights.iter().map(|weight| left * weight / sum).collect();
        if spread {
            let mut order: Vec<usize> = (0..to.len()).collect();
            order.sort_by_key(|at| (-(left * weights[*at] % sum), to[*at]));
            let units = usize::try_from(left - parts.iter().sum::<i64>()).unwrap();
            order.into_iter().take(units).for_each(|at| parts[at] += 1);
        }
        let cuts = (cut > 0).then_some((0, first));
        let asked: Vec<_> = cuts.into_iter().chain(to.into_iter().zip(parts)).collect();
        let amounts = self.admit_all(&asked);
        let given: i64 = amounts.iter().map(|(_, amount)| amount).sum();
        self.run("SHARE", params, amounts, true, decimal(amount - given)).await;
    }

    async fn decay(&mut self) {
        let (percent, floor) = (1 + self.below(100), self.below(20_000));
        let (to, is_above, shrinks) = (self.some(), self.chance(), self.chance());
        let ids: Vec<&str> = to.iter().map(|holder| self.ids[*holder].as_str()).collect();
        let params = json!({"percent": percent, "floor": decimal(floor), "to": ids,
            "base": if is_above { "ABOVE" } else { "WHOLE" }, "debts": if shrinks { "SHRINK" } else { "LEAVE" }});
        let taken = |balance: i64| match balance - floor {
            above if above > 0 && is_above => -(above * percent / 100),
            above if above > 0 => -(balance * percent / 100).min(above),
            _ if balance < 0 && shrinks => -balance * percent / 100,
            _ => 0,
        };
        let amounts = to.iter().map(|holder| (*holder, taken(self.balances[*holder]))).collect();
        self.run("DECAY", params, amounts, false, "0".to_owned()).await;
    }

    /// Makes a run, in half of the cases bound to its preview.
    async fn run(
        &mut self,
        kind: &str,
        params: Value,
        amounts: Vec<(usize, i64)>,
        is_given: bool,
        kept: String,
    ) {
        let mut body = json!({"kind": kind, "params": params, "reason": "Tuesday"});
        let nothing = amounts.iter().all(|(_, amount)| *amount == 0);
        if self.chance() {
            let preview = self.class.owner.post(&self.class.path("runs?dryRun=true"), body.clone()).await;
            if nothing {
                preview.expect_problem(422, "INVALID_BODY");
            } else {
                body["expect"] = preview.expect(200)["hash"].clone();
            }
        }
        let answer = self.ask("runs", &body).await;
        if nothing {
            answer.expect_problem(422, "INVALID_BODY");
            return;
        }
        let made = answer.expect(201);
        let shown: Vec<(String, String)> = made["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["holder"]["id"].as_str().unwrap(), row["amount"].as_str().unwrap()))
            .filter(|(_, amount)| *amount != "0")
            .map(|(holder, amount)| (holder.to_owned(), amount.to_owned()))
            .collect();
        let expected: Vec<(String, String)> = amounts
            .iter()
            .filter(|(_, amount)| *amount != 0)
            .map(|(holder, amount)| (self.ids[*holder].clone(), decimal(*amount)))
            .collect();
        assert_eq!((shown, &made["kept"]), (expected, &json!(kept)), "{body}");
        self.keep(made["number"].as_i64(), None, amounts, is_given);
    }

    fn keep(
        &mut self,
        number: Option<i64>,
        sequence: Option<i64>,
        amounts: Vec<(usize, i64)>,
        is_given: bool,
    ) {
        amounts.iter().for_each(|(holder, amount)| self.balances[*holder] += amount);
        self.made.push(Made { number, sequence, amounts, is_given, is_reversed: false });
    }

    /// Reverses what was made, sometimes for the second time.
    async fn reverse(&mut self) {
        if self.made.is_empty() {
            return;
        }
        let at = usize::try_from(self.below(self.made.len() as i64)).unwrap();
        let made = &mut self.made[at];
        let path = match (made.number, made.sequence) {
            (Some(number), _) => format!("runs/{number}/reverse"),
            (None, sequence) => format!("entries/{}/reverse", sequence.unwrap()),
        };
        let answer = self.class.teller.post(&self.class.path(&path), json!({"reason": "Mistake"})).await;
        if made.is_reversed {
            answer.expect_problem(409, "ALREADY_REVERSED");
            return;
        }
        answer.expect(if made.number.is_some() { 200 } else { 201 });
        made.is_reversed = true;
        for (holder, amount) in &made.amounts {
            self.balances[*holder] -= amount;
        }
    }

    async fn cap(&mut self) {
        let soft = self.chance().then(|| (self.below(40_000), self.below(101)));
        let hard = self.chance().then(|| self.below(60_000));
        let weekly = self.chance().then(|| self.below(20_000));
        let caps = json!({"soft": soft.map(|soft| decimal(soft.0)), "softPercent": soft.map(|soft| soft.1),
            "hard": hard.map(decimal), "weekly": weekly.map(decimal)});
        self.class.owner.patch(&self.class.book, json!({ "caps": caps })).await.expect(200);
        self.caps = Caps { soft, hard, weekly };
    }

    async fn ask(&mut self, path: &str, body: &Value) -> crate::harness::Answer {
        self.keys += 1;
        keyed(&self.class.owner, &self.class.path(path), &self.keys.to_string(), body).await
    }

    /// Every balance is that of the model.
    async fn check(&self) {
        let holders = self.class.owner.get(&self.class.path("holders")).await.expect(200);
        let has: Vec<&str> = holders["holders"]
            .as_array()
            .unwrap()
            .iter()
            .map(|holder| holder["balance"].as_str().unwrap())
            .collect();
        assert_eq!(has, self.balances.map(decimal));
    }
}
