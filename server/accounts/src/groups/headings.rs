//! Usual headings of the columns of tables of people (SPEC, section 3).

/// Headings of numbers of people, beside `number`.
pub const NUMBER: &[&str] = &[
    "bidder number",
    "bidder no",
    "paddle",
    "paddle number",
    "paddle no",
    "card",
    "card number",
    "card no",
    "student number",
    "student no",
    "roll number",
    "roll no",
    "player number",
    "no",
    "nr",
    "Nummer",
    "Bieternummer",
];
/// Headings of names of people, beside `name`.
pub const NAME: &[&str] = &[
    "full name",
    "student name",
    "student",
    "pupil",
    "player",
    "player name",
    "character",
    "character name",
    "display name",
    "member name",
    "Spieler",
    "Charakter",
];
/// Headings of the parts of a name, in their order.
pub const NAME_PARTS: &[&[&str]] = &[
    &["first name", "first", "given name", "forename", "Vorname"],
    &["last name", "last", "family name", "surname", "last initial", "Nachname", "Familienname"],
];
