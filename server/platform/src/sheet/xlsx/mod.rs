//! Spreadsheets of Office Open XML (`.xlsx`, `.xlsm`).

mod sheet;
mod strings;
mod styles;

use std::collections::HashMap;

use self::strings::Strings;
use self::styles::Styles;
use super::grid::Grid;
use super::package::Package;
use super::xml::{Node, local};
use super::{SheetError, Wanted};

const NO_TABLE: SheetError =
    SheetError::Unsupported("This file is neither a spreadsheet nor a text: save the table as .xlsx or CSV.");
const BINARY: SheetError =
    SheetError::Unsupported("This is a binary Excel file (.xlsb): save it as .xlsx or CSV.");
const NUMBERS: SheetError = SheetError::Unsupported("This is a Numbers file: export it as .xlsx or CSV.");
/// Parts of a file that Numbers has saved.
const PARTS_OF_NUMBERS: [&str; 2] = ["Index/Document.iwa", "Index.zip"];

/// A part that another one names.
struct Target {
    /// The last segment of the kind of the relationship.
    kind: String,
    part: String,
}

/// A sheet of the workbook.
struct Entry {
    name: String,
    relationship: String,
}

#[derive(Default)]
struct Workbook {
    visible: Vec<Entry>,
    /// Days count from 1904.
    is_1904: bool,
}

/// What the cells of all sheets refer to.
struct Shared {
    strings: Strings,
    styles: Styles,
    is_1904: bool,
}

/// Names of the visible sheets. One may be a chart.
pub(super) fn names(package: &mut Package<'_>) -> Result<Vec<String>, SheetError> {
    let (workbook, _) = open(package)?;
    Ok(workbook.visible.into_iter().map(|entry| entry.name).collect())
}

/// The workbook with the name of its part.
fn open(package: &mut Package<'_>) -> Result<(Workbook, String), SheetError> {
    if PARTS_OF_NUMBERS.iter().any(|part| package.has(part)) {
        return Err(NUMBERS);
    }
    let document = relationships(package, "_rels/.rels", "")?;
    let document = document.into_values().find(|target| target.kind == "officeDocument").ok_or(NO_TABLE)?;
    if document.part.to_ascii_lowercase().ends_with(".bin") {
        return Err(BINARY);
    }
    Ok((workbook(package, &document.part)?, document.part))
}

pub(super) fn read(package: &mut Package<'_>, mut wanted: Wanted<'_>) -> Result<Grid, SheetError> {
    let (workbook, part) = open(package)?;
    let (folder, file) = part.rsplit_once('/').unwrap_or(("", &part));
    let targets = relationships(package, &format!("{folder}/_rels/{file}.rels"), folder)?;
    let part_of = |kind| targets.values().find(|target| target.kind == kind).map(|target| &*target.part);
    let shared = Shared {
        strings: Strings::read(package, part_of("sharedStrings"))?,
        styles: Styles::read(package, part_of("styles"))?,
        is_1904: workbook.is_1904,
    };
    for Entry { name, relationship } in workbook.visible {
        // A sheet may be a chart.
        let Some(target) = targets.get(&relationship).filter(|target| target.kind == "worksheet") else {
            continue;
        };
        if wanted.wants(&name)
            && let Some(grid) = wanted.take(sheet::read(package, &target.part, &shared)?)
        {
            return Ok(grid);
        }
    }
    wanted.rest()
}

/// The parts that a part names, by the ids of the relationships. `folder` has the naming part.
fn relationships(
    package: &mut Package<'_>,
    part: &str,
    folder: &str,
) -> Result<HashMap<String, Target>, SheetError> {
    let mut targets = HashMap::new();
    let Some(mut xml) = package.xml(part)? else { return Ok(targets) };
    while let Some(node) = xml.next()? {
        let Node::Start(element) = node else { continue };
        if element.local_name().as_ref() == b"Relationship"
            && let (Some(id), Some(kind), Some(target)) =
                (local(&element, "Id")?, local(&element, "Type")?, local(&element, "Target")?)
        {
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            targets.insert(id, Target { kind, part: resolved(folder, &target) });
        }
    }
    Ok(targets)
}

/// The name of a part that a part of this folder names.
fn resolved(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let from = if target.starts_with('/') { "" } else { folder };
    let mut segments: Vec<&str> = Vec::new();
    for segment in from.split('/').chain(target.split('/')) {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    segments.join("/")
}

fn workbook(package: &mut Package<'_>, part: &str) -> Result<Workbook, SheetError> {
    let mut xml = package.xml(part)?.ok_or(SheetError::Damaged)?;
    let mut workbook = Workbook::default();
    let mut is_first = true;
    while let Some(node) = xml.next()? {
        let Node::Start(element) = node else { continue };
        match element.local_name().as_ref() {
            b"workbook" => {}
            _ if is_first => return Err(NO_TABLE),
            b"sheet" => {
                let state = local(&element, "state")?;
                let is_visible = state.is_none_or(|state| state == "visible");
                // Its prefix names the namespace of relationships: `r:id`.
                if let (true, Some(name), Some(relationship)) =
                    (is_visible, local(&element, "name")?, local(&element, "id")?)
                {
                    workbook.visible.push(Entry { name, relationship });
                }
            }
            b"workbookPr" => {
                let is_1904 = local(&element, "date1904")?;
                workbook.is_1904 |= is_1904.is_some_and(|value| value == "1" || value == "true");
            }
            _ => {}
        }
        is_first = false;
    }
    Ok(workbook)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_from_their_folder_or_from_the_root() {
        assert_eq!(resolved("xl", "worksheets/sheet1.xml"), "xl/worksheets/sheet1.xml");
        assert_eq!(resolved("xl", "/xl/worksheets/sheet1.xml"), "xl/worksheets/sheet1.xml");
        assert_eq!(resolved("xl/a", "../styles.xml"), "xl/styles.xml");
        assert_eq!(resolved("", "xl\\workbook.xml"), "xl/workbook.xml");
        assert_eq!(resolved("xl", "../../../x"), "x");
    }
}
