//! `readableBy` ANYONE: what is read without being a member (SPEC, section 3).

use std::time::{Duration, Instant};

use installation::config::Switch;
use serde_json::{Value, json};

use super::items::bids::text;
use super::items::images::{add_picture, png};
use super::{NO_ID, give_role, join, remove, user_id};
use crate::harness::{Client, Events, TestApp};

/// Names of people that no outsider learns.
const OWNER: &str = "Oberon";
const SELLER: &str = "Silvanus";
const BIDDER: &str = "Xanthippe";

/// A private auction that anyone may read, with a sold item, an open one with a picture, and a draft.
struct Sale {
    app: TestApp,
    owner: Client,
    seller: Client,
    bidder: Client,
    auction: String,
    sold: String,
    item: String,
    draft: String,
    /// Path of the picture.
    picture: String,
}

impl Sale {
    async fn start() -> Self {
        Self::start_in(TestApp::start().await, json!({})).await
    }

    async fn start_in(app: TestApp, terms: Value) -> Self {
        let (owner, seller, bidder) = (app.user(OWNER).await, app.user(SELLER).await, app.user(BIDDER).await);
        let mut body = json!({
            "name": "Spring sale", "description": "# Old **brass**\n\nand more", "joinMode": "FREE", "readableBy": "ANYONE",
            "collection": "At my door, 7 Elm Road", "endDate": "2026-06-01T18:00:00Z",
        });
        super::change(&mut body, terms);
        let join_mode = body["joinMode"].clone();
        body["joinMode"] = json!("FREE");
        let auction = text(&owner.post("/api/auctions", body).await.expect(201)["id"]);
        let path = format!("/api/auctions/{auction}");
        for member in [&seller, &bidder] {
            join(member, &path).await;
        }
        give_role(&owner, &path, &seller, "CREATOR").await;
        owner.patch(&path, json!({"joinMode": join_mode})).await.expect(200);
        let mut ids = Vec::new();
        for (name, published) in [("A horn", true), ("A vase", true), ("A secret", false)] {
            let item = json!({"name": name, "currencyCode": "EUR", "isPublished": published});
            ids.push(text(&seller.post(&format!("{path}/items"), item).await.expect(201)["id"]));
        }
        let [sold, item, draft] = <[String; 3]>::try_from(ids).unwrap();
        for item in [&sold, &item] {
            bidder.post(&format!("{path}/items/{item}/bids"), json!({"amount": 5})).await.expect(201);
        }
        owner.post(&format!("{path}/items/{sold}/close"), json!({})).await.expect(200);
        let added = add_picture(&seller, &format!("{path}/items/{item}"), &png(600, 300)).await.expect(201);
        let picture = text(&added["medium"]);
        Self { app, owner, seller, bidder, auction, sold, item, draft, picture }
    }

    fn api(&self) -> String {
        format!("/api/auctions/{}", self.auction)
    }

    fn page(&self) -> String {
        format!("/auctions/{}", self.auction)
    }

    fn item(&self) -> String {
        format!("{}/items/{}", self.api(), self.item)
    }

    /// Everything but streams that an outsider may read.
    fn documents(&self) -> Vec<String> {
        let (api, page, item) = (self.api(), self.page(), self.item());
        vec![
            api.clone(),
            format!("{api}/items"),
            item.clone(),
            format!("{api}/items/{}", self.sold),
            format!("{item}/bids"),
            format!("{item}/images"),
            self.picture.clone(),
            format!("{api}/outcomes"),
            format!("{api}/calendar.ics"),
            page.clone(),
            format!("{page}?q=vase&sort=price"),
            format!("{page}/items/{}", self.item),
            format!("{page}/items/{}", self.sold),
            format!("{page}/items/{}/bids", self.item),
            format!("{page}/results"),
            format!("{page}/results?by=winner"),
        ]
    }

    fn streams(&self) -> [String; 4] {
        let (api, item) = (self.api(), self.item());
        [
            format!("{api}/events"),
            format!("{api}/events?after=0"),
            format!("{item}/events"),
            format!("{item}/events?after=0"),
        ]
    }

    async fn set(&self, terms: Value) {
        self.owner.patch(&self.api(), terms).await.expect(200);
    }

