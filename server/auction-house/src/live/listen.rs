//! One listener: what they are given at the beginning, and what comes after that.

use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::{Notify, broadcast};

use super::news::{self, Draft, Scene, Viewer};
use super::read::{self, Known};
use super::seats::{Right, Seat, Seats};
use super::topic::{Message, Start};
use super::{Channel, Live, NoStream, Topic};
use crate::auctions::access::{AccessError, SeenAuction, see};
use crate::bids;
use crate::bids::document::BidDocument;
use crate::events::store;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::document::{ItemDocument, ItemsDocument};
use crate::items::see::{SeenItem, list_items, see_in_auction, see_item};
use platform::db::{Connection, DbError};
use platform::paging::Page;
use platform::time::Moment;
use platform::token::TokenHash;

/// Bids that one starts anew with.
const RESET_BIDS: u32 = 50;
/// A broken stream is tried again after this long.
const RETRY: &[u8] = b"retry: 1000\n\n";

#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    NoStream(#[from] NoStream),
}

impl From<DbError> for ListenError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

/// Who wants to listen.
#[derive(Debug, Clone)]
pub struct Asking {
    pub user: UserId,
    pub session: TokenHash,
    /// The id that they have got last.
    pub after: Option<i64>,
}

/// What an item's listener starts anew with.
#[derive(Serialize)]
struct ItemReset {
    item: ItemDocument,
    bids: Vec<BidDocument>,
}

/// See the module. Dropped, it is counted out.
pub struct Listener {
    live: Live,
    number: u64,
    viewer: Viewer,
    /// Told up to this sequence or position.
    upto: i64,
    /// What comes before all news.
    beginning: Option<Bytes>,
    receiver: broadcast::Receiver<Message>,
    seats: Arc<Seats>,
    wake: Arc<Notify>,
}

impl Listener {
    pub(super) fn new(live: Live, number: u64, viewer: Viewer, channel: &Channel) -> Self {
        Self {
            live,
            number,
            viewer,
            upto: 0,
            beginning: None,
            receiver: channel.sender.subscribe(),
            seats: Arc::clone(&channel.seats),
            wake: Arc::clone(&channel.wake),
        }
    }

    /// The next bytes of the stream; none when it ends.
    pub async fn next(&mut self) -> Option<Bytes> {
        if let Some(beginning) = self.beginning.take() {
            return Some(beginning);
        }
        loop {
            // Who has fallen behind too far, or whose topic's task has ended, comes back with what they have got.
            match self.receiver.recv().await.ok()? {
                Message::Heartbeat(comment) => return Some(comment),
                Message::Rights(changed) => match changed.get(&self.number) {
                    Some(Right::Lost) => return None,
                    Some(Right::Role(role)) => self.viewer.role = *role,
                    None => {}
                },
                Message::News(news) => {
                    if news.from > self.upto {
                        return None;
                    }
                    let text = news.text(self.viewer, self.upto);
                    self.upto = self.upto.max(news.upto);
                    if !text.is_empty() {
                        return Some(text);
                    }
                }
            }
        }
    }

    /// Begins with `text`, and where it leads.
    fn begin(mut self, text: &[u8], upto: i64) -> Self {
        self.upto = upto;
        self.beginning = Some([RETRY, text, &news::place(upto)].concat().into());
        self
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if self.seats.leave(self.number) {
            self.wake.notify_one();
        }
        self.live.left(self.viewer.user);
    }
}

/// Listens to an item that the asker may see.
pub async fn to_item(
    live: &Live,
    asking: Asking,
    auction_id: AuctionId,
    item_id: ItemId,
) -> Result<Listener, ListenError> {
    let now = live.now();
    let conn = &mut live.database().read().await?;
    let (auction, seen) = see_in_auction(conn, auction_id, item_id, asking.user, now).await?;
    let scene = Scene::of(&seen, now);
    let start = Start { upto: scene.item.last_sequence, at: now, known: Some(Known::of(&scene)) };
    let after = asking.after;
    let listener = live.listen(Topic::Item(auction_id, item_id), asking.seat(&auction), start)?;

    // From here on all is told that is committed: what there is by now is read, and nothing falls in between.
    let seen = see_item(conn, &auction, item_id).await?;
    let last = seen.item.last_sequence;
    let after = after.unwrap_or(last);
    if after > last || last - after > store::KEPT {
        return Ok(listener.begin(&item_reset(conn, seen, now).await?, last));
    }
    let scene = Scene::of(&seen, now);
    let missed = bids::store::following(conn, auction_id, item_id, after, store::KEPT).await?;
    let upto = missed.last().map_or(last, |bid| bid.sequence);
    let mut draft = Draft::default();
    draft.item(&scene)?;
    for bid in missed {
        draft.bid(&scene, bid.sequence, bid)?;
    }
    let text = draft.finish(after, upto).text(listener.viewer, after);
    Ok(listener.begin(&text, upto))
}

