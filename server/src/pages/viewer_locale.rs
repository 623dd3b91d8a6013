//! The locale in which a page writes numbers and reads them: that of the account, or else the one that the
//! browser asks for first.

use accounts::session::SignedIn;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;

/// A BCP 47 tag. None if neither the account nor the browser has one.
pub fn locale_of<'a>(user: Option<&'a SignedIn>, headers: &'a HeaderMap) -> Option<&'a str> {
    let asked = || headers.get(ACCEPT_LANGUAGE)?.to_str().ok().and_then(preferred);
    user.and_then(|user| user.locale.as_deref()).or_else(asked)
}

/// The tag with the greatest weight, of equals the first (RFC 9110, section 12.5.4).
fn preferred(languages: &str) -> Option<&str> {
    let weighted = languages.split(',').filter_map(|language| {
        let mut parts = language.split(';').map(str::trim);
        let tag = parts.next().filter(|tag| !tag.is_empty() && *tag != "*")?;
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |weight| {
            weight.parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight))
        })?;
        Some((tag, weight))
    });
    let best = weighted.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.filter(|(_, weight)| *weight > 0.0).map(|(tag, _)| tag)
}

#[cfg(test)]
mod tests {
    use super::preferred;

    #[test]
    fn the_greatest_weight_decides_and_of_equals_the_first() {
        for (languages, expected) in [
            ("de-DE", Some("de-DE")),
            ("de-DE,de;q=0.9,en;q=0.8", Some("de-DE")),
            ("en;q=0.5, fr-CH", Some("fr-CH")),
            ("fr , de", Some("fr")),
            ("*", None),
            ("*, nl;q=0.1", Some("nl")),
            ("de;q=0", None),
            ("de;q=x", None),
            ("", None),
        ] {
            assert_eq!(preferred(languages), expected, "{languages}");
        }
    }
}
