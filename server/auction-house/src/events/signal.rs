//! Signals of the sale: what changed of items and for users.

use std::fmt;
use std::str::FromStr;

use crate::ids::{AuctionId, ItemId, UserId};
use platform::signals;
pub use platform::signals::{send, send_with};

/// Items of an auction that change one by one. Beyond this number one event says that all have changed.
pub const ITEMS_MAX: usize = 200;

/// What has changed, so that caches drop it and streams read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// Events were written for these items.
    Items(Vec<(AuctionId, ItemId)>),
    /// An event was written for all items of this auction.
    AllItems(AuctionId),
    /// Events were written for these users.
    UserEvents(Vec<UserId>),
    /// More changed than one signal can name.
    Everything,
}

/// A signal of another kind or another release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown;

impl Signal {
    /// Signals that these items of an auction have changed. Many are all of them.
    pub fn of_items(auction_id: AuctionId, items: impl IntoIterator<Item = ItemId>) -> Self {
        let items: Vec<_> = items.into_iter().map(|item| (auction_id, item)).collect();
        if items.len() > ITEMS_MAX { Self::AllItems(auction_id) } else { Self::Items(items) }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Items(items) => {
                f.write_str("items")?;
                items.iter().try_for_each(|(auction, item)| write!(f, " {auction}/{item}"))
            }
            Self::AllItems(auction) => write!(f, "all-items {auction}"),
            Self::UserEvents(users) => {
                f.write_str("user-events")?;
                users.iter().try_for_each(|user| write!(f, " {user}"))
            }
            Self::Everything => f.write_str("everything"),
        }
    }
}

impl FromStr for Signal {
    type Err = Unknown;

    fn from_str(text: &str) -> Result<Self, Unknown> {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        match kind {
            "items" => {
                let item = |text: &str| {
                    let (auction, item) = text.split_once('/')?;
                    Some((auction.parse().ok()?, item.parse().ok()?))
                };
                rest.split(' ').map(item).collect::<Option<_>>().map(Self::Items).ok_or(Unknown)
            }
            "all-items" => rest.parse().map(Self::AllItems).map_err(|_| Unknown),
            "user-events" => {
                let users = rest.split(' ').map(str::parse).collect::<Result<_, _>>();
                users.map(Self::UserEvents).map_err(|_| Unknown)
            }
            "everything" => Ok(Self::Everything),
            _ => Err(Unknown),
        }
    }
}

impl signals::SignalType for Signal {
    const EVERYTHING: Self = Self::Everything;
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::time::Moment;

    #[test]
    fn a_signal_reads_back_as_written() {
        let now = Moment::from_millis(0).unwrap();
        let item = (AuctionId::new(now), ItemId::new(now));
        let all = [
            Signal::Items(vec![item, item]),
            Signal::AllItems(AuctionId::new(now)),
            Signal::UserEvents(vec![UserId::new(now), UserId::new(now)]),
            Signal::Everything,
        ];
        for signal in all {
            assert_eq!(signal.to_string().parse(), Ok(signal));
        }
        for strange in ["", "items", "items a/b", "all-items", "user-events", "user-events x", "later"] {
            assert_eq!(strange.parse::<Signal>(), Err(Unknown), "{strange}");
        }
    }
}
