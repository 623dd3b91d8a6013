//! `/auctions/{auction_id}/items/{item_id}/edit`: the page on which an item is changed, and its forms.

use serde_json::{Value, json};

use super::bids::{Sale, text, wizards};
use crate::harness::Client;

fn page(sale: &Sale) -> String {
    format!("/auctions/{}/items/{}/edit", sale.auction, sale.item)
}

/// The fields of the form on a page with the values that it shows, as a browser sends them.
async fn fields(client: &Client, page: &str) -> Vec<(String, String)> {
    let shown = client.get(page).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    let form = shown.text.split("<form").find(|form| form.contains("Save item")).unwrap().to_owned();
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        Some(rest.split('"').next().unwrap().to_owned())
    };
    let mut fields = Vec::new();
    for tag in form.split('<') {
        let is_box = attribute(tag, "type").as_deref() == Some("checkbox");
        match attribute(tag, "name") {
            Some(name) if tag.starts_with("input") && (!is_box || tag.contains(" checked")) => {
                fields.push((name, attribute(tag, "value").unwrap_or_default()));
            }
            Some(name) if tag.starts_with("textarea") => {
                let typed = tag.split_once('>').unwrap().1.trim_start_matches('\n');
                let typed = typed.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
                fields.push((name, typed));
            }
            Some(name) if tag.starts_with("select") => {
                let options = form.split_once(&format!("name=\"{name}\"")).unwrap().1;
                let options = options.split("</select>").next().unwrap();
                let chosen =
                    options.split("<option").find(|option| option.contains(" selected")).unwrap_or("");
                fields.push((name, attribute(chosen, "value").unwrap_or_default()));
            }
            _ => {}
        }
    }
    fields
}

async fn post(client: &Client, page: &str, fields: &[(String, String)]) -> crate::harness::Answer {
    let fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    client.post_form(page, &fields).await
}

fn set(fields: &mut Vec<(String, String)>, name: &str, value: &str) {
    fields.retain(|(field, _)| field != name);
    fields.push((name.to_owned(), value.to_owned()));
}

/// The item without what every change changes.
async fn item(sale: &Sale) -> Value {
    let mut item = sale.owner.get(&sale.item_path()).await.expect(200);
    item.as_object_mut().unwrap().remove("updatedAt");
    item
}

#[tokio::test]
async fn what_the_form_shows_changes_nothing() {
    let legacy = Sale::legacy(json!({
        "description": "Blue & <red>", "startingBid": 10, "minBidIncrement": "0.5", "startsAt": "2026-05-02T18:00:00.123Z",
        "endDate": "2026-05-03T18:00:30.456Z", "antiSnipeEnabled": true, "antiSnipeThresholdSeconds": 5,
    }))
    .await;
    let own =
        Sale::open(json!({}), &[wizards()], json!({"isPublished": false, "minIncrementNormalized": "1.5"}))
            .await;
    let currencies = own.owner.get(&format!("/api/auctions/{}/currencies", own.auction)).await.expect(200);
    let counts = json!([{"denomination": "SICKLE", "count": 2}]);
    let minimum =
        json!({"currencyProfileId": currencies["currencies"][0]["id"], "enteredRepresentation": counts});
    own.owner.patch(&own.item_path(), json!({"minBidConstraint": minimum})).await.expect(200);
    for sale in [&legacy, &own] {
        let had = item(sale).await;
        let fields = fields(&sale.owner, &page(sale)).await;
        let answer = post(&sale.owner, &page(sale), &fields).await;
        assert_eq!(answer.status, 303, "{fields:?} {}", answer.text);
        assert_eq!(item(sale).await, had, "{fields:?}");
    }
}

#[tokio::test]
async fn every_field_can_be_changed() {
    let sale = Sale::legacy(json!({"startingBid": 10})).await;
    let eve = sale.bidder("eve").await;
    let eve_id = text(&eve.get("/api/user").await.expect(200)["user"]["id"]);
    let mut form = fields(&sale.owner, &page(&sale)).await;
    for (name, value) in [
        ("name", "An urn"),
        ("description", "Red"),
        ("estimate", " £40–60 "),
        ("lotNumber", " 12 "),
        ("sellerId", &eve_id),
        ("currencyCode", "GBP"),
        ("startingBid", "12.50"),
        ("minBidIncrement", ""),
        ("startsAt", "2026-05-02T18:00"),
        ("endDate", "2026-05-03T18:00"),
        ("antiSnipeEnabled", "true"),
        ("antiSnipeThresholdSeconds", "5"),
        ("antiSnipeExtensionSeconds", "6"),
    ] {
        set(&mut form, name, value);
    }
    form.retain(|(name, _)| name != "isPublished");
    let answer = post(&sale.owner, &page(&sale), &form).await;
    let shown = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, shown.as_str()), "{}", answer.text);
    let changed = item(&sale).await;
    for (name, value) in [
        ("name", json!("An urn")),
        ("description", json!("Red")),
        ("estimate", json!("£40–60")),
        ("lotNumber", json!("12")),
        ("seller", json!({"id": eve_id, "name": "eve"})),
        ("currencyCode", json!("GBP")),
        ("startingBid", json!("12.5")),
        ("startsAt", json!("2026-05-02T18:00:00.000Z")),
        ("endDate", json!("2026-05-03T18:00:00.000Z")),
        ("antiSnipeEnabled", json!(true)),
        ("antiSnipeThresholdSeconds", json!(5)),
        ("antiSnipeExtensionSeconds", json!(6)),
        ("isPublished", json!(false)),
    ] {
        assert_eq!(changed[name], value, "{name}");
    }
}

