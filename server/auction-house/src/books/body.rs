//! What a request says of a book.

use platform::fields::{FieldError, Fields, Object};
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;
use rules_engine::money::Literal;

use super::amount::{UNSIGNED, amount, out_of_bounds};
use super::{Book, BookStatus, BookTerms, BookVisibility};

const BASE_UNIT: &str = "baseUnit";
const STARTING_BALANCE: &str = "startingBalance";
const CREDIT_LIMIT: &str = "creditLimit";
const CAPS: &str = "caps";

impl Shape for BookTerms {
    const NAME: &'static str = "NewBook";

    fn members(&mut self, members: &mut Members<'_>) {
        let read = |name: &'static str| {
            move |literal: Literal| {
                amount(literal.as_str(), &UNSIGNED).ok_or_else(|| out_of_bounds(name, &UNSIGNED))
            }
        };
        members.line("name", 1..=200, &mut self.name);
        let mut base_unit = Some(self.base_unit.clone());
        members.object(BASE_UNIT, &mut base_unit).about("Required.");
        self.base_unit = base_unit.unwrap_or_default();
        members
            .read_from(STARTING_BALANCE, &mut self.starting_balance, read(STARTING_BALANCE))
            .or_number()
            .about(
            "A decimal in base units, 0 by default: 0 ≤ d ≤ 10^15, at most 13 fraction digits. Granted to everyone who becomes \
             a holder.",
        );
        members
            .read_from(CREDIT_LIMIT, &mut self.credit_limit, read(CREDIT_LIMIT))
            .or_number()
            .about("A decimal, as `startingBalance`: how far a holder may bid beyond the balance.");
        members.value("visibility", &mut self.visibility).of::<BookVisibility>();
        members.value("status", &mut self.status).of::<BookStatus>();
        members.object(CAPS, &mut self.caps).about("Limits on what is given: none unless they are given.");
        members.object("share", &mut self.share).about("How what is spent is shared.");
    }
}

impl BookTerms {
    /// The terms that a request describes.
    pub fn parse<R>(object: Object) -> Result<Self, VerbError<R>> {
        let gives_unit = object.gives(BASE_UNIT);
        let mut fields = Fields::of(object);
        let mut terms = Self::default();
        shape::read(&mut terms, &mut fields);
        if !gives_unit {
            fields.report(FieldError::missing(BASE_UNIT));
        }
        terms.caps = terms.caps.and_then(|caps| caps.checked(&mut fields, CAPS));
        fields.finish()?;
        Ok(terms)
    }

    /// The terms of a book with a merge patch applied.
    pub fn patched<R>(book: &Book, patch: Object) -> Result<Self, VerbError<R>> {
        Self::parse(shape::write(&book.terms).patched(patch))
    }
}
