//! The title of the tab, which says what happened to an item while the viewer looks at another tab.

use leptos::prelude::*;

use crate::components::moment::MINUTE_TO_GO;
use crate::model::{BidBoard, ItemStatus};

/// Writes the news before the title of the document whenever they change. On the server it does nothing.
pub fn follow_in_title(board: RwSignal<BidBoard>, now: RwSignal<i64>) {
    let news = Memo::new(move |_| board.with(|board| news(board, now.get())));
    Effect::new(move |title: Option<String>| {
        let title = title.unwrap_or_else(|| document().title());
        match news.get() {
            "" => document().set_title(&title),
            news => document().set_title(&format!("{news} · {title}")),
        }
        title
    });
}

fn news(board: &BidBoard, now: i64) -> &'static str {
    let leads = board.leading().is_some_and(|bid| bid.mine);
    let is_near = board.ends_at.is_some_and(|end| (1..=MINUTE_TO_GO).contains(&(end - now)));
    match (board.is_open(), leads) {
        (true, false) if board.is_outbid() => "Outbid",
        (true, _) if is_near => "Last minute",
        (false, true) if board.is_sold() => "You won",
        (false, _) if board.status != ItemStatus::Closed => "",
        (false, _) if board.sold_for.is_some() => "Sold",
        (false, _) => "Ended",
        _ => "",
    }
}