    /// Names and ids of all members.
    async fn people(&self) -> Vec<String> {
        let mut people = [OWNER, SELLER, BIDDER, "oberon@", "Elm Road"].map(str::to_owned).to_vec();
        for member in [&self.owner, &self.seller, &self.bidder] {
            people.push(user_id(member).await);
        }
        people
    }
}

#[track_caller]
fn names_nobody(people: &[String], path: &str, answer: &str) {
    for person in people {
        assert!(!answer.contains(person), "{path} names {person}: {answer}");
    }
}

#[tokio::test]
async fn an_outsider_reads_everything_published_and_learns_no_name() {
    for visibility in ["VISIBLE", "PER_BID", "ANONYMOUS"] {
        let terms = json!({"joinMode": "INVITE_ONLY", "bidderVisibility": visibility});
        let sale = Sale::start_in(TestApp::start().await, terms).await;
        let people = sale.people().await;
        let stranger = sale.app.user("stranger").await;
        for client in [&sale.app.anonymous(), &stranger] {
            for path in sale.documents() {
                let answer = client.request("GET", &path).send().await.unwrap();
                assert_eq!(answer.status(), 200, "{path}");
                let body = answer.bytes().await.unwrap();
                let body = String::from_utf8_lossy(&body);
                names_nobody(&people, &path, &body);
                assert!(!body.contains("A secret") && !body.contains(&sale.draft), "{path} shows a draft");
            }
            let mut streams = Vec::new();
            for path in sale.streams() {
                let mut events = Events::open(client, &path).await;
                let first = events.next().await.expect("an event").data.to_string();
                names_nobody(&people, &path, &first);
                streams.push((path, events));
            }
            let leading =
                client.get(&sale.item()).await.expect(200)["highestBid"]["normalizedAmount"].clone();
            let more = leading.as_str().unwrap().parse::<u32>().unwrap() + 1;
            sale.bidder.post(&format!("{}/bids", sale.item()), json!({"amount": more})).await.expect(201);
            for (path, mut events) in streams {
                loop {
                    let event = events.next().await.expect("an event");
                    names_nobody(&people, &path, &event.data.to_string());
                    if event.kind == "bid" && event.data["amount"] == more {
                        break;
                    }
                }
            }
        }
        let seen = sale.bidder.get(&sale.item()).await.expect(200);
        assert_eq!(seen["seller"]["name"], SELLER, "members know each other");
    }
}

#[tokio::test]
async fn the_answers_have_null_for_each_person() {
    let sale = Sale::start().await;
    let visitor = sale.app.anonymous();
    let item = visitor.get(&format!("{}/items/{}", sale.api(), sale.sold)).await.expect(200);
    assert_eq!(
        (&item["seller"], &item["creator"], &item["watched"]),
        (&Value::Null, &Value::Null, &json!(false))
    );
    assert_eq!(item["highestBid"]["bidder"], Value::Null);
    let outcome = &item["outcome"];
    assert_eq!(
        (&outcome["result"], &outcome["winner"], &outcome["by"]),
        (&json!("SOLD"), &Value::Null, &Value::Null)
    );
    assert_eq!(outcome["bid"]["amount"], 5);
    let auction = visitor.get(&sale.api()).await.expect(200);
    assert_eq!((&auction["myRole"], &auction["collection"]), (&Value::Null, &json!("")));
    assert_eq!(auction["inviteToken"], Value::Null);
    let own = sale.bidder.get(&sale.api()).await.expect(200);
    assert_eq!(own["collection"], "At my door, 7 Elm Road");
}

#[tokio::test]
async fn a_bidder_who_was_removed_is_an_outsider_who_knows_the_own_bids() {
    let sale = Sale::start().await;
    remove(&sale.owner, &sale.api(), &sale.bidder).await;
    let bids = sale.bidder.get(&format!("{}/bids", sale.item())).await.expect(200);
    assert_eq!(bids["bids"][0]["bidder"], Value::Null);
    let page = sale.bidder.get(&format!("{}/items/{}", sale.page(), sale.item)).await.text;
    assert!(page.contains("You were removed from this auction") && !page.contains(SELLER), "{page}");
}

