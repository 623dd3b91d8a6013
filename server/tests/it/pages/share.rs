//! The way into an auction, and its prints, without JavaScript.

use auction_house::ids::UserId;
use installation::config::Switch;
use platform::net::ClientAddress;
use serde_json::json;

use super::words::words;
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::Sale;
use crate::routes::auctions::items::images::{add_picture, png};
use crate::routes::auctions::{auction, invite, join, user_id};
use crate::routes::groups::Group;

async fn token(owner: &Client, path: &str) -> String {
    owner.get(path).await.expect(200)["inviteToken"].as_str().unwrap().to_owned()
}

fn share(path: &str) -> String {
    format!("{}/share", path.replace("/api", ""))
}

#[tokio::test]
async fn the_people_of_a_group_are_in() {
    let group = Group::start().await;
    group.add(&["Ben"]).await;
    let auction = group.auction(json!({"name": "Class sale", "joinMode": "INVITE_ONLY"})).await;
    let shown = words(&group.keeper, &share(&auction)).await;
    let way_in = "The people of Class 4b are in. Show the group Nobody else joins by a link. Invite others by their e-mail.";
    assert!(shown.contains(way_in), "{shown}");
}

#[tokio::test]
async fn each_join_mode_has_its_way_in() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let open = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &open).await;
    for client in [&ada, &bob] {
        let page = client.get(&share(&open)).await.text;
        let address = open.replace("/api", "");
        assert!(
            page.contains(&format!("{address}\" readonly")) && page.contains("class=\"qr-code\""),
            "{page}"
        );
    }
    let by_link = auction(&ada, json!({"joinMode": "LINK"})).await;
    let token = token(&ada, &by_link).await;
    bob.post(&format!("{by_link}/join"), json!({"inviteToken": token})).await.expect(200);
    let page = ada.get(&share(&by_link)).await.text;
    assert!(
        page.contains(&format!("/join/{token}\" readonly")) && page.contains("class=\"qr-code\""),
        "{page}"
    );
    let page = bob.get(&share(&by_link)).await.text;
    assert!(!page.contains(&token) && page.contains("its owner and its admins pass on"), "{page}");
    let private = auction(&ada, json!({})).await;
    let page = ada.get(&share(&private)).await.text;
    assert!(page.contains("Invite by e-mail") && !page.contains("class=\"qr-code\""), "{page}");
    ada.post(&format!("{private}/close"), json!({})).await.expect(200);
    assert!(ada.get(&share(&private)).await.text.contains("it takes no more members"));
}

#[tokio::test]
async fn prints_have_a_code_for_each_published_lot() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "LINK", "description": "Old *brass*"})).await;
    for (name, published) in [("A lamp", true), ("A secret", false), ("A horn", true)] {
        let item = json!({
            "name": name, "currencyCode": "EUR", "isPublished": published, "startingBid": "5", "estimate": "10 to 20",
        });
        ada.post(&format!("{path}/items"), item).await.expect(201);
    }
    for print in ["catalogue", "sheets", "labels"] {
        let page = ada.get(&format!("{}?print={print}", share(&path))).await.text;
        let has_words = page.contains("A lamp") && page.contains("10 to 20");
        assert!(has_words && !page.contains("A secret"), "{page}");
        assert_eq!(page.contains("€5.00"), print != "labels", "{page}");
        for lot in ["QR code of lot 1", "QR code of lot 3"] {
            assert!(page.contains(lot), "{lot}: {page}");
        }
    }
    let items = ada.get(&format!("{path}/items")).await.expect(200);
    let id = |at: usize| items["items"][at]["id"].as_str().unwrap().to_owned();
    let one = async |client: &Client, item: &str| {
        client.get(&format!("{}?print=lot&item={item}", share(&path))).await
    };
    let sheet = one(&ada, &id(2)).await.text;
    assert!(sheet.contains("A horn") && !sheet.contains("A lamp"), "{sheet}");
    assert_eq!(sheet.matches("QR code of lot 3").count(), 2, "label and bid sheet: {sheet}");
    assert_eq!(one(&ada, &id(1)).await.status, 200, "a draft of one's own");
    assert_eq!(one(&ada, "x").await.status, 404);
    let page = ada.get(&format!("{}/items/{}", path.replace("/api", ""), id(0))).await.text;
    assert!(page.contains(&format!("share?print=lot&amp;item={}", id(0))), "{page}");
    let poster = ada.get(&format!("{}?print=poster", share(&path))).await.text;
    assert!(poster.contains("QR code of the way in") && poster.contains("<em>brass</em>"), "{poster}");
    ada.post(&format!("{path}/close"), json!({})).await.expect(200);
    let poster = ada.get(&format!("{}?print=poster", share(&path))).await.text;
    assert!(
        poster.contains("The auction has ended.") && !poster.contains("QR code of the way in"),
        "{poster}"
    );
}

