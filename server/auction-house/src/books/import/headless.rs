//! Standings that a program writes without a header: a name, perhaps class and rank, and what was earned,
//! what was spent, and perhaps their ratio.

/// Heading of the points that were earned.
pub(super) const EARNED: &str = "EP";
/// Heading of the points that were spent.
pub(super) const SPENT: &str = "GP";
const RATIO: &str = "PR";

/// Cells before the numbers.
const TEXTS: [&str; 3] = ["name", "class", "rank"];
const NUMBERS: [&str; 3] = [EARNED, SPENT, RATIO];

/// Names the columns of rows without a header, if all of them are such standings of one shape.
pub(super) fn headings(rows: &[Vec<String>]) -> Option<Vec<&'static str>> {
    let mut shapes = rows.iter().map(|row| shape(row));
    let first = shapes.next().flatten()?;
    let (texts, numbers) = shapes.all(|shape| shape == Some(first)).then_some(first)?;
    Some(TEXTS.into_iter().take(texts).chain(NUMBERS.into_iter().take(numbers)).collect())
}

/// How many texts and numbers a row has. A mark may follow its last cell.
fn shape(row: &[String]) -> Option<(usize, usize)> {
    let cells = row.strip_suffix(&[String::new()]).unwrap_or(row);
    let texts = cells.iter().take_while(|cell| !is_number(cell)).count();
    let numbers = cells.len() - texts;
    let are_numbers = cells.iter().skip(texts).all(|cell| is_number(cell));
    let is_named = cells.first().is_some_and(|name| !name.is_empty());
    (is_named && are_numbers && (1..=3).contains(&texts) && (2..=3).contains(&numbers))
        .then_some((texts, numbers))
}

/// Whether a cell is a number. A ratio to 0 is infinite.
fn is_number(cell: &str) -> bool {
    let unsigned = cell.strip_prefix('-').unwrap_or(cell);
    matches!(unsigned, "inf" | "nan" | "nan(ind)")
        || (!unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(table: &str) -> Option<Vec<&'static str>> {
        let row = |line: &str| line.split(',').map(str::to_owned).collect();
        headings(&table.lines().map(row).collect::<Vec<Vec<String>>>())
    }

    #[test]
    fn standings_of_each_shape_are_known() {
        let known = [
            ("Ada,Mage,Member,16,29,0.55\nBea,Death Knight,Alt,0,50,0", "name class rank EP GP PR"),
            ("Ada,Mage,16,29,0.55,", "name class EP GP PR"),
            ("Ada,16,29", "name EP GP"),
            ("Ada,16,0,inf\nBea,0,0,-nan(ind)", "name EP GP PR"),
        ];
        for (table, headings) in known {
            assert_eq!(of(table).unwrap().join(" "), headings, "{table}");
        }
    }

    #[test]
    fn other_rows_are_not() {
        for table in [
            "",
            "name,EP,GP\nAda,16,29",
            "Ada,16",
            "Ada,16,29\nBea,Mage,16,29",
            "Ada,16,29,3,4",
            "1,Ada,16,29",
            ",16,29",
            "Ada,B,C,D,16,29",
            "Ada,16,Mage,29",
            "Ada,16,29,,",
        ] {
            assert_eq!(of(table), None, "{table}");
        }
    }
}
