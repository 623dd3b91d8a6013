//! Lines on which people are named, each with a number behind the name.

use std::collections::{BTreeMap, BTreeSet};

use crate::components::money::{composed, lowered};
use crate::model::CaseHolder;

/// Lines of which a message says that they are wrong, at most.
const WRONG_MAX: usize = 20;
/// Marks that may stand behind a name.
const MARKS: [char; 3] = [',', ';', ':'];

/// What stands behind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behind {
    Nothing,
    /// A number, alone or with a sign.
    Number,
}

/// A person who is named, with the number behind the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedLine<'a> {
    pub holder: &'a CaseHolder,
    /// Empty without a number.
    pub rest: String,
}

/// People by their names, without regard to case and to how many blanks stand in them. None if several have
/// one.
struct Names<'a>(BTreeMap<String, Option<&'a CaseHolder>>);

impl<'a> Names<'a> {
    fn of(holders: &'a [CaseHolder]) -> Self {
        let mut names = BTreeMap::new();
        for holder in holders {
            names
                .entry(lowered(&spelled(&holder.name)))
                .and_modify(|only| *only = None)
                .or_insert(Some(holder));
        }
        Self(names)
    }

    fn find(&self, name: &str) -> Result<Option<&'a CaseHolder>, String> {
        match self.0.get(&lowered(name)) {
            Some(Some(holder)) => Ok(Some(holder)),
            Some(None) => Err(format!("Several people are called “{name}”.")),
            None => Ok(None),
        }
    }

    /// A line that has several meanings is refused, never guessed.
    fn line(&self, line: &str, behind: Behind) -> Result<NamedLine<'a>, String> {
        let mut meanings = vec![(line, String::new())];
        if behind == Behind::Number {
            meanings.extend(with_number(line));
        }
        let mut found: Vec<NamedLine<'a>> = Vec::new();
        for (name, rest) in &meanings {
            for name in [name, name.trim_end_matches(MARKS).trim_end()] {
                if let Some(holder) = self.find(name)? {
                    let named = NamedLine { holder, rest: rest.clone() };
                    if !found.contains(&named) {
                        found.push(named);
                    }
                }
            }
        }
        match (found.pop(), found.pop()) {
            (Some(named), None) => Ok(named),
            (Some(_), Some(_)) => Err(format!(
                "“{line}” may mean two people: write a number behind the whole name, also if it is 1."
            )),
            (None, _) => {
                let name = meanings.last().map_or(line, |(name, _)| name.trim_end_matches(MARKS));
                Err(format!("Nobody here is called “{name}”."))
            }
        }
    }
}

/// The lines of a text that are not empty.
///
/// # Errors
/// What is wrong with each line that names nobody, one of several people, or a person for the second time.
pub fn named_lines<'a>(
    text: &str,
    holders: &'a [CaseHolder],
    behind: Behind,
) -> Result<Vec<NamedLine<'a>>, Vec<String>> {
    let names = Names::of(holders);
    let lines = text.lines().map(spelled).filter(|line| !line.is_empty());
    let (mut named, mut wrong) = (Vec::<NamedLine<'a>>::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for line in lines {
        match names.line(&line, behind) {
            Ok(found) if !seen.insert(&found.holder.id) => {
                wrong.push(format!("“{}” is named twice.", found.holder.name));
            }
            Ok(found) => named.push(found),
            Err(sentence) => wrong.push(sentence),
        }
        if wrong.len() > WRONG_MAX {
            wrong.pop();
            wrong.push("Further lines are wrong, too.".to_owned());
            break;
        }
    }
    if wrong.is_empty() { Ok(named) } else { Err(wrong) }
}

