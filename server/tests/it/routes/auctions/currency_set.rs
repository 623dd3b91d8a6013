//! `/api/auctions/{auction_id}/currency-set`, and the pages that take a set along.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, points, wizards};
use crate::routes::auctions::{auction, join, wrong_fields};

/// The set of an auction with two currencies and two rules.
async fn set(owner: &Client) -> Value {
    let path = auction(owner, json!({})).await;
    let made = owner.post(&format!("{path}/currencies"), wizards()).await.expect(201);
    owner.post(&format!("{path}/currencies"), points("PTS", "0.5")).await.expect(201);
    let ladder = json!({"type": "STEP", "params": {"ladder": [100, 120, 150, 200, 500]}, "enabled": false});
    owner.post(&format!("{path}/currency-rules"), ladder).await.expect(201);
    let pieces = json!({"type": "REQUIRED_DENOMINATION", "params": {"denomination": "GALLEON", "minCount": 1},
        "currencyProfileId": made["id"]});
    owner.post(&format!("{path}/currency-rules"), pieces).await.expect(201);
    owner.get(&format!("{path}/currency-set")).await.expect(200)
}

async fn in_auction(client: &Client, auction: &str) -> Value {
    client.get(&format!("{auction}/currency-set")).await.expect(200)
}

async fn post(client: &Client, auction: &str, set: &Value) -> Answer {
    client.post(&format!("{auction}/currency-set"), set.clone()).await
}

#[tokio::test]
async fn what_get_gives_post_accepts() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let set = set(&ada).await;
    assert_eq!(set["rules"][1]["currency"], "WIZ");
    assert!(!set.to_string().contains("\"id\""), "{set}");
    let other = auction(&ada, json!({})).await;
    let dry = ada.post(&format!("{other}/currency-set?dryRun=true"), set.clone()).await.expect(200);
    assert_eq!(dry, set);
    assert_eq!(in_auction(&ada, &other).await, json!({"currencies": [], "rules": []}), "nothing is written");
    assert_eq!(post(&ada, &other, &set).await.expect(201), set);
    assert_eq!(in_auction(&ada, &other).await, set);
    let rules = ada.get(&format!("{other}/currency-rules")).await.expect(200);
    let currencies = ada.get(&format!("{other}/currencies")).await.expect(200);
    assert_eq!(rules["rules"][1]["currencyProfileId"], currencies["currencies"][0]["id"]);
    post(&ada, &other, &json!({"currencies": [], "rules": []})).await.expect(201);
    assert_eq!(in_auction(&ada, &other).await, set, "an empty set adds nothing");
}

/// The base unit goes along, to an auction in which nothing counts in another one.
#[tokio::test]
async fn a_set_brings_its_base_unit() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let knut = json!({"name": "Knut", "plural": "Knuts", "symbol": "k"});
    let mut set = set(&ada).await;
    assert_eq!(set.get("baseUnit"), None, "the auction has none");
    set["baseUnit"] = knut.clone();
    let unit = async |path: &str| ada.get(path).await.expect(200)["baseUnit"].clone();
    let dry_run = async |path: &str| {
        ada.post(&format!("{path}/currency-set?dryRun=true"), set.clone()).await.expect(200)
    };

    let empty = auction(&ada, json!({"baseUnit": {"name": "Point", "symbol": ""}})).await;
    assert_eq!(dry_run(&empty).await, set);
    assert_eq!(unit(&empty).await["name"], "Point", "nothing is written");
    let version = ada.get(&empty).await.header("etag").to_owned();
    assert_eq!(post(&ada, &empty, &set).await.expect(201), set);
    assert_eq!(unit(&empty).await, knut);
    assert_ne!(ada.get(&empty).await.header("etag"), version);
    assert_eq!(in_auction(&ada, &empty).await, set, "what POST takes GET gives");

    let other = auction(&ada, json!({"baseUnit": {"name": "Point", "symbol": ""}})).await;
    ada.post(&format!("{other}/currencies"), points("OLD", "1")).await.expect(201);
    assert_eq!(dry_run(&other).await["baseUnit"]["name"], "Point", "its currency counts in points");
    let form = format!("{}/currencies/import", other.trim_start_matches("/api"));
    let from = empty.rsplit('/').next().unwrap();
    let preview = ada.post_form(&form, &[("from", from), ("preview", "true")]).await;
    let words = "made for the base unit Knut. This auction keeps its own, Point";
    assert!(preview.text.contains(words), "{}", preview.text);
    assert_eq!(post(&ada, &other, &set).await.expect(201)["baseUnit"]["name"], "Point");
    assert_eq!(unit(&other).await["name"], "Point");

    let unnamed = json!({"baseUnit": {"symbol": ""}});
    assert_eq!(wrong_fields(&post(&ada, &other, &unnamed).await), ["baseUnit.name"]);
}