/// Lots of one print, and bytes that each of them takes at most.
const PRINTED: usize = 500;
const BYTES_OF_LOT: usize = 8 * 1024;

#[tokio::test]
async fn a_print_has_hundreds_of_lots_and_a_bounded_size() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "LINK", "currencyCode": "EUR"})).await;
    let name = "🪙".repeat(190);
    let row = |lot: usize| format!("{lot},{name} {lot},{},EUR,true\n", "&🪙".repeat(150));
    let table: String = (1..=PRINTED + 1).map(row).collect();
    for (at, rows) in table.lines().collect::<Vec<_>>().chunks(300).enumerate() {
        let request = ada.request("POST", &format!("{path}/items/import"));
        let request = request.header("content-type", "text/csv").header("idempotency-key", at.to_string());
        let body = format!("lot,name,description,currency,published\n{}", rows.join("\n"));
        Answer::of(request.body(body)).await.expect(201);
    }
    for (print, mark) in
        [("catalogue", "printed-words"), ("sheets", "bid-sheet-code"), ("labels", "lot-label\"")]
    {
        let first = ada.get(&format!("{}?print={print}", share(&path))).await.text;
        assert_eq!(first.matches(mark).count(), PRINTED, "{print}");
        assert!(first.len() <= PRINTED * BYTES_OF_LOT, "{print}: {}", first.len());
        let (_, next) = first.split_once("rel=\"next\" href=\"").expect("another print");
        let rest = ada.get(&next.split('"').next().unwrap().replace("&amp;", "&")).await.text;
        assert_eq!(rest.matches(mark).count(), 1, "{print}");
    }
}

#[tokio::test]
async fn labels_begin_at_the_first_free_one_of_their_sheets() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    for name in ["A lamp", "A horn"] {
        let item = json!({"name": name, "currencyCode": "EUR", "isPublished": true});
        ada.post(&format!("{path}/items"), item).await.expect(201);
    }
    for (query, sheets, used) in [
        ("", 1, 0),
        ("&from=5", 1, 0),
        ("&sheet=63x38&from=4", 1, 3),
        ("&sheet=63x38&from=21", 2, 20),
        ("&sheet=67x25&from=30", 2, 29),
        // A place that the sheet does not have is its last one, and an unknown sheet is plain paper.
        ("&sheet=67x25&from=31", 2, 29),
        ("&sheet=63x38&from=x", 1, 0),
        ("&sheet=x&from=4", 1, 0),
    ] {
        let page = ada.get(&format!("{}?print=labels{query}", share(&path))).await.text;
        let count = |mark: &str| page.matches(mark).count();
        let found = (count("\"lot-labels"), count("lot-label-used"), count("\"lot-label\""));
        assert_eq!(found, (sheets, used, 2), "{query}: {page}");
    }
}

