//! The page of all auctions.

use serde_json::json;

use crate::harness::TestApp;
use crate::routes::auctions::{auction, join};
use crate::routes::groups::Group;

/// The names of the auctions in one list of the page, and the ends that it shows.
fn listed(page: &str, list: &str) -> (Vec<String>, Vec<String>) {
    let start = page.find(&format!("<section aria-labelledby=\"{list}\">")).expect(list);
    let section = page[start..].split("</section>").next().unwrap();
    let between = |from: &str| -> Vec<String> {
        section.split(from).skip(1).map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
    };
    let names = section.split("<h3>").skip(1).map(|rest| {
        let name = rest.split("<bdi>").nth(1).unwrap();
        name.split('<').next().unwrap().to_owned()
    });
    (names.collect(), between("<span class=\"time-left-moment\">"))
}

#[tokio::test]
async fn the_page_lists_own_auctions_and_those_open_to_join_with_the_next_end() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let mut paths = Vec::new();
    for (name, mode, end) in [
        ("Joined", "FREE", json!("2026-06-01T18:00:00Z")),
        ("Free", "FREE", json!(null)),
        ("Past", "FREE", json!("2026-05-01T18:01:00Z")),
        ("Private", "INVITE_ONLY", json!(null)),
    ] {
        paths.push(auction(&ada, json!({"name": name, "joinMode": mode, "endDate": end})).await);
        app.clock.advance_seconds(1);
    }
    for (end, is_published) in
        [("2026-05-20T18:00:00Z", true), ("2026-05-10T18:00:00Z", false), ("2026-05-30T18:00:00Z", true)]
    {
        let item =
            json!({"name": "A vase", "currencyCode": "EUR", "endDate": end, "isPublished": is_published});
        ada.post(&format!("{}/items", paths[0]), item).await.expect(201);
    }
    join(&bob, &paths[0]).await;
    app.clock.advance_seconds(60);
    let page = bob.get("/auctions").await.text;
    let ends = |end: &str| vec![end.to_owned()];
    let joined = (vec!["Joined".to_owned()], ends("20 May 2026, 18:00 UTC"));
    assert_eq!(listed(&page, "yours"), joined, "the next end is that of a published item");
    assert_eq!(listed(&page, "open"), (vec!["Free".to_owned()], Vec::new()));

    let page = ada.get("/auctions").await.text;
    assert_eq!(listed(&page, "yours").0, ["Private", "Past", "Free", "Joined"]);
    assert!(page.contains("There is no auction that anyone may join."), "{page}");
    let cy = app.user("cy").await;
    assert!(cy.get("/auctions").await.text.contains("You are not in an auction yet"));
}

#[tokio::test]
async fn each_list_has_pages_of_its_own() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for number in 0..51 {
        auction(&ada, json!({"name": format!("Sale {number}"), "joinMode": "FREE"})).await;
        app.clock.advance_seconds(1);
    }
    let bob = app.user("bob").await;
    let first = bob.get("/auctions").await.text;
    assert_eq!(listed(&first, "open").0.len(), 50);
    let next = first.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(next.starts_with("/auctions?list=open&amp;cursor="), "{next}");
    let second = bob.get(&next.replace("&amp;", "&")).await.text;
    assert_eq!(listed(&second, "open").0, ["Sale 0"]);
    assert!(!second.contains("aria-labelledby=\"yours\""), "{second}");
}

#[tokio::test]
async fn drafts_are_counted_and_shown_all_at_once() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &path).await;
    let page = path.replace("/api", "");
    for (name, end) in [("A vase", None), ("A lamp", None), ("A kite", Some("2026-05-02T18:00:00Z"))] {
        let item = json!({"name": name, "currencyCode": "EUR", "endDate": end});
        ada.post(&format!("{path}/items"), item).await.expect(201);
    }
    let drafts = ada.get(&page).await.text;
    assert!(drafts.contains("3 lots are drafts") && drafts.contains("Show all 3 drafts"), "{drafts}");
    assert!(!bob.get(&page).await.text.contains("drafts"), "only who manages items sees them");
    let refused = bob.post_form(&format!("{page}/drafts/show"), &[]).await;
    assert_eq!(refused.status, 403, "{}", refused.text);

    // The end of the kite passes: it can't be shown any more.
    app.clock.advance_seconds(3 * 24 * 3600);
    let shown = ada.post_form(&format!("{page}/drafts/show"), &[]).await;
    assert_eq!((shown.status.as_u16(), shown.header("location")), (303, format!("{page}?shown=2").as_str()));
    assert!(ada.get(&format!("{page}?shown=2")).await.text.contains("Bidders see 2 more lots now."));
    let seen = bob.get(&page).await.text;
    assert!(seen.contains("A vase") && seen.contains("A lamp") && !seen.contains("A kite"), "{seen}");
}

#[tokio::test]
async fn a_card_leads_to_the_only_open_auction_or_to_the_list() {
    let group = Group::start().await;
    let ben = &group.add(&["Ben"]).await[0];
    let sale = group.auction(json!({"name": "Class sale"})).await.replace("/api", "");
    let number = ben["number"].to_string();
    let card =
        [("code", group.code.as_str()), ("number", number.as_str()), ("pin", ben["pin"].as_str().unwrap())];
    let app = &group.app;
    let steps = group.keeper.get(&format!("{sale}?new=true")).await.text;
    assert!(steps.contains("Print their cards") && !steps.contains("Invite people by e-mail"), "{steps}");
    let (ben, again) = (app.anonymous(), app.anonymous());
    let entered = ben.post_form("/go", &card).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, sale.as_str()));
    let page = ben.get("/auctions").await.text;
    assert!(page.contains("Class sale") && !page.contains("New auction"), "{page}");
    assert!(!ben.get("/books").await.text.contains("New balances"));
    let dashboard = ben.get("/dashboard").await.text;
    assert!(dashboard.contains("Your auctions") && dashboard.contains(&sale), "{dashboard}");
    assert!(!dashboard.contains("You sell nothing"), "{dashboard}");

    group.auction(json!({"name": "Another"})).await;
    let entered = again.post_form("/go", &card).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, "/auctions"));
}
