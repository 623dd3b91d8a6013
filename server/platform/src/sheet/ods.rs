//! Spreadsheets of OpenDocument (`.ods`).

use std::collections::HashSet;
use std::io::BufRead;

use quick_xml::events::BytesStart;

use super::cell_error::{NO_VALUE, error_text};
use super::grid::{Grid, ROWS_MAX};
use super::package::{Package, Part};
use super::value::{NO, YES, iso, number, percent};
use super::xml::{Node, Xml, named};
use super::{Limits, SheetError, Wanted, kind};

const MEDIA_TYPE: &[u8] = b"application/vnd.oasis.opendocument.spreadsheet";
/// Blanks that one element stands for, at most.
const BLANKS_MAX: usize = 1_000;

/// Whether the archive says that it is one.
pub(super) fn is_one(package: &mut Package<'_>) -> Result<bool, SheetError> {
    let start = package.start_of("mimetype", MEDIA_TYPE.len() as u64)?;
    Ok(start == MEDIA_TYPE)
}

pub(super) fn read(package: &mut Package<'_>, mut wanted: Wanted<'_>) -> Result<Grid, SheetError> {
    let limits = package.limits;
    let found = find(package, |xml, name| match wanted.wants(name) {
        true => Ok(wanted.take(table(xml, &limits)?)),
        false => xml.skip().map(|()| None),
    });
    found?.map_or_else(|| wanted.rest(), Ok)
}

/// Names of the visible sheets.
pub(super) fn names(package: &mut Package<'_>) -> Result<Vec<String>, SheetError> {
    let mut names = Vec::new();
    let _: Option<()> = find(package, |xml, name| {
        names.push(name.to_owned());
        xml.skip().map(|()| None)
    })?;
    Ok(names)
}