#[tokio::test]
async fn the_code_of_a_lot_leads_through_joining_to_the_lot() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "LINK"})).await;
    let item = json!({"name": "A lamp", "currencyCode": "EUR", "isPublished": true});
    let item = ada.post(&format!("{path}/items"), item).await.expect(201)["id"].as_str().unwrap().to_owned();
    let link = format!("/join/{}?item={item}", token(&ada, &path).await);
    let lot = format!("{}/items/{item}", path.replace("/api", ""));
    let signed_out = app.anonymous().get(&link).await.text;
    assert!(signed_out.contains(&format!("%3Fitem%3D{item}")), "{signed_out}");
    assert!(bob.get(&link).await.text.contains(&format!("name=\"item\" value=\"{item}\"")));
    let joined = bob.post_form(link.split('?').next().unwrap(), &[("item", &item)]).await;
    assert_eq!((joined.status.as_u16(), joined.header("location")), (303, lot.as_str()));
    let again = bob.get(&link).await;
    assert_eq!(
        (again.status.as_u16(), again.header("location")),
        (303, lot.as_str()),
        "a member is led there"
    );
}

#[tokio::test]
async fn an_invitation_shows_pictures_and_what_a_member_gets() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let book = json!({
        "name": "Class 4b", "startingBalance": 300, "baseUnit": {"name": "Ticket", "plural": "Tickets", "symbol": ""},
    });
    let book = ada.post("/api/books", book).await.expect(201)["id"].clone();
    let path = auction(&ada, json!({"joinMode": "LINK", "bookId": book})).await;
    let currency = json!({"code": "TICKET", "name": "Ticket", "plural": "Tickets", "rateToBase": 1, "inputMode": "SCALAR"});
    ada.post(&format!("{path}/currencies"), currency).await.expect(201);
    let mut pictures = Vec::new();
    for (name, published) in [("A cake", true), ("A secret", false)] {
        let made = json!({"name": name, "isPublished": published});
        let item =
            ada.post(&format!("{path}/items"), made).await.expect(201)["id"].as_str().unwrap().to_owned();
        let added = add_picture(&ada, &format!("{path}/items/{item}"), &png(40, 30)).await.expect(201);
        pictures.push(added["id"].as_str().unwrap().to_owned());
    }
    let visitor = app.anonymous();
    let invited = invite(&ada, &path, "bob@example.org", "BIDDER").await;
    for page in [
        format!("/join/{}", token(&ada, &path).await),
        format!("/invites/{}", invited["token"].as_str().unwrap()),
    ] {
        assert!(words(&visitor, &page).await.contains("You get 300 Tickets to bid with."));
        let picture = format!("{page}/pictures/{}", pictures[0]);
        assert!(visitor.get(&page).await.text.contains(&format!("src=\"{picture}\"")));
        let file = visitor.get(&picture).await;
        assert_eq!((file.status.as_u16(), file.header("content-type")), (200, "image/jpeg"));
        assert_eq!(file.header("cache-control"), "private, no-cache", "the link may be replaced");
        let kept = visitor.request("GET", &picture).header("if-none-match", file.header("etag"));
        assert_eq!(kept.send().await.unwrap().status(), 304);
        let hidden = visitor.get(&format!("{page}/pictures/{}", pictures[1])).await;
        assert_eq!(hidden.status, 404, "the picture of a draft");
    }
    let guessed = visitor.get(&format!("/join/{}/pictures/{}", "0".repeat(64), pictures[0])).await;
    assert_eq!(guessed.status, 404);
}

/// A visitor takes nothing of what the owner may load, nor the owner of what visitors may.
#[tokio::test]
async fn pictures_of_an_invitation_count_for_the_address_that_loads_them() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "LINK"})).await;
    let item = json!({"name": "A cake", "isPublished": true, "currencyCode": "EUR"});
    let item = ada.post(&format!("{path}/items"), item).await.expect(201)["id"].as_str().unwrap().to_owned();
    let added = add_picture(&ada, &format!("{path}/items/{item}"), &png(40, 30)).await.expect(201);
    let screen = ada.post(&format!("{path}/screen"), json!({})).await.expect(200);
    ada.send("PUT", &format!("{path}/block"), json!({ "itemId": item })).await.expect(200);
    let id = added["id"].as_str().unwrap();
    let without_account = [
        format!("/join/{}/pictures/{id}", token(&ada, &path).await),
        format!("/screen/{}/pictures/{id}", screen["screenToken"].as_str().unwrap()),
    ];
    let own = added["full"].as_str().unwrap();
    let visitor = app.anonymous();
    let statuses = async || {
        let mut all = vec![ada.get(own).await.status.as_u16()];
        for path in &without_account {
            let answer = visitor.get(path).await;
            if answer.status == 200 {
                assert_eq!(answer.header("cache-control"), "private, no-cache", "{path}");
            }
            all.push(answer.status.as_u16());
        }
        all
    };
    assert_eq!(statuses().await, [200, 200, 200]);
    let owner: UserId = user_id(&ada).await.parse().unwrap();
    app.state.context.work.loaded_picture(owner.into(), 60_000_000);
    assert_eq!(statuses().await, [429, 200, 200]);
    app.clock.advance_seconds(60);
    let address = ClientAddress::of("127.0.0.1".parse().unwrap());
    app.state.context.work.loaded_picture(address.into(), 600_000_000);
    assert_eq!(statuses().await, [200, 429, 429]);
}

