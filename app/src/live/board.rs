//! A board that follows what others bid.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;
use serde::Deserialize;

use crate::live::apply;
use crate::live::browser::{self, EventStream};
use crate::live::wire::{BidAnswer, ItemAnswer, ResetAnswer};
use crate::model::BidBoard;

/// A stream that breaks is tried again by the browser itself; one that is refused, by the page.
const RETRY_EVERY: Duration = Duration::from_secs(5);

/// The board and how sure it is. Copies are the same board.
#[derive(Clone, Copy)]
pub struct LiveBoard {
    pub board: RwSignal<BidBoard>,
    /// The sequence up to which the stream has told all bids. The board may know of a later one.
    heard: StoredValue<u64>,
    unsure: RwSignal<bool>,
}

impl LiveBoard {
    /// As the server drew it; on a page that is awake it goes on from there, while the page is in sight.
    pub fn new(board: BidBoard) -> Self {
        let heard = board.bids.first().map_or(0, |bid| bid.sequence);
        let live = Self {
            board: RwSignal::new(board),
            heard: StoredValue::new(heard),
            unsure: RwSignal::new(false),
        };
        Effect::new(move |_| {
            let stream = Rc::new(RefCell::new(None));
            let again = Rc::clone(&stream);
            live.follow(&stream);
            set_interval(move || live.follow(&again), RETRY_EVERY);
            // Leaked on purpose: an island lives as long as its page.
            std::mem::forget(window_event_listener(leptos::ev::visibilitychange, move |_| {
                live.follow(&stream)
            }));
        });
        live
    }

    /// Whether what is shown may be behind what the server knows.
    pub fn unsure(self) -> Signal<bool> {
        self.unsure.into()
    }

    /// Takes in a bid that the server has just answered with.
    pub fn take_in(self, bid: &BidAnswer) {
        self.board.update(|board| apply::bid(board, bid));
    }

    /// Listens while the page is in sight.
    fn follow(self, stream: &RefCell<Option<EventStream>>) {
        let mut stream = stream.borrow_mut();
        if browser::hidden() {
            *stream = None;
        } else if stream.as_ref().is_none_or(EventStream::ended) {
            let url = format!("{}/events?after={}", self.board.with_untracked(path), self.heard.get_value());
            *stream = Some(EventStream::open(&url, move |kind, data| self.hear(kind, data)));
        }
    }

    fn hear(self, kind: &str, data: &str) {
        match kind {
            "item" => {
                if let Some(item) = read::<ItemAnswer>(data) {
                    self.board.update(|board| apply::item(board, &item));
                }
            }
            "bid" => {
                if let Some(bid) = read::<BidAnswer>(data) {
                    self.heard.set_value(bid.sequence);
                    self.take_in(&bid);
                }
            }
            "reset" => {
                if let Some(reset) = read::<ResetAnswer>(data) {
                    self.heard.set_value(reset.item.bid_count);
                    self.board.update(|board| apply::reset(board, &reset));
                }
            }
            kind => self.unsure.set(kind == "error"),
        }
    }
}

/// Where the API has the item.
pub fn path(board: &BidBoard) -> String {
    format!("/api/auctions/{}/items/{}", board.auction_id, board.item_id)
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Option<T> {
    serde_json::from_str(data).ok()
}
