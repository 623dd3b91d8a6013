//! What a stream sends first. The items of an auction are read a few at a time, once the client has received
//! those before, so that a client that reads nothing occupies the memory of a few items. A bounded number of
//! streams reads them at the same time, with a low priority, so that a thousand new streams do not delay
//! bids.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::Bytes;

use super::event_batch::render;
use super::request::{StreamError, StreamRequest};
use super::{Live, StreamLimit};
use crate::auctions::access::{AccessError, authorize};
use crate::ids::AuctionId;
use crate::items::document::ItemDocument;
use crate::items::list::{ItemPlace, ItemQuery, list_items};
use accounts::session::store as sessions;
use platform::db::DbError;
use platform::http::sse;
use platform::net::Client;
use platform::paging::{ENTRIES_BYTES_MAX, Page};

/// Bytes of missed events (SPEC, section 1: the first events of a stream are at most 256 KiB). With more a
/// stream begins anew.
pub const RESUMED_BYTES_MAX: usize = ENTRIES_BYTES_MAX;
/// How long a browser waits before it reconnects.
const RETRY_MILLISECONDS: u32 = 1000;
/// Items that are read at a time.
const ITEMS_AT_A_TIME: usize = 8;

/// The texts before all events.
pub struct Beginning {
    texts: VecDeque<Bytes>,
    items: Option<FirstItems>,
    /// The id from which a stream resumes that breaks before its first event.
    last: Option<Bytes>,
}

/// The first page of an auction's items.
pub struct FirstItems {
    auction_id: AuctionId,
    request: StreamRequest,
    form: ItemsForm,
    /// What is read next; absent after the last item.
    next: Option<Page<ItemPlace>>,
    count: usize,
    bytes: usize,
    next_cursor: Option<String>,
}

/// How the items are sent.
#[derive(Debug, Clone, Copy)]
pub enum ItemsForm {
    /// One event for each.
    Events,
    /// In one `reset` with this id.
    Reset(i64),
}

impl Beginning {
    /// A text that leads up to `id`.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn of_text(live: &Live, client: Client, text: Vec<u8>, id: i64) -> Result<Self, StreamLimit> {
        let text = live.memory().hold(client, text.into()).map_err(|_| StreamLimit::Full)?;
        Ok(Self::new([text].into(), None, id))
    }

    /// The first items, which lead up to `id`, after the `first` event.
    pub fn of_items(first: Option<Vec<u8>>, items: FirstItems, id: i64) -> Self {
        Self::new(first.into_iter().map(Bytes::from).collect(), Some(items), id)
    }

    fn new(mut texts: VecDeque<Bytes>, items: Option<FirstItems>, id: i64) -> Self {
        texts.push_front(sse::retry(RETRY_MILLISECONDS).into());
        Self { texts, items, last: Some(sse::id(id).into()) }
    }

    /// The next text; `None` after the last one.
    pub async fn next(&mut self, live: &Live) -> Result<Option<Bytes>, StreamError> {
        if let Some(text) = self.texts.pop_front() {
            return Ok(Some(text));
        }
        if let Some(items) = self.items.take()
            && let (rest, Some(text)) = items.read_next(live.clone()).await?
        {
            self.items = Some(rest);
            return Ok(Some(text.into()));
        }
        Ok(self.last.take())
    }
}

impl FirstItems {
    pub fn new(auction_id: AuctionId, request: StreamRequest, form: ItemsForm) -> Self {
        let next = Some(ItemQuery::first().page);
        Self { auction_id, request, form, next, count: 0, bytes: 0, next_cursor: None }
    }

    /// The text of the next items, read on a thread of low priority.
    async fn read_next(mut self, live: Live) -> Result<(Self, Option<Vec<u8>>), StreamError> {
        let hub = Arc::clone(&live.0);
        let _permit = hub.first_reads.acquire(self.request.client).await.map_err(|_| StreamLimit::Full)?;
        let read = hub.low_priority.run(async move {
            let text = self.next(&live).await?;
            Ok((self, text))
        });
        read.await.map_err(|_| StreamLimit::Full)?
    }

    /// The text of the next items; `None` after the last one.
    async fn next(&mut self, live: &Live) -> Result<Option<Vec<u8>>, StreamError> {
        let Some(page) = self.next.take() else { return Ok(None) };
        let is_first = self.count == 0;
        let mut text = Vec::new();
        if let (ItemsForm::Reset(id), true) = (self.form, is_first) {
            text.extend(sse::begin("reset", Some(id)));
            text.extend_from_slice(b"{\"items\":[");
        }
        self.read(live, page, &mut text).await?;
        if let (ItemsForm::Reset(_), None) = (self.form, &self.next) {
            text.extend_from_slice(b"],\"nextCursor\":");
            text.extend(json(&self.next_cursor)?);
            text.extend_from_slice(b"}\n\n");
        }
        Ok(Some(text))
    }

    async fn read(
        &mut self,
        live: &Live,
        mut page: Page<ItemPlace>,
        text: &mut Vec<u8>,
    ) -> Result<(), StreamError> {
        let (conn, now) = (&mut live.database().snapshot().await?, live.now());
        // A client may take its time between two readings.
        if let Some(session) = &self.request.session
            && sessions::living(conn, &[session], now).await?.is_empty()
        {
            return Err(AccessError::NotFound.into());
        }
        let auction = authorize(conn, self.auction_id, self.request.user, now).await?;
        page.limit = ITEMS_AT_A_TIME.min(Page::<ItemPlace>::LIMIT_MAX - self.count);
        let found = list_items(conn, &auction, ItemQuery { page, ..ItemQuery::first() }, now).await?;
        let (last_cursor, mut is_full) = (found.next_cursor.clone(), false);
        for (cursor, seen) in found.with_cursors() {
            let item = ItemDocument::listed(seen, now)?;
            let item = match self.form {
                ItemsForm::Events => render("item", None, &item)?,
                ItemsForm::Reset(_) => json(&item)?,
            };
            is_full = self.bytes + item.len() > ENTRIES_BYTES_MAX;
            if is_full {
                break;
            }
            if let (ItemsForm::Reset(_), 1..) = (self.form, self.count) {
                text.push(b',');
            }
            text.extend_from_slice(&item);
            self.count += 1;
            self.bytes += item.len() + 1;
            self.next_cursor = Some(cursor);
        }
        if !is_full {
            self.next_cursor = last_cursor;
        }
        let goes_on = !is_full && self.count < Page::<ItemPlace>::LIMIT_MAX;
        let place = self.next_cursor.as_deref().and_then(|cursor| cursor.parse().ok());
        self.next = place.filter(|_| goes_on).map(|place| Page::after(Some(place)));
        Ok(())
    }
}

fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, DbError> {
    serde_json::to_vec(value).map_err(|error| DbError::Corrupt(error.to_string()))
}