/// The first visible sheet of which `take` makes something. It reads the sheet to its end.
fn find<T>(
    package: &mut Package<'_>,
    mut take: impl FnMut(&mut Xml<Part<'_, '_>>, &str) -> Result<Option<T>, SheetError>,
) -> Result<Option<T>, SheetError> {
    if is_encrypted(package)? {
        return Err(SheetError::Unsupported(kind::PROTECTED));
    }
    let mut xml = package.xml("content.xml")?.ok_or(SheetError::Damaged)?;
    // Styles of tables that are not shown.
    let mut hidden = HashSet::new();
    let mut style = None;
    while let Some(node) = xml.next()? {
        let Node::Start(element) = node else { continue };
        match element.name().as_ref() {
            b"style:style" => style = named(&element, "style:name")?,
            b"style:table-properties"
                if named(&element, "table:display")?.is_some_and(|display| display == "false") =>
            {
                hidden.extend(style.take());
            }
            b"table:tracked-changes" => xml.skip()?,
            b"table:table" => {
                let style = named(&element, "table:style-name")?;
                let name = named(&element, "table:name")?.unwrap_or_default();
                if style.is_some_and(|style| hidden.contains(&style)) {
                    xml.skip()?;
                } else if let Some(taken) = take(&mut xml, &name)? {
                    return Ok(Some(taken));
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

fn is_encrypted(package: &mut Package<'_>) -> Result<bool, SheetError> {
    let Some(mut xml) = package.xml("META-INF/manifest.xml")? else { return Ok(false) };
    while let Some(node) = xml.next()? {
        if matches!(node, Node::Start(element) if element.local_name().as_ref() == b"encryption-data") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How often a row or a cell is repeated.
fn repeats(element: &BytesStart<'_>, name: &str) -> Result<u32, SheetError> {
    let repeats = named(element, name)?.map_or(Ok(1), |repeats| repeats.trim().parse());
    repeats.map_err(|_| SheetError::Damaged)
}

/// The values of a table that has begun, up to its end. Rows may stand in groups.
fn table<R: BufRead>(xml: &mut Xml<R>, limits: &Limits) -> Result<Grid, SheetError> {
    let mut grid = Grid::new(limits);
    let (mut row, mut depth) = (0_u32, 0_usize);
    while let Some(node) = xml.next()? {
        match node {
            Node::Start(element) => match element.name().as_ref() {
                b"table:table-row" => {
                    let repeats = repeats(&element, "table:number-rows-repeated")?;
                    let cells = cells(xml, limits)?;
                    let end = row.saturating_add(repeats).min(ROWS_MAX);
                    // Only rows with values are set one by one.
                    let rows = if cells.is_empty() { row..row } else { row..end };
                    for row in rows {
                        for (column, value) in &cells {
                            grid.set((row, *column), value)?;
                        }
                        if grid.is_full() {
                            break;
                        }
                    }
                    row = end;
                }
                b"table:table-rows" | b"table:table-header-rows" | b"table:table-row-group" => depth += 1,
                _ => xml.skip()?,
            },
            Node::End(_) if depth == 0 => break,
            Node::End(_) => depth -= 1,
            Node::Text(_) => {}
        }
        if grid.is_full() {
            break;
        }
    }
    Ok(grid)
}

/// The values of a row that has begun, up to its end, with their columns.
fn cells<R: BufRead>(xml: &mut Xml<R>, limits: &Limits) -> Result<Vec<(u32, String)>, SheetError> {
    let (mut cells, mut column) = (Vec::new(), 0_u32);
    loop {
        match xml.next()?.ok_or(SheetError::Damaged)? {
            Node::Start(element) => {
                let value = match element.name().as_ref() {
                    b"table:table-cell" => value(xml, &element)?,
                    // Another cell covers it: they are merged.
                    b"table:covered-table-cell" => {
                        xml.skip()?;
                        String::new()
                    }
                    _ => {
                        xml.skip()?;
                        continue;
                    }
                };
                let end = column.saturating_add(repeats(&element, "table:number-columns-repeated")?);
                if !value.trim().is_empty() {
                    // One column too many is enough to be refused.
                    let filled = column..end.min(limits.columns.saturating_add(1)).max(column + 1);
                    cells.extend(filled.map(|column| (column, value.clone())));
                }
                column = end;
            }
            Node::End(_) => return Ok(cells),
            Node::Text(_) => {}
        }
    }
}

/// The value of a cell that has begun, up to its end.
fn value<R: BufRead>(xml: &mut Xml<R>, cell: &BytesStart<'_>) -> Result<String, SheetError> {
    let kind = named(cell, "office:value-type")?;
    let is_error = named(cell, "calcext:value-type")?.is_some_and(|kind| kind == "error");
    let shown = paragraphs(xml)?;
    if is_error {
        return Ok(error_text(&shown).to_owned());
    }
    let stored = |name: &str| named(cell, name);
    let decimal = |text: Option<String>| text.and_then(|text| text.trim().parse::<f64>().ok());
    Ok(match kind.as_deref() {
        Some("float" | "currency") => decimal(stored("office:value")?).and_then(number).unwrap_or(shown),
        Some("percentage") => decimal(stored("office:value")?).and_then(percent).unwrap_or(shown),
        Some("date") => stored("office:date-value")?.map_or(shown, |date| iso(&date)),
        Some("time") => stored("office:time-value")?.map_or(shown, |time| iso(&time)),
        Some("boolean") => match stored("office:boolean-value")?.as_deref() {
            Some("true") => YES.to_owned(),
            Some(_) => NO.to_owned(),
            None => shown,
        },
        Some("string") => stored("office:string-value")?.filter(|text| !text.is_empty()).unwrap_or(shown),
        Some(_) | None if shown.is_empty() && named(cell, "table:formula")?.is_some() => NO_VALUE.to_owned(),
        Some(_) | None => shown,
    })
}

/// The text of a cell, a line for each paragraph: without notes, pictures, and how words are pronounced.
fn paragraphs<R: BufRead>(xml: &mut Xml<R>) -> Result<String, SheetError> {
    let (mut text, mut depth, mut paragraphs) = (String::new(), 0_usize, 0_usize);
    loop {
        match xml.next()?.ok_or(SheetError::Damaged)? {
            Node::Start(element) => match element.name().as_ref() {
                b"text:p" | b"text:h" => {
                    if paragraphs > 0 {
                        text.push('\n');
                    }
                    paragraphs += 1;
                    depth += 1;
                }
                b"text:s" => {
                    let count = named(&element, "text:c")?.and_then(|count| count.parse().ok()).unwrap_or(1);
                    text.extend(std::iter::repeat_n(' ', BLANKS_MAX.min(count)));
                    depth += 1;
                }
                b"text:tab" => {
                    text.push('\t');
                    depth += 1;
                }
                b"text:line-break" => {
                    text.push('\n');
                    depth += 1;
                }
                b"text:span" | b"text:a" | b"text:ruby" | b"text:ruby-base" => depth += 1,
                b"text:date" | b"text:time" | b"text:sheet-name" | b"text:title" => depth += 1,
                _ => xml.skip()?,
            },
            Node::End(_) if depth == 0 => return Ok(text),
            Node::End(_) => depth -= 1,
            // Between paragraphs there are blanks at most.
            Node::Text(more) if depth > 0 => text.push_str(&more),
            Node::Text(_) => {}
        }
    }
}
