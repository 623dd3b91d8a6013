//! A setting as the help and the documentation describe it.

use super::SETTINGS;

/// The description of one setting.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub(super) field: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// The default in words, or a value in backticks.
    pub default: &'static str,
    /// Lines of the documentation; an empty line ends the help of the flag.
    pub(super) doc: &'static str,
}

impl Setting {
    /// The key in `farthing.toml`.
    pub fn key(&self) -> String {
        self.field.replace('_', "-")
    }

    /// The flag, with its dashes.
    pub fn flag(&self) -> String {
        format!("--{}", self.key())
    }

    /// The documentation in one line of Markdown.
    pub fn meaning(&self) -> String {
        paragraphs(self.doc).collect::<Vec<_>>().join(". ")
    }
}

/// The table of all settings in Markdown.
pub fn settings_table() -> String {
    let mut table = "| flag | variable | default | meaning |\n|---|---|---|---|\n".to_owned();
    for setting in SETTINGS {
        let (flag, variable, default) = (setting.flag(), setting.variable, setting.default);
        table += &format!("| `{flag}` | `{variable}` | {default} | {} |\n", setting.meaning());
    }
    table
}

/// The help of a flag: the first paragraph of its documentation, and its default.
pub(super) fn help(doc: &str, default: &str) -> String {
    let first = paragraphs(doc).next().unwrap_or_default();
    format!("{first} [default: {}]", default.replace('`', ""))
}

/// The paragraphs, each in one line.
fn paragraphs(doc: &str) -> impl Iterator<Item = String> {
    doc.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_has_the_table() {
        let (text, table) = (include_str!("../../../../docs/operate/settings.md"), settings_table());
        assert!(text.contains(&table), "docs/operate/settings.md has another table than this one:\n{table}");
    }
}
