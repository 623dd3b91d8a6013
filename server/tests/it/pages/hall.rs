//! The page of a clerk as a form, and the running order.

use serde_json::{Value, json};

use super::screen::{on_screen, open_screen};
use crate::harness::{Answer, Events};
use crate::routes::auctions::items::bids::wizards;
use crate::routes::groups::Group;

/// An auction of a group with the people Ada (2) and Bob (3), and two lots, in galleons.
pub struct Hall {
    pub group: Group,
    pub auction: String,
    pub items: [String; 2],
    pub people: Vec<Value>,
}

impl Hall {
    pub async fn open(terms: Value) -> Self {
        Self::in_group(Group::start().await, terms).await
    }

    pub async fn in_group(group: Group, terms: Value) -> Self {
        let people = group.add(&["Ada", "Bob"]).await;
        let auction = group.auction(terms).await;
        group.keeper.post(&format!("{auction}/currencies"), wizards()).await.expect(201);
        let add = async |name: &str| {
            let item = json!({"name": name, "isPublished": true});
            let made = group.keeper.post(&format!("{auction}/items"), item).await.expect(201);
            made["id"].as_str().unwrap().to_owned()
        };
        let items = [add("A vase").await, add("A lamp").await];
        Self { auction, items, people, group }
    }

    pub fn page(&self) -> String {
        format!("{}/clerk", self.auction.trim_start_matches("/api"))
    }

    pub async fn call(&self, key: &str, fields: &[(&str, &str)]) -> Answer {
        let fields: Vec<_> = [("idempotencyKey", key)].into_iter().chain(fields.iter().copied()).collect();
        self.group.keeper.post_form(&self.page(), &fields).await
    }

    async fn outcome(&self, item: usize) -> Value {
        let item = format!("{}/items/{}", self.auction, self.items[item]);
        self.group.keeper.get(&item).await.expect(200)["outcome"].clone()
    }
}

#[tokio::test]
async fn a_lot_is_sold_by_lot_number_and_price() {
    let hall = Hall::open(json!({})).await;
    let page = hall.group.keeper.get(&hall.page()).await;
    assert_eq!(page.status, 200, "{}", page.text);
    for words in ["Galleon.Sickle.Knut, with points between them", "value=\"1\"", "A lamp", "0 of 2"] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    let sale = [("call", "SOLD"), ("lot", "1"), ("number", "3"), ("price", "3.2.1")];
    let sold = hall.call("k", &sale).await;
    assert_eq!(
        (sold.status.as_u16(), sold.header("location")),
        (303, &*format!("{}?called={}", hall.page(), hall.items[0]))
    );
    assert_eq!(hall.outcome(0).await["bid"]["normalizedAmount"], "1538");
    assert_eq!(hall.outcome(0).await["winner"]["number"], 3);
    // The form that is sent twice sells once.
    assert_eq!(hall.call("k", &sale).await.status, 303);
    let answered = hall.group.keeper.get(sold.header("location")).await;
    for words in ["Lot 1, ", "Bob (3)", "1 of 2", "value=\"2\""] {
        assert!(answered.text.contains(words), "{words}: {}", answered.text);
    }
}

#[tokio::test]
async fn a_bid_that_was_entered_for_a_bidder_says_by_whom_and_against_which_rules() {
    let hall = Hall::open(json!({"bidderVisibility": "NUMBERS"})).await;
    let item = format!("{}/items/{}", hall.auction, hall.items[0]);
    let counts = |count: u8| json!([{"denomination": "GALLEON", "count": count}]);
    let profile = hall.group.keeper.get(&format!("{}/currencies", hall.auction)).await.expect(200);
    let minimum =
        json!({"currencyProfileId": profile["currencies"][0]["id"], "enteredRepresentation": counts(3)});
    hall.group.keeper.patch(&item, json!({"minBidConstraint": minimum})).await.expect(200);
    let sale = [("call", "SOLD"), ("lot", "1"), ("number", "3"), ("price", "1.0.0"), ("override", "true")];
    hall.call("k", &sale).await.expect_303();
    let (ada, bob) =
        (hall.group.signed_in(&hall.people[0]).await, hall.group.signed_in(&hall.people[1]).await);
    let page = item.trim_start_matches("/api").to_owned();
    let words = "entered by keeper (1), against the rules: minimum bid";
    for path in [page.clone(), format!("{page}/bids")] {
        for (client, shown) in
            [(&hall.group.keeper, words), (&bob, words), (&ada, "against the rules: minimum bid")]
        {
            let text = client.get(&path).await.text;
            assert!(text.contains(&format!("class=\"bid-note\">{shown}<")), "{path}: {shown}: {text}");
        }
    }
}

