//! Formats of the numbers of a workbook.

use std::collections::HashMap;

use super::super::number_format::NumberFormat;
use super::super::package::Package;
use super::super::xml::{Node, local};
use super::SheetError;

/// Formats by the styles of cells.
#[derive(Default)]
pub(super) struct Styles(Vec<NumberFormat>);

impl Styles {
    pub(super) fn read(package: &mut Package<'_>, part: Option<&str>) -> Result<Self, SheetError> {
        let mut styles = Self::default();
        let Some(mut xml) = part.map(|part| package.xml(part)).transpose()?.flatten() else {
            return Ok(styles);
        };
        let mut codes: HashMap<u32, NumberFormat> = HashMap::new();
        // Styles without a cell have formats, too.
        let mut is_of_cells = false;
        while let Some(node) = xml.next()? {
            let element = match node {
                Node::Start(element) => element,
                Node::End(name) if name == b"cellXfs" => break,
                Node::End(_) | Node::Text(_) => continue,
            };
            let id = |name| {
                let id = local(&element, name)?;
                Ok::<u32, SheetError>(id.and_then(|id| id.trim().parse().ok()).unwrap_or(0))
            };
            match element.local_name().as_ref() {
                b"numFmt" => {
                    let code = local(&element, "formatCode")?.unwrap_or_default();
                    codes.insert(id("numFmtId")?, NumberFormat::of_code(&code));
                }
                b"cellXfs" => is_of_cells = true,
                b"xf" if is_of_cells => {
                    let id = id("numFmtId")?;
                    let format = codes.get(&id).copied();
                    styles.0.push(format.unwrap_or_else(|| NumberFormat::built_in(id)));
                }
                _ => {}
            }
        }
        Ok(styles)
    }

    pub(super) fn format(&self, style: Option<&str>) -> NumberFormat {
        let index = style.and_then(|style| style.trim().parse::<usize>().ok()).unwrap_or(0);
        self.0.get(index).copied().unwrap_or_default()
    }
}
