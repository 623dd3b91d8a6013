//! Values of XML: an element is a text, or a record of its elements and attributes. Several roots, one after
//! the other, are read as one document: people paste one export below the other.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::tree::Tree;
use super::{LEVELS_MAX, ListError, VALUES_MAX, decimal};

/// An element that has begun.
#[derive(Default)]
struct Element {
    name: String,
    text: String,
    members: Vec<(String, Tree)>,
}

impl Element {
    fn tree(self) -> Tree {
        if self.members.is_empty() {
            let text = self.text.trim();
            return Tree::Text(decimal(text).unwrap_or_else(|| text.to_owned()));
        }
        Tree::Record(grouped(self.members))
    }
}

/// The members with one list for all records of a name. An element alone is a list of one.
fn grouped(members: Vec<(String, Tree)>) -> Vec<(String, Tree)> {
    let mut grouped: Vec<(String, Tree)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for (name, tree) in members {
        if tree.as_text().is_some() {
            grouped.push((name, tree));
            continue;
        }
        let at = *places.entry(name.clone()).or_insert(grouped.len());
        match grouped.get_mut(at) {
            Some((_, Tree::List(items))) => items.push(tree),
            _ => grouped.push((name, Tree::List(vec![tree]))),
        }
    }
    grouped
}

pub(super) fn read(text: &str) -> Result<Tree, ListError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let (mut open, mut roots, mut values) = (Vec::<Element>::new(), Element::default(), 0);
    loop {
        let event = reader.read_event();
        let line = |reader: &Reader<&[u8]>| {
            let read = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX).min(text.len());
            1 + text.as_bytes().iter().take(read).filter(|byte| **byte == b'\n').count()
        };
        match event.map_err(|_| ListError::Xml(line(&reader)))? {
            Event::Start(start) => {
                values += 1;
                if values > VALUES_MAX {
                    return Err(ListError::TooLarge("500,000 values"));
                }
                if open.len() >= LEVELS_MAX {
                    return Err(ListError::TooLarge("32 levels"));
                }
                let element = begun(&start, &mut values).ok_or_else(|| ListError::Xml(line(&reader)))?;
                open.push(element);
            }
            Event::End(_) => {
                let Some(element) = open.pop() else { return Err(ListError::Xml(line(&reader))) };
                let name = element.name.clone();
                open.last_mut().unwrap_or(&mut roots).members.push((name, element.tree()));
            }
            Event::Text(more) => {
                let more = more.xml10_content().map_err(|_| ListError::Xml(line(&reader)))?;
                open.last_mut().unwrap_or(&mut roots).text.push_str(&more);
            }
            Event::CData(more) => {
                let more = more.xml10_content().map_err(|_| ListError::Xml(line(&reader)))?;
                open.last_mut().unwrap_or(&mut roots).text.push_str(&more);
            }
            Event::GeneralRef(reference) => {
                let more = resolved(&reference).ok_or_else(|| ListError::Xml(line(&reader)))?;
                open.last_mut().unwrap_or(&mut roots).text.push_str(&more);
            }
            Event::Eof if open.is_empty() => break,
            Event::Eof => return Err(ListError::Xml(line(&reader))),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    let mut roots = grouped(roots.members);
    // The name of a single root says nothing.
    Ok(match (roots.len(), roots.pop()) {
        (1, Some((_, Tree::List(mut only)))) if only.len() == 1 => only.remove(0),
        (_, Some(last)) => Tree::Record(roots.into_iter().chain([last]).collect()),
        (_, None) => Tree::Record(Vec::new()),
    })
}

/// An element with its attributes.
fn begun(start: &BytesStart<'_>, values: &mut usize) -> Option<Element> {
    let local = |name: &[u8]| String::from_utf8(name.to_vec()).ok();
    let mut element = Element { name: local(start.local_name().as_ref())?, ..Element::default() };
    // Without the check for names that occur twice, which compares each with each.
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.ok()?;
        *values += 1;
        if attribute.key.as_ref().starts_with(b"xmlns") || *values > VALUES_MAX {
            continue;
        }
        let text = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
        let text = decimal(text.trim()).unwrap_or_else(|| text.trim().to_owned());
        element.members.push((local(attribute.key.local_name().as_ref())?, Tree::Text(text)));
    }
    Some(element)
}

/// The text of a reference such as `&amp;` or `&#228;`. There are no others: a declared one is not read.
fn resolved(reference: &BytesRef<'_>) -> Option<String> {
    match reference.resolve_char_ref().ok()? {
        Some(character) => Some(character.to_string()),
        None => resolve_predefined_entity(&reference.decode().ok()?).map(str::to_owned),
    }
}