/// What does not exist and what may not be read look the same.
#[tokio::test]
async fn without_an_account_nothing_tells_that_another_auction_exists() {
    let sale = Sale::start().await;
    let private = super::auction(&sale.owner, json!({})).await;
    let free = super::auction(&sale.owner, json!({"joinMode": "FREE"})).await;
    let visitor = sale.app.anonymous();
    let draft = format!("{}/items/{}", sale.api(), sale.draft);
    let paths = [&private, &free, &format!("/api/auctions/{NO_ID}"), "/api/auctions/x", &draft];
    for path in paths {
        for below in
            ["", "/events", "/events?after=x", "/items", "/items?limit=x", "/outcomes", "/calendar.ics"]
        {
            let below = if path == draft && below != "/events" { "" } else { below };
            let problem = visitor.get(&format!("{path}{below}")).await.expect_problem(401, "UNAUTHENTICATED");
            assert_eq!(problem["detail"], "Sign in first.", "{path}{below}");
        }
    }
    for path in
        ["/currencies", "/currency-rules", "/currency-set", "/members", "/export", "/balance", "/invites"]
    {
        visitor.get(&format!("{}{path}", sale.api())).await.expect_problem(401, "UNAUTHENTICATED");
    }
    for page in [private.replace("/api", ""), format!("/auctions/{NO_ID}"), format!("{}/share", sale.page())]
    {
        let answer = visitor.get(&page).await;
        assert_eq!(answer.status, 303, "{page}");
        assert!(answer.header("location").starts_with("/sign-in?next="), "{page}");
        assert!(!answer.text.contains("og:") && answer.text.contains("noindex"), "{}", answer.text);
    }
    let listed = sale.app.user("stranger").await.get("/api/auctions").await.expect(200).to_string();
    assert!(listed.contains(&sale.auction), "as a FREE auction");
    sale.set(json!({"joinMode": "LINK"})).await;
    let listed = sale.app.user("other").await.get("/api/auctions").await.expect(200).to_string();
    assert!(!listed.contains(&sale.auction), "{listed}");
}

