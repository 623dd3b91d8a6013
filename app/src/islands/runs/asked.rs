//! A run as the fields of a form ask for it.

use rules_engine::bounds::MAX_NORMALIZED;
use rules_engine::money::Normalized;
use rules_engine::pot::{self, Caps, Holding, Receiver, RunError, RunKind, RunParams, RunRow};
use rules_engine::{DefinitionError, push_json_text};

use super::names::{Behind, NamedLine, named_lines};
use super::{ALL, CHOSEN, DECAY, OTHER, PRESENT, caps, field};
use crate::components::money::{composed, typed_amount, typed_number};
use crate::live::json::JsonObject;
use crate::model::{BaseUnit, CaseHolder, RunCase, RunLine, RunPreview};

const POT_EMPTY: &str = "There is nothing to share: the pot is empty, or below zero after a correction.";

const NO_CHANGE: &str = "No balance would change.";

/// A field of which no run can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    pub field: &'static str,
    /// A sentence.
    pub sentence: String,
}

impl Wrong {
    fn new(field: &'static str, sentence: impl Into<String>) -> Self {
        Self { field, sentence: sentence.into() }
    }
}

/// The values of the fields, and the unit in which amounts are typed.
pub struct Typed<'a> {
    pub values: &'a dyn Fn(&str) -> Option<String>,
    pub unit: &'a BaseUnit,
}

/// A run of which JSON tells the parameters, as the API takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedParams {
    pub kind: RunKind,
    pub json: String,
}

impl Typed<'_> {
    /// The parameters, in which people and lots have their ids.
    ///
    /// # Errors
    /// Each field that names something unknown.
    pub fn params(&self, case: &RunCase) -> Result<AskedParams, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let mut params = JsonObject::default();
        if let Some(digits) = self.value(field::DIGITS) {
            match typed_number(&digits, true).parse::<u32>() {
                Ok(digits) => params.number(field::DIGITS, digits.into()),
                Err(_) => wrong.push(of_member(field::DIGITS, "must be a whole number from 0 to 6")),
            }
        }
        let kind = if self.value(field::KIND).as_deref() == Some(DECAY) {
            self.decay(case, &mut params, &mut wrong);
            RunKind::Decay
        } else {
            self.share(case, &mut params, &mut wrong);
            RunKind::Share
        };
        if wrong.is_empty() { Ok(AskedParams { kind, json: params.finish() }) } else { Err(wrong) }
    }

    /// A value that is not empty.
    fn value(&self, name: &str) -> Option<String> {
        let value = (self.values)(name)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// An amount in base units.
    fn amount(&self, name: &str) -> Option<String> {
        let currencies = self.unit.written_in.as_deref().map(std::slice::from_ref).unwrap_or_default();
        self.value(name).map(|text| typed_amount(self.unit, currencies, &text))
    }

    /// The people whom the lines of a field name.
    fn lines<'c>(
        &self,
        (name, behind): (&'static str, Behind),
        case: &'c RunCase,
        wrong: &mut Vec<Wrong>,
    ) -> Vec<NamedLine<'c>> {
        let text = self.value(name).unwrap_or_default();
        named_lines(&text, &case.holders, behind).unwrap_or_else(|sentences| {
            wrong.extend(sentences.into_iter().map(|sentence| Wrong::new(name, sentence)));
            Vec::new()
        })
    }

    fn share(&self, case: &RunCase, params: &mut JsonObject, wrong: &mut Vec<Wrong>) {
        let source = self.value(field::FROM).filter(|from| from != OTHER);
        match (source, self.value(field::LOT), &case.item_id) {
            (Some(_), Some(_), Some(item)) => params.text("itemId", item),
            (Some(_), Some(_), None) => {
                wrong.push(Wrong::new(field::LOT, "No lot of the auction has this number."));
            }
            (Some(auction), None, _) => params.text(field::FROM, &auction),
            (None, ..) => match self.amount(field::AMOUNT) {
                Some(amount) => params.text(field::AMOUNT, &amount),
                None => wrong.push(Wrong::new(field::AMOUNT, "Enter the amount to share.")),
            },
        }
        let cuts = self.lines((field::CUTS, Behind::Number), case, wrong);
        let without = cuts.iter().filter(|line| line.rest.is_empty()).map(|line| {
            Wrong::new(field::CUTS, format!("Enter the percentage of “{}”, such as 6 %.", line.holder.name))
        });
        wrong.extend(without);
        let cut = |line: &NamedLine<'_>| {
            let mut cut = JsonObject::default();
            cut.text("holder", &line.holder.id);
            cut.text(field::PERCENT, &percent(&line.rest));
            cut.finish()
        };
        if !cuts.is_empty() {
            params.json(field::CUTS, &list(cuts.iter().map(cut)));
        }
        match self.value(field::TO).as_deref() {
            Some(ALL) => params.json(field::TO, &ids(&case.holders)),
            Some(CHOSEN) => {
                let people = self.lines((field::PEOPLE, Behind::Number), case, wrong);
                if people.is_empty() && wrong.iter().all(|wrong| wrong.field != field::PEOPLE) {
                    wrong.push(Wrong::new(field::PEOPLE, "Name the people among whom it is shared."));
                }
                let mut weights = Vec::new();
                for line in people {
                    match weight(&line.rest) {
                        Some(weight) => weights.push(receiver(line.holder, weight)),
                        None => wrong.push(Wrong::new(
                            field::PEOPLE,
                            format!(
                                "The part of “{}” must be a whole number from 1 to 10,000.",
                                line.holder.name
                            ),
                        )),
                    }
                }
                params.json(field::TO, &list(weights.into_iter()));
            }
            _ => params.text(field::TO, PRESENT),
        }
        params.given(field::REST, self.value(field::REST).as_deref());
    }

    fn decay(&self, case: &RunCase, params: &mut JsonObject, wrong: &mut Vec<Wrong>) {
        params.given(field::PERCENT, self.value(field::PERCENT).map(|text| percent(&text)).as_deref());
        params.given(field::FLOOR, self.amount(field::FLOOR).as_deref());
        params.given(field::BASE, self.value(field::BASE).as_deref());
        params.given(field::DEBTS, self.value(field::DEBTS).as_deref());
        if self.value(field::PEOPLE).is_none() {
            params.text(field::TO, ALL);
        } else {
            let people = self.lines((field::PEOPLE, Behind::Nothing), case, wrong);
            params.json(field::TO, &list(people.iter().map(|line| quoted(&line.holder.id))));
        }
        let period = self.value(field::PERIOD).map(|period| composed(&period));
        params.given(field::PERIOD, period.as_deref());
    }
}

