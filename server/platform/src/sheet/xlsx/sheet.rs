//! The cells of a worksheet.

use std::io::BufRead;

use quick_xml::events::BytesStart;

use super::super::cell_error::{NO_VALUE, error_text};
use super::super::grid::Grid;
use super::super::package::Package;
use super::super::value::{NO, YES, formatted, iso};
use super::super::xml::{Node, Xml, local};
use super::strings::{text_of, unescaped};
use super::{Shared, SheetError};

pub(super) fn read(package: &mut Package<'_>, part: &str, shared: &Shared) -> Result<Grid, SheetError> {
    let limits = package.limits;
    let mut grid = Grid::new(&limits);
    let mut xml = package.xml(part)?.ok_or(SheetError::Damaged)?;
    let mut merged = Vec::new();
    // The place of the next cell, which need not name its own.
    let mut next = (0, 0);
    while let Some(node) = xml.next()? {
        let element = match node {
            Node::Start(element) => element,
            Node::End(name) if name == b"row" => {
                next = (next.0 + 1, 0);
                continue;
            }
            Node::End(_) | Node::Text(_) => continue,
        };
        match element.local_name().as_ref() {
            b"row" => {
                let number = local(&element, "r")?.map(|number| number.trim().parse::<u32>());
                if let Some(number) = number.transpose().map_err(|_| SheetError::Damaged)? {
                    next = (number.checked_sub(1).ok_or(SheetError::Damaged)?, 0);
                }
            }
            b"c" => {
                if let Some(name) = local(&element, "r")? {
                    next = place(&name)?;
                }
                let value = value(&mut xml, &element, shared)?;
                grid.set(next, &value)?;
                if grid.is_full() {
                    break;
                }
                next.1 += 1;
            }
            b"mergeCell" => {
                if merged.len() == limits.merged {
                    return Err(SheetError::TooLarge("10,000 merged areas"));
                }
                if let Some(area) = local(&element, "ref")? {
                    let (first, last) = area.split_once(':').unwrap_or((&area, &area));
                    merged.push((place(first)?, place(last)?));
                }
            }
            _ => {}
        }
    }
    grid.sort();
    for (first, last) in merged {
        grid.merge(first.0..=last.0, &(first.1..=last.1));
    }
    Ok(grid)
}

/// Row and column, from 0, of a cell such as `C17` or `$C$17`.
fn place(name: &str) -> Result<(u32, u32), SheetError> {
    let name = name.trim().replace('$', "");
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (letters, number) = name.split_at(letters);
    let mut column = 0_u32;
    for letter in letters.bytes() {
        let digit = u32::from(letter.to_ascii_uppercase() - b'A') + 1;
        column =
            column.checked_mul(26).and_then(|column| column.checked_add(digit)).ok_or(SheetError::Damaged)?;
    }
    let row = number.parse::<u32>().ok().and_then(|row| row.checked_sub(1));
    match (row, column.checked_sub(1)) {
        (Some(row), Some(column)) => Ok((row, column)),
        _ => Err(SheetError::Damaged),
    }
}

/// The value of a cell that has begun, up to its end.
fn value<R: BufRead>(xml: &mut Xml<R>, cell: &BytesStart<'_>, shared: &Shared) -> Result<String, SheetError> {
    let (kind, style) = (local(cell, "t")?, local(cell, "s")?);
    let (mut stored, mut inline, mut is_formula) = (None, None, false);
    loop {
        match xml.next()?.ok_or(SheetError::Damaged)? {
            Node::Start(element) => match element.local_name().as_ref() {
                b"v" => stored = Some(xml.text()?),
                b"is" => text_of(xml, b"is", inline.get_or_insert_default())?,
                b"f" => {
                    is_formula = true;
                    xml.skip()?;
                }
                _ => xml.skip()?,
            },
            Node::End(name) if name == b"c" => break,
            Node::End(_) | Node::Text(_) => {}
        }
    }
    if let Some(inline) = inline {
        return Ok(inline);
    }
    let kind = kind.as_deref().unwrap_or("n");
    let stored = match stored {
        // A text may be empty. Other values of formulas are not.
        Some(stored) if !stored.is_empty() || kind == "str" => stored,
        _ => return Ok(if is_formula { NO_VALUE.to_owned() } else { String::new() }),
    };
    Ok(match kind {
        "s" => {
            let index = stored.trim().parse().map_err(|_| SheetError::Damaged)?;
            shared.strings.get(index).ok_or(SheetError::Damaged)?.to_owned()
        }
        "b" => if stored.trim() == "1" || stored.trim() == "true" { YES } else { NO }.to_owned(),
        "e" => error_text(&stored).to_owned(),
        "d" => iso(&stored),
        "n" => {
            let format = shared.styles.format(style.as_deref());
            let number = stored.trim().parse().ok();
            number.and_then(|number| formatted(number, format, shared.is_1904)).unwrap_or(stored)
        }
        _ => unescaped(&stored),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_places() {
        assert_eq!(place("A1"), Ok((0, 0)));
        assert_eq!(place("$C$17"), Ok((16, 2)));
        assert_eq!(place("AA1048576"), Ok((1_048_575, 26)));
        for name in ["", "A", "1", "A0", "A1B", "ä1", "AAAAAAAAA1", "A99999999999"] {
            assert_eq!(place(name), Err(SheetError::Damaged), "{name}");
        }
    }
}
