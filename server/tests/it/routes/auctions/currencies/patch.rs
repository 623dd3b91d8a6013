use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, points, wizards as coins};
use crate::routes::auctions::{auction, tickets, wizards, wrong_fields};

/// Creates a profile in this auction and returns its path.
async fn add(owner: &Client, auction: &str, profile: Value) -> String {
    let made = owner.post(&format!("{auction}/currencies"), profile).await;
    made.expect(201);
    made.header("location").to_owned()
}

async fn if_match(client: &Client, path: &str, tags: &str, body: Value) -> Answer {
    let request = client.request("PATCH", path).header("content-type", "application/merge-patch+json");
    Answer::of(request.header("if-match", tags).body(body.to_string())).await
}

#[tokio::test]
async fn denominations_are_replaced_as_a_whole_and_removed_with_their_mode() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = add(&ada, &auction(&ada, json!({})).await, wizards(json!({}))).await;
    let one = json!([{"code": "GALLEON", "name": "G", "factor": 493}]);
    let changed = ada.patch(&path, json!({"denominations": one})).await.expect(200);
    assert_eq!(
        changed["denominations"],
        json!([{"code": "GALLEON", "name": "G", "plural": null, "symbol": "", "factor": "493", "written": true}])
    );
    assert_eq!(wrong_fields(&ada.patch(&path, json!({"denominations": null})).await), ["denominations"]);
    let both = json!({"inputMode": "SCALAR", "denominations": one});
    assert_eq!(wrong_fields(&ada.patch(&path, both).await), ["denominations"]);
    let changed = ada.patch(&path, json!({"inputMode": "SCALAR"})).await.expect(200);
    assert_eq!((&changed["inputMode"], &changed["denominations"]), (&json!("SCALAR"), &json!([])));
    assert_eq!(wrong_fields(&ada.patch(&path, json!({"denominations": one})).await), ["denominations"]);
    assert_eq!(
        wrong_fields(&ada.patch(&path, json!({"inputMode": "DENOMINATION"})).await),
        ["denominations"]
    );
    let back = json!({"inputMode": "DENOMINATION", "denominations": one});
    assert_eq!(ada.patch(&path, back).await.expect(200)["denominations"][0]["code"], "GALLEON");
    assert_eq!(ada.get(&path).await.expect(200)["denominations"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_default_moves_in_one_step() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let first = add(&ada, &sale, tickets(json!({"code": "A"}))).await;
    let second = add(&ada, &sale, tickets(json!({"code": "B"}))).await;
    let state = async |path: &str| {
        let seen = ada.get(path).await;
        (seen.expect(200)["isDefault"].as_bool().unwrap(), seen.header("etag").to_owned())
    };
    ada.patch(&second, json!({"isDefault": true})).await.expect(200);
    assert_eq!(state(&first).await, (false, "\"2\"".to_owned()), "the old one has changed too");
    assert_eq!(state(&second).await, (true, "\"2\"".to_owned()));
    ada.patch(&second, json!({"isDefault": true})).await.expect(200);
    assert_eq!(state(&second).await, (true, "\"2\"".to_owned()));
    ada.patch(&second, json!({"isDefault": false})).await.expect(200);
    assert_eq!((state(&first).await.0, state(&second).await.0), (false, false), "there is no default");
    ada.patch(&first, json!({"isDefault": null})).await.expect(200);
    assert!(!state(&first).await.0, "of several profiles, none becomes the default");
    ada.patch(&first, json!({"code": "B"})).await.expect_problem(409, "CODE_TAKEN");
    ada.patch(&first, json!({"code": "B", "isDefault": true})).await.expect_problem(409, "CODE_TAKEN");
    assert!(!state(&first).await.0, "a refusal changes nothing");
}

#[tokio::test]
async fn an_outdated_version_is_not_deleted_and_refused_before_a_taken_code() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let path = add(&ada, &sale, tickets(json!({}))).await;
    add(&ada, &sale, tickets(json!({"code": "B"}))).await;
    ada.patch(&path, json!({"name": "Second"})).await.expect(200);
    let delete = async |tags: &str| Answer::of(ada.request("DELETE", &path).header("if-match", tags)).await;
    for tags in ["\"1\"", "W/\"2\"", "2", "", "\"x\", \"1\""] {
        delete(tags).await.expect_problem(412, "PRECONDITION_FAILED");
    }
    let taken = if_match(&ada, &path, "\"1\"", json!({"code": "B"})).await;
    taken.expect_problem(412, "PRECONDITION_FAILED");
    delete("\"2\"").await.expect(204);
}

