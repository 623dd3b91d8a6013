//! Values of JSON. Numbers keep their digits.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::tree::Tree;
use super::{LEVELS_MAX, ListError, VALUES_MAX, decimal};

const YES: &str = "yes";
const NO: &str = "no";

pub(super) fn read(text: &str) -> Result<Tree, ListError> {
    let mut values = 0;
    let documents = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let trees = documents.map(|raw| tree(raw.map_err(|error| wrong(&error))?, LEVELS_MAX, &mut values));
    let mut trees = trees.collect::<Result<Vec<_>, _>>()?;
    // Several documents, one below the other, are the records of one list.
    Ok(if trees.len() == 1 { trees.remove(0) } else { Tree::List(trees) })
}

fn wrong(error: &serde_json::Error) -> ListError {
    ListError::Json(error.line(), error.column())
}

/// The members of an object, which may have one name several times.
struct Members<'j>(Vec<(String, &'j RawValue)>);

impl<'j> Deserialize<'j> for Members<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collected;
        impl<'j> Visitor<'j> for Collected {
            type Value = Members<'j>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<Members<'j>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collected)
    }
}

fn tree(raw: &RawValue, levels: usize, values: &mut usize) -> Result<Tree, ListError> {
    *values += 1;
    if *values > VALUES_MAX {
        return Err(ListError::TooLarge("500,000 values"));
    }
    let below = levels.checked_sub(1).ok_or(ListError::TooLarge("32 levels"))?;
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{') => {
            let Members(members) = serde_json::from_str(text).map_err(|error| wrong(&error))?;
            let members = members.into_iter().map(|(name, raw)| Ok((name, tree(raw, below, values)?)));
            Ok(Tree::Record(members.collect::<Result<_, ListError>>()?))
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| wrong(&error))?;
            let items = items.into_iter().map(|raw| tree(raw, below, values));
            Ok(Tree::List(items.collect::<Result<_, _>>()?))
        }
        Some(b'"') => Ok(Tree::Text(serde_json::from_str(text).map_err(|error| wrong(&error))?)),
        _ => Ok(Tree::Text(match text {
            "true" => YES.to_owned(),
            "false" => NO.to_owned(),
            "null" => String::new(),
            number => decimal(number).unwrap_or_else(|| number.to_owned()),
        })),
    }
}
