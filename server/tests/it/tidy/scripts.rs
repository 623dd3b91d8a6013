//! `tsc` checks the types of the scripts. Nothing escapes it: a script has no value of the type `any`, and
//! turns the check off nowhere without a reason.

use super::source::{paths, read};

#[test]
fn the_types_of_scripts_are_checked_everywhere() {
    let scripts = paths(&["app/src", "server/src", "xtask/src"], &[".js", ".ts"]);
    assert!(scripts.len() > 10, "{scripts:?}");
    let found: Vec<String> = scripts.iter().flat_map(|path| escapes(path, &read(path))).collect();
    assert!(
        found.is_empty(),
        "name the type, or give a reason behind `@ts-expect-error`:\n{}",
        found.join("\n")
    );
}

/// The places of a file where the check is off.
fn escapes(path: &str, text: &str) -> Vec<String> {
    let lines = (1..).zip(text.lines());
    let found = lines.filter(|(_, line)| {
        let reason = line.split_once("@ts-expect-error").map(|(_, reason)| reason.trim());
        let is_off = line.contains("@ts-ignore") || line.contains("@ts-nocheck") || reason == Some("");
        is_off || typed(path, line).split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == "any")
    });
    found.map(|(number, _)| format!("{path}:{number}")).collect()
}

/// The types in a line. In a script they stand in braces, within comments.
fn typed<'a>(path: &str, line: &'a str) -> &'a str {
    if path.ends_with(".ts") {
        return if line.trim_start().starts_with(['/', '*']) { "" } else { line };
    }
    let braces =
        line.split_once("/**").map_or(line, |(_, comment)| comment).trim_start().trim_start_matches("* ");
    if !braces.starts_with('@') {
        return "";
    }
    let types = braces.split_once('{').and_then(|(_, rest)| rest.rsplit_once('}'));
    types.map_or("", |(types, _)| types)
}

#[test]
fn an_escape_is_found_in_comments_that_declare_types() {
    let script = "/** @type {any} */\nconst a = 1; // any text\n/** Any way, or any other. */\n * @param {Set<any>} b\n\
                  // @ts-expect-error\n// @ts-expect-error an old browser\n// @ts-nocheck\n";
    assert_eq!(escapes("a.js", script), ["a.js:1", "a.js:4", "a.js:5", "a.js:7"]);
    assert_eq!(escapes("a.d.ts", "// any\ndeclare var a: any;\n"), ["a.d.ts:2"]);
}
