//! A board that follows what others bid.

use std::rc::Rc;

use leptos::prelude::*;
use serde::Deserialize;

use crate::live::apply;
use crate::live::follow::follow;
use crate::live::wire::{BidAnswer, ItemAnswer, ResetAnswer};
use crate::model::BidBoard;

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
        follow(
            Rc::new(move || {
                let path = live.board.with_untracked(path);
                format!("{path}/events?after={}", live.heard.get_value())
            }),
            Rc::new(move |told| live.hear(&told.kind(), &told.data().unwrap_or_default())),
        );
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
