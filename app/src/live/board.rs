//! A bid board that follows other people's bids.

use std::rc::Rc;

use leptos::prelude::*;
use serde::Deserialize;

use crate::live::apply;
use crate::live::follow::follow;
use crate::live::wire::{BidAnswer, ItemAnswer, ResetAnswer};
use crate::model::BidBoard;

/// The board and the state of its stream. Copies share both.
#[derive(Clone, Copy)]
pub struct LiveBoard {
    pub board: RwSignal<BidBoard>,
    /// Sequence of the last bid received from the stream. The board may have a later bid, from the answer to the
    /// viewer's own.
    last_sequence: StoredValue<u64>,
    stale: RwSignal<bool>,
    gone: RwSignal<bool>,
}

impl LiveBoard {
    /// Starts with the rendered board. If it `follows`, it follows the stream on a hydrated page while that is visible.
    pub fn new(board: BidBoard, follows: bool) -> Self {
        let last_sequence = board.bids.first().map_or(0, |bid| bid.sequence);
        let live = Self {
            board: RwSignal::new(board),
            last_sequence: StoredValue::new(last_sequence),
            stale: RwSignal::new(false),
            gone: RwSignal::new(false),
        };
        if follows {
            follow(
                Rc::new(move || {
                    let path = live.board.with_untracked(path);
                    format!("{path}/events?after={}", live.last_sequence.get_value())
                }),
                Rc::new(move |event| live.apply(&event.kind(), &event.data().unwrap_or_default())),
            );
        }
        live
    }

    /// Whether the board may be out of date.
    pub fn stale(self) -> Signal<bool> {
        self.stale.into()
    }

    /// Whether the item was deleted or hidden while the page was open.
    pub fn gone(self) -> Signal<bool> {
        self.gone.into()
    }

    /// Adds a bid.
    pub fn add_bid(self, bid: &BidAnswer) {
        self.board.update(|board| apply::bid(board, bid));
    }

    fn apply(self, kind: &str, data: &str) {
        match kind {
            "item" => {
                if let Some(item) = read::<ItemAnswer>(data) {
                    self.gone.set(false);
                    self.board.update(|board| apply::item(board, &item));
                }
            }
            "bid" => {
                if let Some(bid) = read::<BidAnswer>(data) {
                    self.last_sequence.set_value(bid.sequence);
                    self.add_bid(&bid);
                }
            }
            "withdrawn" => {
                if let Some(bid) = read::<BidAnswer>(data) {
                    self.board.update(|board| apply::withdrawn(board, &bid));
                }
            }
            "reset" => {
                if let Some(reset) = read::<ResetAnswer>(data) {
                    self.last_sequence.set_value(reset.bids.first().map_or(0, |bid| bid.sequence));
                    self.board.update(|board| apply::reset(board, &reset));
                }
            }
            "gone" => {
                self.gone.set(true);
                self.board.update(|board| board.open = false);
            }
            kind => self.stale.set(kind == "error"),
        }
    }
}

/// Path of the item in the API.
pub fn path(board: &BidBoard) -> String {
    format!("/api/auctions/{}/items/{}", board.auction_id, board.item_id)
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Option<T> {
    serde_json::from_str(data).ok()
}
