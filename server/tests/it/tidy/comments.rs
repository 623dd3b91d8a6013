//! Lines of comments have at most 110 columns, as lines of code have.

use super::source::{paths, read};

const COLUMNS_MAX: usize = 110;

#[test]
fn comments_have_at_most_110_columns() {
    let rust = paths(&["app", "bench", "rules-engine", "server", "xtask"], &[".rs"]);
    let scripts = paths(&["app/src", "end2end"], &[".js", ".ts"]);
    let wide: Vec<String> = rust.iter().chain(&scripts).flat_map(|path| wide_comments(path)).collect();
    assert!(wide.is_empty(), "wrap these comments at {COLUMNS_MAX} columns:\n{}", wide.join("\n"));
}

/// The places of comments in a file that are too wide, rows of tables apart, which can't be wrapped.
fn wide_comments(path: &str) -> Vec<String> {
    let text = read(path);
    let is_script = !path.ends_with(".rs");
    let lines = (1..).zip(text.lines());
    let wide = lines.filter(|(_, line)| {
        let words = line.trim_start();
        let is_comment =
            words.starts_with("//") || is_script && (words.starts_with("* ") || words.starts_with("/*"));
        let is_row = words.trim_start_matches(['/', '!', '*', ' ']).starts_with('|');
        is_comment && !is_row && line.chars().count() > COLUMNS_MAX
    });
    wide.map(|(number, _)| format!("{path}:{number}")).collect()
}
