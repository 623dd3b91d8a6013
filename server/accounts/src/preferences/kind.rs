//! The kinds of notifications.

use serde::Serialize;
use utoipa::ToSchema;

/// What a notification reports. Each is a change of state, never a single bid (SPEC, section 13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = NotificationKind)]
pub enum Kind {
    /// The user led an item, and another user's bid leads now.
    Outbid,
    /// A withdrawal has made a bid of the user the highest.
    LeadingAgain,
    Won,
    /// An item that the user sells was sold.
    Sold,
    /// An item that the user sells closed without a sale.
    Unsold,
    /// An item that the user watches or has bid on ends within the hour.
    EndsSoon,
    NewItem,
    Invited,
    /// An item that the user watches or has bid on was changed.
    ItemChanged,
    /// A balance of the user changed by another person's act.
    Balance,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Outbid,
        Self::LeadingAgain,
        Self::Won,
        Self::Sold,
        Self::Unsold,
        Self::EndsSoon,
        Self::NewItem,
        Self::Invited,
        Self::ItemChanged,
        Self::Balance,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Outbid => "OUTBID",
            Self::LeadingAgain => "LEADING_AGAIN",
            Self::Won => "WON",
            Self::Sold => "SOLD",
            Self::Unsold => "UNSOLD",
            Self::EndsSoon => "ENDS_SOON",
            Self::NewItem => "NEW_ITEM",
            Self::Invited => "INVITED",
            Self::ItemChanged => "ITEM_CHANGED",
            Self::Balance => "BALANCE",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The bit of this kind in a [`KindSet`].
    pub fn bit(self) -> i64 {
        1 << (self as i64)
    }
}

/// A set of kinds, stored as one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindSet(i64);

impl KindSet {
    /// The kinds that a user gets by default; as the column `notify` says.
    pub const NOTIFIED: Self = Self(959);
    /// The kinds that are mailed by default; as the column `mail` says.
    pub const MAILED: Self = Self(141);

    pub fn of_bits(bits: i64) -> Self {
        Self(bits)
    }

    pub fn bits(self) -> i64 {
        self.0
    }

    pub fn contains(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }

    /// This set with or without the kind.
    #[must_use]
    pub fn with(self, kind: Kind, is_included: bool) -> Self {
        Self(if is_included { self.0 | kind.bit() } else { self.0 & !kind.bit() })
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, KindSet};

    #[test]
    fn the_defaults_are_those_of_the_specification() {
        let notified: Vec<_> =
            Kind::ALL.into_iter().filter(|kind| !KindSet::NOTIFIED.contains(*kind)).collect();
        assert_eq!(notified, [Kind::NewItem]);
        let mailed: Vec<_> = Kind::ALL.into_iter().filter(|kind| KindSet::MAILED.contains(*kind)).collect();
        assert_eq!(mailed, [Kind::Outbid, Kind::Won, Kind::Sold, Kind::Invited]);
    }

    #[test]
    fn a_kind_is_added_and_removed() {
        let set = KindSet::MAILED.with(Kind::Won, false).with(Kind::Balance, true);
        assert!(!set.contains(Kind::Won) && set.contains(Kind::Balance) && set.contains(Kind::Outbid));
        assert_eq!(Kind::named("ENDS_SOON"), Some(Kind::EndsSoon));
        assert_eq!(Kind::named("ends_soon"), None);
    }
}