/// Which fields of a profile in use are frozen, and which are not.
async fn is_frozen(owner: &Client, path: &str) {
    let (galleon, sickle) = (("GALLEON", 493), ("SICKLE", 29));
    let knut = ("KNUT", 1);
    let list = |entries: &[(&str, i64)]| {
        let entry = |(code, factor): &(&str, i64)| json!({"code": code, "name": "New", "plural": "News", "symbol": "n", "factor": factor, "written": *code != "GALLEON"});
        json!({"denominations": entries.iter().map(entry).collect::<Vec<_>>()})
    };
    for patch in [
        json!({"rateToBase": "1.000001", "name": "Lost"}),
        json!({"inputMode": "SCALAR"}),
        json!({"precision": 1}),
        json!({"fractionPolicy": "UP"}),
        list(&[galleon, sickle]),
        list(&[galleon, sickle, knut, ("BIT", 1)]),
        list(&[galleon, sickle, ("BIT", 1)]),
        list(&[sickle, galleon, knut]),
        list(&[galleon, sickle, ("KNUT", 2)]),
    ] {
        owner.patch(path, patch.clone()).await.expect_problem(409, "FROZEN");
    }
    let mut free = list(&[galleon, sickle, knut]);
    for (name, value) in
        [("code", "NEW"), ("name", "New"), ("plural", "News"), ("symbol", "n"), ("rateToBase", "1.0")]
    {
        free[name] = json!(value);
    }
    let changed = owner.patch(path, free).await.expect(200);
    assert_eq!(
        (&changed["code"], &changed["name"], &changed["symbol"]),
        (&json!("NEW"), &json!("New"), &json!("n"))
    );
    assert_eq!(
        changed["denominations"][2],
        json!({"code": "KNUT", "name": "New", "plural": "News", "symbol": "n", "factor": "1", "written": true})
    );
    owner.patch(path, json!({"isDefault": false})).await.expect(200);
}

#[tokio::test]
async fn the_conversion_of_existing_bids_is_frozen() {
    let sale = Sale::open(json!({}), &[coins()], json!({})).await;
    let currencies = format!("/api/auctions/{}/currencies", sale.auction);
    let id = sale.owner.get(&currencies).await.expect(200)["currencies"][0]["id"].clone();
    let path = format!("{currencies}/{}", id.as_str().unwrap());
    sale.owner.patch(&path, json!({"precision": 1})).await.expect(200);
    sale.owner.patch(&path, json!({"precision": 0})).await.expect(200);
    let ada = sale.bidder("ada").await;
    let bid = json!({"enteredRepresentation": [{"denomination": "KNUT", "count": 1}]});
    sale.bid(&ada, bid).await.expect(201);
    is_frozen(&sale.owner, &path).await;
}

#[tokio::test]
async fn the_conversion_of_a_minimum_is_frozen() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let path = add(&ada, &sale, wizards(json!({}))).await;
    let other = add(&ada, &sale, tickets(json!({}))).await;
    let minimum = json!({
        "currencyProfileId": path.rsplit('/').next(),
        "enteredRepresentation": [{"denomination": "KNUT", "count": 1}],
    });
    ada.post(&format!("{sale}/items"), json!({"name": "A vase", "minBidConstraint": minimum}))
        .await
        .expect(201);
    is_frozen(&ada, &path).await;
    ada.patch(&other, json!({"rateToBase": 2})).await.expect(200);
}

