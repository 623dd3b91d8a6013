//! The form on the item's page, as a browser without JavaScript sends it.

use serde_json::{Value, json};

use super::{Sale, points, text, wizards};

fn page(sale: &Sale) -> String {
    format!("/auctions/{}/items/{}", sale.auction, sale.item)
}

#[tokio::test]
async fn an_accepted_bid_redirects_to_the_item() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let form = [("idempotencyKey", "k1"), ("currencyProfileId", ""), ("amount", " 12.50 ")];
    for _ in 0..2 {
        let answer = ada.post_form(&page(&sale), &form).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        assert_eq!(answer.header("location"), page(&sale));
    }
    let bids = sale.bids().await;
    assert_eq!(bids.len(), 1, "sent twice, placed once");
    assert_eq!((&bids[0]["normalizedAmount"], &bids[0]["isAnonymous"]), (&json!("12.5"), &json!(false)));
    assert!(ada.get(&page(&sale)).await.text.contains("12.5"));
}

#[tokio::test]
async fn an_empty_field_is_absent() {
    let mut other = points("PT", "1");
    other["isDefault"] = json!(true);
    let sale = Sale::open(json!({"bidderVisibility": "PER_BID"}), &[wizards(), other], json!({})).await;
    let ada = sale.bidder("ada").await;
    let currencies = ada.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let wizarding = text(&currencies["currencies"][0]["id"]);
    let form = [
        ("currencyProfileId", wizarding.as_str()),
        ("currency", wizarding.as_str()),
        ("count.GALLEON", ""),
        ("count.SICKLE", "2"),
        ("count.KNUT", ""),
        ("isAnonymous", "true"),
    ];
    assert_eq!(ada.post_form(&page(&sale), &form).await.status, 303);
    let bid = &sale.bids().await[0];
    assert_eq!(bid["enteredRepresentation"], json!([{"denomination": "SICKLE", "count": "2"}]));
    assert_eq!(bid["isAnonymous"], true);
}

