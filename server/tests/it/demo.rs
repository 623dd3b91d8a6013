//! The demo fills an empty database and leaves any other unchanged.

use serde_json::{Value, json};
use server::demo::{self, Demo};
use server::pages::demo::DemoDoor;

use crate::harness::{Client, TestApp};

#[tokio::test]
async fn an_empty_database_is_filled_once_and_its_users_can_bid() {
    let app = TestApp::start().await;
    let Demo::Present(window) = demo::fill(&app.state).await.unwrap() else { panic!("not added") };
    let Demo::Present(again) = demo::fill(&app.state).await.unwrap() else { panic!("gone") };
    assert_eq!((&again.people, again.pages.len()), (&window.people, window.pages.len()));

    let visitor = app.anonymous();
    let ben = json!({"email": "ben@example.org", "password": window.password});
    visitor.post("/api/auth/login", ben).await.expect(200);
    let auctions = visitor.get("/api/auctions").await.expect(200);
    assert_eq!(auctions["auctions"].as_array().unwrap().len(), 3);
    let lantern = &auctions["auctions"][0];
    let items = format!("/api/auctions/{}/items", lantern["id"].as_str().unwrap());
    let items = visitor.get(&items).await.expect(200);
    let statuses: Vec<&str> =
        items["items"].as_array().unwrap().iter().map(|item| item["status"].as_str().unwrap()).collect();
    for status in ["OPEN", "SCHEDULED", "CLOSED"] {
        assert!(statuses.contains(&status), "{status} in {statuses:?}");
    }
    assert_eq!(items["items"][0]["bidCount"], 7);
    assert_eq!(items["items"][0]["highestBid"]["normalizedAmount"], "15406");

    // What the members of the raffle have: 300 tickets, less what they lead with and what was charged.
    app.reconcile().await;
    let available = available(&visitor, "Raffle tickets of Harbour school").await;
    let of = |name: &str| available.iter().find(|(holder, _)| holder == name).unwrap().1.clone();
    assert_eq!(["Cleo", "Ada", "Ben", "Dov", "Esme"].map(of), ["0", "300", "225", "120", "278"]);
}

/// Who has how much available in a book of the visitor.
async fn available(visitor: &Client, book: &str) -> Vec<(String, String)> {
    let books = visitor.get("/api/books").await.expect(200)["books"].clone();
    let book = books.as_array().unwrap().iter().find(|it| it["name"] == book).unwrap();
    let path = format!("/api/books/{}/holders", book["id"].as_str().unwrap());
    let holders = visitor.get(&path).await.expect(200)["holders"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let holders = holders.as_array().unwrap().iter();
    holders.map(|holder| (text(&holder["user"]["name"]), text(&holder["available"]))).collect()
}

/// Each page that the start page offers is one press away, and every lot has a picture.
#[tokio::test]
async fn the_start_page_leads_to_a_class_a_hall_and_a_guild() {
    let app = TestApp::start().await;
    let before = app.anonymous().get("/").await;
    assert!(!before.text.contains("demo") || !before.text.contains("password"), "{}", before.text);
    let Demo::Present(window) = demo::fill(&app.state).await.unwrap() else { panic!("not added") };
    app.state.demo.set(window.clone()).unwrap();
    app.reconcile().await;

    let start = app.anonymous().get("/").await;
    let sign_in = app.anonymous().get("/sign-in").await;
    for person in &window.people {
        assert!(sign_in.text.contains(&format!("Continue as {}", person.name)), "{}", person.name);
    }
    let titles: Vec<&str> = window.pages.iter().map(|page| page.title.as_str()).collect();
    assert_eq!(titles.len(), 6, "{titles:?}");
    for page in &window.pages {
        assert!(start.text.contains(&page.title) && start.text.contains(&page.address), "{}", page.title);
        let visitor = app.anonymous();
        match &page.door {
            DemoDoor::Open => {}
            DemoDoor::SignIn(email) => {
                let form =
                    [("email", email.as_str()), ("password", &window.password), ("next", &page.address)];
                let entered = visitor.post_form("/sign-in", &form).await;
                assert_eq!(entered.header("location"), page.address, "{}", page.title);
            }
            DemoDoor::Card(card) => {
                let number = card.number.to_string();
                let form = [("code", card.code.as_str()), ("number", &number), ("pin", &card.pin)];
                let form = [&form[..], &[("next", page.address.as_str())]].concat();
                let entered = visitor.post_form("/go", &form).await;
                assert_eq!(entered.header("location"), page.address, "{}", page.title);
            }
        }
        assert_eq!(visitor.get(&page.address).await.status, 200, "{}", page.title);
    }

    let mut lots = 0;
    for person in &window.people {
        let visitor = app.anonymous();
        let sign_in = json!({"email": person.email, "password": window.password});
        visitor.post("/api/auth/login", sign_in).await.expect(200);
        for auction in
            visitor.get("/api/auctions?limit=100").await.expect(200)["auctions"].as_array().unwrap()
        {
            let items = format!("/api/auctions/{}/items?limit=100", auction["id"].as_str().unwrap());
            for item in visitor.get(&items).await.expect(200)["items"].as_array().unwrap() {
                assert_ne!(item["images"], json!([]), "{}", item["name"]);
                lots += 1;
            }
        }
    }
    assert!(lots > 40, "{lots}");
}

/// What the runs of the guild's book come to: 200 each and what was paid, shared among eight; a tenth of
/// what is above 50 decays; 25 for everyone.
#[tokio::test]
async fn the_guild_has_shared_what_it_paid() {
    let app = TestApp::start().await;
    let Demo::Present(window) = demo::fill(&app.state).await.unwrap() else { panic!("not added") };
    let esme = app.anonymous();
    let sign_in = json!({"email": "esme@example.org", "password": window.password});
    esme.post("/api/auth/login", sign_in).await.expect(200);
    let available = available(&esme, "Points of the Night Watch").await;
    let of = |name: &str| available.iter().find(|(holder, _)| holder == name).unwrap().1.clone();
    assert_eq!([of("Isolde"), of("Thorin")], ["239.87", "113.87"]);
}

#[tokio::test]
async fn a_database_that_is_not_empty_stays_unchanged() {
    let app = TestApp::start().await;
    let owner = app.user("owner").await;
    assert_eq!(demo::fill(&app.state).await.unwrap(), Demo::NotAdded);
    assert_eq!(owner.get("/api/auctions").await.expect(200)["auctions"], json!([]));
}