#[tokio::test]
async fn refusals_stand_beside_their_fields_in_words() {
    let hall = Hall::open(json!({})).await;
    let refused = async |fields: &[(&str, &str)], words: &str| {
        let answer = hall.call("k", fields).await;
        assert!(answer.status.is_client_error(), "{fields:?}: {}", answer.status);
        assert!(answer.text.contains(words), "{words}: {}", answer.text);
    };
    let sale = |lot, number, price| [("call", "SOLD"), ("lot", lot), ("number", number), ("price", price)];
    refused(&sale("9", "3", "1.0.0"), "Enter the number of a lot of this auction.").await;
    refused(&sale("1", "99", "1.0.0"), "Enter the number of a member of this auction.").await;
    refused(&sale("1", "3", ""), "Enter how many you bid of at least one denomination.").await;
    refused(&sale("1", "1", "1.0.0"), "The member sells this item.").await;
    refused(&[("call", "LEADER"), ("lot", "1")], "The item has no standing bid").await;
    hall.call("p", &[("call", "PASSED"), ("lot", "1")]).await.expect_303();
    refused(&sale("1", "3", "1.0.0"), "The item is closed already.").await;
    let ada = hall.group.signed_in(&hall.people[0]).await;
    assert_eq!(ada.get(&hall.page()).await.status, 403);
}

#[tokio::test]
async fn an_outcome_is_corrected_and_the_block_is_set() {
    let hall = Hall::open(json!({})).await;
    let sale = [("call", "SOLD"), ("lot", "1"), ("number", "3"), ("price", "1.0.0")];
    hall.call("k", &sale).await.expect_303();
    let form = hall.group.keeper.get(&format!("{}?correct={}", hall.page(), hall.items[0])).await;
    assert!(form.text.contains("Correct lot 1: "), "{}", form.text);
    let correct = format!("{}/correct", hall.page());
    let fields = |number| {
        [
            ("correct", hall.items[0].as_str()),
            ("number", number),
            ("price", "2 Galleons"),
            ("reason", "wrong"),
        ]
    };
    let refused = hall.group.keeper.post_form(&correct, &fields("99")).await;
    assert!(refused.text.contains("Enter the number of a member of this auction."), "{}", refused.text);
    assert!(refused.text.contains("Correct lot 1: "), "{}", refused.text);
    hall.group.keeper.post_form(&correct, &fields("2")).await.expect_303();
    let outcome = hall.outcome(0).await;
    assert_eq!(
        (&outcome["winner"]["name"], &outcome["bid"]["normalizedAmount"]),
        (&json!("Ada"), &json!("986"))
    );

    let on_block = async || hall.group.keeper.get(&hall.auction).await.expect(200)["blockItemId"].clone();
    hall.call("b", &[("call", "BLOCK"), ("lot", "2")]).await.expect_303();
    assert_eq!(on_block().await, hall.items[1].as_str());
    hall.call("c", &[("call", "HOLD")]).await.expect_303();
    assert_eq!(on_block().await, Value::Null, "no lot is held");
    hall.call("b", &[("call", "BLOCK"), ("lot", "2")]).await.expect_303();
    hall.call("h", &[("call", "HOLD"), ("lot", "2")]).await.expect_303();
    assert_eq!(on_block().await, Value::Null);
    let order = hall.group.keeper.get(&format!("{}/running-order", hall.auction)).await.expect(200);
    assert_eq!((&order["items"][0]["lotNumber"], &order["items"][0]["held"]), (&json!("2"), &json!(true)));
}

