//! Blanks in the text of a page, which are filled in when the page is complete: what is new in each response
//! or belongs to its viewer alone. Without it, parts of the page are the same for others
//! ([`fragments`](crate::fragments)).

use std::sync::LazyLock;

use leptos::nonce::Nonce;
use memchr::memmem::Finder;
use rules_engine::shape::{JsonReader, Read, ReadJson};

/// A value that is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blank {
    /// A new idempotency key.
    NewKey,
    /// The id of the viewer.
    ViewerId,
}

impl Blank {
    /// The text that stands for it until then.
    pub fn text(self) -> String {
        let kind = match self {
            Self::NewKey => KEY,
            Self::ViewerId => VIEWER,
        };
        format!("{}{kind}", *MARK)
    }
}

/// The server's clock when the page was rendered, in milliseconds, as a number in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageTime;

impl serde::Serialize for PageTime {
    /// A text. It becomes a number with its quotation marks.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}{NOW}", *MARK))
    }
}

impl ReadJson for PageTime {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        i64::read_json(reader).map(|_| Self)
    }
}

/// Begins each blank. It is random and never leaves the server, so that no text that people write has it.
static MARK: LazyLock<String> = LazyLock::new(|| Nonce::new().to_string());
static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARK.as_bytes()));

const KEY: char = 'k';
const VIEWER: char = 'v';
const NOW: char = 'n';

/// What the blanks of a page are filled with.
pub struct Values<'a> {
    pub new_key: &'a str,
    /// Empty without a viewer.
    pub viewer_id: &'a str,
    pub now: i64,
}

/// The document with its blanks filled in.
pub fn filled_in(document: &str, values: &Values) -> String {
    let mut filled = String::with_capacity(document.len());
    let mut rest = document;
    while let Some((before, after)) = FINDER.find(rest.as_bytes()).and_then(|at| rest.split_at_checked(at)) {
        let mut after = after.get(MARK.len()..).unwrap_or_default().chars();
        match after.next() {
            Some(NOW) => {
                filled.push_str(before.strip_suffix('"').unwrap_or(before));
                filled.push_str(&values.now.to_string());
                after.next();
            }
            Some(VIEWER) => {
                filled.push_str(before);
                filled.push_str(values.viewer_id);
            }
            _ => {
                filled.push_str(before);
                filled.push_str(values.new_key);
            }
        }
        rest = after.as_str();
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_blank_is_filled_in() {
        let now = serde_json::to_string(&PageTime).unwrap();
        let [key, viewer] = [Blank::NewKey, Blank::ViewerId].map(Blank::text);
        let document = format!("{{\"now\":{now},\"id\":\"{viewer}\"}}<input value=\"{key}\">{key}k. ✓");
        let values = Values { new_key: "new-key", viewer_id: "ada", now: 1_777_658_400_123 };
        let filled = filled_in(&document, &values);
        assert_eq!(filled, "{\"now\":1777658400123,\"id\":\"ada\"}<input value=\"new-key\">new-keyk. ✓");
        assert_eq!(filled_in("no blank", &values), "no blank");
    }
}
