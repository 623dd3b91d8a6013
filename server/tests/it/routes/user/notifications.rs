use auction_house::inbox::sweep;
use auction_house::items::ends_soon;
use serde_json::{Value, json};

use crate::harness::{Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, text, wizards};

const PATH: &str = "/api/user/notifications";

async fn listed(client: &Client) -> Vec<Value> {
    client.get(PATH).await.expect(200)["notifications"].as_array().unwrap().clone()
}

/// The kinds of the user's notifications, oldest first.
async fn kinds(client: &Client) -> Vec<String> {
    listed(client).await.iter().rev().map(|one| text(&one["kind"])).collect()
}

/// A bid of which the others have heard when the next one comes.
async fn bid(sale: &Sale, bidder: &Client, amount: u32) {
    sale.bid(bidder, json!({ "amount": amount })).await.expect(201);
    sale.app.tell_leads().await;
}

#[tokio::test]
async fn a_user_is_outbid_once_until_leading_again() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob, eve) = (sale.bidder("ada").await, sale.bidder("bob").await, sale.bidder("eve").await);
    bid(&sale, &ada, 1).await;
    bid(&sale, &ada, 2).await;
    assert_eq!(kinds(&ada).await, [""; 0], "a user does not outbid themselves");
    bid(&sale, &bob, 3).await;
    bid(&sale, &eve, 4).await;
    bid(&sale, &eve, 5).await;
    assert_eq!(kinds(&ada).await, ["OUTBID"]);
    assert_eq!(kinds(&bob).await, ["OUTBID"]);
    bid(&sale, &ada, 6).await;
    bid(&sale, &bob, 7).await;
    assert_eq!(kinds(&ada).await, ["OUTBID", "OUTBID"]);
    let newest = &listed(&ada).await[0];
    assert_eq!((&newest["title"], &newest["itemId"]), (&json!("A vase"), &json!(sale.item)));
    assert_eq!(newest["auctionId"], json!(sale.auction));
    assert_eq!(kinds(&sale.owner).await, [""; 0], "bids are no news to the seller");
}

#[tokio::test]
async fn a_withdrawal_lets_another_user_lead_again() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    bid(&sale, &ada, 1).await;
    bid(&sale, &bob, 2).await;
    let path = format!("{}/2/withdraw", sale.bids_path());
    let withdrawn = bob.post(&path, json!({"reason": "MISTYPED"})).await;
    assert!(withdrawn.status.is_success(), "{}", withdrawn.text);
    sale.app.tell_leads().await;
    assert_eq!(kinds(&ada).await, ["OUTBID", "LEADING_AGAIN"]);
    assert_eq!(kinds(&bob).await, [""; 0]);
}

#[tokio::test]
async fn winners_and_sellers_learn_of_outcomes() {
    let mut sale = Sale::legacy(json!({})).await;
    let (ada, seller) = (sale.bidder("ada").await, sale.bidder("seller").await);
    sale.give_role(&seller, "CREATOR").await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    let end = "2026-05-01T19:00:00Z";
    let new = |name: &str| json!({"name": name, "isPublished": true, "currencyCode": "EUR", "endDate": end});
    let [sold, _unsold] = [
        text(&seller.post(&items, new("A jug")).await.expect(201)["id"]),
        text(&seller.post(&items, new("A bowl")).await.expect(201)["id"]),
    ];
    sale.item = sold.clone();
    bid(&sale, &ada, 1).await;
    sale.app.clock.advance_seconds(3600);
    sale.app.reconcile().await;
    assert_eq!(kinds(&ada).await, ["WON"]);
    let mut of_seller = kinds(&seller).await;
    of_seller.sort();
    assert_eq!(of_seller, ["SOLD", "UNSOLD"]);
    sale.app.reconcile().await;
    assert_eq!(kinds(&ada).await, ["WON"], "an outcome is reported once");
}

