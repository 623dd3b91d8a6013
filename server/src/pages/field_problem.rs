//! The errors of fields, as their forms take them.

use app::components::money::number_note;
use app::model::FieldProblem;
use auction_house::engine::{Fixed, NumberError, at_most};
use platform::fields::{Fault, FieldError};

/// The error of a field whose submitted value is `typed`. `read` is its number, as the API takes it.
pub fn field_problem(error: &FieldError, typed: &str, read: &str) -> FieldProblem {
    let predicate = match &error.fault {
        Fault::TooLong(most) => format!("can have at most {most} characters."),
        Fault::Integer(bounds) if !typed.trim().is_empty() => {
            format!("must be a whole number from {} to {}.", bounds.start(), bounds.end())
        }
        Fault::Decimal { max, digits } => match out_of_bounds(read, max, *digits) {
            Some(predicate) => predicate,
            None => return no_number(typed, read, *digits).map_or(FieldProblem::Missing, FieldProblem::Ask),
        },
        Fault::Duplicate => "is used twice: choose another.".to_owned(),
        Fault::Past => "has passed: choose a moment in the future.".to_owned(),
        Fault::TooEarly => {
            let sentence = "An item would end before it starts: choose a later end.";
            return FieldProblem::Sentence(sentence.to_owned());
        }
        Fault::TooLate => return FieldProblem::TooLate,
        Fault::Invalid => return FieldProblem::Invalid,
        Fault::Integer(_) | Fault::Missing => return FieldProblem::Missing,
        Fault::Explained => return FieldProblem::Sentence(error.message.clone()),
    };
    FieldProblem::Predicate(predicate)
}

/// Asks for a number instead of a text that is none. None without a text, and for a number, which may be
/// below its bounds.
fn no_number(typed: &str, read: &str, digits: u32) -> Option<String> {
    let (typed, is_number) = (typed.trim(), Fixed::<13>::parse(read).is_ok());
    let is_below = typed.starts_with(['-', '\u{2212}']);
    (!typed.is_empty() && !is_number && !is_below).then(|| number_asked(digits, typed))
}

/// Asks for a number instead of a text that is none: the sentence of every field that takes a number.
pub fn number_asked(digits: u32, typed: &str) -> String {
    let note = number_note(u8::try_from(digits).unwrap_or(u8::MAX), typed);
    if note.starts_with("without") { format!("Enter it {note}.") } else { format!("Enter {note}.") }
}

/// Why a positive number is refused. `None` if the text is no such number.
fn out_of_bounds(typed: &str, max: &str, digits: u32) -> Option<String> {
    let number = match Fixed::<9>::parse(typed.trim()) {
        Ok(number) if number <= Fixed::ZERO => return None,
        Ok(number) => Some(number),
        // More digits than any bound has.
        Err(NumberError::OutOfRange) if !typed.trim().starts_with('-') => None,
        Err(_) => return None,
    };
    if Fixed::<9>::parse(max).is_ok_and(|max| number.is_none_or(|number| number > max)) {
        return Some(format!("can be {}.", at_most(max)));
    }
    Some(match digits {
        0 => "must be a whole number.".to_owned(),
        1 => "can have one digit after the point.".to_owned(),
        digits => format!("can have at most {digits} digits after the point."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_bounds_is_told_which_one() {
        let problem = |typed| {
            let fault = Fault::Decimal { max: "1000".to_owned(), digits: 2 };
            field_problem(&FieldError::new("step", "must be otherwise").because(fault), typed, typed)
        };
        for typed in ["", "0", "-1"] {
            assert_eq!(problem(typed), FieldProblem::Missing, "{typed}");
        }
        let ask = |text: &str| FieldProblem::Ask(text.to_owned());
        assert_eq!(problem("many"), ask("Enter a number, alone or beside its own name."));
        assert_eq!(problem("$5"), ask("Enter a number, alone or beside its own symbol."));
        let thousands = "Enter it without a separator for thousands, such as 1000 or 12.5.";
        assert_eq!(problem("1,000"), ask(thousands));
        let predicate = |text: &str| FieldProblem::Predicate(text.to_owned());
        assert_eq!(problem("1000.5"), predicate("can be at most 1\u{a0}000."));
        assert_eq!(problem("1000000000000000000000"), predicate("can be at most 1\u{a0}000."));
        assert_eq!(problem("0.125"), predicate("can have at most 2 digits after the point."));
    }
}