impl Hall {
    async fn add(&self, name: &str) -> String {
        let item = json!({"name": name, "isPublished": true});
        let made = self.group.keeper.post(&format!("{}/items", self.auction), item).await.expect(201);
        made["id"].as_str().unwrap().to_owned()
    }

    /// Adds a lot with each of these names.
    pub async fn import(&self, names: impl Iterator<Item = String>) {
        let table = names.fold("name,published\n".to_owned(), |table, name| table + &name + ",yes\n");
        let request = self.group.keeper.request("POST", &format!("{}/items/import", self.auction));
        let request = request.header("content-type", "text/csv").header("idempotency-key", "import");
        Answer::of(request.body(table)).await.expect(201);
    }

    /// The form of the running order.
    async fn order(&self, call: &str, lot: &str) -> Answer {
        self.group.keeper.post_form(&format!("{}/order", self.page()), &[("call", call), ("lot", lot)]).await
    }

    /// The lots on the page of the running order, in order, with a star at held ones.
    async fn lots(&self) -> String {
        let page = self.group.keeper.get(&format!("{}/order", self.page())).await;
        assert_eq!(page.status, 200, "{}", page.text);
        let (list, held) = page.text.split_once("class=\"order-held\"").unwrap();
        let numbers = |text: &str| -> Vec<String> {
            let parts = text.split("class=\"results-lot\">Lot ").skip(1);
            parts.map(|part| part.split('<').next().unwrap().to_owned()).collect()
        };
        let held = numbers(held).into_iter().map(|lot| format!("{lot}*"));
        numbers(list).into_iter().chain(held).collect::<Vec<_>>().join(" ")
    }
}

#[tokio::test]
async fn the_running_order_is_a_form() {
    let hall = Hall::open(json!({})).await;
    let [one, two] = hall.items.clone();
    let three = hall.add("A chair").await;
    assert_eq!(hall.lots().await, "1 2 3");
    for (call, lot, order) in [
        ("DOWN", &one, "2 1 3"),
        ("DOWN", &one, "2 3 1"),
        ("DOWN", &one, "2 3 1"),
        ("UP", &one, "2 1 3"),
        ("UP", &two, "2 1 3"),
        ("FIRST", &three, "3 2 1"),
        ("LAST", &three, "2 1 3"),
        ("HOLD", &two, "1 3 2*"),
        ("DOWN", &one, "3 1 2*"),
    ] {
        let answer = hall.order(call, lot).await;
        let page = format!("{}/order?lot={lot}", hall.page());
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, page.as_str()));
        assert_eq!(hall.lots().await, order, "{call}");
    }
    // The lot on the block is no longer to come.
    hall.order(&format!("BACK {two}"), "").await.expect_303();
    assert_eq!(hall.lots().await, "2 3 1");
    hall.call("b", &[("call", "BLOCK"), ("lot", "3")]).await.expect_303();
    assert_eq!(hall.lots().await, "2 1");
    hall.order("DOWN", &two).await.expect_303();
    assert_eq!(hall.lots().await, "1 2");
    hall.call("h", &[("call", "HOLD")]).await.expect_303();
    assert_eq!(hall.lots().await, "3 1 2");
    hall.order("HOLD", &two).await.expect_303();
    // A button names its lot, also on the page of the clerk.
    hall.order(&format!("BACK {two}"), "").await.expect_303();
    assert_eq!(hall.lots().await, "3 1 2");
    let from_clerk = [("from", "clerk"), ("call", &*format!("HOLD {two}"))];
    let answer = hall.group.keeper.post_form(&format!("{}/order", hall.page()), &from_clerk).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, hall.page().as_str()));

    let refused = hall.order("UP", "").await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("Choose a lot of this list."), "{}", refused.text);
    hall.call("p", &[("call", "PASSED"), ("lot", "3")]).await.expect_303();
    let refused = hall.order("DOWN", &three).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("The item is closed already."), "{}", refused.text);
    assert_eq!(hall.lots().await, "1 2*");
}