#[tokio::test]
async fn a_refused_bid_keeps_its_values() {
    let sale = Sale::legacy(json!({"startingBid": "10"})).await;
    let ada = sale.bidder("ada").await;
    let answer = ada.post_form(&page(&sale), &[("amount", "9.87")]).await;
    assert_eq!(answer.status, 422);
    assert!(answer.header("content-type").starts_with("text/html"), "{}", answer.header("content-type"));
    assert!(answer.text.contains(r#"value="9.87""#), "the field keeps the typed value");
    assert_eq!(sale.bids().await, Vec::<Value>::new());

    let key = [("amount", "12"), ("idempotencyKey", "two words")];
    assert_eq!(ada.post_form(&page(&sale), &key).await.status, 422);
    assert_eq!(sale.owner.post_form(&page(&sale), &[("amount", "12")]).await.status, 403);
    assert_eq!(sale.app.anonymous().post_form(&page(&sale), &[("amount", "12")]).await.status, 401);
    assert_eq!(sale.bids().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_form_of_another_site_places_nothing() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let form = ada.request("POST", &page(&sale)).header("origin", "https://evil.example");
    let form = form.header("content-type", "application/x-www-form-urlencoded").body("amount=12");
    assert_eq!(crate::harness::Answer::of(form).await.status, 403);
    assert_eq!(sale.bids().await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_unusual_bid_is_placed_once_its_amount_is_confirmed() {
    let sale = Sale::legacy(json!({"startingBid": "10"})).await;
    let ada = sale.bidder("ada").await;
    for form in [&[("amount", "50")][..], &[("amount", "50"), ("confirmed", "5")]] {
        let answer = ada.post_form(&page(&sale), form).await;
        assert_eq!(answer.status, 422, "{form:?}");
        let asked = r##"name="confirmed" value="50""##;
        for part in
            ["Your bid was not placed.", "This is 5 times the least bid of €10.00.", asked, "Yes, place €50"]
        {
            assert!(answer.text.contains(part), "{part}: {}", answer.text);
        }
    }
    assert_eq!(sale.bids().await, Vec::<Value>::new());
    let confirmed = [("amount", "50.00"), ("confirmed", "50")];
    assert_eq!(ada.post_form(&page(&sale), &confirmed).await.status, 303);

    let (bob, other) = (sale.bidder("bob").await, [("amount", "5000"), ("confirmed", "50")]);
    assert_eq!(bob.post_form(&page(&sale), &other).await.status, 422, "another amount is not confirmed");
    assert_eq!(
        bob.post_form(&page(&sale), &[("amount", "249")]).await.status,
        303,
        "less than 5 times 50.01"
    );
    assert_eq!(sale.bids().await.len(), 2);
    sale.bid(&ada, json!({"amount": "900000"})).await.expect(201);
}

#[tokio::test]
async fn a_leader_is_asked_before_they_raise_their_own_bid() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    assert_eq!(ada.post_form(&page(&sale), &[("amount", "20")]).await.status, 303);
    let asked = ada.post_form(&page(&sale), &[("amount", "21")]).await;
    assert_eq!(asked.status, 422);
    assert!(asked.text.contains("You lead already: this raises your own bid."), "{}", asked.text);
    let confirmed = [("amount", "21"), ("confirmed", "21")];
    assert_eq!(ada.post_form(&page(&sale), &confirmed).await.status, 303);
    sale.bid(&ada, json!({"amount": "22"})).await.expect(201);
    let bob = sale.bidder("bob").await;
    assert_eq!(bob.post_form(&page(&sale), &[("amount", "23")]).await.status, 303);
}

#[tokio::test]
async fn a_first_bid_of_many_pieces_is_unusual_without_a_minimum_too() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let asked = ada.post_form(&page(&sale), &[("amount", "100")]).await;
    assert_eq!(asked.status, 422);
    assert!(asked.text.contains("This is 10000 times the least bid of €0.01"), "{}", asked.text);
    assert_eq!(ada.post_form(&page(&sale), &[("amount", "99.99")]).await.status, 303);
    // The smallest piece is a knut; a galleon is worth 493.
    for (piece, count, status) in
        [("KNUT", "99", 303), ("KNUT", "100", 422), ("SICKLE", "3", 303), ("GALLEON", "1", 422)]
    {
        let sale = Sale::open(json!({}), &[wizards()], json!({})).await;
        let ada = sale.bidder("ada").await;
        let field = format!("count.{piece}");
        let placed = ada.post_form(&page(&sale), &[(field.as_str(), count)]).await;
        assert_eq!(placed.status, status, "{count} {piece}");
    }
}

#[tokio::test]
async fn an_unusual_bid_is_judged_in_its_currency() {
    let sale = Sale::open(json!({}), &[wizards(), points("PT", "100")], json!({})).await;
    let ada = sale.bidder("ada").await;
    let currencies = ada.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let of = |at: usize| text(&currencies["currencies"][at]["id"]);
    let (wizarding, point) = (of(0), of(1));
    sale.bid(&ada, json!({"currencyProfileId": point, "amount": "1"})).await.expect(201);
    // The least bid is 2 points, which are 200 knuts, or 101 knuts.
    let tenfold = [("currencyProfileId", point.as_str()), ("amount", "10")];
    assert_eq!(ada.post_form(&page(&sale), &tenfold).await.status, 422);
    let knuts = |count| [("currencyProfileId", wizarding.as_str()), ("count.KNUT", count)];
    assert_eq!(ada.post_form(&page(&sale), &knuts("505")).await.status, 422);
    let bob = sale.bidder("bob").await;
    assert_eq!(bob.post_form(&page(&sale), &knuts("504")).await.status, 303);
}

#[tokio::test]
async fn a_decimal_comma_is_a_point_and_grouped_thousands_are_refused() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    assert_eq!(ada.post_form(&page(&sale), &[("amount", " 12,5 ")]).await.status, 303);
    assert_eq!(sale.bids().await[0]["normalizedAmount"], "12.5");
    for amount in ["1.000,50", "1,000", "13,,5"] {
        let answer = ada.post_form(&page(&sale), &[("amount", amount)]).await;
        assert_eq!(answer.status, 422, "{amount}");
        assert!(answer.text.contains(&format!(r#"value="{amount}""#)), "the field keeps {amount}");
    }
    let strict = sale.bid(&ada, json!({"amount": "13,5"})).await;
    assert_eq!(strict.status, 422, "the API takes a point only");
}

#[tokio::test]
async fn a_sign_in_leads_back_to_the_typed_bid() {
    let sale = Sale::legacy(json!({"startingBid": "10"})).await;
    let form =
        [("idempotencyKey", "k1"), ("currencyProfileId", ""), ("amount", "12,50"), ("isAnonymous", "true")];
    let answer = sale.app.anonymous().post_form(&page(&sale), &form).await;
    assert_eq!(answer.status, 401);
    let next = format!("/sign-in?next={}%3Famount%3D12%252C50%26isAnonymous%3Dtrue", page(&sale));
    assert!(answer.text.contains(&format!(r#"href="{next}" class="button""#)), "{next}: {}", answer.text);

    let ada = sale.bidder("ada").await;
    let returned = ada.get(&format!("{}?amount=12%2C50&isAnonymous=true", page(&sale))).await;
    assert_eq!(returned.status, 200);
    assert!(returned.text.contains(r#"value="12,50""#), "the field has the typed amount");
    assert_eq!(sale.bids().await, Vec::<Value>::new(), "nothing is placed by itself");
}

#[tokio::test]
async fn show_of_another_currency_leaves_the_typed_amount_behind() {
    let sale = Sale::open(json!({}), &[points("ONE", "1"), points("TWO", "2")], json!({})).await;
    let ada = sale.bidder("ada").await;
    let currencies = ada.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let of = |at: usize| text(&currencies["currencies"][at]["id"]);
    let shown = async |currency: String| {
        let address = format!("{}?currencyProfileId={}&currency={currency}&amount=77", page(&sale), of(0));
        ada.get(&address).await.text.contains(r#"value="77""#)
    };
    assert!(shown(of(0)).await, "the same currency keeps it");
    assert!(!shown(of(1)).await);
}
