//! The requests of a clerk's desk besides its calls, which the browser keeps until they are answered.

use leptos::prelude::*;
use leptos::task::spawn_local;
use rules_engine::shape::read_json;

use super::DeskState;
use crate::islands::hall::typed::DeskField;
use crate::live::browser;
use crate::live::json::JsonObject;

/// The least time between two requests of what the page has no room for.
const LISTS_EVERY_MS: i64 = 60_000;

const UNCHANGED: &str = "Nothing is changed: the server did not answer, or refused it.";

impl DeskState {
    /// Requests what the page has no room for, if it was not requested lately.
    pub fn complete(self) {
        let Some(document) = self.desk.with_untracked(|desk| desk.document.clone()) else { return };
        let now = browser::since_navigation();
        if self.requested_at.get_value().is_some_and(|at| now - at < LISTS_EVERY_MS) {
            return;
        }
        self.requested_at.set_value(Some(now));
        spawn_local(async move {
            let answer = browser::get(&document).await.ok().filter(|answer| answer.status == 200);
            match answer.and_then(|answer| read_json(&answer.body).ok()) {
                Some(lists) => self.change(|| self.desk.update(|desk| desk.listed = Some(lists))),
                // The next newer page requests it again.
                None => self.requested_at.set_value(None),
            }
        });
    }

    /// Puts the typed lot on the block, so that the screen shows it. Without a network the sale goes on.
    pub(super) fn put_on_block(self) {
        let open = self.judge(|it| it.lot.filter(|lot| lot.sale.is_none()).map(|lot| lot.item_id.clone()));
        let is_there = self.desk.with_untracked(|desk| desk.block == open);
        if let Some(item_id) = open.filter(|_| !is_there) {
            spawn_local(async move {
                self.put("block", &block(Some(&item_id))).await;
            });
        }
    }

    /// Holds the typed lot, which leaves the block, and offers the next one; or has a held one come back.
    /// Without a lot it clears the block.
    pub(super) fn hold(self) {
        if self.typed.with(|typed| typed.lot.trim().is_empty()) {
            spawn_local(async move {
                match self.put("block", &block(None)).await {
                    true => self.say("The block is cleared.", ""),
                    false => self.say(UNCHANGED, "bad"),
                }
            });
            return;
        }
        let lot = self.judge(|it| it.lot.cloned());
        let Some(lot) = lot.filter(|lot| lot.sale.is_none()) else { return self.refuse(DeskField::Lot) };
        let is_on_block = self.desk.with_untracked(|desk| desk.block.as_ref() == Some(&lot.item_id));
        let mut place = JsonObject::default();
        place.text("itemId", &lot.item_id);
        place.boolean("held", !lot.is_held);
        let place = place.finish();
        spawn_local(async move {
            if !self.put("running-order", &place).await {
                return self.say(UNCHANGED, "bad");
            }
            if is_on_block && !lot.is_held {
                self.put("block", &block(None)).await;
            }
            if !lot.is_held {
                self.offer(Some(&lot.item_id));
            }
        });
    }

    /// Puts a part of the auction. Returns whether the server has taken it.
    async fn put(self, part: &str, body: &str) -> bool {
        let path = self.desk.with_untracked(|desk| format!("/api/auctions/{}/{part}", desk.auction_id));
        browser::put(&path, body).await.is_ok_and(|answer| answer.status < 300)
    }
}

/// The body that puts an item on the block, or nothing.
fn block(item_id: Option<&str>) -> String {
    let mut body = JsonObject::default();
    match item_id {
        Some(item_id) => body.text("itemId", item_id),
        None => body.json("itemId", "null"),
    }
    body.finish()
}
