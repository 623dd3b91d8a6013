//! How an item is sold: by bids that everyone sees, by sealed bids (SPEC, section 6a), or by a draw among
//! tickets (section 6b).

use std::ops::RangeInclusive;

use platform::fields::{FieldError, Fields};
use platform::shape::{Members, Shape};
use platform::text_enum;
use platform::token::LinkToken;
use rules_engine::bounds::MAX_INCREMENT;
use rules_engine::money::{Increment, Literal, Normalized};
use rules_engine::{BidForm, Violation};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::EnteredPrice;
use super::body::ItemContext;
use super::price::{EnteredBody, rescale, rounded};
use crate::engine::no_decimal;
use crate::ids::CurrencyId;

/// Copies of one item, at most.
pub const COPIES_MAX: i64 = 100;
/// Tickets of one bid, and of one person where an item limits them.
pub const TICKETS: RangeInclusive<i64> = 1..=10_000;

text_enum! {
    /// The kind of a sale.
    #[derive(Default)]
    pub enum FormatKind {
        #[default]
        Open = "OPEN",
        Sealed = "SEALED",
        Draw = "DRAW",
    }
}

text_enum! {
    /// Tickets that leave a draw with a win.
    #[derive(Default)]
    pub enum Again {
        /// All tickets of its holder.
        #[default]
        Person = "PERSON",
        /// Itself alone.
        Ticket = "TICKET",
    }
}

text_enum! {
    /// What a winner of sealed bids pays.
    #[derive(Default)]
    pub enum PriceKind {
        /// The own bid.
        #[default]
        Own = "OWN",
        /// The best losing bid, and `plus`.
        Next = "NEXT",
        /// The least winning bid.
        Lowest = "LOWEST",
    }
}

text_enum! {
    /// Who wins among equal bids for fewer copies.
    #[derive(Default)]
    pub enum Tie {
        #[default]
        Earliest = "EARLIEST",
        /// A draw decides.
        Roll = "ROLL",
        /// All of them lose.
        Nobody = "NOBODY",
    }
}

/// How an item is sold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Format {
    /// One copy, to the highest of rising bids.
    #[default]
    Open,
    Sealed(SealedTerms),
    /// Chance decides among tickets.
    Draw(Box<DrawTerms>),
}

/// The terms of a sale by sealed bids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealedTerms {
    /// 1 to [`COPIES_MAX`].
    pub copies: i64,
    pub price: PriceKind,
    /// In base units; not below 0.
    pub plus: Normalized,
    pub tie: Tie,
}

/// The terms of a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawTerms {
    /// How many are won: 1 to [`COPIES_MAX`].
    pub copies: i64,
    /// The price of one ticket; above 0.
    pub ticket: EnteredPrice,
    /// Tickets of one person, at most; within [`TICKETS`].
    pub per_person: Option<i64>,
    pub again: Again,
}

impl DrawTerms {
    /// How many tickets this amount has paid.
    pub fn tickets_worth(&self, amount: Normalized) -> i64 {
        let tickets = amount.mantissa().checked_div(self.ticket.normalized.mantissa());
        tickets.and_then(|tickets| i64::try_from(tickets).ok()).unwrap_or_default()
    }
}

/// The columns that say how an item is sold.
#[derive(Debug)]
pub struct StoredFormat {
    pub kind: FormatKind,
    pub copies: i64,
    pub price: Option<PriceKind>,
    pub plus: Option<Normalized>,
    pub tie: Option<Tie>,
    pub ticket_currency: Option<CurrencyId>,
    pub draw: Option<StoredDraw>,
}

/// What one column has of the terms of a draw.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredDraw {
    ticket: BidForm,
    normalized: Normalized,
    per_person: Option<i64>,
    again: Again,
}

impl From<&DrawTerms> for StoredDraw {
    fn from(terms: &DrawTerms) -> Self {
        Self {
            ticket: terms.ticket.entered.clone(),
            normalized: terms.ticket.normalized,
            per_person: terms.per_person,
            again: terms.again,
        }
    }
}

impl TryFrom<StoredFormat> for Format {
    /// A column that a sale of this kind lacks.
    type Error = &'static str;

