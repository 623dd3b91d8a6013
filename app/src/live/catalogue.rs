//! Items of a catalogue that follow what others bid.

use std::cmp::Ordering;
use std::rc::Rc;

use leptos::prelude::*;
use serde::Deserialize;

use crate::components::moment::read_stamp;
use crate::live::follow::follow;
use crate::live::wire::{BidAnswer, HighestAnswer, ItemAnswer, Person};
use crate::model::{Catalogue, ItemSummary};

/// The items, each by itself, and how sure they are.
#[derive(Clone)]
pub struct LiveCatalogue {
    pub items: Vec<RwSignal<ItemSummary>>,
    /// Ids of items that belong on this page, and have come since it was drawn.
    pub new: RwSignal<Vec<String>>,
    /// What is shown may be behind what the server knows.
    pub unsure: RwSignal<bool>,
    viewer_id: Option<String>,
    is_first: bool,
    is_last: bool,
}

/// The present, for who has missed too much.
#[derive(Deserialize)]
struct Present {
    items: Vec<ItemAnswer>,
}

impl LiveCatalogue {
    /// As the server drew it; on a page that is awake it goes on from there, while the page is in sight.
    pub fn new(catalogue: Catalogue) -> Self {
        let live = Self {
            items: catalogue.items.into_iter().map(RwSignal::new).collect(),
            new: RwSignal::new(Vec::new()),
            unsure: RwSignal::new(false),
            viewer_id: catalogue.viewer_id,
            is_first: catalogue.is_first,
            is_last: catalogue.is_last,
        };
        if catalogue.open {
            // Each time the stream is opened the auction's first hundred items come first, as they are then.
            let url = format!("/api/auctions/{}/events", catalogue.auction_id);
            let listener = live.clone();
            follow(
                Rc::new(move || url.clone()),
                Rc::new(move |told| listener.hear(&told.kind(), &told.data().unwrap_or_default())),
            );
        }
        live
    }

    fn hear(&self, kind: &str, data: &str) {
        match kind {
            "item" => {
                if let Ok(news) = serde_json::from_str(data) {
                    self.take_in(&news);
                }
            }
            "bid" => {
                if let Ok(news) = serde_json::from_str::<BidAnswer>(data)
                    && let Some(item) = self.item(&news.item_id)
                {
                    item.update(|item| bid(item, &news, self.viewer_id.as_deref()));
                }
            }
            "reset" => {
                if let Ok(Present { items }) = serde_json::from_str(data) {
                    items.iter().for_each(|news| self.take_in(news));
                }
            }
            kind => self.unsure.set(kind == "error"),
        }
    }

    fn take_in(&self, news: &ItemAnswer) {
        if let Some(item) = self.item(&news.id) {
            item.update(|item| change(item, news, self.viewer_id.as_deref()));
        } else if self.belongs_here(&news.id) {
            self.new.update(|new| {
                if !new.contains(&news.id) {
                    new.push(news.id.clone());
                }
            });
        }
    }

    fn item(&self, id: &str) -> Option<&RwSignal<ItemSummary>> {
        self.items.iter().find(|item| item.with_untracked(|item| item.id == id))
    }

    /// The list is in the order of the ids, and this page a part of it.
    fn belongs_here(&self, id: &str) -> bool {
        let is = |item: Option<&RwSignal<ItemSummary>>, order| {
            item.is_some_and(|item| item.with_untracked(|item| id.cmp(&item.id) == order))
        };
        (self.is_first || is(self.items.first(), Ordering::Greater))
            && (self.is_last || is(self.items.last(), Ordering::Less))
    }
}

/// What the item is now.
fn change(item: &mut ItemSummary, news: &ItemAnswer, viewer_id: Option<&str>) {
    item.status = news.status;
    item.ends_at = news.end_date.as_deref().and_then(read_stamp);
    item.minimum_bid.clone_from(&news.min_bid_normalized);
    if let Some(HighestAnswer { normalized_amount, bidder }) = &news.highest_bid {
        raise(item, news.bid_count, normalized_amount, bidder.as_ref(), viewer_id);
    }
}

