//! A bid board that follows other people's bids.

use std::rc::Rc;

use leptos::prelude::*;
use rules_engine::shape::{ReadJson, read_json};

use crate::live::apply;
use crate::live::follow::{Freshness, follow, freshen};
use crate::live::wire::{BidAnswer, ItemAnswer, ResetAnswer, SealedAnswer};
use crate::model::{BidBoard, ItemStatus};

/// The board and the state of its stream. Copies share both.
#[derive(Clone, Copy)]
pub struct LiveBoard {
    pub board: RwSignal<BidBoard>,
    /// Whether the board is up to date.
    pub freshness: RwSignal<Freshness>,
}

impl LiveBoard {
    /// Starts with the rendered board. On a hydrated page it follows the stream, unless nothing can happen:
    /// in a draft, or after the end.
    pub fn new(board: BidBoard) -> Self {
        let url = format!("{}/events?after={}", path(&board), board.newest_sequence());
        let is_live = matches!(board.status, ItemStatus::Scheduled | ItemStatus::Open);
        let live = Self { board: RwSignal::new(board), freshness: RwSignal::default() };
        if is_live {
            follow(
                url,
                Rc::new(move |event| match event.data() {
                    Some(data) => live.apply(&event.kind(), &data),
                    None => freshen(live.freshness, event),
                }),
            );
        }
        live
    }

    /// The viewer has the highest bid.
    pub fn leads(self) -> bool {
        self.board.with(|board| board.leading().is_some_and(|bid| bid.mine))
    }

    /// Adds a bid.
    pub fn add_bid(self, bid: &BidAnswer) {
        self.board.update(|board| apply::bid(board, bid));
    }

    /// Takes note of the viewer's own sealed bid. Returns it in words.
    pub fn add_sealed(self, bid: &SealedAnswer) -> String {
        self.board.try_update(|board| apply::sealed(board, bid)).unwrap_or_default()
    }

    fn apply(self, kind: &str, data: &str) {
        match kind {
            "item" => {
                if let Some(item) = read::<ItemAnswer>(data) {
                    self.board.update(|board| apply::item(board, &item));
                }
            }
            "bid" => {
                if let Some(bid) = read::<BidAnswer>(data) {
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
                    self.board.update(|board| apply::reset(board, &reset));
                }
            }
            "gone" => {
                self.freshness.set(Freshness::Gone);
                self.board.update(|board| board.status = ItemStatus::Closed);
            }
            _ => {}
        }
    }
}

/// Path of the item in the API.
pub fn path(board: &BidBoard) -> String {
    format!("/api{}", board.page())
}

fn read<T: ReadJson>(data: &str) -> Option<T> {
    read_json(data).ok()
}
