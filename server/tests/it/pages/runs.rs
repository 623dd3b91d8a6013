//! The pages of runs and caps, and what marks members as present, without JavaScript.

use serde_json::{Value, json};

use super::hall::Hall;
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::books::BookSale;
use crate::routes::auctions::items::bids::points;
use crate::routes::auctions::{user_id, wrong_fields};
use crate::routes::books::{add, book};
use crate::routes::groups::Group;

/// The text of a page.
fn words(page: &str) -> String {
    let text = page.split('<').map(|part| part.split_once('>').map_or("", |(_, text)| text));
    let text = text.collect::<Vec<_>>().join(" ").replace('\u{a0}', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn location(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303, "{}", words(&answer.text));
    answer.header("location")
}

async fn balance(client: &Client, book: &str) -> String {
    let holders = client.get(&format!("{book}/holders")).await.expect(200);
    holders["holders"].as_array().unwrap().last().unwrap()["balance"].as_str().unwrap().to_owned()
}

/// Value of a hidden field of a page.
fn hidden(page: &str, name: &str) -> String {
    let field = page.split("<input ").find(|field| field.contains(&format!("name=\"{name}\"")));
    let value = field.unwrap_or_else(|| panic!("no field {name}")).split("value=\"").nth(1);
    value.unwrap().split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_decay_is_previewed_written_and_undone() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let book = book(&ada, json!({"startingBalance": 300})).await;
    add(&ada, &book, &bob).await;
    let page = format!("{}/runs", book.replace("/api", ""));
    let shown = ada.get(&format!("{page}?kind=DECAY&percent=10&floor=100&period=2026-W48")).await;
    let text = words(&shown.text);
    for expected in ["Preview of the decay", "300", "280", "-20"] {
        assert!(text.replace('−', "-").contains(expected), "{expected}: {text}");
    }
    assert_eq!(balance(&ada, &book).await, "300");
    let (expect, key) = (hidden(&shown.text, "expect"), hidden(&shown.text, "idempotencyKey"));
    let mut fields = vec![
        ("kind", "DECAY"),
        ("percent", "10"),
        ("floor", "100"),
        ("period", "2026-W48"),
        ("expect", expect.as_str()),
        ("idempotencyKey", key.as_str()),
    ];
    let refused = ada.post_form(&page, &fields).await;
    assert_eq!(refused.status, 422);
    assert!(words(&refused.text).contains("Say why"), "{}", words(&refused.text));
    fields.push(("reason", "Sunday"));
    assert_eq!(location(&ada.post_form(&page, &fields).await), format!("{page}?done=run"));
    assert_eq!(balance(&ada, &book).await, "280");
    // The same form again is the same run; with another key the balances have changed.
    assert_eq!(location(&ada.post_form(&page, &fields).await), format!("{page}?done=run"));
    fields.retain(|(name, _)| !["idempotencyKey", "period"].contains(name));
    fields.push(("idempotencyKey", "another"));
    let changed = ada.post_form(&page, &fields).await;
    assert_eq!(changed.status, 409);
    assert!(words(&changed.text).contains("Balances have changed"), "{}", words(&changed.text));
    assert_eq!(balance(&ada, &book).await, "280");
    let listed = ada.get(&page).await;
    assert!(words(&listed.text).contains("Sunday"), "{}", words(&listed.text));
    let undone = ada.post_form(&format!("{page}/1/reverse"), &[]).await;
    assert_eq!(location(&undone), format!("{page}?done=undone"));
    assert_eq!(balance(&ada, &book).await, "300");
    assert_eq!(bob.get(&page).await.status, 403);
}

#[tokio::test]
async fn what_is_wrong_with_a_run_is_said_in_words() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let book = book(&ada, json!({})).await;
    let page = format!("{}/runs", book.replace("/api", ""));
    for (query, expected) in [
        ("kind=DECAY&percent=-20", "The percentage must be a decimal above 0"),
        ("kind=DECAY&floor=1", "The percentage must be given"),
        ("kind=DECAY&percent=10", "No balance would change"),
        ("kind=DECAY&percent=10&floor=x", "“But not below” must be"),
        ("kind=DECAY&percent=10&digits=9", "The number of digits must be from 0 to 6"),
        ("kind=DECAY&percent=10&people=Cleo", "Nobody here is called “Cleo”."),
        ("kind=SHARE&to=ALL", "Enter the amount to share."),
        ("kind=SHARE&auctionId=x&to=ALL", "There is nothing to share"),
        ("kind=SHARE&auctionId=x&to=PRESENT", "Nobody is marked as present"),
        ("kind=SHARE&auctionId=x&lot=12", "No lot of the auction has this number."),
        ("kind=SHARE&amount=5&to=CHOSEN", "Name the people among whom it is shared."),
        ("kind=SHARE&amount=5&to=CHOSEN&people=ada+0", "The part of “ada” must be a whole number"),
        ("kind=SHARE&amount=5&to=ALL&cuts=ada+101", "Each cut must be"),
        ("kind=NOTHING&amount=x", "The amount must be"),
    ] {
        let shown = ada.get(&format!("{page}?{query}")).await;
        assert_eq!(shown.status, 200);
        let text = words(&shown.text);
        assert!(text.contains(expected), "{query}: {text}");
        assert!(!text.contains('`') && !text.contains("auctionId"), "{query}: {text}");
    }
    // A form that nobody has filled in says nothing.
    for query in ["kind=DECAY", "kind=SHARE"] {
        let text = words(&ada.get(&format!("{page}?{query}")).await.text);
        assert!(!text.contains("This can’t be done yet"), "{query}: {text}");
    }
}

