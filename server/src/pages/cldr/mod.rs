//! How locales write money, and which currency they have: a dated copy of what Unicode's CLDR says.

use std::collections::HashMap;
use std::sync::LazyLock;

type Table = LazyLock<HashMap<&'static str, &'static str>>;

static MONEY: Table = LazyLock::new(|| lines(include_str!("money.tsv")).collect());
static CURRENCIES: Table = LazyLock::new(|| lines(include_str!("currencies.tsv")).collect());
static REGIONS: Table = LazyLock::new(|| lines(include_str!("regions.tsv")).collect());

/// The pairs of a table.
fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

/// The parts of a BCP 47 tag by which locales differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageTag {
    language: String,
    script: Option<String>,
    region: Option<String>,
}

impl LanguageTag {
    /// Reads a tag. Its variants and extensions are passed over.
    pub fn of(text: &str) -> Self {
        let mut parts = text.split(['-', '_']);
        let language = parts.next().unwrap_or_default().to_ascii_lowercase();
        let (mut script, mut region) = (None, None);
        // A part of one letter begins an extension.
        for part in parts.take_while(|part| part.len() > 1) {
            let is_alphabetic = part.bytes().all(|byte| byte.is_ascii_alphabetic());
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            match part.len() {
                4 if is_alphabetic && script.is_none() && region.is_none() => {
                    let (first, rest) = part.split_at(1);
                    script = Some(first.to_ascii_uppercase() + &rest.to_ascii_lowercase());
                }
                2 if is_alphabetic && region.is_none() => region = Some(part.to_ascii_uppercase()),
                3 if is_number && region.is_none() => region = Some(part.to_owned()),
                _ => {}
            }
        }
        Self { language, script, region }
    }

    /// The line of the closest tag: the whole, without the script, without the region, the language.
    fn find(&self, table: &Table) -> Option<&'static str> {
        let Self { language, script, region } = self;
        let (script, region) = (script.as_deref(), region.as_deref());
        let closest = [(script, region), (None, region), (script, None), (None, None)];
        closest.iter().find_map(|(script, region)| {
            let parts = [Some(language.as_str()), *script, *region];
            table.get(parts.into_iter().flatten().collect::<Vec<_>>().join("-").as_str()).copied()
        })
    }

    /// How money is written, as in `money.tsv`. None for an unknown language.
    pub fn money(&self) -> Option<&'static str> {
        self.find(&MONEY)
    }

    /// The code of the region's currency: without a region with a currency, of the one that the language is
    /// most likely of.
    pub fn currency(&self) -> Option<&'static str> {
        let own = self.region.as_deref().and_then(|region| CURRENCIES.get(region));
        let likely = || CURRENCIES.get(Self { region: None, ..self.clone() }.find(&REGIONS)?);
        own.or_else(likely).copied()
    }

    /// Whether the language is written in Arabic letters.
    pub fn is_arabic_script(&self) -> bool {
        const LANGUAGES: [&str; 18] = [
            "ar", "arz", "bal", "bgn", "ckb", "fa", "glk", "ks", "lrc", "luz", "mzn", "pnb", "ps", "sd",
            "sdh", "skr", "ug", "ur",
        ];
        self.script
            .as_deref()
            .map_or(LANGUAGES.contains(&self.language.as_str()), |script| matches!(script, "Arab" | "Aran"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::iso_currencies;

    #[test]
    fn each_line_of_the_tables_can_be_used() {
        for (tag, style) in lines(include_str!("money.tsv")) {
            let kinds =
                ["¤0.00", "¤0,00", "¤_0.00", "¤_0,00", "0.00¤", "0,00¤", "0.00_¤", "0,00_¤"].contains(&style);
            assert!(kinds, "{tag}: {style}");
            assert_eq!(LanguageTag::of(tag).money(), Some(style), "{tag}");
        }
        for (region, code) in lines(include_str!("currencies.tsv")) {
            assert!(region.len() == 2 && iso_currencies::is_in_use(code), "{region}: {code}");
        }
        for (tag, region) in lines(include_str!("regions.tsv")) {
            assert_eq!(LanguageTag::of(tag).find(&REGIONS), Some(region), "{tag}");
            // Regions whose codes are deleted, and Antarctica, have no tender.
            assert!(CURRENCIES.contains_key(region), "{tag}: {region}");
        }
        for (table, rows) in [(&MONEY, 426), (&CURRENCIES, 255), (&REGIONS, 374)] {
            assert_eq!(table.len(), rows);
        }
    }

    #[test]
    fn a_tag_is_read_in_any_case_and_without_what_makes_no_difference() {
        let parts = |text| {
            let LanguageTag { language, script, region } = LanguageTag::of(text);
            (language, script.unwrap_or_default(), region.unwrap_or_default())
        };
        let owned = |one: &str, two: &str, three: &str| (one.to_owned(), two.to_owned(), three.to_owned());
        assert_eq!(parts("DE-latn-ch-1996"), owned("de", "Latn", "CH"));
        assert_eq!(parts("de-u-nu-latn"), owned("de", "", ""));
        assert_eq!(parts("es-419"), owned("es", "", "419"));
        assert_eq!(parts("sl-rozaj-biske"), owned("sl", "", ""));
        assert_eq!(parts(""), owned("", "", ""));
    }
}
