//! The draw of what is in the fields.

use rules_engine::draw::{Again, Drawing, MAX_COPIES, MAX_ROWS, MAX_TICKETS, Seed, Tickets, draw};

/// A draw that was repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// SHA-256 of the seed, in hexadecimal.
    pub seed_hash: String,
    pub tickets: u64,
    pub winners: Vec<Winner>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Winner {
    pub copy: u32,
    pub ticket: u64,
    pub holder: String,
}

/// Repeats a draw. None if there is nothing to draw yet.
///
/// # Errors
/// What to change first.
pub fn repeat([seed, item, copies, again, tickets]: [&str; 5]) -> Result<Option<Repeated>, String> {
    if seed.trim().is_empty() || tickets.trim().is_empty() {
        return Ok(None);
    }
    let seed = Seed::parse(seed.trim()).ok_or("Seed: enter its 64 digits, 0–9 and a–f.")?;
    let item_id = item.trim();
    if !(1..=64).contains(&item_id.chars().count()) {
        return Err("Item: enter its id, as the item shows it.".to_owned());
    }
    let copies = if copies.trim().is_empty() { Ok(1) } else { copies.trim().parse() };
    let copies = copies.ok().filter(|copies| (1..=MAX_COPIES).contains(copies));
    let copies = copies.ok_or("Copies: enter a number from 1 to 100.")?;
    let rows = rows(tickets)?;
    let again = if again == Again::Ticket.as_str() { Again::Ticket } else { Again::Person };
    let drawn = draw(Drawing { seed: &seed, item_id }, copies, again, &rows);
    let winner = |drawn: rules_engine::draw::Drawn| {
        let holder = rows.get(drawn.row).map(|row| row.holder.to_owned()).unwrap_or_default();
        Winner { copy: drawn.copy, ticket: drawn.ticket, holder }
    };
    Ok(Some(Repeated {
        seed_hash: seed.hash(),
        tickets: rows.iter().map(|row| row.count).sum(),
        winners: drawn.into_iter().map(winner).collect(),
    }))
}

/// A line for each row: the holder, and how many tickets.
fn rows(text: &str) -> Result<Vec<Tickets<'_>>, String> {
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let row = row(line).ok_or_else(|| {
            format!("Tickets, line {number}: write whose they are, a blank, and how many, such as “Ada 3”.")
        });
        rows.push(row?);
    }
    if rows.len() > MAX_ROWS {
        return Err("Tickets: enter at most 100,000 lines.".to_owned());
    }
    Ok(rows)
}

fn row(line: &str) -> Option<Tickets<'_>> {
    let (holder, count) = line.trim().rsplit_once([' ', '\t', ',', ';'])?;
    let holder = holder.trim_end_matches([' ', '\t', ',', ';']);
    let count = count.parse().ok().filter(|count| (1..=MAX_TICKETS).contains(count))?;
    (!holder.is_empty()).then_some(Tickets { holder, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const TICKETS: &str = "Ada Lovelace 999999\n\nBo\t1\n";

    #[test]
    fn the_draw_is_that_of_the_engine() {
        let repeated = repeat([SEED, " lot ", "3", "PERSON", TICKETS]).expect("a draw").expect("tickets");
        let winner = |copy, ticket, holder: &str| Winner { copy, ticket, holder: holder.to_owned() };
        assert_eq!(repeated.winners, [winner(1, 238_852, "Ada Lovelace"), winner(2, 1_000_000, "Bo")]);
        assert_eq!(repeated.tickets, 1_000_000);
        let hash = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
        assert_eq!(repeated.seed_hash, hash);
        let again = repeat([SEED, "lot", "3", "TICKET", TICKETS]).expect("a draw").expect("tickets");
        assert_eq!(again.winners.len(), 3);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(repeat([SEED, "", "", "", " "]), Ok(None));
        for (fields, says) in [
            (["0", "lot", "1", "", TICKETS], "Seed: "),
            ([SEED, "", "1", "", TICKETS], "Item: "),
            ([SEED, "lot", "0", "", TICKETS], "Copies: "),
            ([SEED, "lot", "many", "", TICKETS], "Copies: "),
            ([SEED, "lot", "", "", "Ada 1\nBo"], "Tickets, line 2: "),
            ([SEED, "lot", "", "", "Ada 0"], "Tickets, line 1: "),
        ] {
            let error = repeat(fields).expect_err("an error");
            assert!(error.starts_with(says), "{error}");
        }
    }
}
