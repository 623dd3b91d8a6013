//! Many lots in one form, and row by row.

use auction_house::items::create_many::create_items;
use platform::fields::Object;
use platform::http::problem::Problem;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::{auction, join, user_id, wizards};

async fn names(client: &Client, path: &str) -> Vec<Value> {
    let items = client.get(&format!("{path}/items")).await.expect(200)["items"].clone();
    items.as_array().unwrap().iter().map(|item| item["name"].clone()).collect()
}

fn form_of(path: &str) -> String {
    format!("{}/items/add", path.strip_prefix("/api").unwrap())
}

#[tokio::test]
async fn the_filled_rows_of_a_form_become_lots_in_their_order_once() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let form = form_of(&path);
    let mut fields = vec![
        ("idempotencyKey", "k"),
        ("currencyCode", "GBP"),
        ("isPublished", "true"),
        ("lots.1.name", "Vase"),
        ("lots.1.minimum", "2,50"),
        ("lots.1.description", "Blue"),
        ("lots.1.endDate", "2026-06-01T18:00"),
        ("lots.1.endDate.zone", "Europe/Berlin"),
        ("lots.4.name", "Jug"),
        ("lots.4.minimum", ""),
        ("lots.4.description", ""),
        ("lots.4.endDate", ""),
        ("lots.9.name", ""),
    ];
    for _ in 0..2 {
        let made = ada.post_form(&form, &fields).await;
        assert_eq!(
            (made.status.as_u16(), made.header("location")),
            (303, format!("{form}?added=2").as_str()),
            "{}",
            made.text
        );
    }
    assert_eq!(names(&ada, &path).await, ["Vase", "Jug"]);
    let items = ada.get(&format!("{path}/items")).await.expect(200)["items"].clone();
    let vase =
        [&items[0]["startingBid"], &items[0]["currencyCode"], &items[0]["endDate"], &items[0]["description"]];
    assert_eq!(vase, [&json!("2.5"), &json!("GBP"), &json!("2026-06-01T16:00:00.000Z"), &json!("Blue")]);
    assert_eq!((&items[1]["status"], &items[1]["startingBid"]), (&json!("OPEN"), &json!(null)));
    let next = ada.get(&format!("{form}?added=2")).await.text;
    assert!(next.contains("2 lots are added."), "{next}");
    let link = |item: &Value| format!("{path}/items/{}/pictures", item["id"].as_str().unwrap());
    let places = [&items[0], &items[1]].map(|item| next.find(link(item).trim_start_matches("/api")));
    assert!(places[0].is_some() && places[0] < places[1], "pictures are added without a script: {next}");
    fields.push(("lots.9.description", "Other"));
    assert_eq!(ada.post_form(&form, &fields).await.status, 422, "the key of another form");
    assert_eq!(names(&ada, &path).await.len(), 2);
}

#[tokio::test]
async fn each_error_stands_beside_its_cell_and_no_row_is_lost() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"endDate": "2026-07-01T00:00:00Z"})).await;
    let long = "n".repeat(201);
    let fields = [
        ("currencyCode", "GBP"),
        ("lots.0.name", "Good"),
        ("lots.0.minimum", "1"),
        ("lots.1.name", ""),
        ("lots.1.minimum", "3"),
        ("lots.2.name", long.as_str()),
        ("lots.3.name", "Late"),
        ("lots.3.minimum", "1.2345"),
        ("lots.3.endDate", "2026-08-01T00:00"),
    ];
    let refused = ada.post_form(&form_of(&path), &fields).await;
    assert_eq!(refused.status, 422);
    for (cell, words) in [
        ("lots.1.name", "Lot 2: enter a name."),
        ("lots.2.name", "Lot 3: the name can have at most 200 characters."),
        ("lots.3.minimum", "Lot 4: the minimum can have at most 2 digits after the point."),
        ("lots.3.endDate", "Lot 4: it can’t end after its auction: choose an earlier end."),
    ] {
        let beside = format!("id=\"field-{cell}-error\" class=\"field-error\">{words}</p>");
        assert!(refused.text.contains(&beside), "{beside}: {}", refused.text);
        assert!(refused.text.contains(&format!("aria-describedby=\"field-{cell}-error\"")), "{cell}");
    }
    assert!(refused.text.contains("value=\"Good\"") && refused.text.contains(&long), "{}", refused.text);
    assert_eq!(names(&ada, &path).await, [json!(null); 0]);
    let empty = ada.post_form(&form_of(&path), &[("currencyCode", "GBP")]).await;
    assert!(empty.status == 422 && empty.text.contains("Lot 1: enter a name."), "{}", empty.text);
}

