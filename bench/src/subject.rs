//! What is measured, and the auctions that it needs.

use installation::config::Switch;

use crate::notifications::DUEL_ITEMS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum BenchSubject {
    /// Bids, pages of items and live streams, against requests that do nothing
    Bids,
    /// Instructions of requests, counted by valgrind
    Instructions,
    /// The pages of large auctions
    Pages,
    /// Bids while hostile clients attack the server
    Hostile,
    /// Bids in an auction with a book against bids in one without
    Books,
    /// Bids that notify another bidder against bids without a notification
    Notifications,
    /// Bids at several servers on one PostgreSQL database
    Servers,
    /// Bids and memory while large pictures are uploaded
    Pictures,
    /// Bids while others read without an account, bids in an auction with a group, and sign-ins by number
    Everyone,
    /// Hammers against bids, and screens against listeners
    Hall,
    /// Runs of a large book, bids beside them, and bids in a book with caps
    Runs,
    /// Imports of tables, bids beside them, and workbooks that are refused
    Tables,
}

impl BenchSubject {
    /// Number of items of each auction.
    pub fn auctions(self) -> &'static [usize] {
        match self {
            Self::Bids | Self::Instructions | Self::Servers | Self::Pictures | Self::Tables => &[50],
            Self::Notifications => &[DUEL_ITEMS, 1_000],
            Self::Pages => &[50, 10_000, 5_000],
            Self::Hostile => &[50, 100, 1, 2_000],
            Self::Books | Self::Everyone => &[50, 50],
            Self::Hall => &[1, 1],
            // Without a book, with one, and with one that has caps.
            Self::Runs => &[50, 50, 50],
        }
    }

    /// Description of every item of one of the auctions.
    pub fn description(self, auction: usize) -> String {
        match (self, auction) {
            (Self::Hostile, 1) => "💰".repeat(10_000),
            // Every row gets the missing cells of 100 columns.
            (Self::Hostile, 2) => {
                format!("{}|\n{}|\n{}", "|a".repeat(100), "|-".repeat(100), "|a\n".repeat(3_000))
            }
            _ => String::new(),
        }
    }

    /// Whether requests are limited as they are by default: hostile clients are.
    pub fn rate_limits(self) -> Switch {
        if self == Self::Hostile { Switch::On } else { Switch::Off }
    }
}
