//! Bids as people type them: numbers with the symbols and names of the currency beside them.

use alloc::{string::String, vec::Vec};

use super::TypedCurrency;
use super::number::{is_digit, is_letter, is_number, typed_number};

/// Bytes of a text in which names are looked for. The work grows with their square.
pub(super) const TEXT_MAX: usize = 1_000;

/// The numbers of the fields of a bid, as the engine takes them. Beside its number a field may have the
/// symbol, name, plural or code of what it counts: `£5`, `12 Talers`. Several pieces in one field are those
/// of their own fields, if these are empty: `5g 3s`. So is a decimal of the first of two pieces, if the
/// second stands for the digits after its point: `12.50` euros are 12 euros and 50 cents.
///
/// Any other text stays as it is, for the engine to refuse: a piece in the field of another, one that is
/// named twice, a name of several pieces, an unknown word, or a text of more than 1,000 bytes.
#[must_use]
pub fn typed_bid(currency: &TypedCurrency<'_>, texts: &[String]) -> Vec<String> {
    let mut numbers: Vec<String> =
        texts.iter().map(|text| typed_number(text, currency.has_thousandths)).collect();
    for (field, text) in texts.iter().enumerate() {
        if text.len() > TEXT_MAX
            || text.trim().is_empty()
            || numbers.get(field).is_some_and(|text| is_number(text))
        {
            continue;
        }
        let Some(parts) = parts(currency, text) else { continue };
        let is_own = |at: usize| at == field && parts.len() == 1;
        let is_free = |at: usize| at == field || numbers.get(at).is_some_and(String::is_empty);
        let is_once = |at: usize| parts.iter().filter(|(other, _)| *other == at).count() == 1;
        let fits = |at: usize| is_own(at) || (parts.len() > 1 && is_free(at) && is_once(at));
        if !parts.iter().all(|(at, _)| fits(*at)) {
            continue;
        }
        for (at, number) in [(field, String::new())].into_iter().chain(parts) {
            if let Some(slot) = numbers.get_mut(at) {
                *slot = number;
            }
        }
    }
    if let [first, second] = numbers.as_mut_slice()
        && second.is_empty()
        && let Some([(_, whole), (_, fraction)]) = currency.in_two(0, first)
    {
        (*first, *second) = (whole, fraction);
    }
    numbers
}

/// The numbers in a text, each with the field whose name stands before or after it. None if the text has
/// anything else.
pub(super) fn parts(currency: &TypedCurrency<'_>, text: &str) -> Option<Vec<(usize, String)>> {
    let mut parts = Vec::new();
    // A mark before the first part is its own: `,50 €` are 50 cents.
    let mut rest = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{2068}');
    while !rest.is_empty() {
        let (field, number, after) = match named(currency, rest) {
            Some((field, after)) => {
                let (number, after) = number(after.trim_start())?;
                (field, number, after)
            }
            None => {
                let (number, after) = number(rest)?;
                let (field, after) = named(currency, after.trim_start())?;
                (field, number, after)
            }
        };
        let number = typed_number(number, currency.has_thousandths);
        parts.push((field, Some(number).filter(|number| is_number(number))?));
        rest = between_parts(after);
    }
    Some(parts)
}

/// The text without what stands between two parts, as pages and people write it.
fn between_parts(text: &str) -> &str {
    let is_between = |letter: char| {
        letter.is_whitespace() || matches!(letter, ',' | ';' | '+' | '·' | '\u{2068}' | '\u{2069}')
    };
    text.trim_start_matches(is_between)
}

/// A number at the beginning of a text, and the rest. A space belongs to it only before three digits.
fn number(text: &str) -> Option<(&str, &str)> {
    let mut end = text.len();
    for (at, letter) in text.char_indices() {
        let (before, rest) = text.split_at(at);
        let is_dash = matches!(letter, '-' | '–' | '—' | '\u{2212}');
        let continues = match letter {
            '.' | ',' | '\'' | '’' | '٫' | '．' | '，' => true,
            _ if is_dash => at == 0 || before.ends_with(['.', ',']),
            _ if letter.is_whitespace() => {
                rest.trim_start().chars().take_while(|next| is_digit(*next)).count() == 3
            }
            _ => is_digit(letter),
        };
        if !continues {
            end = at;
            break;
        }
    }
    (end > 0).then(|| text.split_at(end))
}

/// The field of the longest name that a text begins with, and the rest. None if the name is that of several
/// fields.
fn named<'a>(currency: &TypedCurrency<'_>, text: &'a str) -> Option<(usize, &'a str)> {
    let mut longest: Option<(Option<usize>, &str)> = None;
    for (field, name) in currency.names.iter().copied() {
        let Some(rest) = without(text, name, currency.same_letters) else { continue };
        longest = Some(match longest {
            Some((found, other)) if other.len() == rest.len() => (found.filter(|at| *at == field), rest),
            Some(longer) if longer.1.len() < rest.len() => longer,
            _ => (Some(field), rest),
        });
    }
    longest.and_then(|(field, rest)| Some((field?, rest)))
}

