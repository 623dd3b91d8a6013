//! Lines on which people are named, each with a number behind the name.

use crate::model::CaseHolder;

/// A person who is named, with what stands behind the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedLine<'a> {
    pub holder: &'a CaseHolder,
    /// Empty if nothing does.
    pub rest: &'a str,
}

/// The lines of a text. Names are told apart by their letters, not by their case.
///
/// # Errors
/// What is wrong with each line that names nobody, or one of several people.
pub fn named_lines<'a>(text: &'a str, holders: &'a [CaseHolder]) -> Result<Vec<NamedLine<'a>>, Vec<String>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut named, mut wrong) = (Vec::new(), Vec::new());
    for line in lines {
        match line_of(line, holders) {
            Ok(found) => named.push(found),
            Err(sentence) => wrong.push(sentence),
        }
    }
    if wrong.is_empty() { Ok(named) } else { Err(wrong) }
}

/// A name may end in a number: the whole line is tried first.
fn line_of<'a>(line: &'a str, holders: &'a [CaseHolder]) -> Result<NamedLine<'a>, String> {
    if let Some(holder) = holder(line, holders)? {
        return Ok(NamedLine { holder, rest: "" });
    }
    let (name, rest) = line.rsplit_once(char::is_whitespace).unwrap_or((line, ""));
    // `6 %` has a blank of its own.
    let (name, rest) = match rest {
        "%" => name.trim_end().rsplit_once(char::is_whitespace).unwrap_or((name, "")),
        _ => (name, rest),
    };
    let name = name.trim_end_matches([' ', ',', ';', ':']);
    match holder(name, holders)? {
        Some(holder) => Ok(NamedLine { holder, rest }),
        None => Err(format!("Nobody here is called “{name}”.")),
    }
}

fn holder<'a>(name: &str, holders: &'a [CaseHolder]) -> Result<Option<&'a CaseHolder>, String> {
    let wanted = name.to_lowercase();
    let mut found = holders.iter().filter(|holder| holder.name.to_lowercase() == wanted);
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(format!("Several people are called “{name}”.")),
        (one, _) => Ok(one),
    }
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

    #[test]
    fn people_are_named_on_lines_with_numbers_behind() {
        let holders = holders(&["Ada", "Guild bank", "Team 2", "Team"]);
        let text = "ada\n\n Guild bank: 6 % \nGuild Bank, 6%\nTeam 2\nTeam 2 3\nTeam\t4";
        let lines = named_lines(text, &holders);
        let found: Vec<_> =
            lines.iter().flatten().map(|line| (line.holder.name.as_str(), line.rest)).collect();
        let expected = [
            ("Ada", ""),
            ("Guild bank", "6"),
            ("Guild bank", "6%"),
            ("Team 2", ""),
            ("Team 2", "3"),
            ("Team", "4"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn unknown_and_common_names_are_refused() {
        let holders = holders(&["Ada", "Ben", "ben"]);
        let expected = ["Nobody here is called “Cleo”.", "Several people are called “Ben”."];
        assert_eq!(named_lines("Cleo 2\nAda\nBen", &holders), Err(expected.map(str::to_owned).to_vec()));
    }
}
