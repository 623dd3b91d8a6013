//! The style sheet: `style/main.css` with its imports inlined, so that the browser loads one file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{Asset, hash};
use crate::path_context::PathContext;

/// `font` replaces `serif.woff2` in the sheet.
pub fn build(style: &Path, font: &Asset) -> Result<Asset> {
    let mut open = Vec::new();
    let css = inline(&style.join("main.css"), &mut open)?.replace("serif.woff2", &font.name);
    Ok(Asset { name: format!("farthing-{}.css", hash(&[css.as_bytes()])), bytes: css.into_bytes() })
}

/// A sheet's text with each import replaced by the imported sheet. `open` has the sheets that import this
/// one.
fn inline(path: &Path, open: &mut Vec<PathBuf>) -> Result<String> {
    if open.iter().any(|outer| outer == path) {
        bail!("{} imports itself", path.display());
    }
    let text = strip(&fs::read_to_string(path).on_path("read", path)?);
    open.push(path.to_path_buf());
    let mut css = String::new();
    let mut rest = text.as_str();
    // CSS allows imports at the beginning only, with nothing but `@layer` statements between them.
    while let Some((statement, after)) = rest.trim_start().split_once(';') {
        let statement = statement.trim();
        if let Some(import) = statement.strip_prefix("@import") {
            css.push_str(&imported(path, import, open)?);
        } else if statement.starts_with("@layer") && !statement.contains('{') {
            css.push_str(&format!("{statement};\n"));
        } else {
            break;
        }
        rest = after;
    }
    css.push_str(rest.trim_start());
    open.pop();
    if let Some(at) = css.find("@import") {
        let line = css[at..].lines().next().unwrap_or_default();
        bail!("{}: `{line}` must come before all rules", path.display());
    }
    Ok(css)
}

/// The text of one import: a quoted name, optionally followed by a layer.
fn imported(importer: &Path, import: &str, open: &mut Vec<PathBuf>) -> Result<String> {
    let wrong = || {
        format!(
            "{}: `@import{import};`: write `@import \"file.css\";` or `@import \"file.css\" layer(name);`",
            importer.display()
        )
    };
    let (name, condition) =
        import.trim().strip_prefix('"').and_then(|name| name.split_once('"')).with_context(wrong)?;
    let folder = importer.parent().unwrap_or(Path::new(""));
    let css = inline(&folder.join(name), open)?;
    let condition = condition.trim();
    if condition.is_empty() {
        return Ok(css);
    }
    let layer =
        condition.strip_prefix("layer(").and_then(|layer| layer.strip_suffix(')')).with_context(wrong)?;
    Ok(format!("@layer {layer} {{\n{css}}}\n"))
}

/// Removes comments, and what separates nothing. Quoted text is unchanged.
fn strip(text: &str) -> String {
    let mut stripped = String::with_capacity(text.len());
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                stripped.push(character);
                stripped.extend(characters.next());
            }
            (Some(mark), _) => {
                stripped.push(character);
                if character == mark {
                    quote = None;
                }
            }
            (None, '/') if characters.peek() == Some(&'*') => {
                characters.next();
                let mut before = ' ';
                for inner in characters.by_ref() {
                    if before == '*' && inner == '/' {
                        break;
                    }
                    before = inner;
                }
            }
            (None, '\n' | ' ' | '\t' | '\r') => {
                // Before a colon a space tells a descendant from an element.
                if !stripped.is_empty() && !stripped.ends_with([' ', '{', '}', ';', ',', ':']) {
                    stripped.push(' ');
                }
            }
            (None, _) => {
                let needless = match character {
                    '{' => Some(' '),
                    '}' => Some(';'),
                    _ => None,
                };
                if needless.is_some_and(|needless| stripped.ends_with(needless)) {
                    stripped.pop();
                }
                if character == '"' || character == '\'' {
                    quote = Some(character);
                }
                stripped.push(character);
            }
        }
    }
    stripped
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{inline, strip};

    #[test]
    fn comments_and_indentation_are_removed_and_quoted_text_is_kept() {
        let css = "/* a; b */\na {\n    content: \"/* no */ \\\" ;\"; /* x\n */\n\n  color: red;\n}\n";
        assert_eq!(strip(css), "a{content:\"/* no */ \\\" ;\";color:red}");
    }

    #[test]
    fn imports_are_inlined_in_order_and_in_their_layer() {
        let folder = std::env::temp_dir().join(format!("farthing-styles-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, css: &str| fs::write(folder.join(name), css).unwrap();
        write("main.css", "@layer base;\n@import \"a.css\" layer(base);\n@import \"b.css\";\nc {}\n");
        write("a.css", "a { color: red; }\n");
        write("b.css", "@import \"a.css\";\nb {}\n");
        let css = inline(&folder.join("main.css"), &mut Vec::new());
        write("a.css", "@import \"a.css\";\n");
        let cycle = inline(&folder.join("main.css"), &mut Vec::new());
        write("a.css", "a {}\n@import \"b.css\";\n");
        let late = inline(&folder.join("main.css"), &mut Vec::new());
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(css.unwrap(), "@layer base;\n@layer base {\na{color:red}}\na{color:red}b{}c{}");
        assert!(cycle.unwrap_err().to_string().ends_with("a.css imports itself"));
        assert!(late.unwrap_err().to_string().contains("must come before all rules"));
    }
}
