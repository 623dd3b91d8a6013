//! The page: a table of each kind between two lines, and prose around them.

use anyhow::{Context, Result};

use super::Program;

/// Its path in the workspace.
pub const PAGE: &str = "docs/reference/works-with.md";

const END: &str = "<!-- end -->";

/// The page with the rows of a kind in the place of the last ones.
pub fn with_rows(old: &str, kind: &str, rows: &[Program], day: &str) -> Result<String> {
    let mark = format!("<!-- {kind} -->");
    let place = old.split_once(&mark).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = place.with_context(|| format!("the page has no lines `{mark}` and `{END}`"))?;
    let table: String = rows
        .iter()
        .map(|Program { tool, version, seen }| format!("| {tool} | {version} | {seen} |\n"))
        .collect();
    Ok(format!("{before}{mark}\nOn {day}.\n\n| tool | version | seen |\n|---|---|---|\n{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{Program, with_rows};

    #[test]
    fn rows_replace_those_of_their_kind_only() {
        let old = "# Page\n<!-- mail -->\nold\n<!-- end -->\n## Next\n<!-- proxies -->\n<!-- end -->\n";
        let new = with_rows(old, "mail", &[Program::new("Exim", "4.96", "takes it")], "2026-11-30").unwrap();
        let table =
            "On 2026-11-30.\n\n| tool | version | seen |\n|---|---|---|\n| Exim | 4.96 | takes it |\n";
        let rest = "<!-- end -->\n## Next\n<!-- proxies -->\n<!-- end -->\n";
        assert_eq!(new, format!("# Page\n<!-- mail -->\n{table}{rest}"));
        assert_eq!(
            with_rows(&new, "mail", &[Program::new("Exim", "4.96", "takes it")], "2026-11-30").unwrap(),
            new
        );
        assert!(with_rows(old, "browsers", &[], "2026-11-30").is_err());
    }
}