#[tokio::test]
async fn who_reads_without_being_a_member_changes_nothing() {
    let sale = Sale::start_in(TestApp::start().await, json!({"joinMode": "LINK"})).await;
    let stranger = sale.app.user("stranger").await;
    stranger
        .post(&format!("{}/bids", sale.item()), json!({"amount": 50}))
        .await
        .expect_problem(404, "NOT_FOUND");
    let join = stranger.post(&format!("{}/join", sale.api()), json!({"inviteToken": "x"})).await;
    join.expect_problem(403, "FORBIDDEN");
    let watch = stranger.send("PUT", &format!("{}/watch", sale.item()), json!({})).await;
    watch.expect_problem(403, "FORBIDDEN");
    for path in ["members", "invites", "export"] {
        stranger.get(&format!("{}/{path}", sale.api())).await.expect_problem(403, "FORBIDDEN");
    }
    stranger.patch(&sale.api(), json!({"name": "Mine"})).await.expect_problem(403, "FORBIDDEN");
    let draft = format!("{}/items/{}", sale.api(), sale.draft);
    stranger.get(&draft).await.expect_problem(404, "NOT_FOUND");
    let visitor = sale.app.anonymous();
    for (method, path) in
        [("PATCH", sale.api()), ("POST", format!("{}/bids", sale.item())), ("DELETE", sale.item())]
    {
        visitor.send(method, &path, json!({})).await.expect_problem(401, "UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn once_it_is_closed_to_readers_streams_end_and_everything_else_is_refused() {
    let sale = Sale::start_in(TestApp::start().await, json!({"joinMode": "LINK"})).await;
    let (visitor, stranger) = (sale.app.anonymous(), sale.app.user("stranger").await);
    let people = sale.people().await;
    let mut streams = Vec::new();
    for client in [&visitor, &stranger] {
        for path in [format!("{}/events", sale.api()), format!("{}/events", sale.item())] {
            let mut events = Events::open(client, &path).await;
            events.next().await.expect("an item");
            streams.push((path, events));
        }
    }
    sale.set(json!({"readableBy": "MEMBERS"})).await;
    let closed = Instant::now();
    for path in sale.documents() {
        let answer = visitor.get(&path).await;
        let refused = if path.starts_with("/api/") { 401 } else { 303 };
        assert_eq!(answer.status, refused, "{path}");
        assert_eq!(stranger.get(&path).await.status, 404, "{path}");
    }
    sale.bidder.post(&format!("{}/bids", sale.item()), json!({"amount": 60})).await.expect(201);
    for (path, mut events) in streams {
        while let Some(event) = events.next().await {
            names_nobody(&people, &path, &event.data.to_string());
        }
        assert!(closed.elapsed() < Duration::from_secs(5), "{path}");
    }
}

/// Every signed-in user reads a FREE auction, with names; they come and go with the setting.
#[tokio::test]
async fn the_stream_of_a_signed_in_outsider_follows_the_setting() {
    let sale = Sale::start().await;
    let stranger = sale.app.user("stranger").await;
    let mut events = Events::open(&stranger, &format!("{}/events", sale.item())).await;
    assert_eq!(events.item().await["seller"], Value::Null);
    sale.set(json!({"readableBy": "MEMBERS"})).await;
    // Nothing is sent before the viewer is authorized again.
    tokio::time::sleep(Duration::from_millis(3500)).await;
    sale.bidder.post(&format!("{}/bids", sale.item()), json!({"amount": 60})).await.expect(201);
    let (_, bid) = loop {
        let event = events.next().await.expect("an event");
        if event.kind == "bid" {
            break (event.id, event.data);
        }
    };
    assert_eq!(bid["bidder"]["name"], BIDDER);
    sale.set(json!({"readableBy": "ANYONE"})).await;
    sale.bidder.post(&format!("{}/bids", sale.item()), json!({"amount": 70})).await.expect(201);
    loop {
        let event = events.next().await.expect("an event");
        assert!(!event.data.to_string().contains(BIDDER), "{event:?}");
        if event.kind == "bid" {
            break;
        }
    }
}

#[tokio::test]
async fn the_streams_of_an_address_without_an_account_are_bounded() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let sale = Sale::start_in(app, json!({})).await;
    let (visitor, path) = (sale.app.anonymous(), format!("{}/events", sale.item()));
    let opened = (0..250).map(|_| Events::open(&visitor, &path));
    let opened = futures::future::join_all(opened).await;
    let refused = visitor.get(&path).await;
    let problem = refused.expect_problem(429, "TOO_MANY_REQUESTS");
    assert!(problem["detail"].as_str().unwrap().contains("sign in"), "{problem}");
    assert!(!refused.header("retry-after").is_empty());
    drop(Events::open(&sale.bidder, &path).await);
    visitor.get(&sale.item()).await.expect(200);
    drop(opened);
    let deadline = Instant::now() + Duration::from_secs(20);
    while visitor.request("GET", &path).send().await.unwrap().status() != 200 {
        assert!(Instant::now() < deadline, "the streams that have ended do not count");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_picture_without_an_account_is_asked_for_again() {
    let sale = Sale::start().await;
    let visitor = sale.app.anonymous();
    let first = visitor.request("GET", &sale.picture).send().await.unwrap();
    assert_eq!(
        (first.status().as_u16(), &first.headers()["cache-control"]),
        (200, &"private, no-cache".parse().unwrap())
    );
    let tag = first.headers()["etag"].clone();
    let again = async || {
        let request = visitor.request("GET", &sale.picture).header("if-none-match", &tag);
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(again().await, 304);
    sale.set(json!({"joinMode": "INVITE_ONLY", "readableBy": "MEMBERS"})).await;
    assert_eq!(again().await, 401);
    let kept = sale.bidder.request("GET", &sale.picture).send().await.unwrap();
    assert_eq!(kept.headers()["cache-control"], "private, max-age=31536000, immutable");
}

#[tokio::test]
async fn pages_that_anyone_may_read_have_a_preview_and_no_others_do() {
    let sale = Sale::start().await;
    let visitor = sale.app.anonymous();
    let pages = [
        (sale.page(), "Spring sale", "Old brass", true),
        (format!("{}/items/{}", sale.page(), sale.item), "A vase", "Lot 2 of Spring sale.", true),
        (
            format!("{}/items/{}/bids", sale.page(), sale.item),
            "Bids on A vase",
            "Lot 2 of Spring sale.",
            true,
        ),
        (
            format!("{}/results", sale.page()),
            "Results of Spring sale",
            "What was sold in Spring sale.",
            false,
        ),
    ];
    for (path, title, text, has_picture) in &pages {
        let answer = visitor.get(path).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let page = answer.text;
        for (property, content) in [("og:title", *title), ("og:description", *text)] {
            let tag = format!("property=\"{property}\" content=\"{content}\"");
            assert!(page.contains(&tag), "{path} lacks {tag}: {page}");
        }
        let picture = format!("content=\"http://{}{}\"", sale.app.address, sale.picture);
        assert_eq!(page.contains(&picture), *has_picture, "{path}: {page}");
        assert!(!page.contains("noindex"), "{path}");
    }
    sale.set(json!({"readableBy": "MEMBERS"})).await;
    for (path, ..) in &pages {
        let page = sale.bidder.get(path).await.text;
        assert!(!page.contains("og:") && !page.contains("name=\"description\""), "{path}: {page}");
        assert!(page.contains("<meta name=\"robots\" content=\"noindex\""), "{path}");
    }
    let start = visitor.get("/").await.text;
    assert!(!start.contains("noindex") && start.contains("og:title"), "{start}");
}

#[tokio::test]
async fn pages_say_how_to_join_or_sign_in() {
    let sale = Sale::start().await;
    let (visitor, stranger) = (sale.app.anonymous(), sale.app.user("stranger").await);
    let path = format!("{}/items/{}", sale.page(), sale.item);
    let register = format!("/register?next={path}");
    for page in [sale.page(), path.clone(), format!("{path}/bids"), format!("{}/results", sale.page())] {
        let text = visitor.get(&page).await.text;
        assert!(text.contains("your first bid joins the auction"), "{page}: {text}");
        assert!(text.contains(&format!("/sign-in?next={page}")), "{page}: {text}");
        assert!(text.contains(&format!("/register?next={page}")), "{page}: {text}");
        assert!(!text.contains("/members\"") && !text.contains("/share\""), "{page}: {text}");
    }
    let page = stranger.get(&sale.page()).await.text;
    assert!(page.contains("Join this auction") && !page.contains("reading as a guest"), "{page}");
    for (mode, visitors, strangers) in [
        ("LINK", "Bidders join with a link, which the owner", "ask the owner of the auction for it"),
        ("INVITE_ONLY", "The owner of the auction invites its bidders. If you are", "ask for an invitation"),
    ] {
        sale.set(json!({"joinMode": mode})).await;
        let text = visitor.get(&path).await.text;
        assert!(text.contains(visitors) && text.contains("SIGN_IN"), "{mode}: {text}");
        let text = stranger.get(&path).await.text;
        assert!(text.contains(strangers) && text.contains("OUTSIDE"), "{mode}: {text}");
    }
    sale.owner.post(&format!("{}/close", sale.api()), json!({})).await.expect(200);
    assert!(visitor.get(&path).await.text.contains("The auction is closed. If you are a member"));
    let sign_in = visitor.get(&format!("/sign-in?next={path}")).await.text;
    assert!(sign_in.contains("Spring sale"), "{sign_in}");
    assert!(register.contains(&sale.item));
}

#[tokio::test]
async fn a_stranger_reads_registers_and_bids_without_javascript() {
    let sale = Sale::start().await;
    let visitor = sale.app.anonymous();
    let path = format!("{}/items/{}", sale.page(), sale.item);
    assert!(visitor.get(&path).await.text.contains(&format!("/register?next={path}")));
    let fields = [
        ("email", "eve@example.org"),
        ("password", crate::harness::PASSWORD),
        ("name", "Eve"),
        ("next", &path),
    ];
    let registered = visitor.post_form("/register", &fields).await;
    assert_eq!((registered.status.as_u16(), registered.header("location")), (303, path.as_str()));
    assert!(visitor.get(&path).await.text.contains("Place bid"));
    let placed = visitor.post_form(&path, &[("amount", "9")]).await;
    assert_eq!((placed.status.as_u16(), placed.header("location")), (303, path.as_str()));
    let seen = visitor.get(&sale.item()).await.expect(200);
    assert_eq!(
        (&seen["highestBid"]["bidder"]["name"], &seen["seller"]["name"]),
        (&json!("Eve"), &json!(SELLER))
    );
}
