//! How the people of an auction are shown: by name, by the number that they have in the group of the auction,
//! or by the number alone (SPEC, section 14).

use std::collections::HashMap;
use std::sync::Arc;

use accounts::Person;
use accounts::groups::PersonNumber;
use accounts::person::PersonDocument;

use super::access::AuctionView;
use super::{Auction, BidderVisibility, ReadableBy};
use crate::ids::UserId;

/// The members of an auction who have a number in its group.
pub type Numbers = HashMap<UserId, PersonNumber>;

/// What decides how a person is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleShown {
    pub visibility: BidderVisibility,
    pub readable_by: ReadableBy,
    /// The viewer may know nobody.
    to_outsider: bool,
    /// None without a group.
    numbers: Option<Arc<Numbers>>,
}

impl PeopleShown {
    /// People of an auction, as far as a member sees them.
    pub fn of(auction: &Auction) -> Self {
        Self {
            visibility: auction.terms.bidder_visibility,
            readable_by: auction.terms.readable_by,
            to_outsider: false,
            numbers: auction.numbers.clone(),
        }
    }

    /// The people whom a viewer may know, with the numbers that they have; none without a group.
    pub fn known_by(numbers: Option<Numbers>) -> Self {
        Self {
            visibility: BidderVisibility::Visible,
            readable_by: ReadableBy::Members,
            to_outsider: false,
            numbers: numbers.map(Arc::new),
        }
    }

    /// People of an auction, as far as its viewer sees them.
    pub fn to(viewed: &AuctionView) -> Self {
        Self { to_outsider: viewed.is_outsider(), ..Self::of(&viewed.auction) }
    }

    /// People of an auction that anyone may read, as far as a viewer sees them who is no member.
    pub fn to_outsiders(&self) -> Self {
        Self { to_outsider: true, ..self.clone() }
    }

    pub fn to_members(&self) -> Self {
        Self { to_outsider: false, ..self.clone() }
    }

    pub fn is_to_outsiders(&self) -> bool {
        self.to_outsider
    }

    /// A person of an auction of which the viewer is a member.
    pub fn known(&self, person: Person) -> PersonDocument {
        let number = self.numbers.as_ref().map(|_| self.number(person.id).map(PersonNumber::get));
        PersonDocument { number, ..person.into() }
    }

    /// A bidder, seller or winner, for a viewer who may know them or not: the number, or nothing. An outsider
    /// may not.
    pub fn person(&self, person: Person, is_known: bool) -> Option<PersonDocument> {
        if is_known && !self.to_outsider {
            return Some(self.known(person));
        }
        let number = self.shown_number(person.id)?;
        Some(PersonDocument { id: None, name: number_in_words(number), number: Some(Some(number.get())) })
    }

    /// The words for a person on a page.
    pub fn in_words(&self, person: &Person, is_known: bool) -> Option<String> {
        let is_known = is_known && !self.to_outsider;
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
