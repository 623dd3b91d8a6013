//! The errors of fields, as their forms take them.

use app::model::FieldProblem;
use auction_house::engine::Fixed;
use platform::fields::{Fault, FieldError};

/// The error of a field whose submitted value is `typed`.
pub fn field_problem(error: &FieldError, typed: &str) -> FieldProblem {
    let predicate = match &error.fault {
        Fault::TooLong(most) => format!("can have at most {most} characters."),
        Fault::Integer(bounds) if !typed.trim().is_empty() => {
            format!("must be a whole number from {} to {}.", bounds.start(), bounds.end())
        }
        Fault::Decimal { max, digits } => match out_of_bounds(typed, max, *digits) {
            Some(predicate) => predicate,
            None => return FieldProblem::Missing,
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

/// Why a positive number is refused. `None` if the text is no such number.
fn out_of_bounds(typed: &str, max: &str, digits: u32) -> Option<String> {
    let number = Fixed::<9>::parse(typed.trim()).ok().filter(|number| *number > Fixed::ZERO)?;
    if Fixed::<9>::parse(max).is_ok_and(|max| number > max) {
        return Some(format!("can be at most {max}."));
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
            field_problem(&FieldError::new("step", "must be otherwise").because(fault), typed)
        };
        for typed in ["", "many", "0", "-1", "1e3"] {
            assert_eq!(problem(typed), FieldProblem::Missing, "{typed}");
        }
        let predicate = |text: &str| FieldProblem::Predicate(text.to_owned());
        assert_eq!(problem("1000.5"), predicate("can be at most 1000."));
        assert_eq!(problem("0.125"), predicate("can have at most 2 digits after the point."));
    }
}
