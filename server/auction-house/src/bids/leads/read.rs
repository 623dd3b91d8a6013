//! Reads from the ledger of an auction what its bidders are to be told of a part of it.

use std::collections::{HashMap, HashSet, VecDeque, hash_map::Entry};

use super::changes::Cause;
use super::item::ItemLead;
use super::recent::RecentBid;
use crate::bids::store::leads::{self, LedgerBid, LedgerPart, LedgerWithdrawal, StandingFrom};
use crate::ids::{ItemId, UserId};
use crate::notifications::{NewNotification, NotificationKind};
use crate::usage;
use platform::db::{Connection, DbError};

/// Bids that are read at a time.
const BIDS: i64 = 2_000;
/// Withdrawals of one reading, more than a transaction has. With more of them the part ends before.
const WITHDRAWALS_MAX: usize = 2_000;

/// News of a part of the ledger.
pub(super) struct News {
    /// The last position that was considered.
    pub(super) up_to: i64,
    /// Whether the part has a bid or a withdrawal.
    pub(super) is_any: bool,
    /// In the order of the causes.
    pub(super) told: Vec<(Cause, NewNotification)>,
}

/// Reads a part of the ledger, whose transactions are committed. Its bids may be known.
pub(super) async fn read(
    conn: &mut Connection,
    mut part: LedgerPart,
    known: Option<Vec<RecentBid>>,
) -> Result<News, DbError> {
    let mut withdrawals = leads::withdrawals(conn, part, WITHDRAWALS_MAX).await?;
    if let Some(last) = withdrawals.get(WITHDRAWALS_MAX - 1) {
        part.up_to = last.head - 1;
        withdrawals.retain(|withdrawal| withdrawal.head <= part.up_to);
    }
    let withdrawn: HashSet<(ItemId, UserId)> =
        withdrawals.iter().map(|withdrawal| (withdrawal.item_id, withdrawal.bidder_id)).collect();
    let mut by_item: HashMap<ItemId, VecDeque<LedgerWithdrawal>> = HashMap::new();
    for withdrawal in withdrawals {
        by_item.entry(withdrawal.item_id).or_default().push_back(withdrawal);
    }
    let has_withdrawals = !by_item.is_empty();
    let mut reading = Reading { part, items: HashMap::new(), withdrawals: by_item };
    match known.filter(|_| !has_withdrawals) {
        Some(bids) => reading.follow_known(bids),
        None => reading.follow_bids(conn).await?,
    }
    reading.follow_other_withdrawals(conn).await?;
    let is_any = !reading.items.is_empty();
    let told = reading.into_news(conn, &withdrawn).await?;
    Ok(News { up_to: part.up_to, is_any, told })
}

struct Reading {
    part: LedgerPart,
    items: HashMap<ItemId, ItemLead>,
    /// Withdrawals on items that were not come to.
    withdrawals: HashMap<ItemId, VecDeque<LedgerWithdrawal>>,
}

impl Reading {
    /// Bids without withdrawals among them: who led before an item's first one is known with it.
    fn follow_known(&mut self, bids: Vec<RecentBid>) {
        for RecentBid { bid, over } in bids {
            let item = self.items.entry(bid.item_id).or_insert_with(|| {
                let mut item = ItemLead::new(VecDeque::new());
                over.into_iter().for_each(|over| item.stood(over));
                item
            });
            item.bid(bid);
        }
    }

    async fn follow_bids(&mut self, conn: &mut Connection) -> Result<(), DbError> {
        let mut rest = self.part;
        loop {
            let bids = leads::bids(conn, rest, BIDS).await?;
            let Some(last) = bids.last() else { return Ok(()) };
            rest.after = last.position;
            self.begin(conn, first_of_items(&bids)).await?;
            for bid in bids {
                if let Some(item) = self.items.get_mut(&bid.item_id) {
                    item.bid(bid);
                }
            }
        }
    }

    /// Items without a bid in the part.
    async fn follow_other_withdrawals(&mut self, conn: &mut Connection) -> Result<(), DbError> {
        let newest =
            |(item, all): (&ItemId, &VecDeque<LedgerWithdrawal>)| (*item, all.front().map(|one| one.newest));
        let items = self.withdrawals.iter().map(newest).collect();
        self.begin(conn, items).await
    }

    /// Begins items that are come to first, each with the position of its bid before.
    async fn begin(
        &mut self,
        conn: &mut Connection,
        items: HashMap<ItemId, Option<i64>>,
    ) -> Result<(), DbError> {
        let mut from = Vec::new();
        for (item_id, position) in items {
            let Entry::Vacant(new) = self.items.entry(item_id) else { continue };
            let withdrawals = self.withdrawals.remove(&item_id).unwrap_or_default();
            if let Some(position) = position {
                from.push(StandingFrom { item_id, position, most: withdrawals.len() + 1 });
            }
            new.insert(ItemLead::new(withdrawals));
        }
        for bid in leads::standing(conn, self.part.auction_id, self.part.after, &from).await? {
            if let Some(item) = self.items.get_mut(&bid.item_id) {
                item.stood(bid);
            }
        }
        Ok(())
    }

    /// Notices that are true in the end, in the order of their causes.
    async fn into_news(
        self,
        conn: &mut Connection,
        withdrawn: &HashSet<(ItemId, UserId)>,
    ) -> Result<Vec<(Cause, NewNotification)>, DbError> {
        let mut told = Vec::new();
        for (item_id, item) in self.items {
            for news in item.into_news() {
                // Who has no bid on the item any more is not outbid.
                if news.kind == NotificationKind::Outbid
                    && withdrawn.contains(&(item_id, news.user))
                    && !usage::has_standing_bid(conn, item_id, news.user).await?
                {
                    continue;
                }
                let (user, kind, leading) = (news.user, news.kind, Some(news.leading));
                let new = NewNotification::of_bid(user, kind, self.part.auction_id, item_id, leading);
                told.push((news.cause, NewNotification { happened_at: Some(news.cause.at), ..new }));
            }
        }
        told.sort_by_key(|(cause, _)| *cause);
        Ok(told)
    }
}

/// The first bid of each item among these: the position of the bid before it.
fn first_of_items(bids: &[LedgerBid]) -> HashMap<ItemId, Option<i64>> {
    // Of equal keys the last one stays.
    bids.iter().rev().map(|bid| (bid.item_id, bid.previous)).collect()
}