/// A preview reads only: bids of other users do not wait for it.
#[tokio::test]
async fn a_preview_does_not_wait_for_a_writer() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let set = set(&ada).await;
    let other = auction(&ada, json!({})).await;
    let writer = app.state.context.db.write().await.unwrap();
    let path = format!("{other}/currency-set?dryRun=true");
    let preview = tokio::time::timeout(std::time::Duration::from_secs(4), ada.post(&path, set.clone())).await;
    assert_eq!(preview.expect("an answer while another transaction writes").expect(200), set);
    drop(writer);
}

#[tokio::test]
async fn a_repeated_request_adds_once() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let set = set(&ada).await;
    let other = auction(&ada, json!({})).await;
    let send = async || {
        let request = ada.request("POST", &format!("{other}/currency-set"));
        Answer::of(request.header("idempotency-key", "k").json(&set)).await
    };
    assert_eq!(send().await.expect(201), set);
    let again = send().await;
    assert_eq!((again.expect(201), again.header("idempotent-replayed")), (set.clone(), "true"));
    assert_eq!(in_auction(&ada, &other).await, set);
}

#[tokio::test]
async fn a_malformed_set_adds_nothing_and_every_error_has_its_place() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let mut set = set(&ada).await;
    let other = auction(&ada, json!({})).await;
    set["currencies"][0]["denominations"][0]["factor"] = json!("0");
    set["currencies"][1]["code"] = json!("WIZ");
    set["rules"][1]["params"]["denomination"] = json!("SICKLES");
    set["surprise"] = json!(1);
    let refused = post(&ada, &other, &set).await;
    let paths = wrong_fields(&refused);
    for path in ["currencies.0.denominations.0.factor", "currencies.1.code", "surprise"] {
        assert!(paths.iter().any(|found| found == path), "{path}: {paths:?}");
    }
    ada.send_text("POST", &format!("{other}/currency-set"), "{\"currencies\": [")
        .await
        .expect_problem(400, "MALFORMED_JSON");
    let large = format!("{{\"currencies\": []}}{}", " ".repeat(1024 * 1024));
    ada.send_text("POST", &format!("{other}/currency-set"), &large).await.expect_problem(413, "TOO_LARGE");
    assert_eq!(in_auction(&ada, &other).await, json!({"currencies": [], "rules": []}));
}

#[tokio::test]
async fn a_set_past_a_bound_or_with_a_known_code_is_refused() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let set = set(&ada).await;
    let other = auction(&ada, json!({})).await;
    ada.post(&format!("{other}/currencies"), points("PTS", "1")).await.expect(201);
    post(&ada, &other, &set).await.expect_problem(409, "CODE_TAKEN");
    assert_eq!(in_auction(&ada, &other).await["currencies"].as_array().unwrap().len(), 1);
    let many: Vec<Value> = (0..32).map(|at| points(&format!("C{at}"), "1")).collect();
    post(&ada, &other, &json!({"currencies": many})).await.expect_problem(409, "LIMIT_REACHED");
    post(&ada, &other, &json!({"currencies": &many[..31]})).await.expect(201);
    let added = in_auction(&ada, &other).await;
    let defaults = added["currencies"].as_array().unwrap().iter().map(|one| one["isDefault"] == true);
    assert!(defaults.eq((0..32).map(|at| at == 0)), "the auction keeps its default");
    ada.post(&format!("{other}/close"), json!({})).await.expect(200);
    post(&ada, &other, &json!({})).await.expect_problem(409, "CLOSED");
}

#[tokio::test]
async fn bids_in_everyday_money_keep_a_set_out_and_other_bids_do_not() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let path = format!("/api/auctions/{}", sale.auction);
    let wizarding = json!({"currencies": [wizards()]});
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    post(&sale.owner, &path, &wizarding).await.expect_problem(409, "HAS_BIDS");
    let sale = Sale::open(json!({}), &[points("PTS", "1")], json!({})).await;
    let ada = sale.bidder("ada").await;
    let path = format!("/api/auctions/{}", sale.auction);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    post(&sale.owner, &path, &wizarding).await.expect(201);
    sale.bid(&ada, json!({"amount": 6})).await.expect(201);
}

#[tokio::test]
async fn the_set_of_another_auction_is_read_by_its_members_only() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let hidden = auction(&ada, json!({"joinMode": "INVITE_ONLY"})).await;
    bob.get(&format!("{hidden}/currency-set")).await.expect_problem(404, "NOT_FOUND");
    let open = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &open).await;
    post(&bob, &open, &json!({})).await.expect_problem(403, "FORBIDDEN");
    let own = auction(&bob, json!({})).await;
    let form = format!("{}/currencies/import", own.trim_start_matches("/api"));
    let from = hidden.rsplit('/').next().unwrap().to_owned();
    for preview in [&[("from", from.as_str())][..], &[("from", from.as_str()), ("preview", "true")]] {
        let answer = bob.post_form(&form, preview).await;
        assert!(answer.text.contains("Choose an auction of the list."), "{}", answer.text);
    }
}

