//! One event stream: how it begins, and what follows.

use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::{Notify, broadcast};

use super::beginning::{self, Beginning, FirstItems, ItemsForm};
use super::channel::{Message, Sent};
use super::event_batch::{EventBatchBuilder, StreamUser, block, render};
use super::feed::{AuctionFeed, Feed, ItemFeed};
use super::listeners::{Listener, Listeners, Permission};
use super::read::{self, AuctionPosition};
use super::request::{StreamError, StreamRequest};
use super::snapshot::ItemSnapshot;
use super::{Live, StreamLimit, task};
use crate::auctions::access::{AccessError, AuctionView, authorize};
use crate::bids::document::BidDocument;
use crate::bids::list::known_people;
use crate::bids::{self, BidSelection};
use crate::events::store;
use crate::ids::{AuctionId, ItemId};
use crate::items::access::{ItemView, view_in_auction};
use crate::items::document::ItemDocument;
use crate::items::store::transitions::TransitionProgress;
use crate::path::ItemPath;
use platform::db::{Connection, DbError};
use platform::log_field::logged;
use platform::net::Client;
use platform::paging;
use platform::time::Moment;

/// Bids in a `reset`.
const RESET_BIDS: i64 = 50;

/// The data of an item's `reset`.
#[derive(Serialize)]
struct ItemReset {
    item: ItemDocument,
    bids: Vec<BidDocument>,
}

/// A stream that is being read. Dropping it ends it.
pub struct LiveStream {
    live: Live,
    number: u64,
    user: StreamUser,
    client: Client,
    /// Delivered up to this sequence or position.
    upto: i64,
    /// What is sent before all events.
    beginning: Option<Beginning>,
    receiver: broadcast::Receiver<Arc<Sent>>,
    listeners: Arc<Listeners>,
    wake: Arc<Notify>,
}

impl LiveStream {
    /// A stream of everything that is committed from now on. If the feed's topic has no task yet, it begins
    /// with `feed`.
    fn open(live: &Live, feed: Feed, client: Client, listener: Listener) -> Result<Self, StreamLimit> {
        let user = listener.user;
        let (number, channel, is_new) = live.join(feed.topic(), client, listener)?;
        let stream = Self {
            live: live.clone(),
            number,
            user,
            client,
            upto: 0,
            beginning: None,
            receiver: channel.sender.subscribe(),
            listeners: Arc::clone(&channel.listeners),
            wake: Arc::clone(&channel.wake),
        };
        if is_new {
            task::spawn(live.clone(), channel, feed, user.id);
        }
        Ok(stream)
    }

    /// The next bytes of the stream; `None` at its end.
    pub async fn next(&mut self) -> Option<Bytes> {
        while let Some(beginning) = &mut self.beginning {
            match beginning.next(&self.live).await {
                Ok(Some(text)) => return Some(text),
                Ok(None) => self.beginning = None,
                Err(error) => {
                    if let StreamError::Access(AccessError::Db(error)) = &error {
                        tracing::error!(error = logged(error), "the first items of a stream can't be read");
                    }
                    return None;
                }
            }
        }
        loop {
            // A stream that has fallen behind, or whose topic's task has ended, ends: its client resumes.
            match &self.receiver.recv().await.ok()?.message {
                Message::Heartbeat(comment) => return Some(comment.clone()),
                Message::Permissions(changed) => match changed.get(&self.number) {
                    Some(Permission::Lost) => return None,
                    Some(Permission::Changed { role, is_outsider }) => {
                        (self.user.role, self.user.is_outsider) = (*role, *is_outsider);
                    }
                    None => {}
                },
                Message::Events(batch) => {
                    if batch.from > self.upto {
                        return None;
                    }
                    let text = batch.text(self.user, self.upto);
                    self.upto = self.upto.max(batch.upto);
                    if !text.is_empty() {
                        return Some(text);
                    }
                }
            }
        }
    }

    /// Begins with `text`, which leads up to `upto`.
    fn begin(mut self, text: Vec<u8>, upto: i64) -> Result<Self, StreamError> {
        self.upto = upto;
        self.beginning = Some(Beginning::of_text(&self.live, self.client, text, upto)?);
        Ok(self)
    }

    /// Begins with the item on the block and an auction's first items, which lead up to `upto`.
    fn begin_with(
        mut self,
        on_block: Option<ItemId>,
        items: FirstItems,
        upto: i64,
    ) -> Result<Self, StreamError> {
        self.upto = upto;
        let on_block = on_block.map(|item_id| block(Some(item_id))).transpose()?;
        self.beginning = Some(Beginning::of_items(on_block, items, upto));
        Ok(self)
    }
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        if self.listeners.remove(self.number) {
            self.wake.notify_one();
        }
        self.live.left(self.client);
    }
}