/// The item with a new bid.
fn bid(item: &mut ItemSummary, news: &BidAnswer, viewer_id: Option<&str>) {
    raise(item, news.sequence, &news.normalized_amount, news.bidder.as_ref(), viewer_id);
}

/// An older highest bid takes nothing back.
fn raise(
    item: &mut ItemSummary,
    bid_count: u64,
    highest: &str,
    bidder: Option<&Person>,
    viewer_id: Option<&str>,
) {
    if bid_count > item.bid_count {
        item.bid_count = bid_count;
        item.highest_bid = Some(highest.to_owned());
        item.leading = bidder.is_some_and(|bidder| Some(bidder.id.as_str()) == viewer_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BaseUnit, ItemStatus};

    fn item() -> ItemSummary {
        ItemSummary {
            id: "i".to_owned(),
            name: "Lamp".to_owned(),
            status: ItemStatus::Open,
            ends_at: None,
            highest_bid: Some("5".to_owned()),
            minimum_bid: None,
            bid_count: 2,
            base_unit: BaseUnit::default(),
            leading: true,
        }
    }

    fn news(bid_count: u64, highest: &str, bidder: &str) -> ItemAnswer {
        ItemAnswer {
            id: "i".to_owned(),
            status: ItemStatus::Open,
            end_date: None,
            bid_count,
            min_bid_normalized: None,
            highest_bid: Some(HighestAnswer {
                normalized_amount: highest.to_owned(),
                bidder: Some(Person { id: bidder.to_owned(), name: bidder.to_uppercase() }),
            }),
        }
    }

    #[test]
    fn a_higher_bid_takes_the_lead() {
        let mut item = item();
        change(&mut item, &news(3, "7", "neville"), Some("luna"));
        assert_eq!((item.bid_count, item.highest_bid.as_deref(), item.leading), (3, Some("7"), false));
        change(&mut item, &news(4, "8", "luna"), Some("luna"));
        assert!(item.leading);
    }

    #[test]
    fn an_older_bid_takes_nothing_back() {
        let mut item = item();
        change(&mut item, &news(2, "5", "luna"), Some("luna"));
        change(&mut item, &news(1, "3", "neville"), Some("luna"));
        assert_eq!(item, self::item());
    }

    #[test]
    fn an_end_can_move_and_come() {
        let mut item = item();
        let end_date = Some("1970-01-01T00:00:05Z".to_owned());
        let status = ItemStatus::Closed;
        change(&mut item, &ItemAnswer { end_date, status, ..news(2, "5", "luna") }, None);
        assert_eq!((item.status, item.ends_at), (ItemStatus::Closed, Some(5_000)));
    }

    fn page(is_first: bool, is_last: bool) -> LiveCatalogue {
        let with_id = |id: &str| RwSignal::new(ItemSummary { id: id.to_owned(), ..item() });
        LiveCatalogue {
            items: vec![with_id("b"), with_id("d")],
            new: RwSignal::new(Vec::new()),
            unsure: RwSignal::new(false),
            viewer_id: None,
            is_first,
            is_last,
        }
    }

    #[test]
    fn a_new_item_is_told_on_the_page_that_it_belongs_on() {
        Owner::new().with(|| {
            for (is_first, is_last, told) in
                [(true, true, 3), (true, false, 2), (false, true, 2), (false, false, 1)]
            {
                let live = page(is_first, is_last);
                for id in ["a", "b", "c", "e", "c"] {
                    live.take_in(&ItemAnswer { id: id.to_owned(), ..news(0, "0", "") });
                }
                assert_eq!(live.new.with_untracked(Vec::len), told, "{is_first} {is_last}");
            }
        });
    }
}
