//! The results of an auction, and the forms on the page of an item, without JavaScript.

use expect_test::expect;
use serde_json::json;

use super::words::{lines, words};
use crate::harness::{Answer, Client};
use crate::routes::auctions::items::bids::books::BookSale;
use crate::routes::auctions::items::bids::{Sale, points, wizards};

/// A closed auction in galleons: a vase that bob bought, one that ada bought, and one without bids.
async fn closed() -> (Sale, Client, Client, [String; 3]) {
    let mut sale =
        Sale::open(json!({"baseUnit": {"name": "Knut", "plural": "Knuts"}}), &[wizards()], json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let items = [
        sale.item.clone(),
        sale.add_item(json!({"name": "A second vase"})).await,
        sale.add_item(json!({"name": "A third vase"})).await,
    ];
    let counts = |galleons: i64, sickles: i64| {
        json!({"enteredRepresentation": [
            {"denomination": "GALLEON", "count": galleons}, {"denomination": "SICKLE", "count": sickles},
        ]})
    };
    sale.bid(&ada, counts(1, 0)).await.expect(201);
    sale.bid(&bob, counts(3, 2)).await.expect(201);
    sale.item = items[1].clone();
    sale.bid(&ada, counts(2, 0)).await.expect(201);
    sale.item = items[0].clone();
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    (sale, ada, bob, items)
}

fn page(sale: &Sale) -> String {
    format!("/auctions/{}/results", sale.auction)
}

#[tokio::test]
async fn the_results_have_totals_for_each_winner_and_in_pieces() {
    let (sale, ada, _, _) = closed().await;
    let of_owner = lines(&sale.owner, &page(&sale)).await;
    expect![[r#"
        Spring sale
        Results
        Download CSV Download Excel Download JSON Lots as CSV Lots as Excel Items Members Results Clerk Money Share Settings
        Show Knuts too
        At the table
        Winner Choose ada bob Show
        Total
        5 Galleons · 2 Sickles 2523 Knuts
        Sold 2
        Not sold 1
        Paid 0 of 2
        Collected 0 of 2
        Winners
        Winner Items Total State
        ada 1
        2 Galleons 986 Knuts To pay, to collect
        bob 1
        3 Galleons · 2 Sickles 1537 Knuts To pay, to collect All items To pay Paid, to collect Not sold By winner, for printing
        Lot 1
        A vase
        Sold to bob for 3 Galleons · 2 Sickles 1537 Knuts
        Mark paid Mark collected
        Lot 2
        A second vase
        Sold to ada for 2 Galleons 986 Knuts
        Mark paid Mark collected
        Lot 3
        A third vase
        Not sold
    "#]].assert_eq(&of_owner);
    let of_winner = lines(&ada, &page(&sale)).await;
    expect![[r#"
        Spring sale
        Results Items Members Results Share
        Show Knuts too
        You won 1 item
        2 Galleons 986 Knuts
        Pay at the desk: what you have paid and collected is marked there.
        Total
        5 Galleons · 2 Sickles 2523 Knuts
        Sold 2
        Not sold 1
        Paid 0 of 2
        Collected 0 of 2
        Winners
        Winner Items Total State
        ada 1
        2 Galleons 986 Knuts To pay, to collect
        bob 1
        3 Galleons · 2 Sickles 1537 Knuts To pay, to collect All items To pay Paid, to collect Not sold By winner, for printing
        Lot 1
        A vase
        Sold to bob for 3 Galleons · 2 Sickles 1537 Knuts
        Not paid yet Not collected yet
        Lot 2
        A second vase
        Sold to you for 2 Galleons 986 Knuts
        Not paid yet Not collected yet
        Lot 3
        A third vase
        Not sold
    "#]].assert_eq(&of_winner);
    let statements = lines(&ada, &format!("{}?by=winner", page(&sale))).await;
    expect![[r#"
        Spring sale
        Results Items Members Results Share
        Show Knuts too
        You won 1 item
        2 Galleons 986 Knuts
        Pay at the desk: what you have paid and collected is marked there.
        Total
        5 Galleons · 2 Sickles 2523 Knuts
        Sold 2
        Not sold 1
        Paid 0 of 2
        Collected 0 of 2
        Winners
        Winner Items Total State
        ada 1
        2 Galleons 986 Knuts To pay, to collect
        bob 1
        3 Galleons · 2 Sickles 1537 Knuts To pay, to collect All items To pay Paid, to collect Not sold By winner, for printing
        ada
        Spring sale , by owner · 1 May 2026, 18:00 UTC
        To pay, to collect
        Lot Item Price State
        2 A second vase 2 Galleons 986 Knuts to pay
        Total
        2 Galleons 986 Knuts
        bob
        Spring sale , by owner · 1 May 2026, 18:00 UTC
        To pay, to collect
        Lot Item Price State
        1 A vase 3 Galleons · 2 Sickles 1537 Knuts to pay
        Total
        3 Galleons · 2 Sickles 1537 Knuts
    "#]].assert_eq(&statements);
}

/// A price is said as it was bid, and a sum in the fewest pieces of each currency.
#[tokio::test]
async fn what_was_promised_comes_first_and_base_units_stand_beside_it() {
    let terms = json!({"baseUnit": {"name": "Knut", "plural": "Knuts"}});
    let mut sale = Sale::open(terms, &[wizards(), points("TICKETS", "12.5")], json!({})).await;
    let ada = sale.bidder("ada").await;
    let sickles = |count: i64| json!({"enteredRepresentation": [{"denomination": "SICKLE", "count": count}]});
    sale.bid(&ada, sickles(12)).await.expect(201);
    let currencies = sale.owner.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let tickets = &currencies["currencies"][1]["id"];
    for bid in [sickles(10), json!({"currencyProfileId": tickets, "amount": 205})] {
        sale.item = sale.add_item(json!({"name": "Another vase"})).await;
        sale.bid(&ada, bid).await.expect(201);
    }
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    let shown = words(&ada, &page(&sale)).await;
    for part in [
        "You won 3 items 1 Galleon · 5 Sickles and 205 TICKETS 3200.5 Knuts Pay at the desk",
        "Sold to you for 10 Sickles 290 Knuts",
        "Sold to you for 205 TICKETS 2562.5 Knuts",
        "Show Knuts too",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[tokio::test]
async fn marks_return_to_the_place_of_the_form() {
    let (sale, ada, _, items) = closed().await;
    let mark = format!("/auctions/{}/items/{}/outcome/mark", sale.auction, items[0]);
    let back = format!("{}?show=to-pay#item-{}", page(&sale), items[0]);
    let seen = |marks: &str| format!("{}.1.1{marks}", items[0]);
    let marked = sale.owner.post_form(&mark, &[("back", &back), ("item", &seen("")), ("paid", "true")]).await;
    assert_eq!((marked.status.as_u16(), marked.header("location")), (303, back.as_str()));
    let to_pay = words(&sale.owner, &format!("{}?show=to-pay", page(&sale))).await;
    assert!(to_pay.contains("A second vase") && !to_pay.contains("Lot 1"), "{to_pay}");
    let to_collect = words(&sale.owner, &format!("{}?show=to-collect", page(&sale))).await;
    assert!(to_collect.contains("Lot 1 A vase") && !to_collect.contains("Lot 2"), "{to_collect}");
    let elsewhere = [("back", "//example.org"), ("item", &*seen(".paid")), ("collected", "true")];
    let elsewhere = sale.owner.post_form(&mark, &elsewhere).await;
    assert_eq!(
        elsewhere.header("location"),
        format!("/auctions/{}/items/{}#outcome", sale.auction, items[0])
    );
    let bob = words(&sale.owner, &page(&sale)).await;
    assert!(bob.contains("Paid, collected"), "{bob}");
    sale.owner.post_form(&mark, &[("item", &seen(".paid.collected")), ("paid", "false")]).await;
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!(item["outcome"]["paidAt"], serde_json::Value::Null);
    assert_eq!(ada.post_form(&mark, &[("item", &seen(".collected")), ("paid", "true")]).await.status, 403);
}

#[tokio::test]
async fn a_row_marks_the_outcome_that_its_viewer_has_seen() {
    let (sale, _, _, items) = closed().await;
    let item = format!("/auctions/{}/items/{}", sale.auction, items[0]);
    let (mark, api) = (format!("{item}/outcome/mark"), format!("/api{item}"));
    let list = sale.owner.get(&page(&sale)).await.text;
    let (_, row) = list.split_once(&format!("action=\"{mark}\"")).unwrap();
    let (_, seen) = row.split_once("name=\"item\" value=\"").unwrap();
    let seen = seen.split('"').next().unwrap().to_owned();
    let press = async |seen: &str, button: &str| {
        sale.owner.post_form(&mark, &[("section", "closing"), ("item", seen), (button, "true")]).await
    };
    // A correction, another cashier's mark, and no outcome at all.
    let decided = json!({"sequence": 1, "reason": "Bob has left"});
    sale.owner.post(&format!("{api}/outcome"), decided).await.expect(200);
    let refused = async |seen: &str, button: &str, marks: [bool; 2]| {
        let answer = press(seen, button).await;
        assert_eq!(answer.status, 412, "{seen}");
        let words = "Nothing was marked: it is marked already, or the result is another one now. Look again.";
        assert!(answer.text.contains(words) && answer.text.contains("Bob has left"), "{}", answer.text);
        let outcome = sale.owner.get(&api).await.expect(200)["outcome"].clone();
        assert_eq!(["paidAt", "collectedAt"].map(|mark| outcome[mark].is_string()), marks, "{seen}");
    };
    refused(&seen, "paid", [false, false]).await;
    refused("", "paid", [false, false]).await;
    let corrected = format!("{}.1.2", items[0]);
    assert_eq!(press(&corrected, "paid").await.status, 303);
    refused(&corrected, "collected", [true, false]).await;
    assert_eq!(press(&format!("{corrected}.paid"), "collected").await.status, 303);
}

#[tokio::test]
async fn the_page_of_an_item_tells_its_winner_where_to_pay() {
    let place = "At the bar, until ten.";
    let terms = json!({"collection": place, "readableBy": "ANYONE"});
    let sale = Sale::open(terms, &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    for (bidder, amount) in [(&ada, 5), (&bob, 6)] {
        sale.bid(bidder, json!({"amount": amount})).await.expect(201);
    }
    let item = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    sale.owner.post(&format!("/api{item}/close"), json!({})).await.expect(200);
    let won = words(&bob, &item).await;
    let expected =
        format!("You owe €6.00. All results Not paid yet Not collected yet Where to pay and collect {place}");
    assert!(won.contains(&expected), "{won}");
    let lost = words(&ada, &item).await;
    assert!(
        lost.contains("Another bid won. Hammer price €6.00") && lost.contains("Sold to bob for"),
        "{lost}"
    );
    let visitor = words(&sale.app.anonymous(), &item).await;
    assert!(!lost.contains(place) && !visitor.contains(place), "{lost} {visitor}");
}

#[tokio::test]
async fn the_page_of_an_item_closes_it_and_sells_it_again() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let item = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    let at_first = words(&sale.owner, &item).await;
    assert!(at_first.contains("End now") && at_first.contains("Cancel item"), "{at_first}");
    assert!(!words(&ada, &item).await.contains("End now"));
    for (bidder, amount) in [(&ada, 5), (&bob, 6)] {
        sale.bid(bidder, json!({"amount": amount})).await.expect(201);
    }
    let post = async |form: &str, fields: &[(&str, &str)]| -> Answer {
        sale.owner.post_form(&format!("{item}/{form}"), fields).await
    };
    let refused = post("cancel", &[("section", "closing"), ("reason", "")]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("Say why. Members can read it."), "{}", refused.text);
    let ended = post("close", &[("section", "closing")]).await;
    assert_eq!((ended.status.as_u16(), ended.header("location")), (303, format!("{item}#outcome").as_str()));
    assert!(words(&ada, &item).await.contains("Sold to bob for €6.00 Not paid yet Not collected yet"));
    let won = words(&bob, &item).await;
    assert!(won.contains("Sold to you for €6.00 You won. You owe €6.00. Pay at the desk"), "{won}");
    let again = words(&sale.owner, &item).await;
    assert!(again.contains("ada: €5.00 Nobody: the item is not sold"), "{again}");
    assert!(again.contains("Hammer price €6.00"), "{again}");
    let auction = format!("/auctions/{}", sale.auction);
    assert!(words(&bob, &auction).await.contains("You won"));
    let refused = post("outcome", &[("section", "closing"), ("sequence", "1"), ("reason", "")]).await;
    assert_eq!(refused.status, 422);
    post("outcome", &[("sequence", "1"), ("reason", "Bob has left.")]).await;
    let won = words(&ada, &item).await;
    assert!(
        won.contains("Sold to you for €5.00 Bob has left.") && won.contains("Highest bid €6.00"),
        "{won}"
    );
    let listed = words(&ada, &auction).await;
    assert!(listed.contains("You won Hammer price €5.00"), "{listed}");
    assert!(!words(&bob, &auction).await.contains("You won"));
    let nobody = post("outcome", &[("sequence", ""), ("reason", "Ada has left, too.")]).await;
    assert_eq!(nobody.status, 303);
    assert!(words(&ada, &item).await.contains("Not sold Ada has left, too."));
    assert!(!words(&ada, &auction).await.contains("You won"));
    let closed = post("cancel", &[("section", "closing"), ("reason", "broken")]).await;
    assert_eq!(closed.status, 409);
    assert!(closed.text.contains("The item is closed already."), "{}", closed.text);
}

#[tokio::test]
async fn an_item_that_is_closed_before_its_end_has_ended() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-02T18:00:00Z"})).await;
    let item = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    let open = words(&sale.owner, &item).await;
    assert!(open.contains("1 d left 2 May 2026, 18:00 UTC No bids yet"), "{open}");
    sale.owner.post_form(&format!("{item}/close"), &[]).await;
    let closed = words(&sale.owner, &item).await;
    assert!(
        closed.contains("Ended 1 May 2026, 18:00 UTC Ended without a bid Bidding has ended."),
        "{closed}"
    );
}

#[tokio::test]
async fn a_draft_has_not_ended() {
    let sale = Sale::legacy(json!({"isPublished": false})).await;
    let draft = words(&sale.owner, &format!("/auctions/{}/items/{}", sale.auction, sale.item)).await;
    assert!(draft.contains("No bids yet") && !draft.contains("Ended"), "{draft}");
}

#[tokio::test]
async fn hidden_winners_stay_hidden_on_the_page() {
    let sale =
        Sale::open(json!({"bidderVisibility": "ANONYMOUS"}), &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&bob, json!({"amount": 5})).await.expect(201);
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    for path in [page(&sale), format!("{}?by=winner", page(&sale))] {
        let shown = words(&ada, &path).await;
        assert!(!shown.contains("bob"), "{shown}");
        assert!(shown.contains("1 item was sold to bidders whose names are hidden."), "{shown}");
    }
    assert!(words(&ada, &page(&sale)).await.contains("Sold to a bidder for €5.00"));
    assert!(words(&bob, &page(&sale)).await.contains("Sold to you for €5.00"));
    assert!(words(&sale.owner, &page(&sale)).await.contains("Sold to bob for €5.00"));
}

#[tokio::test]
async fn the_list_goes_on_where_its_page_ends() {
    let mut sale = Sale::legacy(json!({"name": "A vase with a long name ".repeat(8)})).await;
    let ada = sale.bidder("ada").await;
    for _ in 0..60 {
        sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
        sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    }
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    let first = sale.owner.get(&page(&sale)).await.text;
    assert!(first.len() < 150_000, "{} bytes", first.len());
    assert!(first.contains("Lot 50") && !first.contains("Lot 51"));
    let next = first.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let second = words(&sale.owner, &next).await;
    assert!(
        second.contains("Lot 51") && second.contains("Lot 61") && !second.contains("Lot 50 "),
        "{second}"
    );
    let statements = sale.owner.get(&format!("{}?by=winner", page(&sale))).await.text;
    assert!(statements.len() < 150_000, "{} bytes", statements.len());
    assert!(
        words(&sale.owner, &format!("{}?by=winner", page(&sale)))
            .await
            .contains("18:00 UTC To pay, to collect")
    );
}

/// The results are cached while the auction is unchanged.
#[tokio::test]
async fn an_item_that_closes_is_in_the_results_at_once() {
    let mut sale = Sale::legacy(json!({"endDate": "2026-05-01T18:10:00Z"})).await;
    let other = sale.add_item(json!({"name": "A lamp", "currencyCode": "EUR"})).await;
    sale.item = other;
    let path = page(&sale);
    assert!(words(&sale.owner, &path).await.contains("No results yet"));
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let shown = words(&sale.owner, &path).await;
    assert!(shown.contains("A lamp Not sold") && !shown.contains("A vase"), "{shown}");
    sale.app.clock.advance_seconds(600);
    sale.app.reconcile().await;
    assert!(words(&sale.owner, &path).await.contains("A vase Not sold"));
}

#[tokio::test]
async fn what_was_charged_and_given_back_is_shown_to_those_whom_it_concerns() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&sale.item, &ada, 50).await.expect(201);
    opened.bid_on(&sale.item, &ben, 60).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let decided = json!({"sequence": 1, "reason": "Ben has left"});
    sale.owner.post(&format!("{}/outcome", sale.item_path()), decided).await.expect(200);
    let shown = async |client: &Client| {
        let words = words(client, &page(sale)).await;
        ["60 PTS (60 Points) charged", "60 PTS (60 Points) given back", "50 PTS (50 Points) charged"]
            .map(|part| words.contains(part))
    };
    assert_eq!(shown(&sale.owner).await, [true; 3]);
    assert_eq!(shown(&ben).await, [true, true, false]);
    assert_eq!(shown(&ada).await, [false, false, true]);
}

/// The default currency is another one.
#[tokio::test]
async fn what_was_charged_is_in_the_currency_of_the_bid() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let ada = sale.bidder("ada").await;
    let dozens = json!({"code": "DZ", "name": "Dozen", "plural": "Dozens", "rateToBase": "12",
        "inputMode": "SCALAR"});
    let path = format!("/api/auctions/{}/currencies", sale.auction);
    let currency = sale.owner.post(&path, dozens).await.expect(201)["id"].clone();
    sale.bid(&ada, json!({"currencyProfileId": currency, "amount": 5})).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let words = words(&ada, &page(sale)).await;
    assert!(words.contains("5 Dozens (60 Points) charged"), "{words}");
}
