//! How the people of an auction are shown: by name, by the number that they have in the group of the auction,
//! or by the number alone (SPEC, section 14).

use std::collections::HashMap;
use std::sync::Arc;

use accounts::Person;
use accounts::groups::PersonNumber;
use accounts::person::PersonDocument;

use super::{Auction, BidderVisibility};
use crate::ids::UserId;

/// The members of an auction who have a number in its group.
pub type Numbers = HashMap<UserId, PersonNumber>;

/// What decides how a person is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleShown {
    pub visibility: BidderVisibility,
    /// None without a group.
    numbers: Option<Arc<Numbers>>,
}

impl PeopleShown {
    pub fn of(auction: &Auction) -> Self {
        Self { visibility: auction.terms.bidder_visibility, numbers: auction.numbers.clone() }
    }

    /// The people whom a viewer may know, with the numbers that they have; none without a group.
    pub fn known_by(numbers: Option<Numbers>) -> Self {
        Self { visibility: BidderVisibility::Visible, numbers: numbers.map(Arc::new) }
    }

    /// A person whom the viewer may know.
    pub fn known(&self, person: Person) -> PersonDocument {
        let number = self.numbers.as_ref().map(|_| self.number(person.id).map(PersonNumber::get));
        PersonDocument { number, ..person.into() }
    }

    /// A bidder, seller or winner, for a viewer who may know them or not: the number, or nothing.
    pub fn person(&self, person: Person, is_known: bool) -> Option<PersonDocument> {
        if is_known {
            return Some(self.known(person));
        }
        let number = self.shown_number(person.id)?;
        Some(PersonDocument { id: None, name: number_in_words(number), number: Some(Some(number.get())) })
    }

    /// The words for a person on a page.
    pub fn in_words(&self, person: &Person, is_known: bool) -> Option<String> {
        match self.number(person.id) {
            Some(number) if is_known => Some(format!("{} ({number})", person.name)),
            None if is_known => Some(person.name.clone()),
            _ => self.shown_number(person.id).map(number_in_words),
        }
    }

    pub fn number(&self, user: UserId) -> Option<PersonNumber> {
        self.numbers.as_ref()?.get(&user).copied()
    }

    /// The number that stands for a hidden name.
    fn shown_number(&self, user: UserId) -> Option<PersonNumber> {
        if self.visibility == BidderVisibility::Numbers { self.number(user) } else { None }
    }
}

fn number_in_words(number: PersonNumber) -> String {
    format!("Number {number}")
}
