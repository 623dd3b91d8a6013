//! The languages and regions, and the time zones, that forms offer.

use std::sync::LazyLock;

use app::model::SelectOption;
use platform::zone;

/// Tags and names. The API takes every BCP 47 tag.
const LOCALES: &[(&str, &str)] = &[
    ("bg-BG", "Bulgarian – Bulgaria"),
    ("ca-ES", "Catalan – Spain"),
    ("zh-CN", "Chinese – China"),
    ("zh-HK", "Chinese – Hong Kong"),
    ("zh-TW", "Chinese – Taiwan"),
    ("hr-HR", "Croatian – Croatia"),
    ("cs-CZ", "Czech – Czechia"),
    ("da-DK", "Danish – Denmark"),
    ("nl-BE", "Dutch – Belgium"),
    ("nl-NL", "Dutch – Netherlands"),
    ("en-AU", "English – Australia"),
    ("en-CA", "English – Canada"),
    ("en-IN", "English – India"),
    ("en-IE", "English – Ireland"),
    ("en-NZ", "English – New Zealand"),
    ("en-ZA", "English – South Africa"),
    ("en-GB", "English – United Kingdom"),
    ("en-US", "English – United States"),
    ("et-EE", "Estonian – Estonia"),
    ("fi-FI", "Finnish – Finland"),
    ("fr-BE", "French – Belgium"),
    ("fr-CA", "French – Canada"),
    ("fr-FR", "French – France"),
    ("fr-LU", "French – Luxembourg"),
    ("fr-CH", "French – Switzerland"),
    ("de-AT", "German – Austria"),
    ("de-DE", "German – Germany"),
    ("de-LI", "German – Liechtenstein"),
    ("de-LU", "German – Luxembourg"),
    ("de-CH", "German – Switzerland"),
    ("el-GR", "Greek – Greece"),
    ("he-IL", "Hebrew – Israel"),
    ("hi-IN", "Hindi – India"),
    ("hu-HU", "Hungarian – Hungary"),
    ("is-IS", "Icelandic – Iceland"),
    ("id-ID", "Indonesian – Indonesia"),
    ("ga-IE", "Irish – Ireland"),
    ("it-IT", "Italian – Italy"),
    ("it-CH", "Italian – Switzerland"),
    ("ja-JP", "Japanese – Japan"),
    ("ko-KR", "Korean – South Korea"),
    ("lv-LV", "Latvian – Latvia"),
    ("lt-LT", "Lithuanian – Lithuania"),
    ("nb-NO", "Norwegian – Norway"),
    ("pl-PL", "Polish – Poland"),
    ("pt-BR", "Portuguese – Brazil"),
    ("pt-PT", "Portuguese – Portugal"),
    ("ro-RO", "Romanian – Romania"),
    ("sr-RS", "Serbian – Serbia"),
    ("sk-SK", "Slovak – Slovakia"),
    ("sl-SI", "Slovenian – Slovenia"),
    ("es-AR", "Spanish – Argentina"),
    ("es-MX", "Spanish – Mexico"),
    ("es-ES", "Spanish – Spain"),
    ("es-US", "Spanish – United States"),
    ("sv-SE", "Swedish – Sweden"),
    ("th-TH", "Thai – Thailand"),
    ("tr-TR", "Turkish – Türkiye"),
    ("uk-UA", "Ukrainian – Ukraine"),
    ("vi-VN", "Vietnamese – Vietnam"),
    ("cy-GB", "Welsh – United Kingdom"),
];

static ZONES: LazyLock<Vec<SelectOption>> = LazyLock::new(|| {
    let option = |name: String| SelectOption { label: name.replace('_', " "), value: name };
    zone::names().into_iter().map(option).collect()
});

/// The languages and regions, with `chosen` if it is none of the list.
pub fn locales(chosen: Option<&str>) -> Vec<SelectOption> {
    let option =
        |(tag, name): &(&str, &str)| SelectOption { value: (*tag).to_owned(), label: (*name).to_owned() };
    with_chosen("No preference", LOCALES.iter().map(option), chosen)
}

/// The time zones, with `chosen` if it is none of the list.
pub fn zones(chosen: &str) -> Vec<SelectOption> {
    with_chosen("That of my browser", ZONES.iter().cloned(), Some(chosen).filter(|zone| !zone.is_empty()))
}

fn with_chosen(
    none: &str,
    options: impl Iterator<Item = SelectOption>,
    chosen: Option<&str>,
) -> Vec<SelectOption> {
    let none = SelectOption { value: String::new(), label: none.to_owned() };
    let mut options: Vec<_> = std::iter::once(none).chain(options).collect();
    if let Some(chosen) = chosen
        && options.iter().all(|option| option.value != chosen)
    {
        options.push(SelectOption { value: chosen.to_owned(), label: chosen.to_owned() });
    }
    options
}

#[cfg(test)]
mod tests {
    use accounts::preferences::ZoneName;

    use super::{LOCALES, locales, zones};
    use crate::pages::money_style::MoneyStyle;

    #[test]
    fn what_is_chosen_is_offered() {
        for chosen in ["en-GB", "de-Latn-CH"] {
            let found = locales(Some(chosen)).iter().filter(|option| option.value == chosen).count();
            assert_eq!(found, 1, "{chosen}");
        }
        assert_eq!(locales(None).len(), LOCALES.len() + 1);
    }

    #[test]
    fn each_choice_of_a_language_has_its_decimal_mark() {
        let comma = |tag| MoneyStyle::of(Some(tag)).has_comma();
        assert!(comma("de-DE") && comma("fr-FR") && comma("nb-NO") && !comma("en-GB") && !comma("de-CH"));
    }

    #[test]
    fn each_zone_of_the_list_is_one() {
        let zones = zones("Europe/Berlin");
        assert!(zones.len() > 100, "{}", zones.len());
        for zone in zones.iter().filter(|zone| !zone.value.is_empty()) {
            assert!(zone.value.parse::<ZoneName>().is_ok(), "{}", zone.value);
        }
    }
}