#[tokio::test]
async fn a_refused_form_comes_back_with_its_values_and_errors() {
    let sale = Sale::legacy(json!({})).await;
    sale.add_item(json!({"currencyCode": "EUR"})).await;
    for (name, value, error) in [
        ("name", "", "Enter a name for the item."),
        ("lotNumber", "no. 2", "Enter 1 to 12 letters, digits and hyphens, such as 12 or KM-2."),
        ("antiSnipeThresholdSeconds", "4", "Enter a whole number from 5 to 3600."),
        ("endDate", "2026-05-01T17:00", "The end has passed: choose a moment in the future."),
        ("sellerId", "x", "Choose a member of the auction."),
    ] {
        let mut form = fields(&sale.owner, &page(&sale)).await;
        set(&mut form, name, value);
        set(&mut form, "description", "Typed with care");
        let answer = post(&sale.owner, &page(&sale), &form).await;
        assert_eq!(answer.status, 422, "{name}");
        assert!(answer.text.contains(error), "{name}: {}", answer.text);
        assert!(answer.text.contains("Typed with care"), "{name}");
    }
    let mut form = fields(&sale.owner, &page(&sale)).await;
    set(&mut form, "lotNumber", "2");
    assert_eq!(post(&sale.owner, &page(&sale), &form).await.status, 409);
    set(&mut form, "lotNumber", "3");
    sale.owner.patch(&sale.item_path(), json!({"name": "Changed meanwhile"})).await.expect(200);
    assert_eq!(post(&sale.owner, &page(&sale), &form).await.status, 412);
}

#[tokio::test]
async fn bids_meanwhile_do_not_outdate_the_form_and_keep_the_end_that_they_moved() {
    let late = json!({"antiSnipeEnabled": true, "endDate": "2026-05-01T18:01:00Z"});
    let sale = Sale::legacy(late).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let end = item(&sale).await["endDate"].clone();
    let mut form = fields(&sale.owner, &page(&sale)).await;
    sale.app.clock.advance_seconds(30);
    sale.bid(&ada, json!({"amount": 2})).await.expect(201);
    let moved = item(&sale).await["endDate"].clone();
    assert_ne!(end, moved);
    set(&mut form, "name", "An urn");
    assert_eq!(post(&sale.owner, &page(&sale), &form).await.status, 303);
    let changed = item(&sale).await;
    assert_eq!((&changed["name"], &changed["endDate"]), (&json!("An urn"), &moved));
    assert_eq!(changed["isPublished"], true, "an item with bids stays published");
}

#[tokio::test]
async fn the_page_is_for_those_who_may_change_the_item_and_offers_what_they_may_choose() {
    let sale = Sale::legacy(json!({})).await;
    let (bob, eve) = (sale.bidder("bob").await, sale.bidder("eve").await);
    for member in [&bob, &eve] {
        sale.give_role(member, "CREATOR").await;
    }
    assert_eq!(eve.get(&page(&sale)).await.status, 403);
    let items = format!("/api/auctions/{}/items", sale.auction);
    let own = bob.post(&items, json!({"name": "Lamp", "currencyCode": "EUR"})).await.expect(201);
    let own = format!("/auctions/{}/items/{}", sale.auction, text(&own["id"]));
    let shown = fields(&bob, &format!("{own}/edit")).await;
    assert!(shown.iter().all(|(name, _)| name != "sellerId" && name != "lotNumber"), "{shown:?}");
    assert_eq!(post(&bob, &format!("{own}/edit"), &shown).await.status, 303);
    assert!(bob.get(&own).await.text.contains(&format!("{own}/edit")), "a link");
    let others = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    assert!(!bob.get(&others).await.text.contains("/edit"), "no link");
    let answer = bob.post_form(&format!("{own}/edit/delete"), &[]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("location")),
        (303, &*format!("/auctions/{}", sale.auction))
    );
    sale.bid(&eve, json!({"amount": 1})).await.expect(201);
    assert_eq!(sale.owner.post_form(&format!("{}/delete", page(&sale)), &[]).await.status, 409);
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    assert!(sale.owner.get(&page(&sale)).await.text.contains("This item is closed"));
}
