//! TypeScript from the published schemas, as far as these go.

use std::{collections::BTreeSet, fmt::Write};

use serde_json::Value;

const HEAD: &str = "// What the engine reads and writes, as JSON. Generated from its Rust types, see rules-engine/tests/schema.rs.\n";
const TAIL: &str = "
/** What every function returns for an invalid case. */
export interface EngineError {
    error: string;
}

/** What `run` computes: a share, a decay or a grant of a book, and the holders with what they have. */
export interface RunCase {
    /** Limits on what is given. Their week and its time zone have no effect: `given` of a holder counts. */
    caps?: RunCaps | null;
    /** At most 10,000, in the order by which equal remainders are told apart. */
    holders: RunHolder[];
    kind: \"SHARE\" | \"DECAY\" | \"GRANT\";
    params: ShareParams | DecayParams | GrantParams;
    /** What there is to share of an auction or a lot. */
    pot?: Decimal | null;
}

/** A holder before the run. */
export interface RunHolder {
    balance: Decimal;
    /** What was given this week. */
    given?: Decimal | null;
    id: string;
}

/** Limits of a book on what is given. */
export interface RunCaps {
    hard?: Decimal | null;
    soft?: Decimal | null;
    softPercent?: Decimal | null;
    timeZone?: string | null;
    weekStart?: string | null;
    weekly?: Decimal | null;
}

/** A pot, or an amount, among holders: one of `auctionId`, `itemId` and `amount`. */
export interface ShareParams {
    amount?: Decimal | null;
    auctionId?: string | null;
    cuts?: { holder: string; percent: Decimal }[] | null;
    /** 0 to 6, 2 by default. */
    digits?: number | null;
    itemId?: string | null;
    rest?: \"KEEP\" | \"SPREAD\" | null;
    to: (string | { holder: string; weight?: number | null })[];
}

/** A percentage that is taken of what holders have. */
export interface DecayParams {
    base?: \"ABOVE\" | \"WHOLE\" | null;
    debts?: \"LEAVE\" | \"SHRINK\" | null;
    /** 0 to 6, 2 by default. */
    digits?: number | null;
    floor?: Decimal | null;
    percent: Decimal;
    period?: string | null;
    to: \"ALL\" | string[];
}

/** The same amount to each of some holders. */
export interface GrantParams {
    amount: Decimal;
    /** 0 to 6; without it the amount keeps its digits. */
    digits?: number | null;
    to: \"ALL\" | string[];
}

/** What `run` returns. */
export interface RunRows {
    /** What a share leaves in its pot. */
    kept: CanonicalDecimal;
    rows: RunRow[];
}

/** What a run does to one holder. */
export interface RunRow {
    after: CanonicalDecimal;
    /** What is left of `asked` by the caps. */
    amount: CanonicalDecimal;
    asked: CanonicalDecimal;
    before: CanonicalDecimal;
    id: string;
}

/** What `settle` returns: the winners in the order of their copies. */
export interface SettleWinners {
    winners: SettleWinner[];
}

/** A bid that wins, and what it pays: `price` in base units, and the same as a bid in its own currency. */
export interface SettleWinner {
    amount?: CanonicalDecimal;
    /** What it wins, from 1. */
    copy: number;
    enteredRepresentation?: AcceptedCount[];
    id: string;
    price: CanonicalDecimal;
}

/** What `draw` returns: the winners in the order of their copies. */
export interface DrawWinners {
    winners: DrawWinner[];
}

/** A ticket that was drawn. */
export interface DrawWinner {
    /** What it wins, from 1. */
    copy: number;
    id: string;
    /** The number of the ticket, from 1. */
    ticket: number;
}
";

/// One module: cases as they are read, and verdicts as they are written, in which a decimal is always text.
pub fn module(cases: &[&Value], verdict: &Value) -> String {
    let verdict = verdict
        .to_string()
        .replace("/Decimal\"", "/CanonicalDecimal\"")
        .replace("\"Decimal\":", "\"CanonicalDecimal\":");
    let verdict: Value = serde_json::from_str(&verdict).expect("a schema");
    let mut module = HEAD.to_owned();
    let mut declared = BTreeSet::new();
    for root in cases.iter().copied().chain([&verdict]) {
        declare(&mut module, root["title"].as_str().expect("a title"), root);
        for (name, schema) in root["$defs"].as_object().into_iter().flatten() {
            if declared.insert(name) {
                declare(&mut module, name, schema);
            }
        }
    }
    module + TAIL
}

fn declare(module: &mut String, name: &str, schema: &Value) {
    module.push('\n');
    comment(module, "", schema);
    if let Some(members) = schema["properties"].as_object() {
        writeln!(module, "export interface {name} {{").expect("text");
        let required = schema["required"].as_array();
        for (member, schema) in members {
            comment(module, "    ", schema);
            let is_required = required.is_some_and(|names| names.iter().any(|name| name == member));
            let mark = if is_required { "" } else { "?" };
            writeln!(module, "    {member}{mark}: {};", of(schema)).expect("text");
        }
        module.push_str("}\n");
    } else {
        writeln!(module, "export type {name} = {};", of(schema)).expect("text");
    }
}

fn comment(module: &mut String, indent: &str, schema: &Value) {
    if let Some(text) = schema["description"].as_str() {
        let text = text.replace('\n', &format!("\n{indent} * ")).replace(" * \n", " *\n");
        writeln!(module, "{indent}/** {text} */").expect("text");
    }
}

/// The type of a value.
fn of(schema: &Value) -> String {
    let any = |schemas: &Value| {
        schemas.as_array().map(|schemas| schemas.iter().map(of).collect::<Vec<_>>().join(" | "))
    };
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(types) = any(&schema["oneOf"]).or_else(|| any(&schema["anyOf"])) {
        return types;
    }
    let one = |name: &Value| match name.as_str().expect("a type") {
        "integer" => "number".to_owned(),
        "array" => format!("{}[]", of(&schema["items"])),
        other => other.to_owned(),
    };
    match &schema["type"] {
        Value::Array(types) => types.iter().map(one).collect::<Vec<_>>().join(" | "),
        Value::Null => "unknown".to_owned(),
        name => one(name),
    }
}