/// The price is that of the bid at that time, written in the currency in which it was entered.
#[tokio::test]
async fn notifications_name_the_price_in_pieces() {
    let unit = json!({"baseUnit": {"name": "Knut", "plural": "Knuts", "symbol": ""}});
    let tickets = json!({"code": "T", "name": "Ticket", "plural": "Tickets", "rateToBase": "10", "inputMode": "SCALAR"});
    let sale = Sale::open(unit, &[wizards(), tickets], json!({"endDate": "2026-05-01T19:00:00Z"})).await;
    let (ada, bob, eve) = (sale.bidder("ada").await, sale.bidder("bob").await, sale.bidder("eve").await);
    let currencies = ada.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let galleons = |count: u32, sickles: u32| {
        json!({"enteredRepresentation": [
        {"denomination": "GALLEON", "count": count}, {"denomination": "SICKLE", "count": sickles}]})
    };
    sale.bid(&ada, galleons(1, 0)).await.expect(201);
    sale.bid(&bob, galleons(3, 2)).await.expect(201);
    sale.app.tell_leads().await;
    let in_tickets = json!({"currencyProfileId": currencies["currencies"][1]["id"], "amount": 200});
    sale.bid(&eve, in_tickets).await.expect(201);
    sale.app.tell_leads().await;
    let path = format!("{}/3/withdraw", sale.bids_path());
    assert!(eve.post(&path, json!({"reason": "MISTYPED"})).await.status.is_success());
    sale.app.tell_leads().await;
    sale.app.clock.advance_seconds(7200);
    sale.app.reconcile().await;
    let texts = async |client| -> Vec<String> {
        listed(client).await.iter().rev().map(|one| text(&one["text"]).replace('\u{a0}', " ")).collect()
    };
    let price = "3 Galleons · 2 Sickles (1537 Knuts)";
    assert_eq!(texts(&ada).await, [format!("Another bid was higher than yours: {price}.")]);
    assert_eq!(
        texts(&bob).await,
        [
            "Another bid was higher than yours: 200 Tickets (2000 Knuts).".to_owned(),
            format!("A bid was withdrawn: yours is the highest again, at {price}."),
            format!("You have won this item for {price}."),
        ]
    );
    assert_eq!(texts(&sale.owner).await, [format!("Your item was sold for {price}.")]);
    let page = bob.get("/notifications").await.text.replace('\u{a0}', " ");
    assert!(page.contains(&format!("You have won this item for {price}.")), "{page}");
}

#[tokio::test]
async fn closing_an_auction_tells_all_winners_also_after_a_restart() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    bid(&sale, &ada, 1).await;
    sale.app = sale.app.restart().await;
    let (ada, owner) = (ada.at(sale.app.address), sale.owner.at(sale.app.address));
    owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    assert_eq!(kinds(&ada).await, ["WON"]);
    assert_eq!(kinds(&owner).await, [""; 0], "the owner closed the auction");
}

#[tokio::test]
async fn followers_learn_of_changes_and_of_the_end_once() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T20:30:00Z"})).await;
    let (ada, bob, eve) = (sale.bidder("ada").await, sale.bidder("bob").await, sale.bidder("eve").await);
    bid(&sale, &ada, 1).await;
    let watch = format!("{}/watch", sale.item_path());
    assert!(bob.send("PUT", &watch, json!({})).await.status.is_success());
    for name in ["A blue vase", "A red vase"] {
        sale.owner.patch(&sale.item_path(), json!({ "name": name })).await.expect(200);
    }
    for client in [&ada, &bob] {
        assert_eq!(kinds(client).await, ["ITEM_CHANGED"], "one until it is read");
    }
    ends_soon::notify_followers(&sale.app.state.context).await;
    assert_eq!(kinds(&ada).await, ["ITEM_CHANGED"], "more than an hour is left");
    sale.app.clock.advance_seconds(5400);
    for _ in 0..2 {
        ends_soon::notify_followers(&sale.app.state.context).await;
    }
    for client in [&ada, &bob] {
        assert_eq!(kinds(client).await, ["ITEM_CHANGED", "ENDS_SOON"]);
        assert_eq!(listed(client).await[0]["text"], "This item ends within the hour, now at 1.00\u{a0}EUR.");
    }
    assert_eq!(kinds(&eve).await, [""; 0]);
    assert_eq!(kinds(&sale.owner).await, [""; 0]);
}

#[tokio::test]
async fn two_servers_tell_of_an_end_once() {
    let app = TestApp::start_on_postgres().await;
    let terms = json!({"currencyCode": "EUR", "endDate": "2026-05-01T18:30:00Z"});
    let sale = Sale::open_in(app, json!({}), &[], terms).await;
    let ada = sale.bidder("ada").await;
    bid(&sale, &ada, 1).await;
    let other = sale.app.another().await;
    let (here, there) = (&sale.app.state.context, &other.state.context);
    tokio::join!(ends_soon::notify_followers(here), ends_soon::notify_followers(there));
    assert_eq!(kinds(&ada).await, ["ENDS_SOON"]);
}

