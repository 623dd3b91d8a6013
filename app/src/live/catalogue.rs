//! The items of a catalogue page that follow other people's bids.

use std::rc::Rc;

use leptos::prelude::*;
use rules_engine::Normalized;
use rules_engine::shape::read_json;

use crate::components::moment::read_stamp;
use crate::live::follow::{Freshness, follow, freshen};
use crate::live::wire::{BidAnswer, GoneAnswer, ImageAnswer, ItemAnswer, Person};
use crate::model::{Catalogue, ItemSummary, LotRange, PictureFile, wire_struct};

/// The items, each a signal of its own, and the state of their stream.
#[derive(Clone)]
pub struct LiveCatalogue {
    pub items: Vec<RwSignal<ItemSummary>>,
    /// Ids of items of this page that were published after it was rendered.
    pub new: RwSignal<Vec<String>>,
    /// Ids of items that were deleted or hidden after the page was rendered.
    pub gone: RwSignal<Vec<String>>,
    /// Whether the items are up to date.
    pub freshness: RwSignal<Freshness>,
    viewer_id: Option<String>,
    numbers: Option<LotRange>,
}

wire_struct! {
    /// A snapshot of the items.
    struct Snapshot {
        items: Vec<ItemAnswer>,
    }
}

impl LiveCatalogue {
    /// Starts with the rendered items. On a hydrated page they follow the stream.
    pub fn new(catalogue: Catalogue) -> Self {
        let live = Self {
            items: catalogue.items.into_iter().map(RwSignal::new).collect(),
            new: RwSignal::new(Vec::new()),
            gone: RwSignal::new(Vec::new()),
            freshness: RwSignal::default(),
            viewer_id: catalogue.viewer_id,
            numbers: catalogue.numbers,
        };
        if catalogue.open {
            let url = format!("/api/auctions/{}/events?after={}", catalogue.auction_id, catalogue.position);
            let listener = live.clone();
            follow(
                url,
                Rc::new(move |event| match event.data() {
                    Some(data) => listener.apply(&event.kind(), &data),
                    None => freshen(listener.freshness, event),
                }),
            );
        }
        live
    }

    fn apply(&self, kind: &str, data: &str) {
        match kind {
            "item" => {
                if let Ok(update) = read_json(data) {
                    self.apply_item(&update);
                }
            }
            "bid" => {
                if let Ok(new) = read_json::<BidAnswer>(data)
                    && let Some(item) = self.item(&new.item_id)
                {
                    item.update(|item| apply_bid(item, &new, self.viewer_id.as_deref()));
                }
            }
            "gone" => {
                if let Ok(GoneAnswer { item_id }) = read_json(data) {
                    self.new.update(|new| new.retain(|id| *id != item_id));
                    self.gone.update(|gone| gone.push(item_id));
                }
            }
            "reset" => {
                if let Ok(Snapshot { items }) = read_json(data) {
                    items.iter().for_each(|item| self.apply_item(item));
                }
            }
            _ => {}
        }
    }

    fn apply_item(&self, update: &ItemAnswer) {
        if let Some(item) = self.item(&update.id) {
            if self.gone.with_untracked(|gone| gone.contains(&update.id)) {
                self.gone.update(|gone| gone.retain(|id| *id != update.id));
            }
            item.update(|item| change(item, update, self.viewer_id.as_deref()));
        } else if self.numbers.as_ref().is_some_and(|numbers| numbers.contains(&update.lot_number)) {
            self.new.update(|new| {
                if !new.contains(&update.id) {
                    new.push(update.id.clone());
                }
            });
        }
    }

    fn item(&self, id: &str) -> Option<&RwSignal<ItemSummary>> {
        self.items.iter().find(|item| item.with_untracked(|item| item.id == id))
    }
}

/// Updates the item.
fn change(item: &mut ItemSummary, update: &ItemAnswer, viewer_id: Option<&str>) {
    item.status = update.status;
    item.ends_at = update.end_date.as_deref().and_then(read_stamp);
    // The page knows by the rules what the minimum that it has means.
    if item.own_minimum != update.min_bid_normalized {
        item.own_minimum.clone_from(&update.min_bid_normalized);
        item.minimum_bid.clone_from(&update.min_bid_normalized);
    }
    item.bid_count = update.bid_count;
    let picture = |image: &ImageAnswer| PictureFile {
        src: image.thumbnail.clone(),
        width: image.width,
        height: image.height,
        tint: image.tint.clone(),
    };
    item.picture = update.images.first().map(picture);
    let highest = update.highest_bid.as_ref();
    item.highest_bid = highest.map(|highest| highest.normalized_amount.clone());
    item.price_in = highest.and_then(|highest| highest.currency_profile_id.clone());
    item.leading = highest.is_some_and(|highest| is_viewer(highest.bidder.as_ref(), viewer_id));
    if let Some(outcome) = &update.outcome {
        item.highest_bid = outcome.bid.as_ref().map(|bid| bid.normalized_amount.clone());
        item.price_in = outcome.bid.as_ref().and_then(|bid| bid.currency_profile_id.clone());
        item.leading = is_viewer(outcome.winner.as_ref(), viewer_id);
    }
}

