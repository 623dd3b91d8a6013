//! The style sheet: `style/main.css` with its imports, as one file that the oldest browsers of
//! `style/browsers.json` understand.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use lightningcss::bundler::{Bundler, FileProvider};
use lightningcss::stylesheet::{MinifyOptions, ParserOptions, PrinterOptions};
use lightningcss::targets::{Browsers, Targets};

use super::{Asset, hash};
use crate::path_context::PathContext;

/// `font` replaces `serif.woff2` in the sheet.
pub fn build(style: &Path, font: &Asset) -> Result<Asset> {
    let css =
        lowered(&style.join("main.css"), &style.join("browsers.json"))?.replace("serif.woff2", &font.name);
    Ok(Asset { name: format!("farthing-{}.css", hash(&[css.as_bytes()])), bytes: css.into_bytes() })
}

/// A sheet with its imports in place, without spaces and comments. What the browsers lack, such as nested
/// rules and `light-dark()`, is written as they know it.
fn lowered(sheet: &Path, browsers: &Path) -> Result<String> {
    let targets = Targets::from(oldest(browsers)?);
    let files = FileProvider::new();
    // An error borrows the text of its sheet.
    let in_sheet = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", sheet.display());
    let mut bundled = Bundler::new(&files, None, ParserOptions::default())
        .bundle(sheet)
        .map_err(|error| in_sheet(&error))?;
    bundled.minify(MinifyOptions { targets, ..Default::default() }).map_err(|error| in_sheet(&error))?;
    let printed = bundled
        .to_css(PrinterOptions { minify: true, targets, ..Default::default() })
        .map_err(|error| in_sheet(&error))?;
    Ok(printed.code)
}

/// The oldest version of each browser for which pages are made. The tests of pages read the same file.
fn oldest(file: &Path) -> Result<Browsers> {
    let text = fs::read_to_string(file).on_path("read", file)?;
    let versions: BTreeMap<String, String> = serde_json::from_str(&text)
        .with_context(|| format!("{} has no versions of browsers", file.display()))?;
    let version = |browser: &str| {
        let version = versions.get(browser).and_then(|version| encoded(version));
        version.with_context(|| format!("{}: no version of {browser} such as 15.4", file.display()))
    };
    let (chrome, firefox, safari) = (version("chrome")?, version("firefox")?, version("safari")?);
    Ok(Browsers {
        android: Some(chrome),
        chrome: Some(chrome),
        edge: Some(chrome),
        firefox: Some(firefox),
        ios_saf: Some(safari),
        safari: Some(safari),
        ..Default::default()
    })
}

/// A version as Lightning CSS has it: a byte each for major and minor, above one for the patch.
fn encoded(version: &str) -> Option<u32> {
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    Some(u32::from(major.parse::<u8>().ok()?) << 16 | u32::from(minor.parse::<u8>().ok()?) << 8)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::lowered;

    #[test]
    fn a_sheet_with_its_imports_is_lowered_for_the_oldest_browsers() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("browsers.json", r#"{"chrome": "100", "firefox": "102", "safari": "15.4"}"#);
        write("main.css", "@layer base;\n@import \"a.css\" layer(base);\n@import \"b.css\";\n");
        write("a.css", ":root { color-scheme: light dark; }\na { color: light-dark(red, blue); }\n");
        write("b.css", "@media (width >= 40rem) { b { &:hover { top: 0; } } }\n");

        let css = lowered(&folder.path().join("main.css"), &folder.path().join("browsers.json")).unwrap();
        write("b.css", "b { color: }}\n");
        let wrong = lowered(&folder.path().join("main.css"), &folder.path().join("browsers.json"));

        for newer in ["light-dark(", "&", ">=", "\n"] {
            assert!(!css.contains(newer), "{newer} in {css}");
        }
        assert!(
            css.contains("@layer base{") && css.contains("@media (min-width:40rem){b:hover{top:0}}"),
            "{css}"
        );
        assert!(wrong.unwrap_err().to_string().contains("b.css"));
    }
}
