//! Checkout at the table: what one number has won, and its marks, as forms.

use serde_json::{Value, json};

use super::hall::{Expected, Hall};
use super::words::words;
use crate::harness::{Answer, Client};
use crate::routes::auctions::items::bids::books::BookSale;
use crate::routes::auctions::items::bids::{Sale, wizards};
use crate::routes::groups::Group;

/// A hall in which Bob (3) has won both lots, the second by a correction.
async fn sold() -> Hall {
    let hall = Hall::open(json!({"baseUnit": {"name": "Knut", "plural": "Knuts"}})).await;
    for (key, lot, number, price) in [("a", "1", "3", "3.2.1"), ("b", "2", "2", "0.0.9")] {
        let sale = [("call", "SOLD"), ("lot", lot), ("number", number), ("price", price)];
        hall.call(key, &sale).await.expect_303();
    }
    correct(&hall, 1, 3, 2).await;
    hall
}

/// Sells a lot to another number, for galleons.
async fn correct(hall: &Hall, item: usize, number: i64, galleons: i64) {
    let body = json!({"for": {"number": number}, "reason": "Wrongly entered",
        "enteredRepresentation": [{"denomination": "GALLEON", "count": galleons}]});
    hall.group
        .keeper
        .post(&format!("{}/items/{}/outcome", hall.auction, hall.items[item]), body)
        .await
        .expect(200);
}

fn results(auction: &str) -> String {
    format!("{}/results", auction.trim_start_matches("/api"))
}

async fn checkout(hall: &Hall, number: &str) -> String {
    words(&hall.group.keeper, &format!("{}?number={number}", results(&hall.auction))).await
}

