//! The bids that an item's page shows. Of an item whose bids are cached only the new ones are read.

use std::sync::Arc;

use auction_house::bids::{self, Bid, BidSelection, StandingPrice, prices};
use auction_house::items::Item;
use auction_house::path::ItemPath;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Bids that an item's page shows at first.
const BIDS: i64 = 50;

/// The newest bids of an item, and its price before them. What is read in parts is the same as what is read
/// at once.
#[derive(Debug)]
pub struct NewestBids {
    /// The newest bids, withdrawn ones included, newest first, and the leading one even if it is older.
    pub listed: Vec<Arc<Bid>>,
    /// Prices from before them, newest first, for the chart.
    pub earlier: Vec<StandingPrice>,
    /// The sequence of the newest bid.
    last: i64,
    /// When all of them were read at once.
    pub read_at: Moment,
}

impl NewestBids {
    /// Reads the bids up to the one that was the newest when the item was read.
    pub async fn read(conn: &mut Connection, item: &Item, now: Moment) -> Result<Self, DbError> {
        let at = path(item);
        let newest = BidSelection::Below(item.last_sequence + 1);
        let mut listed = bids::store::select(conn, at, newest, BIDS).await?;
        let oldest = listed.last().map_or(0, |oldest| oldest.sequence);
        if let Some(leading) = item.leading_sequence().filter(|leading| *leading < oldest) {
            listed.extend(bids::store::find(conn, at, leading).await?);
        }
        let earlier = prices::before(conn, at, oldest).await?;
        let listed = listed.into_iter().map(Arc::new).collect();
        Ok(Self { listed, earlier, last: item.last_sequence, read_at: now })
    }

    /// Whether they are those of the item as it was read.
    pub fn are_of(&self, item: &Item) -> bool {
        self.last == item.last_sequence
    }

    /// Reads the bids that the item has got since, unless that is no less work than to read them all: of a
    /// withdrawal or a change of a name these bids would know nothing.
    pub async fn and_newer(&self, conn: &mut Connection, item: &Item) -> Result<Option<Self>, DbError> {
        let gained = item.last_sequence - self.last;
        if item.withdrawals > 0 || !(1..BIDS).contains(&gained) {
            return Ok(None);
        }
        let newer = bids::store::select(conn, path(item), BidSelection::Above(self.last), gained).await?;
        let listed = newer.into_iter().rev().map(Arc::new).chain(self.listed.iter().cloned());
        let mut listed: Vec<_> = listed.collect();
        let passed = listed.split_off(listed.len().min(BIDS.unsigned_abs() as usize));
        let oldest = |listed: &[Arc<Bid>]| listed.last().map_or(0, |oldest| oldest.sequence);
        let (was, is) = (oldest(&self.listed), oldest(&listed));
        let earlier = if prices::are_kept(was, is) {
            let passed = passed.iter().map(|bid| StandingPrice::of(bid));
            passed.chain(self.earlier.iter().cloned()).collect()
        } else {
            prices::before(conn, path(item), is).await?
        };
        Ok(Some(Self { listed, earlier, last: item.last_sequence, read_at: self.read_at }))
    }
}

fn path(item: &Item) -> ItemPath {
    ItemPath { auction_id: item.auction_id, item_id: item.id }
}