/// With it the last lot of a page is moved down, and another one behind it.
#[tokio::test]
async fn a_page_of_the_running_order_names_the_lot_beyond_it() {
    let hall = Hall::open(json!({})).await;
    hall.import((3..=502).map(|lot| format!("Item {lot}"))).await;
    let page = async |query: &str| hall.group.keeper.get(&format!("{}/order{query}", hall.page())).await.text;
    let first = page("").await;
    let of_lot = async |lot: &str| {
        let found = hall.group.keeper.get(&format!("{}/items?q=Item+{lot}", hall.auction)).await.expect(200);
        format!("data-part=\"\" data-beyond=\"{}\"", found["items"][0]["id"].as_str().unwrap())
    };
    assert!(first.contains(&of_lot("501").await) && first.contains("500 lots on this page"), "{first}");
    assert!(first.contains("Lot 500<") && !first.contains("Lot 501<"), "{first}");
    let next = first.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let second = page(next.split_once("/order").unwrap().1).await;
    assert!(second.contains("Lot 501<") && second.contains("Lot 502<"), "{second}");
    assert!(second.contains("data-part") && !second.contains("data-beyond"), "{second}");
    // The one on the block counts, and is not shown.
    hall.call("b", &[("call", "BLOCK"), ("lot", "1")]).await.expect_303();
    assert!(page("").await.contains(&of_lot("501").await), "{first}");
}

#[tokio::test]
async fn the_next_lots_follow_the_running_order() {
    let hall = Hall::open(json!({})).await;
    let screen = open_screen(&hall).await;
    let next = async |words: &[&str], absent: &[&str]| {
        let clerk = hall.group.keeper.get(&hall.page()).await.text;
        let (_, clerk) = clerk.split_once("id=\"clerk-live-next\"").unwrap();
        let (clerk, _) = clerk.split_once("</ol>").unwrap();
        let screen = on_screen(&hall.group.app.anonymous(), &screen).await;
        for page in [clerk, &screen] {
            let found = words.iter().map(|word| page.find(word)).collect::<Vec<_>>();
            assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{words:?}: {page}");
            assert!(absent.iter().all(|word| !page.contains(word)), "{absent:?}: {page}");
        }
    };
    next(&["A vase", "A lamp"], &[]).await;
    let mut events = Events::open(&hall.group.app.anonymous(), &format!("{screen}/events")).await;
    assert_eq!(events.next().await.unwrap().kind, "change", "at once");
    hall.order("FIRST", &hall.items[1]).await.expect_303();
    assert_eq!(events.next().await.unwrap().kind, "change");
    next(&["A lamp", "A vase"], &[]).await;
    hall.order("HOLD", &hall.items[1]).await.expect_303();
    next(&["A vase"], &["A lamp"]).await;
    let clerk = hall.group.keeper.get(&hall.page()).await.text;
    for words in ["Held", "Come back, lot 2", "Skip lot 1", "Hold lot 1", "value=\"1\""] {
        assert!(clerk.contains(words), "{words}: {clerk}");
    }
}

#[tokio::test]
async fn the_clerk_sees_how_long_the_rest_takes() {
    let hall = Hall::open(json!({})).await;
    for number in 3..=10 {
        hall.add(&format!("Item {number}")).await;
    }
    let shown = async || hall.group.keeper.get(&hall.page()).await.text;
    for lot in ["1", "2", "3"] {
        assert!(!shown().await.contains(", about "), "{lot}");
        hall.group.app.clock.advance_seconds(45);
        hall.call(lot, &[("call", "PASSED"), ("lot", lot)]).await.expect_303();
    }
    assert!(shown().await.contains("3 of 10 lots, about 6 minutes"), "{}", shown().await);
}

pub trait Expected {
    fn expect_303(&self);
    fn expect_status(&self, status: u16);
}

impl Expected for Answer {
    #[track_caller]
    fn expect_303(&self) {
        self.expect_status(303);
    }

    #[track_caller]
    fn expect_status(&self, status: u16) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
    }
}