/// A percentage, which may have its sign, as the API takes it.
pub fn percent(text: &str) -> String {
    typed_number(text.trim().trim_end_matches(['%', '٪']), true)
}

/// Without one it is 1.
fn weight(text: &str) -> Option<u32> {
    if text.is_empty() {
        return Some(1);
    }
    typed_number(text, false).parse().ok().filter(|weight| (1..=10_000).contains(weight))
}

fn receiver(holder: &CaseHolder, weight: u32) -> String {
    let mut receiver = JsonObject::default();
    receiver.text("holder", &holder.id);
    receiver.number("weight", weight.into());
    receiver.finish()
}

fn quoted(text: &str) -> String {
    let mut json = String::new();
    push_json_text(&mut json, text);
    json
}

fn ids(holders: &[CaseHolder]) -> String {
    list(holders.iter().map(|holder| quoted(&holder.id)))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// What a run of these fields would do.
///
/// # Errors
/// What is wrong with each field, and with the run.
pub fn preview(typed: &Typed<'_>, case: &RunCase) -> Result<RunPreview, Vec<Wrong>> {
    let asked = typed.params(case)?;
    let mut params = RunParams::parse(asked.kind, &asked.json).map_err(of_members)?;
    match &mut params {
        RunParams::Share(share) if share.to.is_none() => {
            let receiver = |id: &String| Receiver { holder: id.clone(), weight: 1 };
            share.to = Some(case.present.iter().map(receiver).collect()).filter(|to: &Vec<_>| !to.is_empty());
            if share.to.is_none() {
                return Err(vec![Wrong::new(field::TO, "Nobody is marked as present in the auction.")]);
            }
        }
        RunParams::Decay(decay)
            if decay.period.as_ref().is_some_and(|period| case.taken.contains(period)) =>
        {
            let sentence = "There was a decay for this week or month: undo it first.";
            return Err(vec![Wrong::new(field::PERIOD, sentence)]);
        }
        _ => {}
    }
    let caps = case.caps.as_ref().map(|caps| {
        Caps::check([&caps.soft, &caps.soft_percent, &caps.hard, &caps.weekly].map(|text| text.as_deref()))
    });
    // Stored caps are within their bounds.
    run(&params, caps.and_then(Result::ok).as_ref(), case)
}

/// What the caps of these fields leave of an amount that is given to everyone.
///
/// # Errors
/// What is wrong with each field.
pub fn preview_of_caps(typed: &Typed<'_>, case: &RunCase) -> Result<RunPreview, Vec<Wrong>> {
    let [soft, hard, weekly, amount] =
        [caps::SOFT, caps::HARD, caps::WEEKLY, caps::EXAMPLE].map(|name| typed.amount(name));
    let soft_percent = typed.value(caps::SOFT_PERCENT).map(|text| percent(&text));
    let texts = [&soft, &soft_percent, &hard, &weekly].map(|text| text.as_deref());
    let caps = Caps::check(texts).map_err(of_members)?;
    let mut params = JsonObject::default();
    params.text(field::AMOUNT, amount.as_deref().unwrap_or("10"));
    params.text(field::TO, ALL);
    let params = RunParams::parse(RunKind::Grant, &params.finish()).map_err(of_members)?;
    run(&params, Some(&caps), case)
}

/// What these parameters do to the holders.
fn run(params: &RunParams, caps: Option<&Caps>, case: &RunCase) -> Result<RunPreview, Vec<Wrong>> {
    let amount = |text: &str| text.parse::<Normalized>().unwrap_or_default();
    let holding = |holder: &CaseHolder| Holding {
        id: holder.id.clone(),
        balance: amount(&holder.balance),
        given: amount(&holder.given),
    };
    let holdings: Vec<Holding> = case.holders.iter().map(holding).collect();
    let result = pot::compute(params, caps, &holdings, case.pot.as_deref().map(amount))
        .map_err(|error| refused(error, case))?;
    if result.rows.iter().all(|row| row.amount == Normalized::ZERO) {
        return Err(vec![Wrong::new(field::KIND, NO_CHANGE)]);
    }
    let rows = result.rows.iter().filter(|row| row.asked != Normalized::ZERO);
    // What an amount of its own leaves stays nowhere.
    let kept = case.pot.as_ref().map_or(Normalized::ZERO, |_| result.kept);
    Ok(RunPreview {
        rows: rows.map(|row| line(row, case)).collect(),
        kept: (kept > Normalized::ZERO).then(|| kept.to_string()),
        hash: result.fingerprint(params, &holdings),
        is_share: params.kind() == RunKind::Share,
    })
}

fn of_members(errors: Vec<DefinitionError>) -> Vec<Wrong> {
    errors.iter().map(|error| of_member(&error.path, &error.message)).collect()
}

fn line(row: &RunRow, case: &RunCase) -> RunLine {
    let signed = |amount: Normalized| {
        if amount > Normalized::ZERO { format!("+{amount}") } else { amount.to_string() }
    };
    RunLine {
        name: case.holders.get(row.holder).map(|holder| holder.name.clone()).unwrap_or_default(),
        amount: signed(row.amount),
        asked: (row.asked != row.amount).then(|| signed(row.asked)),
        before: row.before.to_string(),
        after: row.after.to_string(),
    }
}

fn refused(error: RunError, case: &RunCase) -> Vec<Wrong> {
    match error {
        RunError::PotEmpty => vec![Wrong::new(field::FROM, POT_EMPTY)],
        RunError::Params(errors) => of_members(errors),
        RunError::OutOfBounds(place) => {
            let name = case.holders.get(place).map_or("", |holder| &holder.name);
            let sentence = format!("The balance of {name} would be beyond {MAX_NORMALIZED}.");
            vec![Wrong::new(field::KIND, sentence)]
        }
    }
}

/// The fields with their labels, as sentences call them.
const LABELS: [(&str, &str); 17] = [
    (field::FROM, "“Spent in”"),
    (field::LOT, "The lot"),
    (field::AMOUNT, "The amount"),
    (field::TO, "“Share among”"),
    (field::PEOPLE, "The list of people"),
    (field::CUTS, "Each cut"),
    (field::REST, "The choice of what becomes of the rest"),
    (field::DIGITS, "The number of digits"),
    (field::PERCENT, "The percentage"),
    (field::FLOOR, "“But not below”"),
    (field::BASE, "The base"),
    (field::DEBTS, "The choice for debts"),
    (field::PERIOD, "The week or month"),
    (caps::SOFT, "“Less from”"),
    (caps::SOFT_PERCENT, "The percentage"),
    (caps::HARD, "“No more from”"),
    (caps::WEEKLY, "“At most in a week”"),
];

/// A sentence about a member of the parameters.
pub fn of_member(path: &str, message: &str) -> Wrong {
    if message == "is a run that changes no balance" {
        return Wrong::new(field::KIND, NO_CHANGE);
    }
    let mut parts = path.strip_prefix("params.").unwrap_or(path).split('.');
    let member = parts.next().unwrap_or_default();
    // A list of people is typed in a field of its own.
    let is_listed = member == field::TO && parts.next().is_some();
    let member = match member {
        _ if is_listed => field::PEOPLE,
        "itemId" => field::LOT,
        _ => member,
    };
    let found = LABELS.into_iter().find(|(name, _)| *name == member);
    let (name, label) = found.unwrap_or((field::KIND, "The run"));
    let message = message.trim_end_matches('.');
    let is_predicate = ["must ", "is "].iter().any(|verb| message.starts_with(verb));
    let sentence = if is_predicate { format!("{label} {message}.") } else { format!("{label}: {message}.") };
    Wrong { field: name, sentence }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_beside_the_field_of_its_member() {
        for (path, field) in [
            ("params.to", field::TO),
            ("params.to.0.holder", field::PEOPLE),
            ("to.0.weight", field::PEOPLE),
            ("params.itemId", field::LOT),
            ("cuts.1.percent", field::CUTS),
            ("params", field::KIND),
        ] {
            assert_eq!(of_member(path, "must be another").field, field, "{path}");
        }
        assert_eq!(
            of_member("params.percent", "must be above 0.").sentence,
            "The percentage must be above 0."
        );
    }
}
