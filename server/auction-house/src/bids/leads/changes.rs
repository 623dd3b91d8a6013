//! Changes of the position of users on one item.

use std::collections::HashMap;

use crate::ids::UserId;
use crate::notifications::NotificationKind;
use platform::time::Moment;

/// Cause of a change of position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cause {
    /// Its place in the ledger: that of the bid, or the last one of the transaction of a withdrawal.
    pub(super) position: i64,
    pub(super) at: Moment,
}

/// The users whose position on one item has changed since they were told. A user who leads in the end was not
/// outbid, and one who was outbid and leads again meanwhile learns of neither.
#[derive(Debug, Default)]
pub(super) struct PositionChanges {
    outbid: HashMap<UserId, Cause>,
    /// The leader, if a withdrawal has brought the lead.
    leads_again: Option<(UserId, Cause)>,
}

impl PositionChanges {
    /// Takes note of a bid that leads instead of another user's.
    pub(super) fn outbid(&mut self, leader: Option<UserId>, bidder: UserId, cause: Cause) {
        self.outbid.remove(&bidder);
        if let Some(leader) = leader.filter(|leader| *leader != bidder)
            && self.leads_again.take().is_none()
        {
            self.outbid.insert(leader, cause);
        }
    }

    /// Takes note of a withdrawal after which another user leads.
    pub(super) fn withdrawn(&mut self, before: Option<UserId>, leader: Option<UserId>, cause: Cause) {
        if before == leader {
            return;
        }
        self.leads_again = None;
        if let Some(leader) = leader
            && self.outbid.remove(&leader).is_none()
        {
            self.leads_again = Some((leader, cause));
        }
    }

    /// Notices for the users.
    pub(super) fn into_news(self) -> impl Iterator<Item = (UserId, NotificationKind, Cause)> {
        let outbid = self.outbid.into_iter().map(|(user, cause)| (user, NotificationKind::Outbid, cause));
        outbid.chain(self.leads_again.map(|(user, cause)| (user, NotificationKind::LeadingAgain, cause)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Moment {
        Moment::from_millis(0).unwrap()
    }

    fn cause(position: i64) -> Cause {
        Cause { position, at: now() }
    }

    fn kinds(changes: PositionChanges) -> Vec<(UserId, NotificationKind)> {
        let mut news = Vec::from_iter(changes.into_news());
        news.sort_by_key(|(.., cause)| *cause);
        news.into_iter().map(|(user, kind, _)| (user, kind)).collect()
    }

    fn users() -> [UserId; 3] {
        std::array::from_fn(|_| UserId::new(now()))
    }

    #[test]
    fn a_user_is_outbid_once_until_leading_again() {
        let [ada, bob, eve] = users();
        let mut changes = PositionChanges::default();
        changes.outbid(Some(ada), bob, cause(1));
        changes.outbid(Some(bob), eve, cause(2));
        assert_eq!(kinds(changes), [(ada, NotificationKind::Outbid), (bob, NotificationKind::Outbid)]);
        let mut changes = PositionChanges::default();
        changes.outbid(None, ada, cause(1));
        changes.outbid(Some(ada), ada, cause(2));
        changes.outbid(Some(ada), bob, cause(3));
        changes.outbid(Some(bob), ada, cause(4));
        assert_eq!(kinds(changes), [(bob, NotificationKind::Outbid)], "a duel");
    }

    #[test]
    fn only_a_withdrawal_lets_a_user_lead_again() {
        let [ada, bob, eve] = users();
        let mut changes = PositionChanges::default();
        changes.withdrawn(Some(bob), Some(ada), cause(1));
        assert_eq!(kinds(changes), [(ada, NotificationKind::LeadingAgain)]);
        let mut changes = PositionChanges::default();
        changes.withdrawn(Some(bob), Some(ada), cause(1));
        changes.outbid(Some(ada), eve, cause(2));
        assert_eq!(kinds(changes), [], "who did not know needs no news");
        let mut changes = PositionChanges::default();
        changes.withdrawn(Some(ada), Some(ada), cause(1));
        changes.withdrawn(Some(ada), None, cause(2));
        assert_eq!(kinds(changes), []);
    }
}
