//! Properties and normal forms of Unicode text.

use icu_properties::CodePointMapData;
use icu_properties::props::JoiningType;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_properties::{EmojiStatus, GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_security::{MixedScript, RestrictionLevel, RestrictionLevelDetection};

/// Keeps letters apart that would be joined.
pub const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
/// Joins letters to one form, and several emoji to one, such as a family.
pub const ZERO_WIDTH_JOINER: char = '\u{200d}';
/// The combining class of the signs that take the vowel from a letter.
const VIRAMA: u8 = 9;

/// Normal form C: the same text, however its accents were typed.
pub fn composed(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfc().collect()
}

/// The form in which texts are compared that look alike: in lower case, and in normal form KC, which has one
/// form of each letter, and without joiners.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkc().filter(|letter| !is_joiner(*letter)).flat_map(char::to_lowercase).nfkc().collect()
}

fn is_joiner(letter: char) -> bool {
    matches!(letter, ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER)
}

/// Whether the spelling of a script has this joiner between two texts: after a sign that takes the vowel
/// from a letter, and, if it keeps letters apart, between letters that would be joined (RFC 5892,
/// appendix A). Elsewhere nothing shows that it is there.
pub fn is_spelled_with_joiner(before: &str, joiner: char, after: &str) -> bool {
    let (Some(last), Some(next)) = (before.chars().next_back(), after.chars().next()) else { return false };
    if canonical_combining_class(last) == VIRAMA {
        return is_joiner(joiner) && next.is_alphabetic();
    }
    let types = CodePointMapData::<JoiningType>::new();
    let of_letter = |letter: char| Some(types.get(letter)).filter(|it| *it != JoiningType::Transparent);
    let joins_next = before.chars().rev().find_map(of_letter);
    let joins_last = after.chars().find_map(of_letter);
    joiner == ZERO_WIDTH_NON_JOINER
        && matches!(joins_next, Some(JoiningType::LeftJoining | JoiningType::DualJoining))
        && matches!(joins_last, Some(JoiningType::RightJoining | JoiningType::DualJoining))
}

/// The form in which texts are searched: in lower case, without accents and joiners, and with one form of
/// each letter.
pub fn searchable(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let letters = text.nfkd().filter(|letter| !is_accent(*letter) && !is_joiner(*letter)).map(without_stroke);
    // Both ways, because “ß” is “SS” in upper case, and “ς” is another lower case of “Σ”.
    letters.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// The form in which names are compared without regard to case: in normal form C.
pub fn caseless(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Both ways, because “ß” is “SS” in upper case, and “ς” is another lower case of “Σ”.
    text.nfc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// Whether the character is an accent of the letter before it, or a vowel point of Hebrew or Arabic.
fn is_accent(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}'
            | '\u{591}'..='\u{5bd}'
            | '\u{5bf}'..='\u{5c7}'
            | '\u{64b}'..='\u{65f}'
            | '\u{670}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// The letter without a stroke, which no normal form separates from it.
fn without_stroke(letter: char) -> char {
    match letter {
        'Ø' | 'ø' => 'o',
        'Ł' | 'ł' => 'l',
        'Đ' | 'đ' | 'Ð' | 'ð' => 'd',
        'Ħ' | 'ħ' => 'h',
        'Ŧ' | 'ŧ' => 't',
        other => other,
    }
}

/// Whether normal form KC replaces the character with others, such as a full-width letter.
pub fn is_variant(letter: char) -> bool {
    !letter.is_ascii() && !std::iter::once(letter).nfkc().eq([letter])
}

/// Whether a word of the text mixes scripts with letters that look alike, such as a Cyrillic “а” in a Latin
/// word: it has several scripts, and is less than moderately restrictive (UTS #39, section 5.2).
pub fn mixes_scripts(text: &str) -> bool {
    let is_mixed = |word: &str| {
        let letters: String = word.chars().filter(|letter| letter.is_alphabetic()).collect();
        let letters = letters.as_str();
        !letters.is_single_script()
            && !letters.check_restriction_level(RestrictionLevel::ModeratelyRestrictive)
    };
    text.split(|letter: char| letter.is_whitespace() || letter.is_ascii_punctuation()).any(is_mixed)
}

/// Whether the character shows something by itself. Blanks and combining marks do not.
pub fn is_visible(letter: char) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpaceSeparator};
    let category = letter.general_category();
    !is_hidden(letter) && !matches!(category, EnclosingMark | NonspacingMark | SpaceSeparator)
}

/// The text with each decimal digit of another script as one of ASCII: codes and numbers are typed with the
/// digits of the keyboard that is there.
pub fn ascii_digits(text: &str) -> String {
    text.chars()
        .map(|letter| decimal_digit(letter).and_then(|digit| char::from_digit(digit, 10)).unwrap_or(letter))
        .collect()
}

