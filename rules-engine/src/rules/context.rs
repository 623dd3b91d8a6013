use crate::money::Normalized;

/// What a bid is judged against besides the rules: the state of the item, and what the bidder has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BidContext {
    /// The highest bid; none if there is none.
    pub highest: Option<Normalized>,
    /// What the bidder has available for this item, from -10^15 to 10^15 (section 12); none if the auction
    /// has no book.
    pub available: Option<Normalized>,
}

impl BidContext {
    /// A bid over `highest` in an auction without a book.
    #[must_use]
    pub const fn over(highest: Option<Normalized>) -> Self {
        Self { highest, available: None }
    }

    /// A bid on a sealed item: the rules that compare with a highest bid have no effect.
    #[must_use]
    pub const fn sealed(available: Option<Normalized>) -> Self {
        Self { highest: None, available }
    }

    /// The highest bid, in units of 10^-13.
    #[inline]
    pub(crate) fn highest(&self) -> Option<u128> {
        self.highest.map(Normalized::magnitude)
    }
}