#[tokio::test]
async fn a_new_item_is_news_for_members_who_want_it() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    ada.patch("/api/user/preferences", json!({"notify": {"NEW_ITEM": true}})).await.expect(200);
    let draft = sale.add_item(json!({"name": "A draft", "currencyCode": "EUR", "isPublished": false})).await;
    assert_eq!(kinds(&ada).await, [""; 0]);
    let path = format!("/api/auctions/{}/items/{draft}", sale.auction);
    sale.owner.patch(&path, json!({"isPublished": true})).await.expect(200);
    assert_eq!(kinds(&ada).await, ["NEW_ITEM"]);
    assert_eq!(kinds(&bob).await, [""; 0]);
}

#[tokio::test]
async fn a_kind_that_is_not_wanted_is_not_written() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    ada.patch("/api/user/preferences", json!({"notify": {"OUTBID": false}})).await.expect(200);
    bid(&sale, &ada, 1).await;
    bid(&sale, &bob, 2).await;
    assert_eq!(kinds(&ada).await, [""; 0]);
}

#[tokio::test]
async fn notifications_are_listed_counted_and_read() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    for amount in 0..3 {
        bid(&sale, &ada, 2 * amount + 1).await;
        bid(&sale, &bob, 2 * amount + 2).await;
    }
    let page = ada.get(&format!("{PATH}?limit=2")).await.expect(200);
    assert_eq!((page["notifications"].as_array().unwrap().len(), &page["unreadCount"]), (2, &json!(3)));
    let before = text(&page["nextBefore"]);
    let rest = ada.get(&format!("{PATH}?limit=2&before={before}")).await.expect(200);
    assert_eq!((rest["notifications"].as_array().unwrap().len(), &rest["nextBefore"]), (1, &Value::Null));
    let id = text(&rest["notifications"][0]["id"]);
    bob.post(&format!("{PATH}/read"), json!({ "ids": [id] })).await.expect(204);
    assert_eq!(ada.get(PATH).await.expect(200)["unreadCount"], 3, "another user reads nothing");
    ada.post(&format!("{PATH}/read"), json!({ "ids": [id] })).await.expect(204);
    let unread = ada.get(&format!("{PATH}?unread=true")).await.expect(200);
    assert_eq!((unread["notifications"].as_array().unwrap().len(), &unread["unreadCount"]), (2, &json!(2)));
    ada.post(&format!("{PATH}/read"), json!({"all": true})).await.expect(204);
    assert_eq!(ada.get(PATH).await.expect(200)["unreadCount"], 0);
    for body in [json!({}), json!({"all": false}), json!({"all": true, "ids": []}), json!({"ids": ["x"]})] {
        ada.post(&format!("{PATH}/read"), body).await.expect_problem(422, "INVALID_BODY");
    }
    for query in ["limit=0", "limit=101", "before=x", "unread=maybe"] {
        ada.get(&format!("{PATH}?{query}")).await.expect_problem(422, "INVALID_BODY");
    }
}

#[tokio::test]
async fn old_notifications_are_deleted() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    bid(&sale, &ada, 1).await;
    bid(&sale, &bob, 2).await;
    sweep::sweep(&sale.app.state.context).await.unwrap();
    assert_eq!(kinds(&ada).await, ["OUTBID"]);
    sale.app.clock.advance_seconds(91 * 24 * 3600);
    sweep::sweep(&sale.app.state.context).await.unwrap();
    let again = sale.app.anonymous();
    let login = json!({"email": "ada@example.org", "password": crate::harness::PASSWORD});
    again.post("/api/auth/login", login).await.expect(200);
    assert_eq!(kinds(&again).await, [""; 0]);
}

#[tokio::test]
async fn the_page_shows_and_marks_notifications_without_javascript() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    bid(&sale, &ada, 1).await;
    assert!(!ada.get("/auctions").await.text.contains("unread"));
    bid(&sale, &bob, 2).await;
    assert!(ada.get("/auctions").await.text.contains("Notifications, 1 unread"));
    let page = ada.get("/notifications").await;
    let link = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    for part in ["A vase", "Another bid was higher than yours: 2.00\u{a0}EUR.", link.as_str(), "Mark as read"]
    {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    let id = text(&listed(&ada).await[0]["id"]);
    assert!(page.text.contains(&format!("value=\"{id}\"")), "{}", page.text);
    let marked = ada.post_form("/notifications/read", &[("ids", id.as_str())]).await;
    assert_eq!((marked.status.as_u16(), marked.header("location")), (303, "/notifications"));
    assert!(!ada.get("/notifications").await.text.contains("Mark as read"));
    assert_eq!(ada.post_form("/notifications/read", &[]).await.status, 303);
}

