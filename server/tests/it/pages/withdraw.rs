//! The page on which a bid is withdrawn, and what pages show of withdrawn bids.

use serde_json::json;

use crate::routes::auctions::items::bids::Sale;

fn item_page(sale: &Sale) -> String {
    format!("/auctions/{}/items/{}", sale.auction, sale.item)
}

#[tokio::test]
async fn a_bidder_takes_a_bid_back_by_a_form() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&bob, json!({"amount": 5})).await.expect(201);
    sale.bid(&ada, json!({"amount": 500})).await.expect(201);
    let item = item_page(&sale);
    let form = format!("{item}/bids/2/withdraw");
    let page = ada.get(&item).await;
    for words in ["Your bid of €500.00 leads.", "For 60 seconds you can"] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    assert!(page.text.contains(&format!("href=\"{form}\"")), "{}", page.text);

    let page = ada.get(&form).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains("MISTYPED") && !page.text.contains("BIDDER_REMOVED"), "{}", page.text);
    assert!(page.text.contains("<option value=\"\" selected>Choose one</option>"), "{}", page.text);
    let unchosen = ada.post_form(&form, &[("reason", "")]).await;
    assert!(unchosen.status == 422 && unchosen.text.contains("Choose a reason"), "{}", unchosen.text);
    let long = "n".repeat(501);
    let refused = ada.post_form(&form, &[("reason", "WRONG_ITEM"), ("note", &long)]).await;
    assert_eq!(refused.status, 422);
    assert!(
        refused.text.contains(&long) && refused.text.contains("The note can have at most 500 characters.")
    );
    let done = ada.post_form(&form, &[("reason", "MISTYPED"), ("note", "A zero too many")]).await;
    assert_eq!((done.status.as_u16(), done.header("location")), (303, item.as_str()));

    let page = bob.get(&item).await;
    assert!(page.text.contains("Withdrawn by the bidder: mistyped. “A zero too many”"), "{}", page.text);
    assert!(page.text.contains("class=\"bid withdrawn\""), "{}", page.text);
    let chart = page.text.split("<figure").nth(1).and_then(|rest| rest.split('>').next());
    assert!(
        chart.is_some_and(|tag| tag.contains("hidden")),
        "a chart of standing bids has at least two: {chart:?}"
    );
    assert!(!ada.get(&item).await.text.contains("take it back"));
    assert!(ada.get(&form).await.text.contains("The bid is withdrawn."));
}

#[tokio::test]
async fn a_manager_has_a_link_beside_each_standing_bid_of_others() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.bid(&ada, json!({"amount": 6})).await.expect(201);
    sale.app.clock.advance_seconds(61);
    let links = |text: &str| text.matches(">Withdraw</a>").count();
    let list = format!("{}/bids", item_page(&sale));
    let admin = sale.bidder("admin").await;
    for (page, expected) in [(item_page(&sale), 2), (list, 2)] {
        assert_eq!(links(&admin.get(&page).await.text), 0, "a BIDDER has none");
        sale.give_role(&admin, "ADMIN").await;
        assert_eq!(links(&admin.get(&page).await.text), expected);
        assert_eq!(links(&sale.owner.get(&page).await.text), expected, "the seller is told whom to ask");
        assert_eq!(links(&ada.get(&page).await.text), 0, "the time of the bidder is over");
        sale.give_role(&admin, "BIDDER").await;
    }
}

#[tokio::test]
async fn a_leading_bid_older_than_the_listed_ones_is_still_shown_as_the_highest() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    sale.bid_to_1002().await;
    sale.write(
        "INSERT INTO withdrawals
             (item_id, sequence, position, number, auction_id, withdrawn_by, user_id, reason, withdrawn_at,
              newest, head)
         SELECT item_id, sequence, position, sequence - 900, auction_id, 'MANAGER', bidder_id, 'OTHER', created_at,
                position, position
         FROM bids WHERE sequence > 900",
    )
    .await;
    sale.write(
        "UPDATE item_heads SET leading_sequence = 900, leading_position = bids.position, withdrawals = 102
         FROM bids WHERE bids.sequence = 900",
    )
    .await;
    let page = ada.get(&item_page(&sale)).await;
    assert!(page.text.contains("You lead") && page.text.contains("€900.00"), "{}", page.text);
}
