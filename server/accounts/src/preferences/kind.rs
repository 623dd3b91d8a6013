//! The kinds of notifications.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use platform::text_enum;

text_enum! {
    /// What a notification reports. Each is a change of state, never a single bid (SPEC, section 13).
    #[derive(PartialOrd, Ord)]
    pub enum NotificationKind {
        /// The user led an item, and another user's bid leads now.
        Outbid = "OUTBID",
        /// A withdrawal has made a bid of the user the highest.
        LeadingAgain = "LEADING_AGAIN",
        Won = "WON",
        /// An item that the user sells was sold.
        Sold = "SOLD",
        /// An item that the user sells closed without a sale.
        Unsold = "UNSOLD",
        /// An item that the user watches or has bid on ends within the hour.
        EndsSoon = "ENDS_SOON",
        NewItem = "NEW_ITEM",
        Invited = "INVITED",
        /// An item that the user watches or has bid on was changed.
        ItemChanged = "ITEM_CHANGED",
        /// A balance of the user changed by another person's act.
        Balance = "BALANCE",
        /// A sign-in in a browser that is new to the account.
        NewBrowser = "NEW_BROWSER",
        /// A managed user of a group that the user keeps has become a full account.
        Upgraded = "UPGRADED",
    }
}

impl NotificationKind {
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
    pub const NOTIFIED: Self = Self(3007);
    /// The kinds that are mailed by default; as the column `mail` says.
    pub const MAILED: Self = Self(141);

    pub fn of_bits(bits: i64) -> Self {
        Self(bits)
    }

    pub fn bits(self) -> i64 {
        self.0
    }

    pub fn contains(self, kind: NotificationKind) -> bool {
        self.0 & kind.bit() != 0
    }

    /// This set with or without the kind.
    #[must_use]
    pub fn with(self, kind: NotificationKind, is_included: bool) -> Self {
        Self(if is_included { self.0 | kind.bit() } else { self.0 & !kind.bit() })
    }
}

/// Each kind, in the order of their names, and whether the set has it.
impl Serialize for KindSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let flags = NotificationKind::ALL.map(|kind| (kind.as_str(), self.contains(kind)));
        BTreeMap::from(flags).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::{KindSet, NotificationKind};

    #[test]
    fn the_defaults_are_those_of_the_specification() {
        let notified: Vec<_> =
            NotificationKind::ALL.into_iter().filter(|kind| !KindSet::NOTIFIED.contains(*kind)).collect();
        assert_eq!(notified, [NotificationKind::NewItem, NotificationKind::NewBrowser]);
        let mailed: Vec<_> =
            NotificationKind::ALL.into_iter().filter(|kind| KindSet::MAILED.contains(*kind)).collect();
        assert_eq!(
            mailed,
            [
                NotificationKind::Outbid,
                NotificationKind::Won,
                NotificationKind::Sold,
                NotificationKind::Invited
            ]
        );
    }

    #[test]
    fn a_kind_is_added_and_removed() {
        let set = KindSet::MAILED.with(NotificationKind::Won, false).with(NotificationKind::Balance, true);
        assert!(
            !set.contains(NotificationKind::Won)
                && set.contains(NotificationKind::Balance)
                && set.contains(NotificationKind::Outbid)
        );
        assert_eq!("ENDS_SOON".parse(), Ok(NotificationKind::EndsSoon));
        assert!("ends_soon".parse::<NotificationKind>().is_err());
    }
}
