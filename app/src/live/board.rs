//! A board that follows what others bid.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;

use crate::live::wire::{BidAnswer, BidsAnswer, ItemAnswer};
use crate::live::{apply, browser};
use crate::model::BidBoard;

const EVERY: Duration = Duration::from_secs(2);
/// One question that fails is a moment; this many are worth a word.
const FAILURES_TOLD: usize = 2;

/// The board and how sure it is. Copies are the same board.
#[derive(Clone, Copy)]
pub struct LiveBoard {
    pub board: RwSignal<BidBoard>,
    failures: RwSignal<usize>,
    asking: RwSignal<bool>,
}

impl LiveBoard {
    /// As the server drew it; on a page that is awake it asks for news while the page is in sight.
    pub fn new(board: BidBoard) -> Self {
        let live =
            Self { board: RwSignal::new(board), failures: RwSignal::new(0), asking: RwSignal::new(false) };
        Effect::new(move |_| {
            set_interval(move || live.look(), EVERY);
            // Leaked on purpose: an island lives as long as its page.
            std::mem::forget(window_event_listener(leptos::ev::visibilitychange, move |_| live.look()));
        });
        live
    }

    /// Whether what is shown may be behind what the server knows.
    pub fn unsure(self) -> Signal<bool> {
        Signal::derive(move || self.failures.get() >= FAILURES_TOLD)
    }

    /// Takes in a bid that the server has just answered with.
    pub fn take_in(self, bid: &BidAnswer) {
        self.board.update(|board| apply::bids(board, std::slice::from_ref(bid)));
    }

    /// Asks for news now.
    pub fn refresh(self) {
        if self.asking.get_untracked() {
            return;
        }
        self.asking.set(true);
        spawn_local(async move {
            let heard = self.ask().await;
            self.failures.update(|failures| *failures = if heard.is_some() { 0 } else { *failures + 1 });
            self.asking.set(false);
        });
    }

    fn look(self) {
        if self.board.with_untracked(|board| board.open) && !browser::hidden() {
            self.refresh();
        }
    }

    async fn ask(self) -> Option<()> {
        let path = self.board.with_untracked(path);
        // Bids first: an item that closed in between has no later ones.
        let bids: BidsAnswer = read(&format!("{path}/bids?limit=20")).await?;
        let item: ItemAnswer = read(&path).await?;
        let mut next = self.board.get_untracked();
        apply::item(&mut next, &item);
        apply::bids(&mut next, &bids.bids);
        if self.board.with_untracked(|board| *board != next) {
            self.board.set(next);
        }
        Some(())
    }
}

/// Where the API has the item.
pub fn path(board: &BidBoard) -> String {
    format!("/api/auctions/{}/items/{}", board.auction_id, board.item_id)
}

async fn read<T: for<'a> Deserialize<'a>>(url: &str) -> Option<T> {
    let answer = browser::get(url).await.ok()?;
    (answer.status == 200).then(|| serde_json::from_str(&answer.body).ok())?
}