async fn item_reset(conn: &mut Connection, seen: SeenItem, now: Moment) -> Result<Vec<u8>, DbError> {
    let (auction_id, item_id, last) = (seen.item.auction_id, seen.item.id, seen.item.last_sequence);
    let bids = bids::store::newest(conn, auction_id, item_id, last + 1, RESET_BIDS).await?;
    let bids = bids.into_iter().map(|bid| {
        let shown = seen.shows_bidder(bid.bidder.id, bid.is_anonymous, bid.sequence, now);
        BidDocument::new(bid, shown)
    });
    let bids = bids.collect::<Result<_, _>>()?;
    news::frame("reset", Some(last), &ItemReset { item: ItemDocument::of(seen, now)?, bids })
}

/// Listens to all items of an auction that the asker may see.
pub async fn to_auction(live: &Live, asking: Asking, auction_id: AuctionId) -> Result<Listener, ListenError> {
    let now = live.now();
    let conn = &mut live.database().read().await?;
    let auction = see(conn, auction_id, asking.user, now).await?;
    let start = Start { upto: store::last_position(conn, auction_id).await?, at: now, known: None };
    let after = asking.after;
    let listener = live.listen(Topic::Auction(auction_id), asking.seat(&auction), start)?;

    let last = store::last_position(conn, auction_id).await?;
    let Some(after) = after else {
        let text = auction_items(conn, &auction, now).await?;
        return Ok(listener.begin(&text, last));
    };
    let Some(since) = told_at(conn, &auction, after, last).await? else {
        let text = auction_reset(conn, &auction, last, now).await?;
        return Ok(listener.begin(&text, last));
    };
    let limit = Some(store::KEPT + 1);
    let found = read::happenings(conn, &auction.auction, (after, since), limit, now).await?;
    let upto = found.upto;
    let text = found.to_go_on_from()?.text(listener.viewer, after);
    Ok(listener.begin(&text, upto))
}

/// When `position` was told, if a stream can go on from it.
async fn told_at(
    conn: &mut Connection,
    auction: &SeenAuction,
    position: i64,
    last: i64,
) -> Result<Option<Moment>, DbError> {
    if position > last || last - position > store::KEPT {
        return Ok(None);
    }
    if position == 0 {
        return Ok(Some(auction.auction.created_at));
    }
    let event = store::at_or_past(conn, auction.auction.id, position).await?;
    Ok(event.map(|event| event.at))
}

/// The items as they are, as far as one page of their list goes.
async fn auction_items(
    conn: &mut Connection,
    auction: &SeenAuction,
    now: Moment,
) -> Result<Vec<u8>, DbError> {
    let mut text = Vec::new();
    for item in first_items(conn, auction, now).await?.items {
        text.extend(news::frame("item", None, &item)?);
    }
    Ok(text)
}

async fn auction_reset(
    conn: &mut Connection,
    auction: &SeenAuction,
    last: i64,
    now: Moment,
) -> Result<Vec<u8>, DbError> {
    news::frame("reset", Some(last), &first_items(conn, auction, now).await?)
}

async fn first_items(
    conn: &mut Connection,
    auction: &SeenAuction,
    now: Moment,
) -> Result<ItemsDocument, DbError> {
    let page = Page { limit: Page::<ItemId>::LIMIT_MAX, after: None };
    ItemsDocument::of(list_items(conn, auction, page).await?, now)
}

impl Asking {
    fn seat(self, auction: &SeenAuction) -> Seat {
        Seat { viewer: Viewer { user: self.user, role: auction.role }, session: self.session }
    }
}
