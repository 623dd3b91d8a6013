//! Long numbers in groups of three digits. The gaps are drawn, not written: an amount that is copied from
//! the page can be typed into a field as it is.

use leptos::either::Either;
use leptos::prelude::*;

/// A text whose long numbers are grouped.
#[component]
pub fn Figures(#[prop(into)] text: Signal<String>) -> impl IntoView {
    view! {
        <span class="figures">
            {move || text.with(|text| grouped(text))}
        </span>
    }
}

/// A text that stays as it is.
#[component]
pub fn StillFigures(text: String) -> impl IntoView {
    view! { <span class="figures">{grouped(&text)}</span> }
}

fn grouped(text: &str) -> impl IntoView + use<> {
    let pieces = pieces(text).into_iter().map(|piece| match piece.apart {
        true => Either::Left(view! { <span class="digits">{piece.text}</span> }),
        false => Either::Right(piece.text),
    });
    pieces.collect_view()
}

/// A part of a text; `apart` from the one before if it is a further group of the same number.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    apart: bool,
}

/// Four digits are still read at a glance; from five on they are grouped. Digits after a point are not.
const GROUPED_FROM: usize = 5;

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let fraction = plain.ends_with('.')
            && plain.trim_end_matches('.').ends_with(|before: char| before.is_ascii_digit());
        if digits == 0 || digits < GROUPED_FROM || fraction {
            let end = rest.char_indices().nth(digits.max(1)).map_or(rest.len(), |(end, _)| end);
            let (taken, left) = rest.split_at(end);
            plain.push_str(taken);
            rest = left;
            continue;
        }
        let (number, left) = rest.split_at(digits);
        let (first, groups) = number.split_at(digits - (digits - 1) / 3 * 3);
        plain.push_str(first);
        pieces.push(Piece { text: std::mem::take(&mut plain), apart: false });
        for at in (0..groups.len()).step_by(3) {
            pieces.push(Piece { text: groups.get(at..at + 3).unwrap_or_default().to_owned(), apart: true });
        }
        // What follows a long number belongs to its last group: `12 345.5` breaks nowhere else.
        if left.starts_with('.') {
            let fraction = left
                .char_indices()
                .find(|(at, c)| *at > 0 && !c.is_ascii_digit())
                .map_or(left.len(), |(at, _)| at);
            let (fraction, after) = left.split_at(fraction);
            if let Some(last) = pieces.last_mut() {
                last.text.push_str(fraction);
            }
            rest = after;
        } else {
            rest = left;
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece { text: plain, apart: false });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::pieces;

    fn shown(text: &str) -> String {
        let pieces = pieces(text);
        let whole: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(whole, text, "nothing is lost, nothing is added");
        pieces.iter().map(|piece| format!("{}{}", if piece.apart { "_" } else { "" }, piece.text)).collect()
    }

    #[test]
    fn long_numbers_are_grouped() {
        assert_eq!(shown("1234"), "1234");
        assert_eq!(shown("12345"), "12_345");
        assert_eq!(shown("123456"), "123_456");
        assert_eq!(shown("1000000000000000"), "1_000_000_000_000_000");
    }

    #[test]
    fn fractions_stay_whole() {
        assert_eq!(shown("0.0000000000001"), "0.0000000000001");
        assert_eq!(shown("12345.67890123"), "12_345.67890123");
    }

    #[test]
    fn numbers_in_words_are_found() {
        assert_eq!(shown("12345 Galleon · 70000 Knut"), "12_345 Galleon · 70_000 Knut");
        assert_eq!(shown(""), "");
        assert_eq!(shown("ʞ–…"), "ʞ–…");
    }
}
