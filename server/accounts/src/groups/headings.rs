//! Usual headings of the columns of tables of people (SPEC, section 3).

/// Headings of numbers of people, beside `number`.
pub const NUMBER: &[&str] = &[
    "bidder number",
    "bidder no",
    "paddle",
    "paddle number",
    "card",
    "student number",
    "player number",
    "no",
    "nr",
    "Nummer",
];
/// Headings of names of people, beside `name`.
pub const NAME: &[&str] = &[
    "full name",
    "student name",
    "player",
    "player name",
    "character",
    "character name",
    "display name",
    "member",
    "member name",
    "nickname",
    "Spieler",
    "Charakter",
];
/// Headings of the parts of a name, in their order.
pub const NAME_PARTS: &[&[&str]] =
    &[&["first name", "given name", "Vorname"], &["last name", "family name", "surname", "Nachname"]];
