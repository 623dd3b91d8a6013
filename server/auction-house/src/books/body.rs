//! What a request says of a book.

use platform::fields::{Fields, Object};
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;
use rules_engine::money::Literal;

use super::amount::{UNSIGNED, member};
use super::caps::BookCaps;
use super::share::BookShare;
use super::{Book, BookStatus, BookTerms, BookVisibility};
use crate::base_unit::BaseUnit;

const STARTING_BALANCE: &str = "startingBalance";
const CREDIT_LIMIT: &str = "creditLimit";
const CAPS: &str = "caps";
const SHARE: &str = "share";

/// A book as a request describes it, before its amounts are checked.
#[derive(Debug, Clone, Default)]
pub struct BookBody {
    name: String,
    base_unit: Option<BaseUnit>,
    starting_balance: Option<Literal>,
    credit_limit: Option<Literal>,
    visibility: BookVisibility,
    status: BookStatus,
    caps: Option<BookCaps>,
    share: Option<BookShare>,
}

impl Shape for BookBody {
    const NAME: &'static str = "NewBook";

    fn members(&mut self, members: &mut Members<'_>) {
        members.line("name", 1..=200, &mut self.name);
        members.object("baseUnit", &mut self.base_unit).about("Required.");
        members.optional(STARTING_BALANCE, &mut self.starting_balance).or_number().about(
            "A decimal in base units, 0 by default: 0 ≤ d ≤ 10^15, at most 13 fraction digits. Granted to everyone who becomes \
             a holder.",
        );
        members
            .optional(CREDIT_LIMIT, &mut self.credit_limit)
            .or_number()
            .about("A decimal, as `startingBalance`: how far a holder may bid beyond the balance.");
        members.value("visibility", &mut self.visibility).of::<BookVisibility>();
        members.value("status", &mut self.status).of::<BookStatus>();
        members.object(CAPS, &mut self.caps).about("Limits on what is given: none unless they are given.");
        members.object(SHARE, &mut self.share).about("How what is spent is shared.");
    }
}

impl BookBody {
    fn of(book: &Book) -> Self {
        let terms = book.terms.clone();
        Self {
            name: terms.name,
            base_unit: Some(terms.base_unit),
            starting_balance: Some(terms.starting_balance.into()),
            credit_limit: Some(terms.credit_limit.into()),
            visibility: terms.visibility,
            status: terms.status,
            caps: terms.caps,
            share: terms.share,
        }
    }

    /// The terms that a request describes.
    pub fn parse<R>(object: Object) -> Result<BookTerms, VerbError<R>> {
        let mut fields = Fields::of(object);
        let mut body = Self::default();
        shape::read(&mut body, &mut fields);
        let starting_balance =
            member(&mut fields, STARTING_BALANCE, body.starting_balance.as_ref(), &UNSIGNED);
        let credit_limit = member(&mut fields, CREDIT_LIMIT, body.credit_limit.as_ref(), &UNSIGNED);
        if body.base_unit.is_none() && fields.is_clean_at("baseUnit") {
            fields.report(platform::fields::FieldError::missing("baseUnit"));
        }
        let caps = body.caps.and_then(|caps| caps.checked(&mut fields, CAPS));
        fields.finish()?;
        Ok(BookTerms {
            name: body.name,
            base_unit: body.base_unit.unwrap_or_default(),
            starting_balance: starting_balance.unwrap_or_default(),
            credit_limit: credit_limit.unwrap_or_default(),
            visibility: body.visibility,
            status: body.status,
            caps,
            share: body.share,
        })
    }

    /// The terms of a book with a merge patch applied.
    pub fn patched<R>(book: &Book, patch: Object) -> Result<BookTerms, VerbError<R>> {
        Self::parse(shape::write(&Self::of(book)).patched(patch))
    }
}
