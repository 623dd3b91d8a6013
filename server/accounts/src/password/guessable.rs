//! Passwords that a guesser tries although no list has them: words of the context with a year, and rows of
//! keys.

use platform::text::{folded, is_letter, is_letter_or_number, is_number};

/// Words that people take for a password: the product, seasons, months, and what a password is for.
const WORDS: &str = "farthing auction auctions auktion bidding bidder password passwort passphrase secret welcome \
    willkommen bienvenue bienvenido letmein login signin admin administrator user changeme \
    spring summer autumn fall winter january february march april may june july august september october \
    november december monday tuesday wednesday thursday friday saturday sunday \
    frühling frühjahr sommer herbst januar februar märz mai juni juli oktober dezember montag dienstag \
    mittwoch donnerstag freitag samstag sonntag \
    printemps été automne hiver janvier février mars avril juin juillet août septembre octobre novembre \
    décembre primavera verano otoño invierno enero febrero marzo abril mayo junio julio agosto septiembre \
    octubre noviembre diciembre";
/// Famous examples of passwords.
const FAMOUS: [&str; 4] =
    ["correcthorse", "correcthorsebattery", "correcthorsebatterystaple", "batteryhorsestaplecorrect"];
/// Rows of keys, and the alphabet.
const ROWS: [&str; 12] = [
    "abcdefghijklmnopqrstuvwxyz",
    "012345678901234567890",
    "qwertyuiop",
    "qwertzuiopü",
    "asdfghjkl",
    "asdfghjklöä",
    "zxcvbnm",
    "yxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "wxcvbn",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
];
/// Keys that make a row.
const ROW_KEYS: usize = 3;
/// Other keys beside rows that make a password no better.
const FURTHER_KEYS: usize = 2;
/// Digits beside words that make a password no better: a year, or a date.
const FURTHER_DIGITS: usize = 8;
/// Signs beside words that make a password no better.
const FURTHER_SIGNS: usize = 4;
/// Letters of a part of a name that count as a word.
const WORD_LETTERS: usize = 3;

/// Whether the password is one or several of these words, of their parts, or of words that many people take,
/// with a few digits and signs.
pub(super) fn is_made_of(password: &str, words: &[&str]) -> bool {
    let mut password = folded(password);
    for code in words.iter().flat_map(|words| codes_in(words)) {
        password = password.replace(&code, " ");
    }
    if FAMOUS.contains(&password.as_str()) {
        return true;
    }
    let known: Vec<String> = words
        .iter()
        .chain([&WORDS])
        .flat_map(|words| {
            folded(words).split(|letter: char| !is_letter(letter)).map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|word| word.chars().count() >= WORD_LETTERS)
        .collect();
    let digits = password.chars().filter(|letter| is_number(*letter)).count();
    let signs =
        password.chars().filter(|letter| !is_letter_or_number(*letter) && !letter.is_whitespace()).count();
    let mut parts = password.split(|letter: char| !is_letter(letter)).filter(|part| !part.is_empty());
    digits <= FURTHER_DIGITS && signs <= FURTHER_SIGNS && parts.all(|part| is_joined_of(part, &known))
}

/// Parts with letters and digits, such as the code of a group.
fn codes_in(words: &str) -> Vec<String> {
    let words = folded(words);
    let parts =
        words.split(|letter: char| !is_letter_or_number(letter)).filter(|part| part.len() > WORD_LETTERS);
    parts.filter(|part| part.chars().any(is_number)).map(str::to_owned).collect()
}

/// Whether the text is one of the words, or several without blanks.
fn is_joined_of(text: &str, words: &[String]) -> bool {
    let mut ends = vec![false; text.len() + 1];
    if let Some(begin) = ends.first_mut() {
        *begin = true;
    }
    for at in 0..text.len() {
        if ends.get(at) != Some(&true) {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        for word in words.iter().filter(|word| rest.starts_with(word.as_str())) {
            if let Some(end) = ends.get_mut(at + word.len()) {
                *end = true;
            }
        }
    }
    ends.last() == Some(&true)
}

/// Whether the password is rows of keys, there or back, and hardly anything besides.
pub(super) fn is_row_of_keys(password: &str) -> bool {
    let mut rest: Vec<char> = folded(password).chars().filter(|letter| !letter.is_whitespace()).collect();
    let rows: Vec<Vec<char>> =
        ROWS.iter().flat_map(|row| [row.chars().collect(), row.chars().rev().collect()]).collect();
    let mut further = 0;
    while !rest.is_empty() {
        let row_keys = rows.iter().map(|row| longest_start(&rest, row)).max().unwrap_or(0);
        if row_keys >= ROW_KEYS {
            rest.drain(..row_keys);
        } else {
            rest.remove(0);
            further += 1;
        }
    }
    further <= FURTHER_KEYS
}

/// The length of the longest beginning of the keys that the row contains.
fn longest_start(keys: &[char], row: &[char]) -> usize {
    let shared = |at: usize| row.iter().skip(at).zip(keys).take_while(|(one, other)| one == other).count();
    (0..row.len()).map(shared).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_context_with_a_year_are_guessed() {
        let words = ["ada.lovelace@guild.example", "Zoë King", "bids.example", "QN7T2B"];
        for text in [
            "Summer2026",
            "2026Summer!",
            "farthing1",
            "Farthing 2026",
            "november-26",
            "SommerWinter1",
            "correcthorse",
            "ada2026!",
            "Lovelace1",
            "zoe\u{308}king12",
            "guild2026",
            "bids2026",
            "password!1",
            "AUTUMN_2026",
            "ｓummer2026",
            "24.12.2026",
            "qn7t2b 2026",
            "QN7T2Bada",
        ] {
            assert!(is_made_of(text, &words), "{text}");
        }
        for text in [
            "correct horse",
            "a farthing a bid",
            "seven brass farthings",
            "a long pass phrase",
            "ada computes",
            "levitation is easy",
            "summer rain 26",
            "farthing 8472910364",
            "correct horse battery",
        ] {
            assert!(!is_made_of(text, &words), "{text}");
        }
    }

    #[test]
    fn rows_of_keys_are_guessed() {
        for text in [
            "abcdefgh",
            "hgfedcba",
            "qwertzuiop",
            "asdfghjk1",
            "abcd1234",
            "87654321",
            "qweasdzxc!",
            "1qaz2wsx",
            "8901234567",
        ] {
            assert!(is_row_of_keys(text), "{text}");
        }
        for text in ["another horse", "wrong horse", "tr4velling", "abcoflife", "éaéaéaéa"] {
            assert!(!is_row_of_keys(text), "{text}");
        }
    }
}
