//! Who listens to one item or auction, and whether they still may.

use crate::access;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Topic;
use super::news::Viewer;
use crate::access::Role;
use crate::accounts;
use crate::auctions;
use crate::auctions::JoinMode;
use crate::ids::UserId;
use crate::items;
use platform::db::{Connection, DbError};
use platform::time::Moment;
use platform::token::TokenHash;

/// A listener, as far as their right to listen goes.
#[derive(Debug, Clone)]
pub struct Seat {
    pub viewer: Viewer,
    pub session: TokenHash,
}

/// What has become of a listener's right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// They are something else in the auction now.
    Role(Option<Role>),
    Lost,
}

/// The listeners by their number.
#[derive(Debug, Default)]
pub struct Seats(Mutex<HashMap<u64, Seat>>);

impl Seats {
    pub fn take(&self, number: u64, seat: Seat) {
        self.lock().insert(number, seat);
    }

    /// Whether nobody is left.
    pub fn leave(&self, number: u64) -> bool {
        let mut seats = self.lock();
        seats.remove(&number);
        seats.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Somebody who listens.
    pub fn any(&self) -> Option<UserId> {
        self.lock().values().next().map(|seat| seat.viewer.user)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Seat>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the database anew who may listen, all of them together, and hands out whose right has changed.
    pub async fn check(
        &self,
        conn: &mut Connection,
        topic: Topic,
        now: Moment,
    ) -> Result<HashMap<u64, Right>, DbError> {
        let seats = self.lock().clone();
        let auction_id = topic.auction_id();
        let users: HashSet<UserId> = seats.values().map(|seat| seat.viewer.user).collect();
        let members: Vec<_> = users.iter().map(|user| (auction_id, *user)).collect();
        let roles = access::store::roles(conn, &members).await?;
        let sessions: HashSet<&TokenHash> = seats.values().map(|seat| &seat.session).collect();
        let alive = accounts::store::living_sessions(conn, &Vec::from_iter(sessions), now).await?;
        let open_to = self.open_to(conn, topic, now).await?;

        let right = |seat: &Seat| {
            let role = roles.get(&(auction_id, seat.viewer.user)).copied();
            let may = alive.contains(&seat.session.to_string()) && open_to.admits(seat.viewer.user, role);
            if may { Right::Role(role) } else { Right::Lost }
        };
        let changed = seats.iter().map(|(number, seat)| (*number, seat, right(seat)));
        let changed = changed.filter(|(_, seat, right)| *right != Right::Role(seat.viewer.role));
        let changed: HashMap<u64, Right> = changed.map(|(number, _, right)| (number, right)).collect();
        let mut seats = self.lock();
        for (number, right) in &changed {
            if let (Some(seat), Right::Role(role)) = (seats.get_mut(number), right) {
                seat.viewer.role = *role;
            }
        }
        Ok(changed)
    }

    async fn open_to(&self, conn: &mut Connection, topic: Topic, now: Moment) -> Result<OpenTo, DbError> {
        let Some(anyone) = self.any() else { return Ok(OpenTo::NOBODY) };
        let Some(seen) = auctions::store::find(conn, topic.auction_id(), anyone, now).await? else {
            return Ok(OpenTo::NOBODY);
        };
        let strangers = seen.auction.terms.join_mode == JoinMode::Free;
        let Topic::Item(auction_id, item_id) = topic else {
            return Ok(OpenTo { somebody: true, strangers, draft_of: None });
        };
        Ok(match items::store::find(conn, auction_id, item_id).await? {
            None => OpenTo::NOBODY,
            Some(item) => {
                let draft_of = (!item.terms.is_published).then_some(item.creator.id);
                OpenTo { somebody: true, strangers, draft_of }
            }
        })
    }
}

/// Whom a topic is open to.
struct OpenTo {
    somebody: bool,
    /// The auction is FREE.
    strangers: bool,
    /// The item is a draft of this user.
    draft_of: Option<UserId>,
}

impl OpenTo {
    const NOBODY: Self = Self { somebody: false, strangers: false, draft_of: None };

    fn admits(&self, user: UserId, role: Option<Role>) -> bool {
        let sees_auction = role.is_some() || self.strangers;
        let sees_item =
            self.draft_of.is_none_or(|creator| creator == user || role.is_some_and(Role::manages));
        self.somebody && sees_auction && sees_item
    }
}