/// The value of a decimal digit (Nd) of any script.
fn decimal_digit(letter: char) -> Option<u32> {
    let is_digit = |letter: char| letter.general_category() == GeneralCategory::DecimalNumber;
    if letter.is_ascii() || !is_digit(letter) {
        return letter.to_digit(10);
    }
    // Digits stand in runs from 0 to 9, and some runs beside each other.
    let before =
        (0..u32::from(letter)).rev().map_while(char::from_u32).take_while(|before| is_digit(*before));
    u32::try_from(before.count() % 10).ok()
}

/// Whether the character is a symbol: of a currency, of mathematics, or another one.
pub fn is_symbol(letter: char) -> bool {
    use GeneralCategory::{CurrencySymbol, MathSymbol, ModifierSymbol, OtherSymbol};
    matches!(letter.general_category(), CurrencySymbol | MathSymbol | ModifierSymbol | OtherSymbol)
}

/// Whether the character is invisible without being a blank.
pub fn is_hidden(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_control();
    }
    // Letters and symbols whose glyph is empty: a joiner, fillers of Hangul, vowels of Khmer, a pattern of
    // Braille, a note.
    let is_filler = matches!(
        letter,
        '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{ffa0}'
            | '\u{1d159}'
    );
    is_filler || is_control(letter) || letter.general_category() == GeneralCategory::Unassigned
}

/// Control characters, line breaks, and format characters, which only change how others are shown.
pub fn is_control(letter: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    matches!(letter.general_category(), Control | Format | LineSeparator | ParagraphSeparator)
}

/// Whether the character is an emoji by itself, or changes the colour of one.
pub fn is_emoji(letter: char) -> bool {
    // Digits are emoji in keycaps only.
    letter.is_emoji_char() && letter.emoji_status() != EmojiStatus::EmojiOtherAndEmojiComponent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_are_those_of_ascii() {
        for typed in [
            "123456",
            "١٢٣٤٥٦",
            "۱۲۳۴۵۶",
            "१२३४५६",
            "１２３４５６",
            "၁၂၃၄၅၆",
            "១២៣៤៥៦",
            "໑໒໓໔໕໖",
            "௧௨௩௪௫௬",
            "𝟏𝟐𝟑𝟒𝟓𝟔",
            "𝟷𝟸𝟹𝟺𝟻𝟼",
        ] {
            assert_eq!(ascii_digits(typed), "123456", "{typed}");
        }
        // Other numbers are no digits.
        assert_eq!(ascii_digits("a²½Ⅳ①一 -"), "a²½Ⅳ①一 -");
    }

    #[test]
    fn folded_texts_are_equal_if_they_look_alike() {
        for (text, other) in
            [("ÉTUDE", "e\u{301}tude"), ("Ｋate", "kate"), ("\u{212a}ate", "kate"), ("ﬁn", "FIN")]
        {
            assert_eq!(folded(text), folded(other), "{text}");
        }
        assert_ne!(folded("exаmple"), folded("example"), "a Cyrillic letter is another one");
    }

    #[test]
    fn searchable_texts_have_neither_case_nor_accents() {
        for (text, expected) in [
            ("Zoë's", "zoe's"),
            ("Zoe\u{308}'s", "zoe's"),
            ("ŁÓDŹ", "lodz"),
            ("Straße STRASSE", "strasse strasse"),
            ("ΟΔΌΣ οδός", "οδοσ οδοσ"),
            ("İstanbul ISTANBUL", "istanbul istanbul"),
            ("Ｋ ﬁn", "k fin"),
            ("שָׁלוֹם", "שלום"),
            ("می\u{200c}خواهم", "میخواهم"),
            ("花瓶 한 が", "花瓶 한 が"),
            ("100 % a_b", "100 % a_b"),
        ] {
            assert_eq!(searchable(text), expected, "{text}");
            assert_eq!(searchable(expected), expected, "nothing is left to do");
        }
    }

    #[test]
    fn accents_are_composed_and_nothing_else_changes() {
        assert_eq!(composed("e\u{301}tude"), "\u{e9}tude");
        assert_eq!(composed("Ｋ½"), "Ｋ½");
    }

    #[test]
    fn a_variant_has_a_simpler_form() {
        for letter in ['\u{212a}', 'Ｋ', 'ﬁ', '²'] {
            assert!(is_variant(letter), "{letter}");
        }
        for letter in ['K', 'é', '\u{301}', 'ß', '한', '🦉'] {
            assert!(!is_variant(letter), "{letter}");
        }
    }
}
