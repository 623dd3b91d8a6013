//! One draw as JSON: its case and its winners (section 7).

use alloc::{format, string::String, vec::Vec};

use super::{case::read, one_line, writer};
use crate::{
    bounds,
    definition::DefinitionErrors,
    draw::{self, Again, Drawing, Drawn, MAX_COPIES, MAX_ROWS, MAX_TICKETS, Seed, Tickets},
    shape::{constant_value, shape},
};

constant_value!(Again, "expected PERSON or TICKET");

shape! {
    /// What `draw` reads: tickets, and the seed that decides which of them win.
    pub(crate) struct DrawCase as DrawText {
        /// 32 bytes in lower-case hexadecimal.
        seed = "seed": String [length(equal = 64)],
        /// 1–64 characters: part of the text of each draw.
        item_id = "itemId": String [length(min = 1, max = 64)],
        /// How many tickets win, at most: 1–100.
        copies = "copies": u32 [range(min = 1, max = 100)] = 1,
        /// Tickets that leave the draw with a win.
        again = "again": Again = Again::Person,
        /// At most 100 000, in the order of receipt, in which tickets are numbered.
        tickets = "tickets": Vec<DrawTickets> [length(max = 100_000)],
    }
}

shape! {
    /// Tickets that a person got at once.
    pub(crate) struct DrawTickets as DrawTicketsText {
        /// 1–64 characters: the person, who may have several rows.
        id = "id": String [length(min = 1, max = 64)],
        /// 1–1 000 000 000.
        count = "count": u32 [range(min = 1, max = 1_000_000_000)],
    }
}

/// Draws the winners of tickets, or `{"error": "…"}` if the case is invalid.
///
/// ```
/// let case = r#"{"seed": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
///     "itemId": "lot", "copies": 2, "tickets": [{"id": "a", "count": 999999}, {"id": "b", "count": 1}]}"#;
/// let answer = rules_engine::draw(case);
/// let winners = r#"{"winners":[{"id":"a","copy":1,"ticket":238852},{"id":"b","copy":2,"ticket":1000000}]}"#;
/// assert_eq!(answer, winners);
/// ```
#[must_use]
pub fn draw(case: &str) -> String {
    answer(case).unwrap_or_else(|error| writer::error(&error))
}

fn answer(json: &str) -> Result<String, String> {
    let case = read::<DrawCase>(json)?;
    let mut errors = DefinitionErrors::default();
    let seed = checked_seed(&case.seed, &mut errors);
    errors.check(bounds::is_id(&case.item_id), "itemId", ID);
    check_copies(case.copies, &mut errors);
    errors.check(case.tickets.len() <= MAX_ROWS, "tickets", "must have at most 100,000 entries");
    for (at, row) in case.tickets.iter().enumerate().take(MAX_ROWS) {
        if !bounds::is_id(&row.id) {
            errors.add(format_args!("tickets.{at}.id"), ID);
        }
        if !(1..=MAX_TICKETS).contains(&row.count.into()) {
            errors.add(format_args!("tickets.{at}.count"), "must be from 1 to 1,000,000,000");
        }
    }
    errors.finish().map_err(|errors| one_line("", errors))?;
    // INVARIANT: a seed that could not be read has added an error.
    let seed = seed.ok_or_else(String::new)?;
    let drawing = Drawing { seed: &seed, item_id: &case.item_id };
    let tickets: Vec<Tickets<'_>> = case.tickets.iter().map(Tickets::from).collect();
    Ok(written(&tickets, &draw::draw(drawing, case.copies, case.again, &tickets)))
}

/// The message for an id out of its bounds.
pub(super) const ID: &str = "must have 1 to 64 characters";

/// Reads a seed.
pub(super) fn checked_seed(text: &str, errors: &mut DefinitionErrors) -> Option<Seed> {
    let seed = Seed::parse(text);
    errors.check(seed.is_some(), "seed", "must be 32 bytes in lower-case hexadecimal: 64 of 0–9 a–f");
    seed
}

/// Checks a number of copies.
pub(super) fn check_copies(copies: u32, errors: &mut DefinitionErrors) {
    errors.check((1..=MAX_COPIES).contains(&copies), "copies", "must be from 1 to 100");
}

impl<'a> From<&'a DrawTicketsText<'_>> for Tickets<'a> {
    fn from(row: &'a DrawTicketsText<'_>) -> Self {
        Self { holder: &row.id, count: row.count.into() }
    }
}

fn written(tickets: &[Tickets<'_>], drawn: &[Drawn]) -> String {
    let mut json = String::from(r#"{"winners":"#);
    writer::list(&mut json, drawn, |json, Drawn { row, copy, ticket }| {
        writer::member(json, r#"{"id":"#, tickets.get(*row).map(|row| row.holder));
        json.push_str(&format!(r#","copy":{copy},"ticket":{ticket}}}"#));
    });
    json.push('}');
    json
}
