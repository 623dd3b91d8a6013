//! Long numbers in groups of three digits. The gaps are CSS, not characters, so that a number copied from the
//! page can be pasted into a field.

use leptos::either::Either;
use leptos::prelude::*;

/// A changing text with its long numbers grouped.
#[component]
pub fn Figures(#[prop(into)] text: Signal<String>) -> impl IntoView {
    view! {
        <span class="figures">
            {move || text.with(|text| grouped(text))}
        </span>
    }
}

/// A text with its long numbers grouped.
#[component]
pub fn StaticFigures(text: String) -> impl IntoView {
    view! { <span class="figures">{grouped(&text)}</span> }
}

fn grouped(text: &str) -> impl IntoView + use<> {
    let segments = segments(text).into_iter().map(|segment| match segment.has_gap {
        true => Either::Left(view! { <span class="digits">{segment.text}</span> }),
        false => Either::Right(segment.text),
    });
    segments.collect_view()
}

/// Whether a text has a number whose digits are grouped.
pub fn has_long_number(text: &str) -> bool {
    text.as_bytes().windows(GROUPED_FROM).any(|digits| digits.iter().all(u8::is_ascii_digit))
}

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
struct Segment {
    text: String,
    /// A gap precedes it: it continues the number before it.
    has_gap: bool,
}

/// Fewest digits that are grouped. Digits after a point are never grouped.
const GROUPED_FROM: usize = 5;
/// What may stand before the fraction of a number.
const POINTS: [char; 2] = ['.', ','];

fn segments(text: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let fraction = plain.ends_with(POINTS)
            && plain.trim_end_matches(POINTS).ends_with(|before: char| before.is_ascii_digit());
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
        segments.push(Segment { text: std::mem::take(&mut plain), has_gap: false });
        for at in (0..groups.len()).step_by(3) {
            segments
                .push(Segment { text: groups.get(at..at + 3).unwrap_or_default().to_owned(), has_gap: true });
        }
        // The fraction belongs to the last group, so that a line never breaks before it.
        if left.starts_with(POINTS)
            && left.get(1..).is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()))
        {
            let fraction = left
                .char_indices()
                .find(|(at, c)| *at > 0 && !c.is_ascii_digit())
                .map_or(left.len(), |(at, _)| at);
            let (fraction, after) = left.split_at(fraction);
            if let Some(last) = segments.last_mut() {
                last.text.push_str(fraction);
            }
            rest = after;
        } else {
            rest = left;
        }
    }
    if !plain.is_empty() {
        segments.push(Segment { text: plain, has_gap: false });
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::segments;

    fn shown(text: &str) -> String {
        let segments = segments(text);
        let whole: String = segments.iter().map(|segment| segment.text.as_str()).collect();
        assert_eq!(whole, text, "the text itself is unchanged");
        segments
            .iter()
            .map(|segment| format!("{}{}", if segment.has_gap { "_" } else { "" }, segment.text))
            .collect()
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
        assert_eq!(shown("12345,67890 €, 70000"), "12_345,67890 €, 70_000");
        assert_eq!(shown("£12345. 70000, 1"), "£12_345. 70_000, 1");
    }

    #[test]
    fn numbers_in_words_are_found() {
        assert_eq!(shown("12345 Galleon · 70000 Knut"), "12_345 Galleon · 70_000 Knut");
        assert_eq!(shown(""), "");
        assert_eq!(shown("ʞ–…"), "ʞ–…");
    }
}
