//! Pages that follow a stream lack no change from before it.

use futures::future::join;
use serde_json::{Value, json};

use super::hall::Hall;

/// The lots whose turn comes first one after the other.
const LOTS: usize = 100;

/// The number of changes that a page of the hall shows, and of those that its stream begins after.
fn changes(page: &str, list: &str, begun: usize) -> (usize, usize) {
    let after = |text: &str, mark: &str| -> String {
        let (_, rest) = text.split_once(mark).unwrap_or_else(|| panic!("{mark}: {page}"));
        rest.split(['<', '"']).next().unwrap().to_owned()
    };
    let (_, lots) = page.split_once(list).unwrap_or_else(|| panic!("{list}: {page}"));
    let number = |text: &str, mark: &str| after(text, mark).parse::<usize>().unwrap();
    (number(lots, "Lot ") - 1, number(page, "events?after=") - begun)
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_hall_lack_no_change_from_before_their_stream() {
    let hall = Hall::open(json!({})).await;
    hall.import((3..=LOTS).map(|lot| format!("Item {lot}"))).await;
    let keeper = &hall.group.keeper;
    let order = format!("{}/running-order", hall.auction);
    let listed = keeper.get(&format!("{order}?limit={LOTS}")).await.expect(200);
    let ids: Vec<Value> = listed["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
    assert_eq!(ids.len(), LOTS);
    let page = keeper.get(&format!("{}/order", hall.page())).await.text;
    let (_, begun) = changes(&page, "class=\"order-lots\"", 0);

    // Each change has the next lot called first, so that the first lot says how many there were.
    let moves = async {
        for (first, next) in ids.iter().zip(ids.iter().skip(1)) {
            let place = json!({"itemId": next, "before": first});
            keeper.send("PUT", &order, place).await.expect(204);
        }
    };
    let pages = async {
        let mut seen = 0;
        while seen < LOTS - 1 {
            for (path, list) in
                [(format!("{}/order", hall.page()), "class=\"order-lots\""), (hall.page(), "clerk-live-next")]
            {
                let page = keeper.get(&path).await.text;
                let (shown, skipped) = changes(&page, list, begun);
                assert!(shown >= skipped, "{path} shows {shown} of {skipped} changes");
                seen = shown;
            }
        }
    };
    join(moves, pages).await;
}
