//! Texts that cells share, and texts of cells.

use std::io::BufRead;

use super::super::package::Package;
use super::super::xml::{Node, Xml};
use super::SheetError;

/// The shared texts, one after the other in one.
#[derive(Default)]
pub(super) struct Strings {
    text: String,
    ends: Vec<usize>,
}

impl Strings {
    pub(super) fn read(package: &mut Package<'_>, part: Option<&str>) -> Result<Self, SheetError> {
        let mut strings = Self::default();
        let max = package.limits.strings;
        let Some(mut xml) = part.map(|part| package.xml(part)).transpose()?.flatten() else {
            return Ok(strings);
        };
        while let Some(node) = xml.next()? {
            let Node::Start(element) = node else { continue };
            if element.local_name().as_ref() != b"si" {
                continue;
            }
            if strings.ends.len() == max {
                return Err(SheetError::TooLarge("400,000 texts"));
            }
            text_of(&mut xml, b"si", &mut strings.text)?;
            strings.ends.push(strings.text.len());
        }
        Ok(strings)
    }

    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.text.get(start..end)
    }
}

/// Appends the text of an element that has begun, up to its end: all its pieces, whatever their fonts are,
/// but not how they are pronounced.
pub(super) fn text_of<R: BufRead>(
    xml: &mut Xml<R>,
    name: &[u8],
    text: &mut String,
) -> Result<(), SheetError> {
    while let Some(node) = xml.next()? {
        match node {
            Node::Start(element) => match element.local_name().as_ref() {
                b"rPh" => xml.skip()?,
                b"t" => text.push_str(&unescaped(&xml.text()?)),
                _ => {}
            },
            Node::End(end) if end == name => return Ok(()),
            Node::End(_) | Node::Text(_) => {}
        }
    }
    Err(SheetError::Damaged)
}

/// A text with the characters that it has as `_x000D_`.
pub(super) fn unescaped(text: &str) -> String {
    let (mut read, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once("_x") {
        read.push_str(before);
        let code = after.get(..4).filter(|_| after.get(4..5) == Some("_"));
        let character = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        rest = match (character, after.get(5..)) {
            (Some(character), Some(after)) => {
                read.push(character);
                after
            }
            _ => {
                read.push_str("_x");
                after
            }
        };
    }
    read.push_str(rest);
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_characters_are_read() {
        let texts = [
            ("a_x000D_\nb", "a\r\nb"),
            ("_x005F_x000D_", "_x000D_"),
            ("item_x1", "item_x1"),
            ("_xD800_", "_xD800_"),
            ("_x00e4", "_x00e4"),
            ("_x", "_x"),
        ];
        for (text, read) in texts {
            assert_eq!(unescaped(text), read);
        }
    }
}
