//! Properties and normal forms of Unicode text.
//!
//! Every crate here knows the letters of one version of Unicode, which a test holds. `char` of the standard
//! library knows those of the compiler, often an older one: of its methods only those for ASCII and blanks
//! are used, and Clippy refuses the others.

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_locale_core::LanguageIdentifier;
use icu_properties::props::{Alphabetic, Emoji, GeneralCategory, GeneralCategoryGroup, JoiningType};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
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
    let letters: String = text.nfkc().filter(|letter| !is_joiner(*letter)).collect();
    lowercase(&letters).nfkc().collect()
}

const CASES: CaseMapperBorrowed<'_> = CaseMapper::new();

/// Each letter in lower case by itself: “Σ” is “σ” at the end of a word, too.
fn lowercase(text: &str) -> String {
    let (mut lower, mut bytes) = (String::with_capacity(text.len()), [0; 4]);
    for letter in text.chars() {
        let letter = letter.encode_utf8(&mut bytes);
        lower.push_str(&CASES.lowercase_to_string(letter, &LanguageIdentifier::UNKNOWN));
    }
    lower
}

/// Whether two letters differ in case at most.
pub fn same_letters(one: char, other: char) -> bool {
    one == other || lowercase(one.encode_utf8(&mut [0; 4])) == lowercase(other.encode_utf8(&mut [0; 4]))
}

/// In upper case: “ß” is “SS”.
pub fn uppercase(text: &str) -> String {
    CASES.uppercase_to_string(text, &LanguageIdentifier::UNKNOWN).into_owned()
}

/// Without the difference of cases. Of the upper case, because “ı” is “I” there; and not in lower case,
/// because “ß” is “SS” in upper case, and “ς” another lower case of “Σ”.
fn without_case(text: &str) -> String {
    CASES.fold_string(&uppercase(text)).into_owned()
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
        return is_joiner(joiner) && is_letter(next);
    }
    let types = CodePointMapData::<JoiningType>::new();
    let of_letter = |letter: char| Some(types.get(letter)).filter(|it| *it != JoiningType::Transparent);
    let joins_next = before.chars().rev().find_map(of_letter);
    let joins_last = after.chars().find_map(of_letter);
    joiner == ZERO_WIDTH_NON_JOINER
        && matches!(joins_next, Some(JoiningType::LeftJoining | JoiningType::DualJoining))
        && matches!(joins_last, Some(JoiningType::RightJoining | JoiningType::DualJoining))
}

/// The form in which texts are searched: without case, accents and joiners, and with one form of each
/// letter.
pub fn searchable(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let letters = text.nfkd().filter(|letter| !is_accent(*letter) && !is_joiner(*letter)).map(without_stroke);
    without_case(&letters.collect::<String>()).nfc().collect()
}

/// The form in which names are compared without regard to case: in normal form C.
pub fn caseless(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    without_case(&composed(text)).nfc().collect()
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
        let letters: String = word.chars().filter(|letter| is_letter(*letter)).collect();
        let letters = letters.as_str();
        !letters.is_single_script()
            && !letters.check_restriction_level(RestrictionLevel::ModeratelyRestrictive)
    };
    text.split(|letter: char| letter.is_whitespace() || letter.is_ascii_punctuation()).any(is_mixed)
}

fn category(letter: char) -> GeneralCategory {
    CodePointMapData::new().get(letter)
}

/// Whether the character is of a word: a letter, or a mark that is spelled like one.
pub fn is_letter(letter: char) -> bool {
    CodePointSetData::new::<Alphabetic>().contains(letter)
}

/// Whether the character is a digit or another number, such as “½”, “Ⅳ” or “①”.
pub fn is_number(letter: char) -> bool {
    GeneralCategoryGroup::Number.contains(category(letter))
}

/// Whether the character is of a word with digits.
pub fn is_letter_or_number(letter: char) -> bool {
    is_letter(letter) || is_number(letter)
}

/// Whether the character shows something by itself. Blanks and combining marks do not.
pub fn is_visible(letter: char) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpaceSeparator};
    !is_hidden(letter) && !matches!(category(letter), EnclosingMark | NonspacingMark | SpaceSeparator)
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
    let is_digit = |letter: char| category(letter) == GeneralCategory::DecimalNumber;
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
    matches!(category(letter), CurrencySymbol | MathSymbol | ModifierSymbol | OtherSymbol)
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
    is_filler || is_control(letter) || category(letter) == GeneralCategory::Unassigned
}

/// Control characters, line breaks, and format characters, which only change how others are shown.
pub fn is_control(letter: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    matches!(category(letter), Control | Format | LineSeparator | ParagraphSeparator)
}

/// Whether the character is an emoji by itself, or changes the colour of one.
pub fn is_emoji(letter: char) -> bool {
    // Digits are emoji in keycaps only.
    !letter.is_ascii() && CodePointSetData::new::<Emoji>().contains(letter)
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
    fn every_crate_knows_the_letters_of_one_version() {
        use icu_properties::props::{ChangesWhenCasemapped, GeneralCategory::Unassigned};

        let version = unicode_normalization::UNICODE_VERSION;
        let (major, minor, update) = unicode_security::UNICODE_VERSION;
        assert_eq!(version, (18, 0, 0));
        assert_eq!((major, minor, update), (18, 0, 0));
        for letter in '\0'..=char::MAX {
            let (text, code) = (letter.to_string(), u32::from(letter));
            // Scripts, as `mixes_scripts` knows them. Those of no letter are that of all.
            let has_script = !text.as_str().resolve_script_set().is_empty();
            let has_category = !matches!(category(letter), Unassigned | GeneralCategory::PrivateUse);
            assert_eq!(has_script, has_category, "{code:x}");
            // A crate of an older version does not know the pairs, one of a newer knows more.
            let has_cases = uppercase(&text) != text
                || CASES.lowercase_to_string(&text, &LanguageIdentifier::UNKNOWN) != text;
            assert_eq!(
                has_cases,
                CodePointSetData::new::<ChangesWhenCasemapped>().contains(letter),
                "{code:x}"
            );
        }
    }

    #[test]
    fn a_letter_is_found_whatever_its_case() {
        for letter in ('\0'..=char::MAX).filter(|letter| is_letter(*letter) && !is_accent(*letter)) {
            let text = letter.to_string();
            let upper = uppercase(&text);
            assert_eq!(caseless(&upper), caseless(&text), "{text}");
            assert_eq!(caseless(&lowercase(&text)), caseless(&text), "{text}");
            for case in [CASES.simple_uppercase(letter), CASES.simple_lowercase(letter)] {
                assert_eq!(searchable(case.encode_utf8(&mut [0; 4])), searchable(&text), "{text}");
            }
        }
    }

    #[test]
    fn letters_that_the_compiler_may_not_know_yet_are_letters() {
        // Of Unicode 18: a capital and its small letter, a letter of Armenian, a number.
        assert_eq!(searchable("\u{1df40}da"), "\u{1df41}da");
        assert_eq!(caseless("\u{a7dd}"), caseless("\u{277}"));
        assert!(same_letters('\u{1df40}', '\u{1df41}') && !same_letters('\u{1df40}', 'a'));
        assert!(is_letter('\u{558}') && mixes_scripts("Ada\u{558}"));
        assert!(!mixes_scripts("\u{1df40}da"));
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
