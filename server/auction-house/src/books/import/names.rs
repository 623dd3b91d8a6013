//! People by the names that a table has, with or without a realm behind them (SPEC, section 12).

use std::collections::{HashMap, HashSet};

use crate::ids::UserId;
use accounts::Person;
use accounts::groups::PersonNumber;
use platform::text::{caseless, is_letter};

/// Letters of a name with a realm, at most.
const NAME_CHARS_MAX: usize = 24;

/// A person whom a row may name.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub number: Option<PersonNumber>,
    pub id: UserId,
    pub name: String,
}

/// People by their names without regard to case. None if several have one.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<String, Option<Named>>);

/// The person of a name.
#[derive(Debug)]
pub(super) enum Found {
    /// The one with the name, and the realm that was left out.
    One(Named, Option<String>),
    Several,
    /// The name without its realm is that of one person, but of several in the table.
    OfSeveralRealms,
    Nobody,
}

impl Names {
    pub(super) fn of(people: impl Iterator<Item = Named>) -> Self {
        let mut names = HashMap::new();
        for person in people.filter(|person| person.name != Person::DELETED) {
            names.entry(caseless(&person.name)).and_modify(|only| *only = None).or_insert(Some(person));
        }
        Self(names)
    }

    /// The person with this name, else the one whose name it is without the realm behind it.
    pub(super) fn find(&self, name: &str, written: &Written) -> Found {
        match self.0.get(&caseless(name)) {
            Some(Some(named)) => return Found::One(named.clone(), None),
            Some(None) => return Found::Several,
            None => {}
        }
        let Some((short, realm)) = with_realm(name) else { return Found::Nobody };
        if !written.is_realm(realm) {
            return Found::Nobody;
        }
        let short = caseless(short);
        match self.0.get(&short) {
            None => Found::Nobody,
            Some(None) => Found::Several,
            Some(Some(_)) if !written.is_once(&short) => Found::OfSeveralRealms,
            Some(Some(named)) => Found::One(named.clone(), Some(realm.to_owned())),
        }
    }
}

/// The names of a table.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// By what they are without a realm.
    names: HashMap<String, HashSet<String>>,
    /// The words behind a hyphen, each with the names before it. `Marie` of `Anne-Marie` is no realm: a realm
    /// is that of several people.
    realms: HashMap<String, HashSet<String>>,
}

impl Written {
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut written = Self::default();
        for name in names {
            let parts = with_realm(name);
            let short = caseless(parts.map_or(name, |(short, _)| short));
            if let Some((_, realm)) = parts {
                written.realms.entry(caseless(realm)).or_default().insert(short.clone());
            }
            written.names.entry(short).or_default().insert(caseless(name));
        }
        written
    }

    fn is_once(&self, short: &str) -> bool {
        self.names.get(short).is_none_or(|names| names.len() == 1)
    }

    fn is_realm(&self, realm: &str) -> bool {
        self.realms.get(&caseless(realm)).is_some_and(|names| names.len() > 1)
    }
}

/// The parts of a name such as `Ada-Argent Dawn`: a word of letters, and the realm.
fn with_realm(name: &str) -> Option<(&str, &str)> {
    let (short, realm) = name.split_once('-')?;
    let is_word = (1..=NAME_CHARS_MAX).contains(&short.chars().count()) && short.chars().all(is_letter);
    let is_realm = realm.chars().next().is_some_and(is_letter);
    (is_word && is_realm).then_some((short, realm))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(people: &[&str]) -> Names {
        let id = "0190a000-0000-7000-8000-000000000001".parse::<UserId>().unwrap();
        Names::of(people.iter().map(|name| Named { number: None, id, name: (*name).to_owned() }))
    }

    /// What is found for each name of a table.
    fn found(people: &[&str], table: &[&str]) -> Vec<String> {
        let (names, written) = (names(people), Written::of(table.iter().copied()));
        let words = |name: &&str| match names.find(name, &written) {
            Found::One(named, None) => named.name,
            Found::One(named, Some(realm)) => format!("{} of {realm}", named.name),
            other => format!("{other:?}"),
        };
        table.iter().map(words).collect()
    }

    #[test]
    fn a_name_is_whole_or_has_a_realm_that_is_left_out() {
        let table = [
            "ADA-Argent Dawn",
            "bea",
            "Zo\u{eb}-Azjol-Nerub",
            "Eve-argent dawn",
            "Fay-AZJOL-NERUB",
            "Ann-Sophie",
            "Ann-Marie",
            "Cid-2",
            "Mary Ann-Ironforge",
            "-Realm",
        ];
        let people = ["Ada", "Bea", "Zo\u{eb}", "Ann-Sophie", "Ann", "Cid", "Mary Ann"];
        let expected = [
            "Ada of Argent Dawn",
            "Bea",
            "Zo\u{eb} of Azjol-Nerub",
            "Nobody",
            "Nobody",
            "Ann-Sophie",
            "Nobody",
            "Nobody",
            "Nobody",
            "Nobody",
        ];
        assert_eq!(found(&people, &table), expected);
    }

    #[test]
    fn a_name_without_its_realm_counts_only_where_it_is_unique() {
        assert_eq!(found(&["Ada", "ADA"], &["Ada-Gilneas", "Bea-Gilneas"]), ["Several", "Nobody"]);
        let two = ["Ada-Gilneas", "ada-Ironforge", "Bea-Gilneas", "Bea-Ironforge"];
        assert_eq!(found(&["Ada"], &two), ["OfSeveralRealms", "OfSeveralRealms", "Nobody", "Nobody"]);
        let one = ["Ada", "Ada-Gilneas", "Bea-Gilneas"];
        assert_eq!(found(&["Ada"], &one), ["Ada", "OfSeveralRealms", "Nobody"]);
        let same = ["Ada-Gilneas", "ada-gilneas", "Bea-Gilneas"];
        assert_eq!(found(&["Ada"], &same), ["Ada of Gilneas", "Ada of gilneas", "Nobody"]);
        assert_eq!(found(&["Ada", "Ada-Gilneas"], &["Ada-Gilneas"]), ["Ada-Gilneas"]);
    }
}
