//! The words of a field: its label, and the sentences about its errors.

use crate::model::{FieldProblem, Refused};

/// A field of a form, declared once beside the form.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name of the field. A `*` stands for the number of a row.
    pub name: &'static str,
    pub label: &'static str,
    /// The field within a sentence: `the minimum increment`.
    pub noun: Option<&'static str>,
    /// What to enter.
    pub ask: &'static str,
    /// What to enter instead of a value that is invalid.
    pub instead: &'static str,
    /// Sentence about a moment that is too late.
    pub too_late: &'static str,
    /// Name of a row of the list that the field is in: `Denomination`.
    pub entry: Option<&'static str>,
}

/// For a field that the form does not show.
const HIDDEN: Field = Field::new("", "", "A part of this form can’t be read. Reload the page and try again.")
    .called("a hidden field");

impl Field {
    /// Within a sentence, the field is called by its label, after `the`.
    pub const fn new(name: &'static str, label: &'static str, ask: &'static str) -> Self {
        Self { name, label, noun: None, ask, instead: ask, too_late: ask, entry: None }
    }

    /// A field of each row of a list, whose rows are called `entry`.
    pub const fn cell(
        entry: &'static str,
        name: &'static str,
        label: &'static str,
        ask: &'static str,
    ) -> Self {
        Self { entry: Some(entry), ..Self::new(name, label, ask) }
    }

    pub const fn called(self, noun: &'static str) -> Self {
        Self { noun: Some(noun), ..self }
    }

    pub const fn instead(self, instead: &'static str) -> Self {
        Self { instead, ..self }
    }

    pub const fn too_late(self, too_late: &'static str) -> Self {
        Self { too_late, ..self }
    }

    /// Name of the field in a row: `denominations.1.factor`.
    pub fn in_row(&self, row: usize) -> String {
        self.name.replace('*', &row.to_string())
    }

    /// Label of the field in a row: `Denomination 2: factor`.
    pub fn label_in_row(&self, row: usize) -> String {
        format!("{} {}: {}", self.entry.unwrap_or_default(), row.saturating_add(1), self.label)
    }

    /// The problem at this path as a sentence. In a row it begins with the number of the row.
    pub fn sentence(&self, path: &str, problem: &FieldProblem) -> String {
        let said = match problem {
            FieldProblem::Missing => self.ask.to_owned(),
            FieldProblem::Invalid => self.instead.to_owned(),
            FieldProblem::TooLate => self.too_late.to_owned(),
            FieldProblem::Ask(sentence) => sentence.clone(),
            FieldProblem::Predicate(predicate) => format!("{} {predicate}", capitalized(&self.noun())),
            FieldProblem::Sentence(sentence) => return sentence.clone(),
        };
        match (self.entry, self.row(path)) {
            (Some(entry), Some(row)) => format!("{entry} {row}: {}", uncapitalized(&said)),
            _ => said,
        }
    }

    fn noun(&self) -> String {
        self.noun.map_or_else(|| format!("the {}", uncapitalized(self.label)), str::to_owned)
    }

    /// Number of the row from 1 on: 2 for `denominations.1.factor`.
    fn row(&self, path: &str) -> Option<usize> {
        let at = self.name.split('.').position(|part| part == "*")?;
        path.split('.').nth(at)?.parse::<usize>().ok()?.checked_add(1)
    }

    /// Whether the path is that of the field, or of a part of it.
    fn contains(&self, path: &str) -> bool {
        let mut parts = path.split('.');
        let is_at = |name: &str, part: &str| name == part || name == "*" && part.parse::<usize>().is_ok();
        self.name.split('.').all(|name| parts.next().is_some_and(|part| is_at(name, part)))
    }
}

/// The problems of a refused form, each as the path of its field and a sentence. `fields` are those of
/// each form of the page.
pub fn sentences(refused: &Refused, fields: &[&[Field]]) -> Vec<(String, String)> {
    let sentence = |(path, problem): &(String, FieldProblem)| {
        let of_path = fields.iter().copied().flatten().filter(|field| field.contains(path));
        let field = of_path.max_by_key(|field| field.name.len()).unwrap_or(&HIDDEN);
        (path.clone(), field.sentence(path, problem))
    };
    refused.fields.iter().map(sentence).collect()
}

pub fn capitalized(text: &str) -> String {
    with_first(text, |first| first.to_ascii_uppercase())
}

fn uncapitalized(text: &str) -> String {
    with_first(text, |first| first.to_ascii_lowercase())
}

fn with_first(text: &str, change: impl Fn(char) -> char) -> String {
    let mut rest = text.chars();
    rest.next().map(change).into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Field = Field::new("step", "Step", "Enter the step as a number above 0.");
    const NAME: Field = Field::new("name", "Name", "Enter your name.").called("your name");
    const LIST: Field = Field::new("denominations", "Denominations", "Name at least one denomination.");
    const CODE: Field =
        Field::cell("Denomination", "denominations.*.code", "code", "Use capital letters for the code.");

    fn said(path: &str, problem: FieldProblem) -> String {
        let refused = Refused { fields: vec![(path.to_owned(), problem)], ..Refused::default() };
        sentences(&refused, &[&[STEP, NAME], &[LIST, CODE]]).remove(0).1
    }

    #[test]
    fn a_field_is_called_by_its_label_unless_it_has_a_noun() {
        let too_long = || FieldProblem::Predicate("can have at most 9 characters.".to_owned());
        assert_eq!(said("step", too_long()), "The step can have at most 9 characters.");
        assert_eq!(said("name", too_long()), "Your name can have at most 9 characters.");
    }

    #[test]
    fn a_cell_is_named_by_its_row() {
        assert_eq!(
            said("denominations.1.code", FieldProblem::Missing),
            "Denomination 2: use capital letters for the code."
        );
        let duplicate = FieldProblem::Predicate("is used twice: choose another.".to_owned());
        assert_eq!(
            said("denominations.0.code", duplicate),
            "Denomination 1: the code is used twice: choose another."
        );
        assert_eq!(said("denominations", FieldProblem::Missing), "Name at least one denomination.");
    }

    #[test]
    fn a_sentence_stays_and_an_unknown_field_has_words() {
        let sentence = FieldProblem::Sentence("Confirm it.".to_owned());
        assert_eq!(said("confirmed", sentence), "Confirm it.");
        assert_eq!(said("innerState", FieldProblem::Invalid), HIDDEN.ask);
    }
}
