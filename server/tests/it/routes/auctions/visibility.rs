//! Names of bidders, in every answer that may contain them, for every kind of viewer (SPEC, section 3).

use serde_json::json;

use super::items::bids::text;
use crate::harness::{Client, Events, TestApp};

/// Bids first, under its name.
const OPEN: &str = "Xanthippe";
/// Bids last and anonymously, and leads.
const SECRET: &str = "Zebulon";
/// Signed in without being a member, members without and with more rights, the item's seller, and the
/// bidders.
const VIEWERS: [&str; 7] = ["Visitor", "Member", "Admin", "Owner", "Seller", OPEN, SECRET];

/// An answer in which names of bidders are.
#[derive(Clone, Copy)]
struct Place {
    name: &'static str,
    path: &'static str,
    kind: Kind,
    /// The bidders of the bids in it.
    bidders: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Document,
    Page,
    /// With the number of events to read.
    Stream(usize),
}

const fn place(
    name: &'static str,
    path: &'static str,
    kind: Kind,
    bidders: &'static [&'static str],
) -> Place {
    Place { name, path, kind, bidders }
}

const PLACES: &[Place] = &[
    place("list of items", "/api/auctions/{auction}/items", Kind::Document, &[SECRET]),
    place("item", "/api/auctions/{auction}/items/{item}", Kind::Document, &[SECRET]),
    place("list of bids", "/api/auctions/{auction}/items/{item}/bids", Kind::Document, &[OPEN, SECRET]),
    place(
        "stream of the item",
        "/api/auctions/{auction}/items/{item}/events?after=0",
        Kind::Stream(3),
        &[OPEN, SECRET],
    ),
    place(
        "stream of the auction",
        "/api/auctions/{auction}/events?after=0",
        Kind::Stream(3),
        &[OPEN, SECRET],
    ),
    place("page of the item", "/auctions/{auction}/items/{item}", Kind::Page, &[OPEN, SECRET]),
    place("page of the bids", "/auctions/{auction}/items/{item}/bids", Kind::Page, &[OPEN, SECRET]),
];

/// Neither has a winner before the item has an outcome.
const CATALOGUE: Place = place("page of the auction", "/auctions/{auction}", Kind::Page, &[]);
const CATALOGUE_WITH_WINNER: Place = Place { bidders: &[SECRET], ..CATALOGUE };
const OUTCOMES: Place = place("outcomes", "/api/auctions/{auction}/outcomes", Kind::Document, &[SECRET]);

struct Sale {
    app: TestApp,
    viewers: Vec<Client>,
    auction: String,
    item: String,
}

impl Sale {
    async fn start(visibility: &str) -> Self {
        let app = TestApp::start().await;
        let mut viewers = Vec::new();
        for name in VIEWERS {
            viewers.push(app.user(name).await);
        }
        let [_, member, admin, owner, seller, open, secret] = &viewers[..] else { unreachable!() };
        let terms = json!({"name": "Spring sale", "joinMode": "FREE", "bidderVisibility": visibility});
        let auction = text(&owner.post("/api/auctions", terms).await.expect(201)["id"]);
        let path = format!("/api/auctions/{auction}");
        for viewer in [member, admin, seller, open, secret] {
            super::join(viewer, &path).await;
        }
        super::give_role(owner, &path, admin, "ADMIN").await;
        super::give_role(owner, &path, seller, "CREATOR").await;
        let item = json!({
            "name": "A vase", "currencyCode": "EUR", "isPublished": true, "endDate": "2026-05-01T19:00:00Z",
        });
        let item = text(&seller.post(&format!("{path}/items"), item).await.expect(201)["id"]);
        for (bidder, amount) in [(open, 1), (secret, 2)] {
            let bid = json!({"amount": amount, "isAnonymous": amount == 2});
            bidder.post(&format!("{path}/items/{item}/bids"), bid).await.expect(201);
        }
        Self { app, viewers, auction, item }
    }

    /// What the viewer gets.
    async fn answer(&self, viewer: usize, place: Place) -> String {
        let path = place.path.replace("{auction}", &self.auction).replace("{item}", &self.item);
        let viewer = &self.viewers[viewer];
        let Kind::Stream(count) = place.kind else {
            let answer = viewer.get(&path).await;
            assert_eq!(answer.status, 200, "{}: {}", place.name, answer.text);
            return answer.text;
        };
        let mut events = Events::open(viewer, &path).await;
        let mut read = String::new();
        for _ in 0..count {
            read.push_str(&events.next().await.expect("an event").data.to_string());
        }
        read
    }

    /// Compares every answer to every viewer with the rule.
    async fn check(&self, visibility: &str, is_closed: bool, places: &[Place]) {
        let mut failures = Vec::new();
        for (at, viewer) in VIEWERS.iter().enumerate() {
            for place in places {
                let answer = self.answer(at, *place).await;
                for bidder in [OPEN, SECRET] {
                    // A page names its viewer.
                    let is_certain = place.kind != Kind::Page || *viewer != bidder;
                    let has_bid = place.bidders.contains(&bidder);
                    let expected = has_bid && may_know(visibility, viewer, bidder, is_closed);
                    if is_certain && answer.contains(bidder) != expected {
                        let place = place.name;
                        failures
                            .push(format!("{visibility}, closed {is_closed}, {place}, {viewer}: {bidder}"));
                    }
                }
            }
        }
        assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
    }
}

/// The rule of SPEC, section 3.
fn may_know(visibility: &str, viewer: &str, bidder: &str, is_closed: bool) -> bool {
    let is_hidden = match visibility {
        "ANONYMOUS" => true,
        "PER_BID" => bidder == SECRET,
        _ => false,
    };
    let sold_to = is_closed && bidder == SECRET;
    !is_hidden || viewer == bidder || ["Owner", "Admin"].contains(&viewer) || (viewer == "Seller" && sold_to)
}

#[tokio::test]
async fn every_answer_names_the_bidders_that_its_viewer_may_know() {
    for visibility in ["VISIBLE", "PER_BID", "ANONYMOUS"] {
        let sale = Sale::start(visibility).await;
        let before = [PLACES, &[CATALOGUE]].concat();
        sale.check(visibility, false, &before).await;
        sale.app.clock.advance_seconds(3600);
        sale.check(visibility, true, &before).await;
        sale.app.reconcile().await;
        sale.check(visibility, true, &[PLACES, &[CATALOGUE_WITH_WINNER, OUTCOMES]].concat()).await;
    }
}