/// Applies a new bid to the item, unless the item has a higher one. The state of an item may have arrived
/// before its bids.
fn apply_bid(item: &mut ItemSummary, new: &BidAnswer, viewer_id: Option<&str>) {
    let amount = |text: &str| text.parse::<Normalized>().ok();
    let is_higher = amount(&new.normalized_amount) > item.highest_bid.as_deref().and_then(amount);
    if new.withdrawn.is_none() && is_higher {
        item.bid_count += 1;
        item.highest_bid = Some(new.normalized_amount.clone());
        item.price_in.clone_from(&new.currency_profile_id);
        item.leading = is_viewer(new.bidder.as_ref(), viewer_id);
    }
}

fn is_viewer(person: Option<&Person>, viewer_id: Option<&str>) -> bool {
    person.is_some_and(|person| person.id.is_some() && person.id.as_deref() == viewer_id)
}

#[cfg(test)]
mod tests {
    use rules_engine::LotNumber;

    use super::*;
    use crate::live::wire::{HighestAnswer, OutcomeAnswer, SoldAnswer};
    use crate::model::{BaseUnit, ItemStatus};

    fn item() -> ItemSummary {
        ItemSummary {
            id: "i".to_owned(),
            lot_number: "1".to_owned(),
            name: "Lamp".to_owned(),
            picture: None,
            status: ItemStatus::Open,
            starts_at: None,
            ends_at: None,
            outcome: None,
            highest_bid: Some("5".to_owned()),
            minimum_bid: None,
            own_minimum: None,
            bid_count: 2,
            price_in: None,
            base_unit: BaseUnit::default(),
            leading: true,
            no_leader: "No bids yet".to_owned(),
            takes_bids: true,
            watched: false,
            trend: String::new(),
        }
    }

    fn answer(bid_count: u64, highest: &str, bidder: &str) -> ItemAnswer {
        ItemAnswer {
            id: "i".to_owned(),
            lot_number: "1".to_owned(),
            status: ItemStatus::Open,
            end_date: None,
            bid_count,
            min_bid_normalized: None,
            highest_bid: Some(HighestAnswer {
                normalized_amount: highest.to_owned(),
                currency_profile_id: Some(format!("of {bidder}")),
                bidder: Some(Person {
                    id: Some(bidder.to_owned()),
                    name: bidder.to_ascii_uppercase(),
                    number: None,
                }),
            }),
            outcome: None,
            images: Vec::new(),
        }
    }

    #[test]
    fn a_higher_bid_leads() {
        let mut item = item();
        change(&mut item, &answer(3, "7", "neville"), Some("luna"));
        assert_eq!((item.bid_count, item.highest_bid.as_deref(), item.leading), (3, Some("7"), false));
        assert_eq!(item.price_in.as_deref(), Some("of neville"), "the price is written in its currency");
        change(&mut item, &answer(4, "8", "luna"), Some("luna"));
        assert!(item.leading);
    }

    fn bid(amount: &str) -> BidAnswer {
        BidAnswer {
            item_id: "i".to_owned(),
            sequence: 3,
            bidder: None,
            amount: None,
            entered_representation: None,
            currency_profile_id: None,
            normalized_amount: amount.to_owned(),
            created_at: String::new(),
            withdrawn: None,
            placed_by: None,
            overridden: None,
        }
    }

    #[test]
    fn an_older_bid_does_not_undo_a_newer_one() {
        let mut item = item();
        apply_bid(&mut item, &bid("4"), Some("luna"));
        apply_bid(&mut item, &bid("5"), Some("luna"));
        assert_eq!(item, self::item());
        apply_bid(&mut item, &bid("10"), Some("luna"));
        assert_eq!((item.bid_count, item.highest_bid.as_deref(), item.leading), (3, Some("10"), false));
    }