#[tokio::test]
async fn a_denomination_of_a_rule_cannot_be_removed() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let path = add(&ada, &sale, wizards(json!({}))).await;
    let id = path.rsplit('/').next();
    let rules = format!("{sale}/currency-rules");
    let increment = json!({"type": "MIN_INCREMENT", "currencyProfileId": id, "params": {"amount": 1}});
    ada.post(&rules, increment).await.expect(201);
    let required = json!({
        "type": "REQUIRED_DENOMINATION", "currencyProfileId": id, "enabled": false,
        "params": {"denomination": "KNUT", "minCount": 1},
    });
    let required = ada.post(&rules, required).await;
    required.expect(201);
    let galleons = json!({"denominations": [{"code": "GALLEON", "name": "G", "factor": 493}]});
    for patch in [galleons.clone(), json!({"inputMode": "SCALAR"})] {
        ada.patch(&path, patch).await.expect_problem(409, "IN_USE");
    }
    let others = json!({"denominations": [{"code": "BIT", "name": "B", "factor": 2}, {"code": "KNUT", "name": "K", "factor": 1}]});
    ada.patch(&path, others).await.expect(200);
    ada.delete(required.header("location")).await.expect(204);
    ada.patch(&path, galleons).await.expect(200);
    ada.patch(&path, json!({"inputMode": "SCALAR"})).await.expect(200);
}

#[tokio::test]
async fn bids_are_converted_by_the_current_profile() {
    let sale = Sale::open(json!({}), &[points("P", "2")], json!({})).await;
    let currencies = format!("/api/auctions/{}/currencies", sale.auction);
    let id = sale.owner.get(&currencies).await.expect(200)["currencies"][0]["id"].clone();
    sale.owner
        .patch(&format!("{currencies}/{}", id.as_str().unwrap()), json!({"rateToBase": "3"}))
        .await
        .expect(200);
    let ada = sale.bidder("ada").await;
    assert_eq!(sale.bid(&ada, json!({"amount": 5})).await.expect(201)["normalizedAmount"], "15");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_several_concurrent_patches_of_a_version_succeeds() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = add(&ada, &auction(&ada, json!({})).await, tickets(json!({}))).await;
    for version in 1..=5 {
        let tag = format!("\"{version}\"");
        let names: Vec<String> = (0..16).map(|n| format!("{version}.{n}")).collect();
        let patches = names.iter().map(|name| if_match(&ada, &path, &tag, json!({"name": name})));
        let answers = futures::future::join_all(patches).await;
        let done: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
        let outdated = answers.iter().filter(|answer| answer.status == 412).count();
        assert_eq!((done.len(), outdated), (1, 15), "version {version}");
        assert_eq!(ada.get(&path).await.expect(200), done[0].json());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bid_and_a_concurrent_change_of_the_rate_agree() {
    let sale = Sale::open(json!({}), &[points("P", "1")], json!({})).await;
    let auction = format!("/api/auctions/{}", sale.auction);
    let ada = sale.bidder("ada").await;
    for round in 1..=8_u32 {
        let path = add(&sale.owner, &auction, points(&format!("P{round}"), "1")).await;
        // Four times as much each round, which is higher at either rate.
        let amount = 4_u64.pow(round);
        let bid = json!({"currencyProfileId": path.rsplit('/').next(), "amount": amount});
        let (bid, patch) =
            tokio::join!(sale.bid(&ada, bid), sale.owner.patch(&path, json!({"rateToBase": 2})));
        let rate = if patch.status == 200 { 2 } else { 1 };
        if rate == 1 {
            patch.expect_problem(409, "FROZEN");
        }
        assert_eq!(bid.expect(201)["normalizedAmount"], (amount * rate).to_string());
        assert_eq!(sale.owner.get(&path).await.expect(200)["rateToBase"], rate.to_string());
    }
}
