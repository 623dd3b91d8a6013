//! `docs/SPEC.md` and `docs/operate/settings.md` name what the program has, and nothing else: requests,
//! members of documents, codes, rules, commands, pages and steps of an update.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use installation::journal::StepName;
use rules_engine::{RuleType, ViolationCode};
use serde_json::Value;
use server::codes;

use super::router::routes;
use super::source::read;

const SPEC: &str = "docs/SPEC.md";
const SETTINGS: &str = "docs/operate/settings.md";
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

#[test]
fn the_specification_lists_every_request() {
    let mut listed = BTreeSet::new();
    for row in table(&read(SPEC), "method") {
        for method in row[0].split(", ") {
            assert!(METHODS.contains(&method), "{method}");
            listed.extend(code(&row[1]).map(|path| format!("{method} {path}")));
        }
    }
    let document = document();
    let mut served = BTreeSet::new();
    for (path, operations) in members(&document["paths"]) {
        served.extend(operations.keys().map(|method| format!("{} {path}", method.to_ascii_uppercase())));
    }
    compare("requests", &listed, &served);
}

#[test]
fn the_specification_lists_the_members_of_every_document() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let shapes = shapes(&read(SPEC));
    for (name, listed) in &shapes {
        assert!(schemas[name]["properties"].is_object(), "{SPEC} names {name}, which is no schema");
        let properties = members(&schemas[name]["properties"]).map(|(name, _)| name.clone()).collect();
        compare(name, listed, &properties);
    }
    let answered = answered(&document);
    let missing: Vec<_> =
        answered.iter().filter(|name| !shapes.contains_key(*name) && !is_wrapper(&schemas[*name])).collect();
    assert!(missing.is_empty(), "{SPEC} does not list the members of {missing:?}");
}

#[test]
fn the_specification_lists_every_code() {
    let text = read(SPEC);
    let mut listed = BTreeSet::new();
    for row in table(&text, "status") {
        listed.extend(code(&row[1]).map(|code| format!("{} {code}", row[0])));
    }
    let codes = codes::ALL.iter().map(|code| format!("{} {}", code.status().as_u16(), code.as_str()));
    compare("codes", &listed, &codes.collect());
    let violations: Vec<_> = table(&text, "phase").iter().flat_map(|row| code(&row[1])).collect();
    assert_eq!(
        violations,
        ViolationCode::ALL.map(ViolationCode::as_str),
        "codes of violations, in their order"
    );
    let types: Vec<_> = table(&text, "type").iter().flat_map(|row| code(&row[0])).collect();
    assert_eq!(types, RuleType::ALL.map(RuleType::as_str), "types of rules, in their order");
}

#[test]
fn the_specification_lists_every_page_and_every_step_of_an_update() {
    let text = read(SPEC);
    let listed = table(&text, "page").iter().flat_map(|row| code(&row[0])).collect();
    let pages = routes().iter().filter(|route| route.is_page).map(|route| route.path.to_owned()).collect();
    compare("pages", &listed, &pages);
    let steps: Vec<_> = table(&text, "step").iter().flat_map(|row| code(&row[0])).collect();
    assert_eq!(steps, StepName::ALL.map(|step| step.to_string()), "steps, in their order");
}

#[test]
fn the_commands_are_those_of_the_program() {
    let rows = table(&read(SETTINGS), "command");
    let name = |usage: String| usage.split(' ').filter(|word| is_lower(word)).collect::<Vec<_>>().join(" ");
    let listed = rows.iter().flat_map(|row| code(&row[0])).map(name).collect();
    let mut commands = BTreeSet::new();
    for command in commands_of(&[]) {
        let below = commands_of(&[&command]);
        commands.extend(below.iter().map(|verb| format!("{command} {verb}")));
        commands.extend(below.is_empty().then_some(command));
    }
    compare("commands", &listed, &commands);
}

/// The commands below `command` that its help lists.
pub fn commands_of(command: &[&str]) -> Vec<String> {
    let farthing =
        std::process::Command::new(env!("CARGO_BIN_EXE_farthing")).args(command).arg("--help").output();
    let help = String::from_utf8(farthing.unwrap().stdout).unwrap();
    let list =
        help.split_once("\nCommands:\n").map_or("", |(_, list)| list.split("\n\n").next().unwrap_or(""));
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| is_lower(name) && *name != "help").map(str::to_owned).collect()
}

fn is_lower(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
}

fn document() -> Value {
    serde_json::to_value(server::router::document()).unwrap()
}

/// Fails with what only one of the two has.
#[track_caller]
fn compare<T: Ord + Debug>(what: &str, listed: &BTreeSet<T>, present: &BTreeSet<T>) {
    let (missing, superfluous): (Vec<_>, Vec<_>) =
        (present.difference(listed).collect(), listed.difference(present).collect());
    assert!(
        missing.is_empty() && superfluous.is_empty(),
        "{what}: the document lacks {missing:#?}, and has {superfluous:#?}, which the program lacks"
    );
}

/// The rows of all tables whose first column has this heading, as cells.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut is_wanted = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(cells) = cells(line) else {
            is_wanted = false;
            continue;
        };
        if lines.peek().is_some_and(|next| next.starts_with("|---")) {
            is_wanted = cells[0] == heading;
            lines.next();
        } else if is_wanted {
            rows.push(cells);
        }
    }
    assert!(!rows.is_empty(), "there is a table of `{heading}`");
    rows
}

fn cells(line: &str) -> Option<Vec<String>> {
    let row = line.strip_prefix('|')?.strip_suffix('|')?.replace("\\|", "\u{0}");
    Some(row.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect())
}

/// What stands between backticks.
fn code(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned)
}

fn members(object: &Value) -> impl Iterator<Item = (&String, &serde_json::Map<String, Value>)> {
    object.as_object().unwrap().iter().filter_map(|(name, value)| Some((name, value.as_object()?)))
}

/// The blocks `Name {member, member: type, …}` with the names of their members.
fn shapes(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let blocks = text.split("```text\n").skip(1).map(|block| block.split("```").next().unwrap_or(""));
    let mut shapes = BTreeMap::new();
    for shape in blocks.flat_map(|block| block.split_inclusive("}\n")) {
        let (name, list) =
            shape.trim().trim_end_matches('}').split_once(" {").expect("a name and its members");
        let name_of = |member: &str| member.split([':', '?']).next().unwrap_or("").trim().to_owned();
        let earlier = shapes.insert(name.to_owned(), list.split(',').map(name_of).collect());
        assert!(earlier.is_none(), "{name} is listed once");
    }
    shapes
}

/// The schemas that answers contain, directly or within others.
fn answered(document: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, operations) in members(&document["paths"]) {
        for operation in operations.values() {
            collect(&operation["responses"], document, &mut found);
        }
    }
    found
}

fn collect(part: &Value, document: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(members) => {
            let reference = members.get("$ref").and_then(Value::as_str);
            if let Some(name) = reference.and_then(|path| path.strip_prefix("#/components/schemas/"))
                && found.insert(name.to_owned())
            {
                collect(&document["components"]["schemas"][name], document, found);
            }
            members.values().for_each(|member| collect(member, document, found));
        }
        Value::Array(entries) => entries.iter().for_each(|entry| collect(entry, document, found)),
        _ => {}
    }
}

/// A schema without members, such as an enum, or with lists and other documents only.
fn is_wrapper(schema: &Value) -> bool {
    let Some(properties) = schema["properties"].as_object() else { return true };
    properties.iter().all(|(name, property)| {
        name.starts_with("next") || property["$ref"].is_string() || property["type"] == "array"
    })
}
