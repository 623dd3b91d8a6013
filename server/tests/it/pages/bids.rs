//! The bids of an item, on the item's page and on their own page.

use serde_json::json;

use crate::harness::Answer;
use crate::routes::auctions::items::bids::{Sale, wizards};

/// The bids that a page lists.
fn listed(page: &Answer) -> usize {
    assert_eq!(page.status, 200, "{}", page.text);
    page.text.matches("<li class=\"bid").count()
}

#[tokio::test]
async fn every_bid_is_on_a_page() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let item = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    let page = ada.get(&item).await;
    assert_eq!(listed(&page), 1);
    assert!(!page.text.contains(&format!("href=\"{item}/bids\"")), "the item's page lists all bids");

    sale.bid_to_1002().await;
    let page = ada.get(&item).await;
    assert_eq!(listed(&page), 20);
    assert!(page.text.contains(&format!("<a href=\"{item}/bids\">All 1002 bids</a>")), "{}", page.text);
    let first = ada.get(&format!("{item}/bids")).await;
    assert_eq!(listed(&first), 50);
    assert!(first.text.contains(&format!("href=\"{item}/bids?cursor=953\"")), "{}", first.text);
    let last = ada.get(&format!("{item}/bids?cursor=3")).await;
    assert_eq!(listed(&last), 2);
    assert!(!last.text.contains("?cursor="), "{}", last.text);
    assert_eq!(
        listed(&ada.get(&format!("{item}/bids?cursor=x")).await),
        50,
        "an invalid cursor leads to the first page"
    );
}

/// Without JavaScript the server reads what was typed.
#[tokio::test]
async fn a_bid_may_be_typed_with_the_names_of_its_pieces() {
    let sale = Sale::open(json!({}), &[wizards()], json!({})).await;
    let ada = sale.bidder("ada").await;
    let item = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    let currencies = sale.owner.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let currency = currencies["currencies"][0]["id"].as_str().unwrap().to_owned();
    let place = async |galleons: &str, knuts: &str| {
        let fields = [
            ("currencyProfileId", currency.as_str()),
            ("count.GALLEON", galleons),
            ("count.SICKLE", ""),
            ("count.KNUT", knuts),
            // A first bid of so many knuts is asked for again.
            ("confirmed", "584"),
        ];
        ada.post_form(&item, &fields).await
    };
    for (galleons, knuts, problem) in [
        ("2 Taler", "", "beside its own name"),
        ("$2", "", "beside its own symbol"),
        ("1 Galleon 3 Knuts", "4", "beside its own name"),
    ] {
        let refused = place(galleons, knuts).await;
        assert_eq!(refused.status, 422, "{galleons}");
        assert!(refused.text.contains(problem), "{galleons}: {}", refused.text);
    }
    let placed = place("1 Galleon, 3 sickles", "4 Knuts").await;
    assert_eq!(placed.status, 303, "{}", placed.text);
    let highest =
        sale.owner.get(&sale.item_path()).await.expect(200)["highestBid"]["normalizedAmount"].clone();
    assert_eq!(highest, "584");
}

#[tokio::test]
async fn the_list_hides_what_the_item_hides() {
    let sale =
        Sale::open(json!({"bidderVisibility": "ANONYMOUS"}), &[], json!({"currencyCode": "EUR"})).await;
    let path = format!("/auctions/{}/items/{}/bids", sale.auction, sale.item);
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    assert!(bob.get(&path).await.text.contains("There are no bids"));
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    assert!(ada.get(&path).await.text.contains("You"));
    let page = bob.get(&path).await;
    assert_eq!(listed(&page), 1);
    assert!(page.text.contains("A bidder") && !page.text.contains(">ada<"), "{}", page.text);
    sale.write("UPDATE auctions SET join_mode = 'INVITE_ONLY'").await;
    assert_eq!(sale.app.user("stranger").await.get(&path).await.status, 404);
    let led = sale.app.anonymous().get(&path).await;
    assert_eq!(
        (led.status.as_u16(), led.header("location")),
        (303, format!("/sign-in?next={path}").as_str())
    );
}
