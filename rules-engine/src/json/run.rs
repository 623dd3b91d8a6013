//! One run of a book as JSON: its case and its rows (section 7).

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::{one_line, writer};
use crate::{
    bounds::{MAX_NORMALIZED, MIN_AVAILABLE},
    money::{NORMALIZED_DIGITS, Normalized, decimal_in, grouped},
    pot::{Caps, Holding, MAX_HOLDERS, ParamsError, RunError, RunKind, RunParams, RunResult, Share, compute},
    shape::{JsonReader, Read},
};

/// Computes one run of a book: its rows and what is kept, or `{"error": "…"}` if the case is invalid.
///
/// ```
/// let case = r#"{"kind": "SHARE", "params": {"amount": 10, "to": ["a", "b", "c"]},
///     "holders": [{"id": "a", "balance": 0}, {"id": "b", "balance": 5}, {"id": "c", "balance": -1}]}"#;
/// let answer = rules_engine::run(case);
/// let first = r#"{"rows":[{"id":"a","asked":"3.33","amount":"3.33","before":"0","after":"3.33"},"#;
/// assert!(answer.starts_with(first) && answer.ends_with(r#""kept":"0.01"}"#), "{answer}");
/// ```
#[must_use]
pub fn run(case: &str) -> String {
    match answer(case) {
        Ok((holders, result)) => written(&holders, &result),
        Err(error) => writer::error(&error),
    }
}

fn answer(json: &str) -> Result<(Vec<Holding>, RunResult), String> {
    let Case { params, caps, holders, pot } = Case::read(json)?;
    if let RunParams::Share(Share { to: None, .. }) = params {
        return Err("params.to must list the holders who are present".into());
    }
    match compute(&params, caps.as_ref(), &holders, pot) {
        Ok(result) => Ok((holders, result)),
        Err(RunError::PotEmpty) => Err("pot must be above 0".into()),
        Err(RunError::Params(errors)) => Err(one_line("params.", errors)),
        Err(RunError::OutOfBounds(holder)) => {
            Err(format!("holders.{holder}.balance would be beyond 1,000,000,000,000,000"))
        }
    }
}

struct Case {
    params: RunParams,
    caps: Option<Caps>,
    holders: Vec<Holding>,
    pot: Option<Normalized>,
}

const MEMBERS: [&str; 5] = ["kind", "params", "caps", "holders", "pot"];

impl Case {
    /// Reads a case. The kind, which says how the parameters are read, may stand after them.
    fn read(json: &str) -> Result<Self, String> {
        let mut kind: Option<RunKind> = None;
        let (mut params, mut caps, mut holders, mut pot) = (None, None, None, None);
        let mut reader = JsonReader::new(json);
        reader.object(&MEMBERS, &mut |reader, place| {
            match place {
                0 => kind = Some(reader.constant("expected SHARE, DECAY or GRANT")?),
                1 => {
                    params = Some(reader.clone());
                    reader.skip()?;
                }
                2 => {
                    caps = reader.optional(|reader| {
                        let start = reader.clone();
                        reader.skip()?;
                        Ok(start)
                    })?;
                }
                3 => holders = Some(reader.list(holder)?),
                _ => pot = reader.optional(literal)?,
            }
            Ok(())
        })?;
        reader.end()?;
        let kind = reader.required(kind, "kind")?;
        let mut params = reader.required(params, "params")?;
        let params = RunParams::read(&mut params, kind).map_err(|error| in_words("params.", error))?;
        let caps = caps.map(|mut caps| Caps::read(&mut caps)).transpose();
        let caps = caps.map_err(|error| in_words("caps.", error))?;
        let holders = holdings(reader.required(holders, "holders")?)?;
        let pot = pot.map(|pot| amount(&pot, || "pot".into(), POT)).transpose()?;
        Ok(Self { params, caps, holders, pot })
    }
}

fn in_words(prefix: &str, error: ParamsError) -> String {
    match error {
        ParamsError::Json(error) => error.into(),
        ParamsError::Members(errors) => one_line(prefix, errors),
    }
}

fn literal(reader: &mut JsonReader<'_>) -> Read<String> {
    reader.literal().map(alloc::borrow::Cow::into_owned)
}

struct HolderText {
    id: String,
    balance: String,
    given: Option<String>,
}

fn holder(reader: &mut JsonReader<'_>) -> Read<HolderText> {
    let (mut id, mut balance, mut given) = (None, None, None);
    reader.object(&["id", "balance", "given"], &mut |reader, place| {
        match place {
            0 => id = Some(reader.text()?.into_owned()),
            1 => balance = Some(literal(reader)?),
            _ => given = reader.optional(literal)?,
        }
        Ok(())
    })?;
    Ok(HolderText { id: reader.required(id, "id")?, balance: reader.required(balance, "balance")?, given })
}

fn holdings(texts: Vec<HolderText>) -> Result<Vec<Holding>, String> {
    if texts.len() > MAX_HOLDERS {
        return Err("holders must have at most 10,000 entries".into());
    }
    let mut seen = BTreeMap::new();
    for (at, text) in texts.iter().enumerate() {
        if seen.insert(text.id.as_str(), at).is_some() {
            return Err(format!("holders.{at}.id must be an id that is not there before"));
        }
    }
    let holding = |(at, text): (usize, &HolderText)| {
        let balance = amount(&text.balance, || format!("holders.{at}.balance"), BALANCE)?;
        let given = text.given.as_deref().map(|given| amount(given, || format!("holders.{at}.given"), GIVEN));
        Ok(Holding { id: text.id.clone(), balance, given: given.transpose()?.unwrap_or_default() })
    };
    texts.iter().enumerate().map(holding).collect()
}

/// Whether an amount of a case may be below zero.
const BALANCE: bool = true;
const GIVEN: bool = false;
/// A pot is below zero after a correction: it is read, and refused as empty.
const POT: bool = true;

fn amount(text: &str, path: impl Fn() -> String, signed: bool) -> Result<Normalized, String> {
    let least = if signed { MIN_AVAILABLE } else { Normalized::ZERO };
    let amount = Normalized::parse(text).ok();
    amount.filter(|amount| least <= *amount && *amount <= MAX_NORMALIZED).ok_or_else(|| {
        let range = format!("from {} to ", grouped(&String::from(least)));
        format!("{} {}", path(), decimal_in(&range, &String::from(MAX_NORMALIZED), NORMALIZED_DIGITS))
    })
}

fn written(holders: &[Holding], result: &RunResult) -> String {
    let mut json = String::from(r#"{"rows":"#);
    writer::list(&mut json, &result.rows, |json, row| {
        let id = holders.get(row.holder).map(|holder| holder.id.as_str());
        writer::member(json, r#"{"id":"#, id);
        writer::member(json, r#","asked":"#, Some(&String::from(row.asked)));
        writer::member(json, r#","amount":"#, Some(&String::from(row.amount)));
        writer::member(json, r#","before":"#, Some(&String::from(row.before)));
        writer::member(json, r#","after":"#, Some(&String::from(row.after)));
        json.push('}');
    });
    writer::member(&mut json, r#","kept":"#, Some(&String::from(result.kept)));
    json.push('}');
    json
}
