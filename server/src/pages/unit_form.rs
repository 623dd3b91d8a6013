//! The base unit of an auction or a book in forms.

use platform::fields::Object;

use super::form::Form;

/// What the members of a base unit are called in forms.
pub const BASE_UNIT_FIELDS: &[(&str, &str)] = &[
    ("baseUnit.name", "baseUnitName"),
    ("baseUnit.plural", "baseUnitPlural"),
    ("baseUnit.symbol", "baseUnitSymbol"),
];

/// The base unit that a form names; none where it is left empty.
pub fn base_unit(form: &Form) -> Option<Object> {
    let mut unit = Object::default();
    for (field, member) in
        [("baseUnitName", "name"), ("baseUnitPlural", "plural"), ("baseUnitSymbol", "symbol")]
    {
        if let Some(text) = form.get(field) {
            unit.set(member, &text);
        }
    }
    (!unit.is_empty()).then_some(unit)
}
