//! Numbers as people type them into the fields of pages. The API and the engine take a decimal point only.

/// The typed number with its decimal comma as a point: `12,5` is `12.5`. A comma that may group thousands, as
/// in `1,000` or `1.000,50`, is never guessed: the text stays as it is, and the engine refuses it.
pub fn typed_number(text: &str) -> String {
    let text = text.trim();
    match text.split_once(',').filter(|(whole, fraction)| is_decimal(whole, fraction)) {
        Some((whole, fraction)) => format!("{whole}.{fraction}"),
        None => text.to_owned(),
    }
}

fn is_decimal(whole: &str, fraction: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let may_be_thousands = fraction.len() == 3 && whole.len() <= 3 && !whole.starts_with('0');
    digits(whole) && digits(fraction) && !may_be_thousands
}

#[cfg(test)]
mod tests {
    use super::typed_number;

    #[test]
    fn a_decimal_comma_becomes_a_point() {
        for (typed, number) in [
            ("12,5", "12.5"),
            (" 19,50 ", "19.50"),
            ("0,125", "0.125"),
            ("1234,567", "1234.567"),
            ("0,5", "0.5"),
        ] {
            assert_eq!(typed_number(typed), number);
        }
    }

    #[test]
    fn what_may_be_a_thousand_is_never_guessed() {
        for typed in [
            "1.000,50",
            "1,000.50",
            "1,000",
            "12,345",
            "1,000,000",
            ",5",
            "5,",
            "1,5x",
            "-1,5",
            "12.5",
            "12",
            "",
            "x",
        ] {
            assert_eq!(typed_number(typed), typed);
        }
    }
}
