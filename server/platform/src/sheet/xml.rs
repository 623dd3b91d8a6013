//! The XML of a spreadsheet's part.

use std::io::BufRead;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::SheetError;
use super::package::error_of;

/// A reader of XML. Empty elements have an end, too.
pub(super) struct Xml<R> {
    reader: quick_xml::Reader<R>,
    buffer: Vec<u8>,
}

/// An element that begins or ends, or a text between.
pub(super) enum Node {
    Start(BytesStart<'static>),
    /// The name of the element without its prefix.
    End(Vec<u8>),
    Text(String),
}

impl<R: BufRead> Xml<R> {
    pub(super) fn new(source: R) -> Self {
        let mut reader = quick_xml::Reader::from_reader(source);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.check_end_names = false;
        Self { reader, buffer: Vec::new() }
    }

    /// The next node; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Node>, SheetError> {
        loop {
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer).map_err(|error| damaged(&error))?;
            let node = match event {
                Event::Start(element) => Node::Start(element.into_owned()),
                Event::End(element) => Node::End(element.local_name().as_ref().to_vec()),
                Event::Text(text) => Node::Text(text.xml10_content().map_err(unread)?.into_owned()),
                Event::CData(text) => Node::Text(text.xml10_content().map_err(unread)?.into_owned()),
                Event::GeneralRef(reference) => Node::Text(resolved(&reference)?),
                Event::Eof => return Ok(None),
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                    continue;
                }
            };
            return Ok(Some(node));
        }
    }

    /// The text of the element that has begun, up to its end. Elements within it are passed over.
    pub(super) fn text(&mut self) -> Result<String, SheetError> {
        let (mut text, mut depth) = (String::new(), 0_usize);
        while let Some(node) = self.next()? {
            match node {
                Node::Start(_) => depth += 1,
                Node::End(_) if depth == 0 => return Ok(text),
                Node::End(_) => depth -= 1,
                Node::Text(more) if depth == 0 => text.push_str(&more),
                Node::Text(_) => {}
            }
        }
        Err(SheetError::Damaged)
    }

    /// Passes over the element that has begun.
    pub(super) fn skip(&mut self) -> Result<(), SheetError> {
        self.text().map(drop)
    }
}

fn damaged(error: &quick_xml::Error) -> SheetError {
    match error {
        quick_xml::Error::Io(error) => error_of(error),
        _ => SheetError::Damaged,
    }
}

fn unread<E>(_: E) -> SheetError {
    SheetError::Damaged
}

/// The text of a reference such as `&amp;` or `&#228;`. There are no others: a declared one is not read.
fn resolved(reference: &BytesRef<'_>) -> Result<String, SheetError> {
    if let Some(character) = reference.resolve_char_ref().map_err(unread)? {
        return Ok(character.to_string());
    }
    let name = reference.decode().map_err(unread)?;
    resolve_predefined_entity(&name).map(str::to_owned).ok_or(SheetError::Damaged)
}

/// The value of the first attribute for whose name `is_named` holds.
fn attribute(
    element: &BytesStart<'_>,
    is_named: impl Fn(&quick_xml::events::attributes::Attribute<'_>) -> bool,
) -> Result<Option<String>, SheetError> {
    // Without the check for names that occur twice, which compares each with each.
    for attribute in element.attributes().with_checks(false) {
        let attribute = attribute.map_err(unread)?;
        if is_named(&attribute) {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(unread)?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

/// The value of an attribute by its name without a prefix.
pub(super) fn local(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, SheetError> {
    attribute(element, |attribute| attribute.key.local_name().as_ref() == name.as_bytes())
}

/// The value of an attribute by its whole name.
pub(super) fn named(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, SheetError> {
    attribute(element, |attribute| attribute.key.as_ref() == name.as_bytes())
}