#[tokio::test]
async fn a_page_previews_the_set_of_another_auction_and_copies_it() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let set = set(&ada).await;
    let (other, target) = (auction(&ada, json!({"name": "Source"})).await, auction(&ada, json!({})).await);
    post(&ada, &other, &set).await.expect(201);
    let form = format!("{}/currencies/import", target.trim_start_matches("/api"));
    assert!(ada.get(&form).await.text.contains("Source"));
    let from = other.rsplit('/').next().unwrap();
    let preview = ada.post_form(&form, &[("from", from), ("preview", "true")]).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    for part in
        ["Nothing is written yet", "Wizarding", "Test bench", "At least 1\u{a0}Galleon", "switched off"]
    {
        assert!(preview.text.contains(part), "{part}: {}", preview.text);
    }
    assert_eq!(in_auction(&ada, &target).await["currencies"], json!([]));
    let copied = ada.post_form(&form, &[("from", from)]).await;
    assert_eq!(copied.status, 303, "{}", copied.text);
    assert_eq!(in_auction(&ada, &target).await, set);
    let again = ada.post_form(&form, &[("from", from)]).await;
    assert_eq!(again.status, 409);
    assert!(again.text.contains("one of these codes"), "{}", again.text);
}

#[tokio::test]
async fn a_page_previews_a_file_and_adds_it() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let set = set(&ada).await.to_string();
    let target = auction(&ada, json!({})).await;
    let form = format!("{}/currencies/import/file", target.trim_start_matches("/api"));
    let send = async |parts: &[(&str, &str)], file: &str| {
        let mut body = String::new();
        for (name, value) in parts {
            body.push_str(&format!(
                "--B\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            ));
        }
        body.push_str(&format!(
            "--B\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{}\"\r\ncontent-type: application/json\r\n\r\n{file}\r\n--B--\r\n",
            if file.is_empty() { "" } else { "set.json" },
        ));
        let request = ada.request("POST", &form).header("content-type", "multipart/form-data; boundary=B");
        Answer::of(request.body(body)).await
    };
    let preview = send(&[("preview", "true")], &set).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    assert!(
        preview.text.contains("Nothing is written yet") && preview.text.contains("Wizarding"),
        "{}",
        preview.text
    );
    let wrong = send(&[("preview", "true")], &set.replace("\"493\"", "\"0\"")).await;
    assert!(wrong.text.contains("currencies.0.denominations.0.factor"), "{}", wrong.text);
    for (text, words) in
        [("", "Choose a file, or paste its contents."), ("no json", "This is not such a file")]
    {
        let refused = send(&[("set", text)], "").await;
        assert_eq!(refused.status, 422);
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    assert_eq!(in_auction(&ada, &target).await["currencies"], json!([]));
    let pasted = send(&[("set", &set)], "").await;
    assert_eq!(pasted.status, 303, "{}", pasted.text);
    assert_eq!(in_auction(&ada, &target).await.to_string(), set);
}

/// The form can't know what a further currency is worth in the base unit, so it leaves the field empty.
#[tokio::test]
async fn the_first_currency_alone_is_worth_one_base_unit_by_itself() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let form = format!("{}/currencies/new?template=iso&iso=EUR", path.trim_start_matches("/api"));
    let rate = async |client: &Client| {
        let page = client.get(&form).await.text;
        let field =
            page.split("<input").find(|input| input.contains("name=\"rateToBase\"")).unwrap().to_owned();
        field.split('>').next().unwrap().to_owned()
    };
    let first = rate(&ada).await;
    assert!(first.contains("value=\"1\""), "{first}");
    ada.post(&format!("{path}/currencies"), points("PTS", "1")).await.expect(201);
    let further = rate(&ada).await;
    assert!(!further.contains("value=\"1\""), "{further}");
}

#[tokio::test]
async fn a_template_is_tried_before_it_is_chosen() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let path = path.trim_start_matches("/api");
    let list = ada.get(&format!("{path}/currencies/new")).await;
    assert!(list.text.contains(&format!("href=\"{path}/currencies/templates/shillings\"")), "{}", list.text);
    let tried = format!("{path}/currencies/templates/shillings?count.GUINEA=1&count.SHILLING=2");
    let shown = ada.get(&tried).await;
    for part in ["Test bench", "276", "Use this", &format!("{path}/currencies/new?template=shillings")] {
        assert!(shown.text.contains(part), "{part}: {}", shown.text);
    }
    assert_eq!(ada.get(&format!("{path}/currencies/templates/lead")).await.status, 404);
    let kept = ada.get(&format!("/api{path}/currencies")).await.expect(200);
    assert_eq!(kept, json!({"currencies": []}));
}
