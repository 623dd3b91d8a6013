//! Writes the answers as JSON, with the same bytes as `serde_json`.

use alloc::string::String;

use crate::{
    bid::{BidForm, Entered, Verdict},
    money::{Amount, Literal},
    rules::Violation,
};

/// Capacity in bytes that is enough for most verdicts.
const VERDICT: usize = 512;

/// Writes a verdict with its five members (section 7).
pub(super) fn verdict(verdict: &Verdict) -> String {
    let mut json = String::with_capacity(VERDICT);
    json.push_str(if verdict.accepted() { r#"{"accepted":true"# } else { r#"{"accepted":false"# });
    let normalized = verdict.normalized.map(String::from);
    member(&mut json, r#","normalizedAmount":"#, normalized.as_deref());
    match &verdict.entered {
        Some(Entered::Amount(amount)) => {
            member(&mut json, r#","amount":"#, Some(&String::from(*amount)));
            json.push_str(r#","enteredRepresentation":null"#);
        }
        Some(Entered::Representation(counts)) => {
            json.push_str(r#","amount":null,"enteredRepresentation":"#);
            list(&mut json, counts, |json, (code, amount): &(String, Amount)| {
                count(json, code, &String::from(*amount));
            });
        }
        None => json.push_str(r#","amount":null,"enteredRepresentation":null"#),
    }
    json.push_str(r#","violations":"#);
    list(&mut json, &verdict.violations, violation);
    json.push('}');
    json
}

/// Writes a bid as it would be entered, or `null`.
pub(super) fn suggestion(bid: Option<&BidForm>) -> String {
    let Some(bid) = bid else { return String::from("null") };
    let mut json = String::from("{");
    entered(&mut json, bid);
    json.push('}');
    json
}

/// Writes the member of a bid: its amount or its counts.
pub(super) fn entered(json: &mut String, bid: &BidForm) {
    if let Some(amount) = &bid.amount {
        member(json, r#""amount":"#, Some(amount.as_str()));
    } else {
        json.push_str(r#""enteredRepresentation":"#);
        list(json, bid.entered_representation.as_deref().unwrap_or_default(), |json, entry| {
            count(json, &entry.denomination, Literal::as_str(&entry.count));
        });
    }
}

/// Writes an error instead of an answer.
pub(super) fn error(error: &str) -> String {
    let mut json = String::new();
    member(&mut json, r#"{"error":"#, Some(error));
    json.push('}');
    json
}

fn violation(json: &mut String, violation: &Violation) {
    member(json, r#"{"code":"#, Some(violation.code.as_str()));
    member(json, r#","ruleId":"#, violation.rule_id.as_deref());
    member(json, r#","message":"#, Some(&violation.message));
    member(json, r#","required":"#, violation.required.as_deref());
    member(json, r#","actual":"#, violation.actual.as_deref());
    member(json, r#","denomination":"#, violation.denomination.as_deref());
    json.push('}');
}

fn count(json: &mut String, code: &str, count: &str) {
    member(json, r#"{"denomination":"#, Some(code));
    member(json, r#","count":"#, Some(count));
    json.push('}');
}

/// Writes a list.
pub(super) fn list<T>(json: &mut String, items: &[T], item: impl Fn(&mut String, &T)) {
    let mut before = '[';
    for each in items {
        json.push(before);
        item(json, each);
        before = ',';
    }
    json.push_str(if items.is_empty() { "[]" } else { "]" });
}

/// Writes a value and the text that comes before it.
pub(super) fn member(json: &mut String, before: &str, value: Option<&str>) {
    json.push_str(before);
    match value {
        Some(text) => push_json_text(json, text),
        None => json.push_str("null"),
    }
}

/// Appends a text as a JSON string.
pub fn push_json_text(json: &mut String, text: &str) {
    json.push('"');
    let mut rest = text;
    // All characters that must be escaped are ASCII, so `at` is a character boundary.
    while let Some((plain, next)) = rest
        .bytes()
        .position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '))
        .and_then(|at| rest.split_at_checked(at))
    {
        json.push_str(plain);
        let mut characters = next.chars();
        escape(json, characters.next().unwrap_or_default());
        rest = characters.as_str();
    }
    json.push_str(rest);
    json.push('"');
}

fn escape(json: &mut String, character: char) {
    let short = match character {
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\0'..' ' => {
            let code = u32::from(character);
            json.push_str(if code < 16 { "\\u000" } else { "\\u001" });
            return json.extend(char::from_digit(code & 15, 16));
        }
        _ => character,
    };
    json.push('\\');
    json.push(short);
}