#[tokio::test]
async fn a_cancelled_item_is_told_to_all_whom_it_concerns() {
    let mut sale = Sale::legacy(json!({})).await;
    let (ada, bob, eve) = (sale.bidder("ada").await, sale.bidder("bob").await, sale.bidder("eve").await);
    let seller = sale.member("seller", "CREATOR").await;
    let item = json!({"name": "A lamp", "isPublished": true, "currencyCode": "EUR"});
    let items = format!("/api/auctions/{}/items", sale.auction);
    sale.item = text(&seller.post(&items, item).await.expect(201)["id"]);
    bid(&sale, &ada, 1).await;
    bid(&sale, &bob, 2).await;
    eve.send("PUT", &format!("{}/watch", sale.item_path()), json!({})).await.expect(204);
    let cancel = format!("{}/cancel", sale.item_path());
    sale.owner.post(&cancel, json!({"reason": "It broke."})).await.expect(200);
    for client in [&ada, &bob, &eve, &seller] {
        let newest = listed(client).await.remove(0);
        assert_eq!((&newest["kind"], &newest["title"]), (&json!("ITEM_CHANGED"), &json!("A lamp")));
        assert_eq!(newest["text"], "This item was taken out of the sale: It broke.");
    }
    assert_eq!(kinds(&sale.owner).await, [""; 0], "of their own acts they know");
}

#[tokio::test]
async fn a_bid_that_a_manager_withdraws_is_told_to_its_bidder() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, admin) = (sale.bidder("ada").await, sale.admin("admin").await);
    bid(&sale, &ada, 1).await;
    sale.withdraw(&admin, 1, json!({"reason": "OTHER", "note": "You asked."})).await.expect(200);
    let told = listed(&ada).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["text"], "A manager of the auction has withdrawn your bid: You asked.");
    bid(&sale, &ada, 2).await;
    sale.withdraw(&ada, 2, json!({"reason": "MISTYPED"})).await.expect(200);
    assert_eq!(listed(&ada).await.len(), 1, "of their own acts they know");
}

/// A user who was removed learns no later name.
#[tokio::test]
async fn a_notification_keeps_the_name_of_its_time() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    bid(&sale, &ada, 1).await;
    bid(&sale, &bob, 2).await;
    let member = crate::routes::auctions::user_id(&ada).await;
    let members = format!("/api/auctions/{}/members", sale.auction);
    sale.owner.delete(&format!("{members}/{member}")).await.expect(204);
    sale.owner.patch(&sale.item_path(), json!({"name": "A new name"})).await.expect(200);
    assert_eq!(listed(&ada).await[0]["title"], "A vase");
}

/// However many there are of one kind, the others stay.
#[tokio::test]
async fn the_sweep_counts_each_kind_by_itself() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    bid(&sale, &ada, 1).await;
    bid(&sale, &bob, 2).await;
    sale.app
        .write(platform::db::Sql {
            sqlite: "INSERT INTO notifications (user_id, id, kind, title, created_at)
                     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
                     SELECT o.user_id, randomblob(16), 'BALANCE', 'Spam', o.created_at FROM n, notifications o
                     WHERE o.kind = 'OUTBID'",
            postgres: "INSERT INTO notifications (user_id, id, kind, title, created_at)
                       SELECT o.user_id, gen_random_uuid(), 'BALANCE', 'Spam', o.created_at
                       FROM generate_series(1, 700), notifications o WHERE o.kind = 'OUTBID'",
        })
        .await;
    sweep::sweep(&sale.app.state.context).await.unwrap();
    let (mut of_kind, mut before) = (std::collections::BTreeMap::<String, usize>::new(), String::new());
    loop {
        let page = ada.get(&format!("{PATH}?limit=100{before}")).await.expect(200);
        for one in page["notifications"].as_array().unwrap() {
            *of_kind.entry(text(&one["kind"])).or_default() += 1;
        }
        let Some(next) = page["nextBefore"].as_str() else { break };
        before = format!("&before={next}");
    }
    assert_eq!(of_kind, [("BALANCE".to_owned(), 500), ("OUTBID".to_owned(), 1)].into());
}
