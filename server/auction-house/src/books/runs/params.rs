//! The parameters of runs as they are kept and shown: JSON objects, whose members pass through as they are.

use std::collections::BTreeMap;

use serde_json::Error;
use serde_json::value::{RawValue, to_raw_value};

use crate::ids::ItemId;

/// The members that may list all holders of a book, with the ones that count them in lists of runs.
const LISTS: [(&str, &str); 2] = [("to", "toCount"), ("present", "presentCount")];
const ITEM: &str = "itemId";

/// The members of parameters by name.
#[derive(Debug)]
pub struct Params(BTreeMap<String, Box<RawValue>>);

impl Params {
    pub fn read(json: &str) -> Result<Self, Error> {
        Ok(Self(serde_json::from_str(json)?))
    }

    pub fn json(&self) -> Result<Box<RawValue>, Error> {
        to_raw_value(&self.0)
    }

    /// What lists of runs show: lists of holders are counted. None if they show all.
    pub fn listed(mut self) -> Result<Option<Box<RawValue>>, Error> {
        let mut counted = false;
        for (name, count) in LISTS {
            // `to` may be a word.
            let list = self.0.get(name).filter(|value| value.get().starts_with('['));
            let Some(list) = list else { continue };
            let items: Vec<&RawValue> = serde_json::from_str(list.get())?;
            let items = to_raw_value(&items.len())?;
            self.0.remove(name);
            self.0.insert(count.to_owned(), items);
            counted = true;
        }
        counted.then(|| self.json()).transpose()
    }

    /// The item of an outcome.
    pub fn item(&self) -> Result<Option<ItemId>, Error> {
        self.0.get(ITEM).map(|id| serde_json::from_str(id.get())).transpose()
    }

    /// Removes what would tell the buyers in a hidden auction: the item, and who was present besides the
    /// receivers.
    pub fn hide_buyers(&mut self) {
        for name in [ITEM, "present", "presentCount"] {
            self.0.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(json: &str) -> Option<String> {
        Params::read(json).unwrap().listed().unwrap().map(|json| json.get().to_owned())
    }

    #[test]
    fn lists_of_holders_are_counted() {
        let share = r#"{"amount":"0.50","present":[],"to":[{"holder":"a","weight":1},{"holder":"]"}]}"#;
        assert_eq!(listed(share).unwrap(), r#"{"amount":"0.50","presentCount":0,"toCount":2}"#);
        assert_eq!(listed(r#"{"percent":"1.10","to":"ALL"}"#), None);
    }

    #[test]
    fn what_tells_the_buyers_is_removed() {
        let id = "0190a5d4-0000-7000-8000-000000000000";
        let json = format!(r#"{{"itemId":"{id}","present":["b"],"to":["a"]}}"#);
        let mut params = Params::read(&json).unwrap();
        assert_eq!(params.item().unwrap().unwrap().to_string(), id);
        params.hide_buyers();
        assert_eq!(params.json().unwrap().get(), r#"{"to":["a"]}"#);
        assert_eq!(params.item().unwrap(), None);
    }
}