#[tokio::test]
async fn people_are_named_on_lines_and_a_wrong_name_writes_nothing() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let book = book(&ada, json!({"startingBalance": 300})).await;
    add(&ada, &book, &bob).await;
    let page = format!("{}/runs", book.replace("/api", ""));
    let mut fields = vec![
        ("kind", "SHARE"),
        ("auctionId", "AMOUNT"),
        ("amount", "100"),
        ("to", "CHOSEN"),
        ("people", "Ada\nBob 3"),
        ("cuts", "bob 20 %"),
        ("digits", "0"),
        ("reason", "Tuesday"),
        ("idempotencyKey", "cut"),
    ];
    fields[5].1 = "Cleo 20";
    let refused = ada.post_form(&page, &fields).await;
    assert_eq!(refused.status, 422);
    assert!(words(&refused.text).contains("Nobody here is called “Cleo”."), "{}", words(&refused.text));
    assert_eq!(balance(&ada, &book).await, "300");
    fields[5].1 = "bob 20 %";
    assert_eq!(location(&ada.post_form(&page, &fields).await), format!("{page}?done=run"));
    // 20 and 60 of 100.
    assert_eq!(balance(&ada, &book).await, "380");
}

#[tokio::test]
async fn a_keeper_learns_nothing_of_an_auction_that_is_hidden_or_of_bidders_who_are() {
    let group = Group::start().await;
    group.add(&["Zoe", "Ada"]).await;
    let (app, keeper) = (&group.app, &group.keeper);
    let book = book(keeper, json!({})).await;
    let terms = json!({"bookId": book.rsplit('/').next(), "bidderVisibility": "NUMBERS", "joinMode": "FREE"});
    let auction = group.auction(terms).await;
    let id = auction.rsplit('/').next().unwrap();
    keeper.post(&format!("{auction}/currencies"), points("PTS", "1")).await.expect(201);
    keeper.post(&format!("{auction}/items"), json!({"name": "A draft"})).await.expect(201);
    let tess = app.user("tess").await;
    let holder = add(keeper, &book, &tess).await;
    keeper.patch(&format!("{book}/holders/{holder}"), json!({"role": "TELLER"})).await.expect(200);
    let case = format!("{}/runs/case?auctionId={id}", book.replace("/api", ""));
    let order = |told: Value| {
        let holders = told["holders"].as_array().unwrap().iter();
        holders.map(|holder| holder["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let plain = order(tess.get(&case.replace(id, "")).await.expect(200));
    // The numbers are those of the keeper, Zoe and Ada: the teller learns the order of joining only.
    assert_eq!(order(tess.get(&case).await.expect(200)), plain);
    assert_eq!(tess.get(&format!("{case}&lot=1")).await.expect(200).get("itemId"), None, "a draft");
    keeper.patch(&auction, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    let hidden = tess.get(&case).await.expect(200);
    assert_eq!((hidden.get("pot"), &hidden["present"]), (None, &json!([])));
    let params = json!({"auctionId": id, "to": [{"holder": holder}]});
    let body = json!({"kind": "SHARE", "params": params});
    let refused = tess.post(&format!("{book}/runs?dryRun=true"), body).await;
    assert_eq!(wrong_fields(&refused), ["params.auctionId"]);
    assert_eq!(keeper.get(&case).await.expect(200)["pot"], "0");
}

#[tokio::test]
async fn what_a_run_is_computed_of_is_for_keepers() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let ada = sale.bidder("ada").await;
    opened.bid_on(&sale.item, &ada, 60).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let case = format!("/books/{}/runs/case?auctionId={}", opened.book, sale.auction);
    let told = sale.owner.get(&case).await.expect(200);
    assert_eq!((&told["pot"], &told["present"]), (&json!("60"), &json!([])));
    let balances = told["holders"].as_array().unwrap().iter().map(|holder| holder["balance"].clone());
    assert!(balances.into_iter().any(|balance| balance == "40"));
    assert_eq!(told.get("itemId"), None);
    let of_lot = sale.owner.get(&format!("{case}&lot=1")).await.expect(200);
    assert_eq!((&of_lot["pot"], &of_lot["itemId"]), (&json!("60"), &json!(sale.item)));
    assert_eq!(ada.get(&case).await.status, 403);
    assert_eq!(sale.bidder("eve").await.get(&format!("/books/{}/runs/case", sale.auction)).await.status, 404);
}

#[tokio::test]
async fn those_who_are_marked_as_present_share_what_was_spent() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&sale.item, &ada, 60).await.expect(201);
    opened.bid_on(&sale.item, &ben, 70).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let members = format!("/auctions/{}/members", sale.auction);
    let mark = format!("{members}/{}/present", user_id(&ada).await);
    let marked = sale.owner.post_form(&mark, &[("present", "true")]).await;
    assert_eq!(location(&marked), format!("{members}?done=present"));
    assert!(words(&sale.owner.get(&members).await.text).contains("Not present any more"));
    assert!(!ben.get(&members).await.text.contains("present"));
    let page = format!("/books/{}/runs", opened.book);
    let query = format!("kind=SHARE&auctionId={}&to=PRESENT&rest=KEEP", sale.auction);
    let shown = sale.owner.get(&format!("{page}?{query}")).await;
    let text = words(&shown.text);
    assert!(text.contains("Preview of the share") && text.contains("+70"), "{text}");
    let (expect, key) = (hidden(&shown.text, "expect"), hidden(&shown.text, "idempotencyKey"));
    let fields = [
        ("kind", "SHARE"),
        ("auctionId", sale.auction.as_str()),
        ("to", "PRESENT"),
        ("rest", "KEEP"),
        ("expect", &expect),
        ("idempotencyKey", &key),
        ("reason", "Tuesday"),
    ];
    assert_eq!(location(&sale.owner.post_form(&page, &fields).await), format!("{page}?done=run"));
    assert_eq!(opened.funds(&ada).await[0], "170");
}

#[tokio::test]
async fn a_clerk_records_by_number_who_is_present() {
    let group = Group::start().await;
    let book = book(&group.keeper, json!({})).await;
    let id = book.rsplit('/').next().unwrap();
    let hall = Hall::in_group(group, json!({ "bookId": id })).await;
    let keeper = &hall.group.keeper;
    let page = words(&keeper.get(&hall.page()).await.text);
    assert!(page.contains("Present: 0"), "{page}");
    let path = format!("{}/present", hall.page());
    let here = keeper.post_form(&path, &[("numbers", "2, 3"), ("present", "true")]).await;
    assert_eq!(location(&here), format!("{}?done=present", hall.page()));
    let page = words(&keeper.get(location(&here)).await.text);
    assert!(page.contains("Present: 2 Recorded: they are present."), "{page}");
    let unknown = keeper.post_form(&path, &[("numbers", "3 99;x"), ("present", "false")]).await;
    assert_eq!(unknown.status, 422);
    let said = words(&unknown.text);
    assert!(said.contains("No member of this auction has the number 99, x."), "{said}");
    assert!(unknown.text.contains("value=\"3 99;x\"") && said.contains("Present: 2"), "{said}");
    let card = |code: &str| format!("https://x.example/go#{code}.2.SECRET");
    let other = keeper.post_form(&path, &[("numbers", &card("ABCDEF")), ("present", "true")]).await;
    assert_eq!(other.status, 422, "the card of another group");
    let scanned = card(&hall.group.code);
    let own = keeper.post_form(&path, &[("numbers", &scanned), ("present", "true")]).await;
    assert_eq!(location(&own), format!("{}?done=present", hall.page()));
    for typed in ["2-99", "1 - 3", "2–3"] {
        let span = keeper.post_form(&path, &[("numbers", typed), ("present", "true")]).await;
        assert_eq!(location(&span), format!("{}?done=present", hall.page()), "{typed}");
    }
    let none = keeper.post_form(&path, &[("numbers", "50-99"), ("present", "true")]).await;
    assert!(words(&none.text).contains("has the number 50-99."), "{}", words(&none.text));
    keeper.post_form(&path, &[("numbers", "1"), ("present", "false")]).await;
    let nothing = keeper.post_form(&path, &[("numbers", " "), ("present", "true")]).await;
    assert!(words(&nothing.text).contains("Enter numbers of members"), "{}", words(&nothing.text));
    keeper.post_form(&path, &[("numbers", "3"), ("present", "false")]).await;
    assert!(words(&keeper.get(&hall.page()).await.text).contains("Present: 1"));
}

#[tokio::test]
async fn sharing_at_once_is_set_on_the_page_of_settings_and_said_on_that_of_runs() {
    let opened = BookSale::open("200").await;
    let sale = &opened.sale;
    let ada = sale.bidder("ada").await;
    let page = format!("/books/{}/settings", opened.book);
    let book = format!("/api/books/{}", opened.book);
    let fields = [("automatic", "true"), ("buyer", "IN"), ("digits", "0"), ("rest", "SPREAD")];
    let saved = sale.owner.post_form(&format!("{page}/share"), &fields).await;
    assert_eq!(location(&saved), format!("{page}?done=share"));
    let expected = json!({"automatic": true, "buyer": "IN", "digits": 0, "rest": "SPREAD"});
    assert_eq!(sale.owner.get(&book).await.expect(200)["share"], expected);
    let shown = sale.owner.get(&page).await.text;
    assert!(words(&shown).contains("Share what was spent among those present, at once"), "{shown}");
    let refused = sale.owner.post_form(&format!("{page}/share"), &[("digits", "9")]).await;
    assert_eq!(refused.status, 422);
    assert!(words(&refused.text).contains("must be a whole number from 0 to 6"), "{}", words(&refused.text));
    assert_eq!(sale.owner.get(&book).await.expect(200)["share"], expected);

    let here = json!({"userIds": [user_id(&ada).await], "present": true});
    let request = sale.owner.request("PUT", &format!("/api/auctions/{}/present", sale.auction));
    Answer::of(request.json(&here)).await.expect(200);
    opened.bid_on(&sale.item, &ada, 30).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let runs = format!("/books/{}/runs", opened.book);
    let said = words(&sale.owner.get(&runs).await.text);
    assert!(said.contains("“A vase” was sold") && said.contains("Automatic, with the sale"), "{said}");
    let outcome = json!({"sequence": null, "reason": "It broke"});
    sale.owner.post(&format!("{}/outcome", sale.item_path()), outcome).await.expect(200);
    let said = words(&sale.owner.get(&runs).await.text);
    assert!(said.contains("Undone by another outcome on"), "{said}");
    // An empty box ends it.
    let fields = [("buyer", "OUT"), ("digits", ""), ("rest", "KEEP")];
    sale.owner.post_form(&format!("{page}/share"), &fields).await;
    let expected = json!({"automatic": false, "buyer": "OUT", "digits": 0, "rest": "KEEP"});
    assert_eq!(sale.owner.get(&book).await.expect(200)["share"], expected);
}

#[tokio::test]
async fn caps_are_set_and_removed_on_the_page_of_settings() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let book = book(&ada, json!({})).await;
    let page = format!("{}/settings", book.replace("/api", ""));
    let fields =
        [("soft", "500"), ("softPercent", "10 %"), ("weekStart", "TUESDAY"), ("timeZone", "Europe/Berlin")];
    let saved = ada.post_form(&format!("{page}/caps"), &fields).await;
    assert_eq!(location(&saved), format!("{page}?done=caps"));
    let expected =
        json!({"soft": "500", "softPercent": "10", "weekStart": "TUESDAY", "timeZone": "Europe/Berlin"});
    assert_eq!(ada.get(&book).await.expect(200)["caps"], expected);
    let shown = ada.get(&page).await.text;
    assert!(shown.contains("value=\"500\"") && shown.contains("value=\"Europe/Berlin\" selected"), "{shown}");
    let refused = ada.post_form(&format!("{page}/caps"), &[("hard", "-1"), ("timeZone", "UTC")]).await;
    assert_eq!(refused.status, 422);
    assert!(words(&refused.text).contains("Enter a balance from 0"), "{}", words(&refused.text));
    // The terms stay as they were when a form with caps is sent, and the other way round.
    assert_eq!(ada.get(&book).await.expect(200)["caps"], expected);
    let removed =
        ada.post_form(&format!("{page}/caps"), &[("timeZone", "UTC"), ("weekStart", "MONDAY")]).await;
    assert_eq!(location(&removed), format!("{page}?done=caps"));
    assert_eq!(ada.get(&book).await.expect(200).get("caps"), None);
}