    fn try_from(stored: StoredFormat) -> Result<Self, &'static str> {
        let copies = stored.copies;
        Ok(match stored.kind {
            FormatKind::Open => Self::Open,
            FormatKind::Sealed => Self::Sealed(SealedTerms {
                copies,
                price: stored.price.ok_or("price_kind")?,
                plus: stored.plus.ok_or("plus")?,
                tie: stored.tie.ok_or("tie")?,
            }),
            FormatKind::Draw => {
                let StoredDraw { ticket, normalized, per_person, again } = stored.draw.ok_or("draw")?;
                let currency_id = stored.ticket_currency.ok_or("ticket_profile_id")?;
                let ticket = EnteredPrice { currency_id, entered: ticket, normalized };
                Self::Draw(Box::new(DrawTerms { copies, ticket, per_person, again }))
            }
        })
    }
}

impl Format {
    pub fn kind(&self) -> FormatKind {
        match self {
            Self::Open => FormatKind::Open,
            Self::Sealed(_) => FormatKind::Sealed,
            Self::Draw(_) => FormatKind::Draw,
        }
    }

    pub fn is_sealed(&self) -> bool {
        self.sealed().is_some()
    }

    /// The terms of sealed bids.
    pub fn sealed(&self) -> Option<SealedTerms> {
        match self {
            Self::Sealed(terms) => Some(*terms),
            Self::Open | Self::Draw(_) => None,
        }
    }

    /// The terms of a draw.
    pub fn draw(&self) -> Option<&DrawTerms> {
        match self {
            Self::Draw(terms) => Some(terms),
            Self::Open | Self::Sealed(_) => None,
        }
    }

    /// Whether bids stand apart from the ledger until the end, where no bid leads: sealed bids, and tickets.
    pub fn is_apart(&self) -> bool {
        *self != Self::Open
    }

    /// How many outcomes an item has.
    pub fn copies(&self) -> i64 {
        match self {
            Self::Open => 1,
            Self::Sealed(terms) => terms.copies,
            Self::Draw(terms) => terms.copies,
        }
    }

    /// Whether chance may decide: then a seed is chosen beforehand.
    pub fn may_draw(&self) -> bool {
        self.draw().is_some() || self.sealed().is_some_and(|sealed| sealed.tie == Tie::Roll)
    }
}

/// The members of a request that say how an item is sold.
#[derive(Debug, Clone)]
pub struct FormatBody {
    kind: FormatKind,
    copies: i64,
    price: PriceKind,
    plus: Option<Literal>,
    tie: Tie,
    ticket: Option<TicketBody>,
    per_person: Option<i64>,
    again: Again,
}

/// The price of one ticket, entered as a bid is.
#[derive(Debug, Clone, Default)]
struct TicketBody(EnteredBody);

impl Shape for TicketBody {
    const NAME: &'static str = "NewTicket";
    const ABOUT: &'static str = "The price of one ticket, entered as a bid is.";

    fn members(&mut self, members: &mut Members<'_>) {
        self.0.members(members);
    }
}

impl Default for FormatBody {
    fn default() -> Self {
        Self::of(&Format::Open)
    }
}

const TICKET: &str = "ticket";

impl FormatBody {
    pub fn of(format: &Format) -> Self {
        let (sealed, draw) = (format.sealed(), format.draw());
        let plus = sealed.map(|sealed| sealed.plus).filter(|plus| *plus > Normalized::ZERO);
        Self {
            kind: format.kind(),
            copies: format.copies(),
            price: sealed.map(|sealed| sealed.price).unwrap_or_default(),
            plus: plus.map(Literal::from),
            tie: sealed.map(|sealed| sealed.tie).unwrap_or_default(),
            ticket: draw.map(|draw| TicketBody(EnteredBody::of(&draw.ticket))),
            per_person: draw.and_then(|draw| draw.per_person),
            again: draw.map(|draw| draw.again).unwrap_or_default(),
        }
    }

    pub fn members(&mut self, members: &mut Members<'_>) {
        members.value("format", &mut self.kind).of::<FormatKind>().about(
            "SEALED: nobody sees a bid of another before the end; stays once the item is open. DRAW: chance decides \
             among tickets, in an auction with a book.",
        );
        members
            .integer("copies", 1..=COPIES_MAX, &mut self.copies)
            .about("How many of the item are sold, each with an outcome of its own; SEALED and DRAW only.");
        members.value("price", &mut self.price).of::<PriceKind>().about(
            "What a winner pays: the own bid, the best losing one, or the least winning one; SEALED only.",
        );
        members
            .optional("plus", &mut self.plus)
            .or_number()
            .about("With NEXT: a decimal in base units that is added to the best losing bid, by default 0.");
        members
            .value("tie", &mut self.tie)
            .of::<Tie>()
            .about("Who wins among equal bids for fewer copies; SEALED only.");
        members.object(TICKET, &mut self.ticket).about("DRAW only, which needs it.");
        members
            .optional_integer("perPerson", TICKETS, &mut self.per_person)
            .about("Tickets of one person, at most; DRAW only.");
        members
            .value("again", &mut self.again)
            .of::<Again>()
            .about("Tickets that leave the hat with a win: all of the winner, or the drawn one; DRAW only.");
    }

