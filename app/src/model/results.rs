//! The results of an auction, and the outcome of one item.

use super::{
    AskedWinner, AuctionAccess, BaseUnit, Checkout, CheckoutDesk, Listing, PublicPage, SelectOption,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeKind {
    Sold,
    Unsold,
    Cancelled,
}

/// An amount in base units, or in the ISO currency of a legacy item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    pub amount: String,
    pub unit: BaseUnit,
}

/// What became of a closed item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeFacts {
    /// The copy of the item, from 1 on.
    pub copy: i64,
    /// How many copies the item has.
    pub copies: i64,
    /// 1, 2, 3 … within the copy: a correction has the next one.
    pub number: i64,
    pub kind: OutcomeKind,
    /// Absent if nobody won, or the winner is hidden from the viewer.
    pub winner: Option<String>,
    /// The viewer is the winner.
    pub mine: bool,
    /// The hammer price.
    pub price: Option<Money>,
    /// What was promised, as it was entered. Absent if it equals the price.
    pub promised: Option<String>,
    pub reason: Option<String>,
    pub paid_at: Option<i64>,
    pub collected_at: Option<i64>,
}

impl OutcomeFacts {
    /// The outcome of a prize, which has no price: its winner pays for tickets.
    pub fn of_prize(self) -> Self {
        Self { price: None, promised: None, ..self }
    }

    /// Which copy of an item of several it is.
    pub fn copy_in_words(&self) -> Option<String> {
        (self.copies > 1).then(|| format!("copy {} of {}", self.copy, self.copies))
    }

    /// The outcome of this item as it is seen here, for a form that marks it: the id of the item, the copy,
    /// the number and the marks, with dots between them.
    pub fn seen(&self, item_id: &str) -> String {
        let marks = [self.paid_at.map(|_| ".paid"), self.collected_at.map(|_| ".collected")];
        let marks: String = marks.into_iter().flatten().collect();
        format!("{item_id}.{}.{}{marks}", self.copy, self.number)
    }
}

/// How an item is sold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SaleFormat {
    #[default]
    Open,
    Sealed,
    Draw,
}

/// What the viewer may do about the closing of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Closing {
    pub can_end: bool,
    pub can_cancel: bool,
    /// The choices of the form that decides again: a standing bid each, or nobody.
    pub sell_to: Vec<SelectOption>,
    /// The value of the choice that the form suggests.
    pub suggested: String,
    pub can_mark: bool,
    /// Bids are sealed until the item is closed.
    pub format: SaleFormat,
}

/// The requested part of the results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultsQuery {
    pub by_winner: bool,
    pub show: ResultFilter,
    /// The last item of the page before.
    pub cursor: Option<String>,
    /// The winner of a checkout, which is shown instead of the other views.
    pub asked: Option<AskedWinner>,
}

/// Which items the results list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ResultFilter {
    #[default]
    All,
    ToPay,
    ToCollect,
    Unsold,
}

impl ResultFilter {
    pub const ALL: [Self; 4] = [Self::All, Self::ToPay, Self::ToCollect, Self::Unsold];

    /// The value of `?show=`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::ToPay => "to-pay",
            Self::ToCollect => "to-collect",
            Self::Unsold => "unsold",
        }
    }

    /// Another value lists all items.
    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|filter| filter.as_str() == name).unwrap_or_default()
    }
}

/// The results of an auction as one viewer may see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsPage {
    /// Absent unless anyone may read the auction.
    pub public: Option<PublicPage>,
    pub auction_id: String,
    pub auction_name: String,
    /// The name of the owner.
    pub organizer: Option<String>,
    /// Where and when buyers pay and collect. Empty if the auction does not say it.
    pub collection: String,
    pub access: AuctionAccess,
    pub query: ResultsQuery,
    pub counts: ResultCounts,
    /// Everything that was sold.
    pub total: Totals,
    /// What the viewer has won.
    pub mine: Option<Totals>,
    /// In the order of their names, at most [`WINNERS_MAX`].
    pub winners: Vec<WinnerTotals>,
    pub winner_count: usize,
    /// Sold items whose winners are hidden from the viewer.
    pub hidden_count: usize,
    /// The viewer may mark outcomes and export everything.
    pub manages: bool,
    /// Absent if the viewer may not mark outcomes.
    pub desk: Option<CheckoutDesk>,
    pub list: ResultList,
}

/// Winners of the summary, at most.
pub const WINNERS_MAX: usize = 25;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultCounts {
    pub sold: usize,
    pub unsold: usize,
    pub cancelled: usize,
    /// Published items without an outcome.
    pub open: usize,
}

/// Sums over sold items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    pub items: usize,
    pub paid: usize,
    pub collected: usize,
    /// In base units; in a legacy auction one for each ISO currency.
    pub money: Vec<Money>,
    /// What was promised in each currency, in pieces. Empty in a legacy auction.
    pub promised: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WinnerTotals {
    pub name: String,
    pub totals: Totals,
}

/// One page of the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultList {
    Items(Listing<ResultRow>),
    /// Sold items by winner.
    Statements(Listing<Statement>),
    Checkout(Checkout),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRow {
    pub item_id: String,
    pub lot_number: String,
    pub name: String,
    pub outcome: OutcomeFacts,
    /// What the sale has moved in the auction's book, as far as the viewer may see it.
    pub charges: Vec<SaleCharge>,
}

/// An entry of a book that follows from an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleCharge {
    /// `12 Tickets charged`
    pub words: String,
    /// Where the book has the entry.
    pub address: String,
}

/// What one winner has won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub winner: WinnerTotals,
    /// The items of this page of the list.
    pub rows: Vec<ResultRow>,
}