    #[test]
    fn a_withdrawal_lowers_the_price() {
        let mut item = item();
        change(&mut item, &answer(1, "3", "neville"), Some("luna"));
        assert_eq!((item.bid_count, item.highest_bid.as_deref(), item.leading), (1, Some("3"), false));
        change(&mut item, &ItemAnswer { highest_bid: None, ..answer(0, "", "") }, Some("luna"));
        assert_eq!((item.bid_count, item.highest_bid), (0, None));
    }

    #[test]
    fn the_end_can_move_and_the_item_can_close() {
        let mut item = item();
        let end_date = Some("1970-01-01T00:00:05Z".to_owned());
        let status = ItemStatus::Closed;
        change(&mut item, &ItemAnswer { end_date, status, ..answer(2, "5", "luna") }, None);
        assert_eq!((item.status, item.ends_at), (ItemStatus::Closed, Some(5_000)));
    }

    #[test]
    fn a_closed_item_has_the_price_and_the_winner_of_its_outcome() {
        let closed = |outcome| ItemAnswer {
            status: ItemStatus::Closed,
            outcome: Some(outcome),
            ..answer(2, "7", "luna")
        };
        let mut item = item();
        let sold = OutcomeAnswer {
            winner: Some(Person { id: Some("neville".to_owned()), name: "NEVILLE".to_owned(), number: None }),
            bid: Some(SoldAnswer { normalized_amount: "5".to_owned(), currency_profile_id: None }),
        };
        change(&mut item, &closed(sold), Some("luna"));
        assert_eq!((item.highest_bid.as_deref(), item.leading), (Some("5"), false));
        change(&mut item, &closed(OutcomeAnswer { winner: None, bid: None }), Some("luna"));
        assert_eq!((item.highest_bid, item.leading), (None, false));
    }

    #[test]
    fn the_first_picture_is_followed() {
        Owner::new().with(|| {
            let live = page(None);
            let src =
                |at: usize| live.items[at].with_untracked(|item| item.picture.clone().map(|file| file.src));
            let images = |images: &str| {
                let item = r#""id": "d", "lotNumber": "1", "status": "OPEN", "bidCount": 0"#;
                live.apply("item", &format!("{{{item}, \"images\": [{images}]}}"));
            };
            images(
                r##"{"id": "1", "alt": "", "width": 4, "height": 3, "tint": "#643214", "thumbnail": "/t"}"##,
            );
            assert_eq!((src(0), src(1)), (None, Some("/t".to_owned())));
            images("");
            assert_eq!(src(1), None);
        });
    }

    fn page(numbers: Option<LotRange>) -> LiveCatalogue {
        let with_id = |id: &str| RwSignal::new(ItemSummary { id: id.to_owned(), ..item() });
        LiveCatalogue {
            items: vec![with_id("b"), with_id("d")],
            new: RwSignal::new(Vec::new()),
            gone: RwSignal::new(Vec::new()),
            freshness: RwSignal::default(),
            viewer_id: None,
            numbers,
        }
    }

    fn range(from: &str, to: &str) -> LotRange {
        let key = |text: &str| text.parse::<LotNumber>().ok().map(|number| number.sort_key());
        LotRange { from: key(from), to: key(to) }
    }

    #[test]
    fn a_hidden_item_is_gone_until_it_is_published_again() {
        Owner::new().with(|| {
            let live = page(Some(range("1", "9")));
            live.apply_item(&ItemAnswer { id: "e".to_owned(), ..answer(0, "0", "") });
            for id in ["b", "e"] {
                live.apply("gone", &format!(r#"{{"itemId": "{id}"}}"#));
            }
            assert!(live.new.with_untracked(Vec::is_empty));
            assert!(live.gone.with_untracked(|gone| gone.contains(&"b".to_owned())));
            live.apply_item(&ItemAnswer { id: "b".to_owned(), ..answer(0, "0", "") });
            assert!(live.gone.with_untracked(|gone| !gone.contains(&"b".to_owned())));
        });
    }

    #[test]
    fn a_new_item_is_announced_on_its_page_only() {
        Owner::new().with(|| {
            for (numbers, announced) in
                [(Some(LotRange::default()), 3), (Some(range("5", "12")), 2), (None, 0)]
            {
                let live = page(numbers.clone());
                for (id, lot_number) in [("a", "4"), ("c", "5a"), ("e", "12"), ("c", "5a"), ("b", "6")] {
                    let lot_number = lot_number.to_owned();
                    let new = ItemAnswer { id: id.to_owned(), lot_number, ..answer(0, "0", "") };
                    live.apply_item(&new);
                }
                assert_eq!(live.new.with_untracked(Vec::len), announced, "{numbers:?}");
            }
        });
    }
}