#[tokio::test]
async fn a_row_is_created_once_and_changed_from_then_on() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    ada.post(&format!("{path}/currencies"), wizards(json!({}))).await.expect(201);
    join(&bob, &path).await;
    let row = format!("{}/row", form_of(&path));
    let cells = [
        ("lots.4.name", "Broom"),
        ("lots.4.minimum", "2g 3 knuts"),
        ("lots.4.description", "Fast"),
        ("idempotencyKey", "k-4"),
        ("isPublished", "true"),
    ];
    let save =
        async |client: &Client, cells: &[(&str, &str)]| -> Answer { client.post_form(&row, cells).await };
    let first = save(&ada, &cells).await.expect(200);
    assert_eq!((save(&ada, &cells).await.expect(200), &first["lotNumber"]), (first.clone(), &json!("1")));
    let item = first["item"].as_str().unwrap();
    let stored = async || ada.get(&format!("{path}/items/{item}")).await.expect(200);
    assert_eq!(stored().await["minBidNormalized"], "989");

    let changed = [
        ("lots.4.name", "Old broom"),
        ("lots.4.minimum", ""),
        ("lots.4.description", ""),
        ("item", item),
        ("idempotencyKey", "k-4"),
    ];
    assert_eq!(save(&ada, &changed).await.expect(200), first);
    let now = stored().await;
    let shown = [&now["name"], &now["minBidNormalized"], &now["description"], &now["isPublished"]];
    assert_eq!(shown, [&json!("Old broom"), &json!(null), &json!(""), &json!(true)]);

    for (cell, wrong, words) in [
        ("lots.4.name", "", "Lot 5: enter a name."),
        ("lots.4.minimum", "much", "Lot 5: “much” is no price here: write one such as 5, or 5 "),
    ] {
        let mut cells: Vec<_> = changed.into_iter().filter(|(name, _)| *name != cell).collect();
        cells.push((cell, wrong));
        let refused = save(&ada, &cells).await.expect(422)["errors"].clone();
        assert!(refused[cell].as_str().unwrap().contains(words), "{refused}");
    }
    assert_eq!(save(&bob, &cells).await.status, 403);
    assert_eq!(save(&app.anonymous(), &cells).await.status, 401);
    assert_eq!(names(&ada, &path).await, ["Old broom"]);
    ada.post(&format!("{path}/close"), json!({})).await.expect(200);
    let late = [("lots.5.name", "Late"), ("idempotencyKey", "k-5")];
    save(&ada, &late).await.expect_problem(409, "CLOSED");
}

#[tokio::test]
async fn a_request_has_at_most_200_items_and_all_or_none_are_created() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let (id, user) =
        (path.rsplit('/').next().unwrap().parse().unwrap(), user_id(&ada).await.parse().unwrap());
    let create = async |items: Value| {
        let object: Object = serde_json::from_str(&json!({"items": items}).to_string()).unwrap();
        let made = create_items(&app.state.context, id, user, object).await;
        made.map(|made| made.resource).map_err(|error| Problem::from(error).fields.remove(0).path)
    };
    let item = |number: i64| json!({"name": "Spoon", "currencyCode": "EUR", "lotNumber": number});
    assert_eq!(create((1..=201).map(item).collect()).await, Err("items".to_owned()));
    assert_eq!(create(json!([])).await, Err("items".to_owned()));
    assert_eq!(create(json!([item(1), item(2), item(1)])).await, Err("items.2.lotNumber".to_owned()));
    assert_eq!(create(json!([item(1), {"name": "Fork"}])).await, Err("items.1.currencyCode".to_owned()));
    assert_eq!(names(&ada, &path).await.len(), 0);
    assert_eq!(create((1..=200).map(item).collect()).await, Ok(200));
}