/// The stream of an item that the viewer may see.
pub async fn of_item(
    live: &Live,
    request: StreamRequest,
    auction_id: AuctionId,
    item_id: ItemId,
) -> Result<LiveStream, StreamError> {
    let now = live.now();
    let (auction, seen) = {
        let conn = &mut live.database().read().await?;
        view_in_auction(conn, auction_id, item_id, request.user, now).await?
    };
    let snapshot = ItemSnapshot::of(&seen, now);
    let (at, received) = (ItemPath { auction_id, item_id }, request.after);
    let feed = Feed::Item(Box::new(ItemFeed::after(&snapshot)));
    let stream = LiveStream::open(live, feed, request.client, request.listener(&auction))?;

    // The stream has all events from here on. What is committed by now is read after this, so there is no
    // gap.
    let conn = &mut live.database().snapshot().await?;
    let (_, seen) = view_in_auction(conn, auction_id, item_id, request.user, now).await?;
    let last = seen.item.last_sequence;
    let after = received.unwrap_or(last);
    if after > last || last - after > store::KEPT {
        return stream.begin(item_reset(conn, seen, now).await?, last);
    }
    let withdrawn = match received {
        Some(after) => {
            let withdrawn = BidSelection::WithdrawnUpTo(after);
            bids::store::select(conn, at, withdrawn, read::WITHDRAWN_MAX + 1).await?
        }
        None => Vec::new(),
    };
    if read::exceeds(withdrawn.len(), read::WITHDRAWN_MAX) {
        return stream.begin(item_reset(conn, seen, now).await?, last);
    }
    let snapshot = ItemSnapshot::of(&seen, now);
    let missed = bids::store::select(conn, at, BidSelection::Above(after), store::KEPT).await?;
    let upto = missed.last().map_or(last, |bid| bid.sequence);
    let mut batch = EventBatchBuilder::default();
    batch.item(&snapshot)?;
    for bid in withdrawn {
        batch.withdrawn(&snapshot, bid)?;
    }
    for bid in missed {
        batch.bid(&snapshot, bid.sequence, bid)?;
    }
    let text = batch.finish(after, upto).text(stream.user, after);
    if text.len() > beginning::RESUMED_BYTES_MAX {
        return stream.begin(item_reset(conn, seen, now).await?, last);
    }
    stream.begin(text.into(), upto)
}

async fn item_reset(conn: &mut Connection, seen: ItemView, now: Moment) -> Result<Vec<u8>, DbError> {
    let last = seen.item.last_sequence;
    let at = ItemPath { auction_id: seen.item.auction_id, item_id: seen.item.id };
    let bids = bids::store::select(conn, at, BidSelection::Below(last + 1), RESET_BIDS).await?;
    let bids = bids.into_iter().map(|bid| {
        let known = known_people(&seen, &bid, now);
        Ok(BidDocument::new(bid, known, &seen.people)?.on_draw(seen.item.terms.format.draw()))
    });
    let mut bids = bids.collect::<Result<Vec<_>, DbError>>()?;
    let item = ItemDocument::listed(seen, now)?;
    bids.truncate(paging::fitting(&bids));
    render("reset", Some(last), &ItemReset { item, bids })
}

/// The stream of all items of an auction that the viewer may see.
pub async fn of_auction(
    live: &Live,
    request: StreamRequest,
    auction_id: AuctionId,
) -> Result<LiveStream, StreamError> {
    let now = live.now();
    let (auction, position) = {
        let conn = &mut live.database().read().await?;
        let auction = authorize(conn, auction_id, request.user, now).await?;
        (auction, store::last_position(conn, auction_id).await?)
    };
    let upto = AuctionPosition { position, transitions: TransitionProgress::all_until(now) };
    let feed = Feed::Auction(AuctionFeed::after(auction_id, upto));
    let after = request.after;
    let stream = LiveStream::open(live, feed, request.client, request.listener(&auction))?;

    // Read once the stream is open, as for an item: so there is no gap.
    let conn = &mut live.database().snapshot().await?;
    let auction = authorize(conn, auction_id, request.user, now).await?;
    let last = store::last_position(conn, auction_id).await?;
    let items = |form| FirstItems::new(auction_id, request.clone(), form);
    let on_block = auction.auction.block_item_id;
    let Some(after) = after else { return stream.begin_with(on_block, items(ItemsForm::Events), last) };
    let reset = |stream: LiveStream| stream.begin_with(on_block, items(ItemsForm::Reset(last)), last);
    let Some(since) = resumes_at(conn, &auction, after, last).await? else { return reset(stream) };
    let from = AuctionPosition { position: after, transitions: TransitionProgress::all_until(since) };
    let events = read::auction_events(conn, &auction.auction, from, Some(store::KEPT + 1), now).await?;
    if events.all_changed {
        return reset(stream);
    }
    let mut events = events.with_all_transitions(conn, &auction.auction, now).await?;
    if !events.add_all_withdrawn(conn, &auction.auction, now).await? {
        return reset(stream);
    }
    let upto = events.upto.position;
    let text = events.items_first()?.text(stream.user, after);
    if text.len() > beginning::RESUMED_BYTES_MAX {
        return reset(stream);
    }
    stream.begin(text.into(), upto)
}

/// The time of the event at `position`, if a stream can resume there.
async fn resumes_at(
    conn: &mut Connection,
    auction: &AuctionView,
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