/// A text in normal form, with one blank between words.
fn spelled(text: &str) -> String {
    composed(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name and the number of a line such as `Ada 2`, `Ada x2` or `Bank: 6 %`. None without a number.
fn with_number(line: &str) -> Option<(&str, String)> {
    let (head, last) = line.rsplit_once(' ')?;
    // `6 %` and `× 2` have a blank of their own.
    let (name, number) = match last {
        "%" | "٪" => {
            let (name, number) = head.rsplit_once(' ')?;
            (name, format!("{number}{last}"))
        }
        _ => (head, last.to_owned()),
    };
    let (name, number) = match name.rsplit_once(' ') {
        Some((name, "x" | "×")) => (name, number),
        _ => (name, number.strip_prefix(['x', '×']).map_or(number.clone(), str::to_owned)),
    };
    number.starts_with(rules_engine::typed::is_digit).then_some((name, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holders(names: &[&str]) -> Vec<CaseHolder> {
        let holder = |(at, name): (usize, &&str)| CaseHolder {
            id: at.to_string(),
            name: (*name).to_owned(),
            balance: "0".to_owned(),
            given: "0".to_owned(),
        };
        names.iter().enumerate().map(holder).collect()
    }

    /// What the first line means, or what is wrong with it.
    fn meaning(people: &[&str], line: &str, behind: Behind) -> String {
        match named_lines(line, &holders(people), behind) {
            Ok(lines) => {
                lines.first().map(|line| format!("{}|{}", line.holder.name, line.rest)).unwrap_or_default()
            }
            Err(wrong) => wrong.join(" "),
        }
    }

    #[test]
    fn people_are_named_on_lines_with_numbers_behind() {
        let people = ["Ada", "Guild bank", "Élodie", "Anna  Berg"];
        for (line, expected) in [
            ("ada", "Ada|"),
            (" Guild bank: 6 % ", "Guild bank|6%"),
            ("Guild\u{a0}Bank,\t6%", "Guild bank|6%"),
            ("Guild bank 6 ٪", "Guild bank|6٪"),
            ("Ada 2", "Ada|2"),
            ("Ada x2", "Ada|2"),
            ("Ada × 2", "Ada|2"),
            ("Ada ٢", "Ada|٢"),
            ("Ada;", "Ada|"),
            ("E\u{301}lodie 3", "Élodie|3"),
            ("Anna Berg", "Anna  Berg|"),
        ] {
            assert_eq!(meaning(&people, line, Behind::Number), expected, "{line}");
        }
    }

    #[test]
    fn what_stands_behind_a_name_is_never_left_out() {
        let people = ["Ada", "Jo"];
        for (line, behind, expected) in [
            ("Jo Smith", Behind::Nothing, "Nobody here is called “Jo Smith”."),
            ("Jo Smith", Behind::Number, "Nobody here is called “Jo Smith”."),
            ("Ada, Jo", Behind::Nothing, "Nobody here is called “Ada, Jo”."),
            ("Jo 50 %", Behind::Nothing, "Nobody here is called “Jo 50 %”."),
            ("Ada +2", Behind::Number, "Nobody here is called “Ada +2”."),
            ("Ada x", Behind::Number, "Nobody here is called “Ada x”."),
            ("Ada 1 000", Behind::Number, "Nobody here is called “Ada 1”."),
            ("Cleo 2", Behind::Number, "Nobody here is called “Cleo”."),
            ("Ada\nJo\nADA 2", Behind::Number, "“Ada” is named twice."),
        ] {
            assert_eq!(meaning(&people, line, behind), expected, "{line}");
        }
    }

    #[test]
    fn a_line_with_two_meanings_is_refused() {
        let people = ["Ada", "Ada 2", "Team", "Team:", "Ben", "ben"];
        for (line, expected) in [
            ("Ada 2", "“Ada 2” may mean two people: write a number behind the whole name, also if it is 1."),
            ("Ada 2 1", "Ada 2|1"),
            ("Ada 3", "Ada|3"),
            (
                "Team: 3",
                "“Team: 3” may mean two people: write a number behind the whole name, also if it is 1.",
            ),
            ("Team 3", "Team|3"),
            ("Ben", "Several people are called “Ben”."),
        ] {
            assert_eq!(meaning(&people, line, Behind::Number), expected, "{line}");
        }
        assert_eq!(meaning(&people, "Ada 2", Behind::Nothing), "Ada 2|");
    }

    #[test]
    fn many_wrong_lines_are_not_all_said() {
        let wrong = named_lines(&"Nobody\n".repeat(1_000), &holders(&["Ada"]), Behind::Nothing).unwrap_err();
        assert_eq!(wrong.len(), WRONG_MAX + 1);
        assert_eq!(wrong.last().map(String::as_str), Some("Further lines are wrong, too."));
    }
}
