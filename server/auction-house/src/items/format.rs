//! How an item is sold: by bids that everyone sees, or by sealed bids (SPEC, section 6a).

use platform::fields::Fields;
use platform::shape::Members;
use platform::text_enum;
use platform::token::LinkToken;
use rules_engine::bounds::MAX_INCREMENT;
use rules_engine::money::{Increment, Literal, Normalized};
use sha2::{Digest, Sha256};

use super::price::rescale;
use crate::engine::no_decimal;

/// Copies of one item, at most.
pub const COPIES_MAX: i64 = 100;

text_enum! {
    /// The kind of a sale.
    #[derive(Default)]
    pub enum FormatKind {
        #[default]
        Open = "OPEN",
        Sealed = "SEALED",
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// One copy, to the highest of rising bids.
    #[default]
    Open,
    Sealed(SealedTerms),
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

impl Format {
    /// The format as it is stored. Err with the column that a sale by sealed bids lacks.
    pub fn stored(
        kind: FormatKind,
        copies: i64,
        price: Option<PriceKind>,
        plus: Option<Normalized>,
        tie: Option<Tie>,
    ) -> Result<Self, &'static str> {
        Ok(match kind {
            FormatKind::Open => Self::Open,
            FormatKind::Sealed => Self::Sealed(SealedTerms {
                copies,
                price: price.ok_or("price_kind")?,
                plus: plus.ok_or("plus")?,
                tie: tie.ok_or("tie")?,
            }),
        })
    }

    pub fn kind(self) -> FormatKind {
        match self {
            Self::Open => FormatKind::Open,
            Self::Sealed(_) => FormatKind::Sealed,
        }
    }

    pub fn is_sealed(self) -> bool {
        self.sealed().is_some()
    }

    /// The terms of sealed bids.
    pub fn sealed(self) -> Option<SealedTerms> {
        match self {
            Self::Open => None,
            Self::Sealed(terms) => Some(terms),
        }
    }

    /// How many outcomes an item has.
    pub fn copies(self) -> i64 {
        self.sealed().map_or(1, |sealed| sealed.copies)
    }

    /// Whether chance may decide: then a seed is chosen beforehand.
    pub fn may_draw(self) -> bool {
        self.sealed().is_some_and(|sealed| sealed.tie == Tie::Roll)
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
}

impl Default for FormatBody {
    fn default() -> Self {
        Self::of(Format::Open)
    }
}

impl FormatBody {
    pub fn of(format: Format) -> Self {
        let sealed = format.sealed();
        let plus = sealed.map(|sealed| sealed.plus).filter(|plus| *plus > Normalized::ZERO);
        Self {
            kind: format.kind(),
            copies: format.copies(),
            price: sealed.map(|sealed| sealed.price).unwrap_or_default(),
            plus: plus.map(Literal::from),
            tie: sealed.map(|sealed| sealed.tie).unwrap_or_default(),
        }
    }

    pub fn members(&mut self, members: &mut Members<'_>) {
        members
            .value("format", &mut self.kind)
            .of::<FormatKind>()
            .about("SEALED: nobody sees a bid of another before the end. Stays once the item is open.");
        members
            .integer("copies", 1..=COPIES_MAX, &mut self.copies)
            .about("How many of the item are sold, each with an outcome of its own; SEALED only.");
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
    }

    /// The format. Members that an open sale does not have are refused.
    pub fn check(&self, fields: &mut Fields) -> Format {
        let plus = self.check_plus(fields);
        match self.kind {
            FormatKind::Sealed => {
                Format::Sealed(SealedTerms { copies: self.copies, price: self.price, plus, tie: self.tie })
            }
            FormatKind::Open => {
                fields.check(self.copies == 1, "copies", "must be 1: only sealed bids sell several copies");
                fields.check(self.price == PriceKind::Own, "price", "must be OWN without sealed bids");
                fields.check(plus == Normalized::ZERO, "plus", "must be 0 without sealed bids");
                fields.check(self.tie == Tie::Earliest, "tie", "must be EARLIEST without sealed bids");
                Format::Open
            }
        }
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
