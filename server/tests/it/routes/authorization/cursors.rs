//! Lists tell nothing of what they hide: every GET of the API is requested by every caller, before and
//! after a change that the caller may not see, and every list with cursors that the caller was never
//! given. Each answer is the same twice: status, version and every byte of the body, which has all counts
//! and cursors.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::callers::{
    ADMIN, BIDDER, CALLERS, CLERK, CREATOR, Callers, DEPLOYMENT, ELSEWHERE, MANAGED, OWNER, SELLER,
};
use crate::harness::Answer;
use crate::routes::auctions::{auction, user_id};

/// Parameters of queries that name a place in a list.
const PLACES: [&str; 3] = ["cursor", "before", "after"];
/// The other ones. A parameter in neither list fails the test, so that no cursor is missed.
const OTHERS: [&str; 10] =
    ["dialect", "format", "groupId", "holder", "limit", "q", "sort", "status", "unread", "watched"];
/// Pages of a list that are read for their cursors.
const PAGES_MAX: usize = 12;

/// A GET of the API, and the name of its cursor.
struct List {
    path: String,
    cursor: Option<String>,
}

/// Requests as each caller, by caller and address.
type Answers = BTreeMap<(usize, String), String>;

/// Something that changes, and the callers who may see it.
struct Change {
    name: &'static str,
    seen_by: &'static [usize],
}

const DRAFTS: Change = Change { name: "drafts are deleted", seen_by: &[OWNER, ADMIN] };
const NUMBERS: Change = Change { name: "two people exchange their numbers", seen_by: &[OWNER, ADMIN, CLERK] };
const ELSEWHERES: Change = Change { name: "something changes elsewhere", seen_by: &[ELSEWHERE] };

/// What is hidden from most callers, and what they make their cursors of.
struct Hidden {
    /// A draft whose seller may not see it, and an item that a bidder watched before it was hidden.
    drafts: [String; 2],
    /// Numbers of two people who never bid.
    numbers: [i64; 2],
    cursors: Vec<String>,
}

#[tokio::test]
async fn no_cursor_and_no_list_tells_what_is_hidden_from_its_reader() {
    no_list_tells_what_is_hidden("NUMBERS", &[DRAFTS, NUMBERS, ELSEWHERES]).await;
}

/// The list of members hides nobody here: only bids hide their bidders.
#[tokio::test]
async fn no_list_of_anonymous_bidders_tells_what_is_hidden_from_its_reader() {
    no_list_tells_what_is_hidden("ANONYMOUS", &[DRAFTS, ELSEWHERES]).await;
}

#[tokio::test]
async fn no_list_of_bidders_by_bid_tells_what_is_hidden_from_its_reader() {
    no_list_tells_what_is_hidden("PER_BID", &[DRAFTS, ELSEWHERES]).await;
}

async fn no_list_tells_what_is_hidden(visibility: &str, changes: &[Change]) {
    let callers = Callers::start().await;
    let hidden = hide(&callers, visibility).await;
    let lists = lists();
    let cursors = made_up(&callers, &lists, &hidden.cursors).await;
    let mut failures = BTreeSet::new();
    let mut before = answers(&callers, &lists, &cursors, &mut failures).await;

    for change in changes {
        make(change, &callers, &hidden).await;
        let after = answers(&callers, &lists, &cursors, &mut failures).await;
        assert_eq!(before.len(), after.len());
        for (request, answer) in &after {
            let (caller, path) = request;
            if !change.seen_by.contains(caller) && before[request] != *answer {
                let (caller, before) = (CALLERS[*caller], &before[request]);
                let [before, answer] =
                    [before, answer].map(|text| text.chars().take(400).collect::<String>());
                failures.insert(format!(
                    "{path} as {caller} tells that {}:\n  {before}\n  {answer}",
                    change.name
                ));
            }
        }
        let seen = |caller: usize| after.iter().any(|(at, answer)| at.0 == caller && before[at] != *answer);
        for caller in change.seen_by {
            assert!(seen(*caller), "{} is told that {}", CALLERS[*caller], change.name);
        }
        before = after;
    }
    assert!(failures.is_empty(), "\n{}\n", Vec::from_iter(failures).join("\n"));
}

