//! The enums of the pages, compared with those of the API.

use app::model;
use auction_house::access::Role;
use auction_house::auctions::AuctionStatus;
use auction_house::items::ItemStatus;
use serde::Serialize;
use server::pages::wire::from_spelling;

/// The page's value is written like the API's.
#[track_caller]
fn assert_same(api: impl Serialize, page: impl Serialize) {
    assert_eq!(serde_json::to_string(&page).unwrap(), serde_json::to_string(&api).unwrap());
}

#[test]
fn the_pages_know_every_value_of_the_api() {
    for status in AuctionStatus::ALL {
        assert_same(status, from_spelling::<model::AuctionStatus>(status.as_str()).unwrap());
    }
    for status in ItemStatus::ALL {
        assert_same(status, from_spelling::<model::ItemStatus>(status.as_str()).unwrap());
    }
    for role in Role::ALL {
        assert_same(role, from_spelling::<model::Role>(role.as_str()).unwrap());
    }
}