/// The items of the form with the button of this name.
async fn items_of(client: &Client, page: &str, button: &str) -> Vec<String> {
    let text = client.get(page).await.text;
    let form = text.split("<form").find(|form| form.contains(button)).expect("a form with the button");
    let items = form.split("name=\"item\" value=\"").skip(1);
    items.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

async fn mark(client: &Client, auction: &str, fields: &[(&str, &str)], items: &[String]) -> Answer {
    let items = items.iter().map(|item| ("item", item.as_str()));
    let fields: Vec<_> = fields.iter().copied().chain(items).collect();
    client.post_form(&format!("{}/marks", results(auction)), &fields).await
}

#[tokio::test]
async fn a_number_is_answered_with_what_it_has_won() {
    let hall = sold().await;
    let shown = checkout(&hall, "3").await;
    for part in [
        "Bob (3) has won 2 items.",
        "Total 5 Galleons · 2 Sickles · 1 Knut 2524 Knuts State To pay, to collect",
        "Mark all paid and collected Mark all paid",
        "Lot 1 A vase 3 Galleons · 2 Sickles · 1 Knut 1538 Knuts Mark paid Mark collected",
        "Lot 2 A lamp Wrongly entered 2 Galleons 986 Knuts Mark paid Mark collected",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("Winners without a number"), "{shown}");
    for (number, part) in [
        ("03", "Bob (3) has won 2 items."),
        ("2", "Ada (2) has won nothing."),
        ("99", "Nobody in this auction has the number 99."),
        ("x", "Enter a number, such as 17."),
    ] {
        let shown = checkout(&hall, number).await;
        assert!(shown.contains(part), "{number}: {shown}");
    }
    let wrong = hall.group.keeper.get(&format!("{}?number=99", results(&hall.auction))).await.text;
    assert!(wrong.contains("value=\"99\"") && wrong.contains("aria-invalid=\"true\""), "{wrong}");
    let answered = hall.group.keeper.get(&format!("{}?number=3", results(&hall.auction))).await.text;
    assert!(answered.contains("data-lot=\"2\""), "{answered}");
    assert!(!answered.contains("aria-invalid") && answered.contains("autofocus"), "{answered}");
}

#[tokio::test]
async fn everything_is_marked_at_once_and_each_mark_is_undone() {
    let hall = sold().await;
    let (keeper, page) = (&hall.group.keeper, format!("{}?number=3", results(&hall.auction)));
    let all = items_of(keeper, &page, "name=\"settled\"").await;
    assert_eq!(all.len(), 2);
    let marked = mark(keeper, &hall.auction, &[("number", "3"), ("settled", "true")], &all).await;
    assert_eq!((marked.status.as_u16(), marked.header("location")), (303, page.as_str()));
    let shown = checkout(&hall, "3").await;
    assert!(shown.contains("State Paid, collected Everything is settled."), "{shown}");
    let lamp = items_of(keeper, &page, "of A lamp").await;
    mark(keeper, &hall.auction, &[("number", "3"), ("paid", "false")], &lamp).await.expect_303();
    let shown = checkout(&hall, "3").await;
    for part in ["Still to pay 2 Galleons 986 Knuts", "State 1 of 2 paid, collected Mark all paid Lot 1"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[tokio::test]
async fn a_mark_is_refused_if_another_cashier_or_a_correction_came_first() {
    let hall = sold().await;
    let (keeper, page) = (&hall.group.keeper, format!("{}?number=3", results(&hall.auction)));
    let seen = items_of(keeper, &page, "name=\"settled\"").await;
    correct(&hall, 0, 2, 1).await;
    let refused = mark(keeper, &hall.auction, &[("number", "3"), ("settled", "true")], &seen).await;
    assert_eq!(refused.status, 412);
    let text = &refused.text;
    assert!(
        text.contains("Nothing was marked: it is marked already, or the result is another one now."),
        "{text}"
    );
    assert!(text.contains("Bob (3)") && text.contains("A lamp") && !text.contains("A vase"), "{text}");
    let lamp = format!("{}/items/{}", hall.auction, hall.items[1]);
    assert_eq!(keeper.get(&lamp).await.expect(200)["outcome"]["paidAt"], Value::Null, "all or none");
    let elsewhere = Hall::open(json!({})).await;
    let other = mark(keeper, &elsewhere.auction, &[("paid", "true")], &seen).await;
    assert_eq!(other.status, 404);
    let broken = mark(keeper, &hall.auction, &[("paid", "true")], &["x".to_owned()]).await;
    assert_eq!(broken.status, 422);
}

/// Items of another auction are no items of this one.
#[tokio::test]
async fn a_form_marks_items_of_its_own_auction_only() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let page = format!("/auctions/{}/results?winner={}", sale.auction, user_of(&sale).await);
    let items = items_of(&sale.owner, &page, "name=\"settled\"").await;
    let made = sale.owner.post("/api/auctions", json!({"name": "Another"})).await.expect(201);
    let other = format!("/api/auctions/{}", made["id"].as_str().unwrap());
    assert_eq!(mark(&sale.owner, &other, &[("paid", "true")], &items).await.status, 404);
}

async fn user_of(sale: &Sale) -> String {
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    item["outcome"]["winner"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn without_a_group_winners_are_chosen_by_name() {
    let sale =
        Sale::open(json!({"baseUnit": {"name": "Knut", "plural": "Knuts"}}), &[wizards()], json!({})).await;
    let (ada, _) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let bid = json!({"enteredRepresentation": [{"denomination": "SICKLE", "count": 4}]});
    sale.bid(&ada, bid).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let page = format!("/auctions/{}/results", sale.auction);
    let shown = words(&sale.owner, &page).await;
    assert!(shown.contains("At the table Winner Choose ada Show"), "{shown}");
    let winner = user_of(&sale).await;
    let shown = words(&sale.owner, &format!("{page}?winner={winner}")).await;
    assert!(
        shown.contains("ada has won 1 item. ada Spring sale , by owner · 1 May 2026, 18:00 UTC"),
        "{shown}"
    );
    assert!(shown.contains("Total 4 Sickles 116 Knuts"), "{shown}");
    let unknown = words(&sale.owner, &format!("{page}?winner=x")).await;
    assert!(unknown.contains("This person has won nothing."), "{unknown}");
}

#[tokio::test]
async fn clerks_serve_at_the_table_and_bidders_do_not() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, clerk) = (sale.bidder("ada").await, sale.bidder("carl").await);
    sale.give_role(&clerk, "CLERK").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let page = format!("/auctions/{}/results?winner={}", sale.auction, user_of(&sale).await);
    let shown = words(&clerk, &page).await;
    assert!(shown.contains("Mark all paid and collected") && !shown.contains("Download"), "{shown}");
    let shown = words(&ada, &page).await;
    assert!(!shown.contains("At the table") && shown.contains("Sold to you"), "{shown}");
    let items = items_of(&clerk, &page, "name=\"settled\"").await;
    let auction = format!("/api/auctions/{}", sale.auction);
    assert_eq!(mark(&ada, &auction, &[("paid", "true")], &items).await.status, 403);
    mark(&clerk, &auction, &[("paid", "true")], &items).await.expect_303();
}

#[tokio::test]
async fn in_an_auction_with_a_book_everything_is_paid_by_its_charge() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&sale.item, &ada, 50).await.expect(201);
    opened.bid_on(&sale.item, &ben, 60).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let decided = json!({"sequence": 1, "reason": "Ben has left"});
    sale.owner.post(&format!("{}/outcome", sale.item_path()), decided).await.expect(200);
    let page = format!("/auctions/{}/results?winner={}", sale.auction, user_of(sale).await);
    let shown = words(&sale.owner, &page).await;
    for part in ["State Paid, to collect Mark all collected", "50 PTS (50 Points) charged", "Ben has left"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

/// A member of an auction with a group need not be one of its people.
#[tokio::test]
async fn winners_without_a_number_are_chosen_by_name() {
    let group = Group::start().await;
    let auction = group.auction(json!({"joinMode": "FREE"})).await;
    let item = crate::routes::groups::item(&group.keeper, &auction, "A vase").await;
    let guest = group.app.user("guest").await;
    guest.post(&format!("{item}/bids"), json!({"amount": 5})).await.expect(201);
    group.keeper.post(&format!("{item}/close"), json!({})).await.expect(200);
    let shown = words(&group.keeper, &results(&auction)).await;
    assert!(shown.contains("Number Show Winners without a number Winner Choose guest Show"), "{shown}");
}