/// Every GET of the API but streams, from its document.
fn lists() -> Vec<List> {
    let document = serde_json::to_value(server::router::document()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let mut lists = Vec::new();
    for (path, operations) in paths.filter(|(path, _)| !path.ends_with("/events")) {
        let Some(operation) = operations.get("get") else { continue };
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let queried = parameters.filter(|one| one["in"] == "query").map(|one| one["name"].as_str().unwrap());
        let queried: Vec<&str> = queried.collect();
        for name in &queried {
            assert!(PLACES.contains(name) || OTHERS.contains(name), "{name} of {path} is in no list");
        }
        let cursor = queried.into_iter().find(|name| PLACES.contains(name)).map(str::to_owned);
        lists.push(List { path: path.clone(), cursor });
    }
    assert!(lists.iter().filter(|list| list.cursor.is_some()).count() >= 13, "the lists are found");
    lists
}

/// Adds what most callers may not see.
async fn hide(callers: &Callers, visibility: &str) -> Hidden {
    let owner = callers.client(OWNER);
    let sale = callers.fill("/api/auctions/{auction_id}");
    owner.patch(&sale, json!({"bidderVisibility": visibility})).await.expect(200);
    let items = format!("{sale}/items");
    let seller = user_id(callers.client(SELLER)).await;
    let draft = owner.post(&items, json!({"name": "A hidden lot", "sellerId": seller})).await.expect(201);
    let watched = owner.post(&items, json!({"name": "A lot", "isPublished": true})).await.expect(201);
    let [draft, watched] = [draft, watched].map(|item| item["id"].as_str().unwrap().to_owned());
    let path = format!("{items}/{watched}");
    callers.client(BIDDER).send("PUT", &format!("{path}/watch"), Value::Null).await.expect(204);
    owner.patch(&path, json!({"isPublished": false})).await.expect(200);

    let people = callers.fill("/api/groups/{group_id}/people");
    let request = owner.request("POST", &people).header("idempotency-key", "hidden");
    let added = Answer::of(request.json(&json!({"people": [{"name": "Mia"}, {"name": "Tom"}]}))).await;
    let added = added.expect(201);
    let person = |at: usize| added["people"][at]["user"]["id"].as_str().unwrap().to_owned();
    let number = |at: usize| added["people"][at]["number"].as_i64().unwrap();

    let other = callers.client(ELSEWHERE);
    let another = auction(other, json!({"name": "A hidden auction", "joinMode": "INVITE_ONLY"})).await;
    let item = other.post(&format!("{another}/items"), json!({"name": "A lot", "currencyCode": "EUR"})).await;
    let item = item.expect(201)["id"].as_str().unwrap().to_owned();
    let another = another.rsplit('/').next().unwrap().to_owned();
    let ids = [draft.clone(), watched.clone(), person(0), person(1), user_id(other).await, item, another];
    let mut cursors: Vec<String> = ids.iter().flat_map(|id| [neighbour(id), id.clone()]).collect();
    let made =
        ["", "x", "0", "1", "-1", "2", "7", "99999999999999999999", "00000000-0000-7000-8000-000000000000"];
    cursors.extend(made.map(str::to_owned));
    Hidden { drafts: [draft, watched], numbers: [number(0), number(1)], cursors }
}

/// The id before another one.
fn neighbour(id: &str) -> String {
    let number = u128::from_str_radix(&id.replace('-', ""), 16).unwrap() - 1;
    let digits = format!("{number:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// The cursors of each list: those that were made up, and those that other callers were given for it.
async fn made_up(callers: &Callers, lists: &[List], ids: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let mut cursors = BTreeMap::new();
    for list in lists {
        let Some(name) = &list.cursor else { continue };
        let of_list: &mut BTreeSet<String> = cursors.entry(list.path.clone()).or_default();
        of_list.extend(ids.iter().cloned());
        for giver in [OWNER, CLERK, BIDDER, ELSEWHERE, DEPLOYMENT] {
            let mut given = None::<String>;
            for _ in 0..PAGES_MAX {
                let from = given.map(|cursor| format!("&{name}={cursor}")).unwrap_or_default();
                let path = format!("{}?limit=1{from}", callers.fill(&list.path));
                let answer = callers.client(giver).get(&path).await;
                if answer.status != 200 {
                    break;
                }
                let page = answer.json();
                let next =
                    if page["nextCursor"].is_null() { &page["nextBefore"] } else { &page["nextCursor"] };
                given =
                    next.as_str().map(str::to_owned).or_else(|| next.as_i64().map(|next| next.to_string()));
                let Some(cursor) = given.clone() else { break };
                of_list.insert(cursor);
            }
        }
    }
    cursors
}

/// All answers to all callers. A cursor that a list does not know is 422, and decides nothing else.
async fn answers(
    callers: &Callers,
    lists: &[List],
    cursors: &BTreeMap<String, BTreeSet<String>>,
    failures: &mut BTreeSet<String>,
) -> Answers {
    let mut answers = Answers::new();
    for caller in [0, ELSEWHERE, BIDDER, CREATOR, SELLER, ADMIN, OWNER, DEPLOYMENT, CLERK, MANAGED] {
        for list in lists {
            let path = callers.fill(&list.path);
            let answer = callers.client(caller).get(&path).await;
            let status = answer.status;
            answers.insert((caller, path.clone()), shown(&answer));
            let Some(name) = &list.cursor else { continue };
            for cursor in &cursors[&list.path] {
                let path = format!("{path}?limit=1&{name}={cursor}");
                let answer = callers.client(caller).get(&path).await;
                if answer.status != status && !(status == 200 && answer.status == 422) {
                    let caller = CALLERS[caller];
                    failures.insert(format!("{path} as {caller}: {} instead of {status}", answer.status));
                }
                answers.insert((caller, path), shown(&answer));
            }
        }
    }
    answers
}

/// An answer without what names its request alone, and the time at which it was made.
fn shown(answer: &Answer) -> String {
    let request = answer.header("x-request-id");
    let lines = answer.text.lines().filter(|line| !line.starts_with("DTSTAMP:"));
    let text = lines.collect::<Vec<_>>().join("\n").replace(request, "");
    format!("{} {} {text}", answer.status, answer.header("etag"))
}

async fn make(change: &Change, callers: &Callers, hidden: &Hidden) {
    let owner = callers.client(OWNER);
    if change.name == DRAFTS.name {
        for draft in &hidden.drafts {
            owner
                .delete(&callers.fill(&format!("/api/auctions/{{auction_id}}/items/{draft}")))
                .await
                .expect(204);
        }
    } else if change.name == NUMBERS.name {
        let [first, second] = hidden.numbers;
        for (from, to) in [(first, 9_999), (second, first), (9_999, second)] {
            let person = callers.fill(&format!("/api/groups/{{group_id}}/people/{from}"));
            owner.patch(&person, json!({"number": to})).await.expect(200);
        }
    } else {
        let other = callers.client(ELSEWHERE);
        auction(other, json!({"name": "One more", "joinMode": "INVITE_ONLY"})).await;
        other.post("/api/groups", json!({"name": "Class 4c"})).await.expect(201);
        let unit = json!({"name": "Ticket", "symbol": ""});
        other.post("/api/books", json!({"name": "Class 4c", "baseUnit": unit})).await.expect(201);
    }
}