#[tokio::test]
async fn the_address_of_an_auction_leads_an_invited_user_to_the_invite() {
    let app = TestApp::start().await;
    let (ada, bob, eve) = (app.user("ada").await, app.user("bob").await, app.user("eve").await);
    let path = auction(&ada, json!({})).await;
    let address = path.replace("/api", "");
    let sent = invite(&ada, &path, "bob@example.org", "BIDDER").await;
    for client in [&bob, &eve] {
        assert_eq!(client.get(&address).await.status, 404, "an e-mail that is not confirmed gives no rights");
    }
    app.confirm_emails().await;
    let led = bob.get(&address).await;
    let invite = format!("/invites/{}", sent["token"].as_str().unwrap());
    assert_eq!((led.status.as_u16(), led.header("location")), (303, invite.as_str()));
    assert_eq!(eve.get(&address).await.status, 404, "nothing tells that the auction exists");
    let signed_out = app.anonymous().get(&address).await;
    assert_eq!(signed_out.header("location"), format!("/sign-in?next={address}"));
    let sign_in = app.anonymous().get(signed_out.header("location")).await.text;
    assert!(!sign_in.contains("Spring sale"), "{sign_in}");
}

#[tokio::test]
async fn the_page_of_an_auction_shows_its_goal_and_what_is_bid() {
    let terms = json!({"currencyCode": "EUR", "goal": "40"});
    let mut sale = Sale::open(terms, &[], json!({"currencyCode": "EUR"})).await;
    let ada = sale.bidder("ada").await;
    let page = format!("/auctions/{}", sale.auction);
    assert!(words(&sale.owner, &page).await.contains("€0.00 bid so far 0 % of the goal"));
    sale.bid(&ada, json!({"amount": 10})).await.expect(201);
    let (first, pounds) = (sale.item.clone(), sale.add_item(json!({"currencyCode": "GBP"})).await);
    sale.item = pounds;
    sale.bid(&ada, json!({"amount": 500})).await.expect(201);
    sale.app.clock.advance_seconds(5);
    let shown = words(&sale.owner, &page).await;
    assert!(shown.contains("€10.00 bid so far 25 % of the goal"), "other money does not count: {shown}");
    sale.item = first;
    for amount in [11, 12, 45] {
        let bidder = sale.bidder(&format!("b{amount}")).await;
        sale.bid(&bidder, json!({"amount": amount})).await.expect(201);
    }
    sale.app.clock.advance_seconds(5);
    let shown = sale.owner.get(&page).await.text;
    assert!(shown.contains("Goal reached") && shown.contains("<polyline points=\"0,11 "), "{shown}");
}

#[tokio::test]
async fn a_statement_says_who_sold_and_where_to_collect() {
    let sale =
        Sale::open(json!({"collection": "The hall, at 10"}), &[], json!({"currencyCode": "EUR"})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 10})).await.expect(201);
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    let page = format!("/auctions/{}/results?by=winner", sale.auction);
    let shown = words(&sale.owner, &page).await;
    for part in [", by ", "Total €10.00", "Pay and collect: The hall, at 10"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