    /// Leaves out what was entered as the price of a ticket, so that a patch can enter it in the other way.
    pub fn forget_entered(&mut self) {
        if let Some(TicketBody(ticket)) = &mut self.ticket {
            ticket.forget_entered();
        }
    }

    /// The format. Members that a sale of this kind does not have are refused.
    pub fn check(
        &self,
        fields: &mut Fields,
        at: ItemContext<'_>,
        had: Option<&Format>,
        violations: &mut Vec<Violation>,
    ) -> Format {
        let plus = self.check_plus(fields);
        if self.kind != FormatKind::Sealed {
            fields.check(self.price == PriceKind::Own, "price", "must be OWN without sealed bids");
            fields.check(plus == Normalized::ZERO, "plus", "must be 0 without sealed bids");
            fields.check(self.tie == Tie::Earliest, "tie", "must be EARLIEST without sealed bids");
        }
        if self.kind != FormatKind::Draw {
            fields.check(self.ticket.is_none(), TICKET, "must be absent without a draw");
            fields.check(self.per_person.is_none(), "perPerson", "must be absent without a draw");
            fields.check(self.again == Again::Person, "again", "must be PERSON without a draw");
        }
        match self.kind {
            FormatKind::Sealed => {
                Format::Sealed(SealedTerms { copies: self.copies, price: self.price, plus, tie: self.tie })
            }
            FormatKind::Open => {
                let message = "must be 1: only sealed bids and draws have several copies";
                fields.check(self.copies == 1, "copies", message);
                Format::Open
            }
            FormatKind::Draw => self.check_draw(fields, at, had, violations).unwrap_or_default(),
        }
    }

    /// A draw, where tickets are paid with the money of a book. None if a member is invalid.
    fn check_draw(
        &self,
        fields: &mut Fields,
        at: ItemContext<'_>,
        had: Option<&Format>,
        violations: &mut Vec<Violation>,
    ) -> Option<Format> {
        // One whose auction has lost its book takes no tickets, and may be changed.
        let was_draw = had.is_some_and(|had| had.draw().is_some());
        if at.auction.terms.book_id.is_none() && !was_draw {
            let message =
                "must wait: a draw takes a community's own money, so the auction needs a book first";
            fields.error("format", message);
            return None;
        }
        let Some(TicketBody(ticket)) = &self.ticket else {
            fields.report(FieldError::missing(TICKET));
            return None;
        };
        let ticket = ticket.check(TICKET, fields, at.currencies, violations)?;
        // Several tickets cost so many times what one costs.
        let currency = at.currencies.iter().find(|currency| currency.id == ticket.currency_id)?;
        let ticket = rounded(currency, ticket);
        let (copies, per_person, again) = (self.copies, self.per_person, self.again);
        Some(Format::Draw(Box::new(DrawTerms { copies, ticket, per_person, again })))
    }

    fn check_plus(&self, fields: &mut Fields) -> Normalized {
        let Some(plus) = &self.plus else { return Normalized::ZERO };
        let read = Increment::try_from(plus).ok();
        let read = read.filter(|plus| (Increment::ZERO..=MAX_INCREMENT).contains(plus));
        read.and_then(rescale).unwrap_or_else(|| {
            let max = MAX_INCREMENT.to_string();
            fields.report(no_decimal("plus", "of at least 0 and at most ", max, Increment::SCALE));
            Normalized::ZERO
        })
    }
}

/// The hash of a seed, which is shown before the seed: the SHA-256 of its 32 bytes, in hexadecimal digits.
pub fn seed_hash(seed: &LinkToken) -> String {
    let bytes = const_hex::decode(seed.as_str()).unwrap_or_default();
    const_hex::encode(Sha256::digest(bytes))
}