/// The text after a name that it begins with, without regard to case. A word does not begin within a word.
fn without<'a>(text: &'a str, name: &str, same: fn(char, char) -> bool) -> Option<&'a str> {
    let mut rest = text.trim_start_matches('\u{2068}').chars();
    for letter in name.chars() {
        let typed = rest.next()?;
        let is_space = typed.is_whitespace() && letter.is_whitespace();
        if !is_space && typed != letter && !same(typed, letter) {
            return None;
        }
    }
    let rest = rest.as_str();
    (!(name.ends_with(is_letter) && rest.starts_with(is_letter))).then_some(rest)
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

    use super::super::TypedCurrency;
    use super::super::tests::{currency, guild, old_money};
    use super::super::typed_number;

    fn typed(currency: &TypedCurrency<'_>, texts: &[&str]) -> Vec<String> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        super::typed_bid(currency, &texts)
    }

    #[test]
    fn a_number_may_have_its_own_symbol_or_name() {
        let taler = currency("Taler", "Talers", "₮", &[]);
        for text in
            ["12", "12 Taler", "12 talers", "12\u{a0}TALERS", "₮12", "₮ 12", "12₮", "Taler 12", " 12 ₮ "]
        {
            assert_eq!(typed(&taler, &[text]), ["12"], "{text}");
        }
        let euro = currency("EUR", "", "€", &[]);
        for text in ["€5", "5 €", "5€", "EUR 5", "5 eur", "5,- €", "€ 5.–"] {
            assert_eq!(typed(&euro, &[text]), ["5"], "{text}");
        }
        assert_eq!(typed(&euro, &["€1 000,50"]), ["1000.50"]);
        assert_eq!(typed(&euro, &["-5 €"]), ["-5"], "for the engine to refuse");
        for text in [",50 €", "€,50", ".50 EUR"] {
            assert_eq!(typed(&euro, &[text]), ["0.50"], "{text}");
        }
        let ecu = currency("Écu", "Écus", "₡", &[]);
        for text in ["5 écus", "ÉCUS 5"] {
            assert_eq!(typed(&ecu, &[text]), ["5"], "{text}");
        }
    }

    #[test]
    fn pieces_in_one_field_are_those_of_their_fields() {
        for text in [
            "5g 3s",
            "5 gold 3 silver",
            "5 Gold, 3 Silver",
            "5\u{a0}Gold · 3\u{a0}Silver",
            "g5 s3",
            "3s 5g",
            "5g3s",
        ] {
            for texts in [[text, "", ""], ["", text, ""], ["", "", text]] {
                assert_eq!(typed(&guild(), &texts), ["5", "3", ""], "{texts:?}");
            }
        }
        assert_eq!(typed(&guild(), &["5g 3s", "", "7"]), ["5", "3", "7"]);
        assert_eq!(typed(&guild(), &["5 gold", "3s", "7 C"]), ["5", "3", "7"]);
        assert_eq!(typed(&old_money(), &["£1 2s 6d", "", "", ""]), ["1", "2", "6", ""]);
        assert_eq!(typed(&old_money(), &["", "", "", "2 gold pieces"]), ["", "", "", "2"]);
        assert_eq!(typed(&old_money(), &["1 pound 6 pence", "", "", ""]), ["1", "", "6", ""]);
    }

    #[test]
    fn a_decimal_of_the_first_of_two_pieces_is_in_both() {
        let pieces = [["EUR", "Euro", "Euros", "€", "100"], ["CENT", "Cent", "Cents", "", "1"]];
        let coins = currency("Coins", "", "", &pieces);
        for text in ["12,50", "12.5", "€12.50", "12,50 euros"] {
            assert_eq!(typed(&coins, &[text, ""]), ["12", "50"], "{text}");
        }
        assert_eq!(typed(&coins, &["12.50", "3"]), ["12.50", "3"], "for the engine to refuse");
        assert_eq!(typed(&coins, &["12.505", ""]), ["12,505", ""]);
        assert_eq!(typed(&coins, &["", "12.50"]), ["", "12.50"]);
        let shillings = [["SHILLING", "Shilling", "", "s", "12"], ["PENNY", "Penny", "Pence", "d", "1"]];
        assert_eq!(typed(&currency("Old", "", "", &shillings), &["2.50", ""]), ["2.50", ""]);
    }

    #[test]
    fn a_long_text_stays_for_the_engine_to_refuse() {
        let taler = currency("Taler", "Talers", "₮", &[]);
        let spaced = |spaces: usize| format!("5{}123 Taler", " ".repeat(spaces));
        assert_eq!(typed(&taler, &[&spaced(1)]), ["5123"]);
        let long = spaced(100_000);
        assert_eq!(typed(&taler, &[&long]), [typed_number(&long, false)]);
    }

    #[test]
    fn what_is_not_clear_stays_for_the_engine_to_refuse() {
        for texts in [
            ["5 taler", "", ""],
            ["5k", "", ""],
            ["3s", "", ""],
            ["5g 3", "", ""],
            ["5g 3g", "", ""],
            ["5g 3s", "4", ""],
            ["5 golden", "", ""],
            ["g", "", ""],
            ["5g and 3s", "", ""],
            ["g5g", "", ""],
        ] {
            assert_eq!(typed(&guild(), &texts)[0], texts[0], "{texts:?}");
        }
        let euro = currency("EUR", "", "€", &[]);
        for text in ["+5 €", "; 5 €", "$5", "5 USD", "€5 €6", "5 EURO", "€1,000", "€"] {
            assert_eq!(typed(&euro, &[text]), [text]);
        }
        let twice = currency(
            "Marks",
            "",
            "",
            &[["OLD", "Old mark", "", "M", "2"], ["NEW", "New mark", "", "m", "1"]],
        );
        assert_eq!(typed(&twice, &["5M", ""]), ["5M", ""], "a symbol of two pieces");
        assert_eq!(typed(&twice, &["5 old mark", ""]), ["5", ""]);
    }
}
