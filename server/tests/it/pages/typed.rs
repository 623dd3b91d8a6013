//! Amounts as people type them into forms, and as the forms show them again.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::auction;
use crate::routes::auctions::items::bids::{Sale, text, wizards};
use crate::routes::books::book;

fn knut() -> Value {
    json!({"baseUnit": {"name": "Knut", "plural": "Knuts", "symbol": ""}})
}

/// The value of a field of a form.
fn value_of(page: &str, name: &str) -> String {
    let at = page.find(&format!("name=\"{name}\"")).unwrap_or_else(|| panic!("{name}: {page}"));
    let (from, to) = (page[..at].rfind('<').unwrap(), page[at..].find('>').unwrap() + at);
    let tag = &page[from..to];
    let value = tag.split(" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    value.replace('\u{a0}', " ")
}

/// The id of the newest rule of an auction, and its parameters.
async fn newest_rule(owner: &Client, auction: &str) -> (String, Value) {
    let rules = owner.get(&format!("/api/auctions/{auction}/currency-rules")).await.expect(200);
    let rule = rules["rules"].as_array().unwrap().last().unwrap().clone();
    (text(&rule["id"]), rule["params"].clone())
}

/// The page is written in the browser's language where the account names none, and so is what it takes.
#[tokio::test]
async fn a_bid_is_read_alike_in_each_language_of_the_browser() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let path = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    let bid = async |bidder: &Client, amount: &str, languages: &str| {
        let fields = [("amount", amount), ("idempotencyKey", amount)];
        let request = bidder.request("POST", &path).header("accept-language", languages);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        Answer::of(request.body(serde_urlencoded::to_string(fields).unwrap())).await
    };
    for (amount, languages) in [("1.000", "de-DE,de;q=0.9,en;q=0.8"), ("1.000", "en-GB"), ("1,000", "de-DE")]
    {
        let refused = bid(&ada, amount, languages).await;
        assert_eq!(refused.status, 422, "{languages}: {}", refused.text);
    }
    let placed = bid(&ada, "0,5", "de-DE").await;
    assert_eq!(placed.status, 303, "{}", placed.text);
    assert_eq!(bid(&bob, "0.75", "en-GB").await.status, 303);
    let bids = sale.bids().await;
    let amounts: Vec<_> = bids.iter().map(|bid| text(&bid["normalizedAmount"])).collect();
    assert_eq!(amounts, ["0.75", "0.5"]);
}

/// Coins of which a hundred make the next are typed as money is.
#[tokio::test]
async fn a_decimal_is_read_as_two_pieces() {
    let coins = json!({
        "code": "COINS", "name": "Coins", "rateToBase": "1", "inputMode": "DENOMINATION",
        "denominations": [
            {"code": "EUR", "name": "Euro", "plural": "Euros", "symbol": "€", "factor": 100},
            {"code": "CENT", "name": "Cent", "plural": "Cents", "factor": 1},
        ],
    });
    let sale = Sale::open(json!({}), &[coins], json!({})).await;
    let path = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let currencies = sale.owner.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let currency = text(&currencies["currencies"][0]["id"]);
    let bid = async |bidder: &Client, euros: &str, cents: &str| {
        let key = format!("{}{cents}", euros.len());
        let fields = [
            ("currencyProfileId", &*currency),
            ("count.EUR", euros),
            ("count.CENT", cents),
            ("confirmed", "1250"),
            ("idempotencyKey", &key),
        ];
        bidder.post_form(&path, &fields).await
    };
    for (bidder, euros, cents, status) in
        [(&ada, "12,50", "", 303), (&bob, "€13.5", "", 303), (&ada, "14.50", "7", 422)]
    {
        let answer = bid(bidder, euros, cents).await;
        assert_eq!(answer.status, status, "{euros} {cents}: {}", answer.text);
    }
    let bids = sale.bids().await;
    let counts = |bid: &Value| {
        let entered = bid["enteredRepresentation"].as_array().unwrap().iter();
        entered.map(|entry| text(&entry["count"])).collect::<Vec<_>>()
    };
    let amounts: Vec<_> = bids.iter().map(|bid| (counts(bid), text(&bid["normalizedAmount"]))).collect();
    let two = |euros: &str, value: &str| (vec![euros.to_owned(), "50".to_owned()], value.to_owned());
    assert_eq!(amounts, [two("13", "1350"), two("12", "1250")]);
    let table = "name,minimum\nVase,\"12,50\"\nLamp,12.50 €\nClock,\"12,5\"\n";
    let import = format!("/api/auctions/{}/items/import?dryRun=true", sale.auction);
    let request = sale.owner.request("POST", &import).header("content-type", "text/csv");
    let preview = Answer::of(request.body(table)).await;
    let preview = preview.expect(200);
    let errors = preview["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1, "{preview}");
    assert!(text(&errors[0]["message"]).contains("12 Euro 5 Cent, or 12,5 Euro"), "{preview}");
}

#[tokio::test]
async fn a_minimum_and_an_increment_are_typed_as_a_bid_is() {
    let sale = Sale::open(knut(), &[wizards()], json!({})).await;
    let currencies = sale.owner.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let id = text(&currencies["currencies"][0]["id"]);
    let form = format!("/auctions/{}/items/new", sale.auction);
    let create = async |galleons: &str, increment: &str| -> Answer {
        let fields = [
            ("name", "A broom"),
            ("currency", &id),
            ("minBidConstraint.currencyProfileId", &id),
            ("minBidConstraint.count.GALLEON", galleons),
            ("minBidConstraint.count.SICKLE", ""),
            ("minBidConstraint.count.KNUT", ""),
            ("minIncrementNormalized", increment),
        ];
        sale.owner.post_form(&form, &fields).await
    };
    for (galleons, increment) in
        [("3 galleons 2 sickles", "1 Sickle · 1 Knut"), ("3", "30 knuts"), ("3 GALLEON", ",5"), ("", "")]
    {
        let created = create(galleons, increment).await;
        assert_eq!(created.status, 303, "{galleons}: {}", created.text);
        let item = sale.owner.get(&format!("/api{}", created.header("location"))).await.expect(200);
        let sickles = galleons.contains("sickles");
        let minimum = if sickles { "1537" } else { "1479" };
        let expected = if galleons.is_empty() { Value::Null } else { json!(minimum) };
        assert_eq!(item["minBidNormalized"], expected, "{galleons}");
        let stored = match increment {
            "" => Value::Null,
            ",5" => json!("0.5"),
            _ => json!("30"),
        };
        assert_eq!(item["minIncrementNormalized"], stored, "{increment}");
        let edit = sale.owner.get(&format!("{}/edit", created.header("location"))).await.text;
        let shown = match increment {
            "" => "",
            ",5" => "0.5",
            _ => "1 Sickle · 1 Knut",
        };
        assert_eq!(value_of(&edit, "minIncrementNormalized"), shown);
        let count = if galleons.is_empty() { "" } else { "3" };
        assert_eq!(value_of(&edit, "minBidConstraint.count.GALLEON"), count);
    }
    for (galleons, words) in [
        ("1,000", "Enter it without a separator for thousands, such as 1000."),
        ("$5", "Enter a number, alone or beside its own symbol."),
        ("3 sickles", "Enter a number, alone or beside its own name."),
    ] {
        for (minimum, increment) in [(galleons, ""), ("", galleons)] {
            if increment == "3 sickles" {
                continue;
            }
            let refused = create(minimum, increment).await;
            assert_eq!(refused.status, 422, "{galleons}");
            let words = if increment.is_empty() { words } else { words.trim_end_matches('.') };
            assert!(refused.text.contains(words), "{words}: {}", refused.text);
            assert!(refused.text.contains(&format!("value=\"{galleons}\"")), "{}", refused.text);
        }
    }
}

#[tokio::test]
async fn the_amounts_of_rules_are_typed_and_shown_in_pieces() {
    let sale = Sale::open(knut(), &[wizards()], json!({})).await;
    let form = |kind: &str| format!("/auctions/{}/currency-rules/new?type={kind}", sale.auction);
    let send = async |kind: &str, fields: &[(&str, &str)]| -> Answer {
        let fields: Vec<_> = [("type", kind), ("enabled", "true")].iter().chain(fields).copied().collect();
        sale.owner.post_form(&form(kind), &fields).await
    };
    for (kind, fields, params, field, shown) in [
        (
            "MIN_INCREMENT",
            &[("kind", "amount"), ("params.amount", "2 sickles, 3 knuts")][..],
            json!({"amount": "61"}),
            "params.amount",
            "2 Sickles · 3 Knuts",
        ),
        (
            "STEP",
            &[("kind", "step"), ("params.step", "29")],
            json!({"step": "29"}),
            "params.step",
            "1 Sickle",
        ),
        (
            "STEP",
            &[("kind", "ladder"), ("params.ladder", "1 galleon; 2 galleons")],
            json!({"ladder": ["493", "986"]}),
            "params.ladder",
            "493 986",
        ),
        (
            "MAX_BID",
            &[("params.amount", "5 galleons")],
            json!({"amount": "2465"}),
            "params.amount",
            "5 Galleons",
        ),
        (
            "MIN_INCREMENT",
            &[("kind", "percent"), ("params.percent", "2,5 %")],
            json!({"percent": "2.5"}),
            "params.percent",
            "2.5",
        ),
        (
            "MIN_INCREMENT",
            &[
                ("kind", "tiers"),
                ("params.tiers.0.from", "0"),
                ("params.tiers.0.amount", "1 sickle"),
                ("params.tiers.1.from", "2 galleons"),
                ("params.tiers.1.amount", "3 sickles"),
            ],
            json!({"tiers": [{"from": "0", "amount": "29"}, {"from": "986", "amount": "87"}]}),
            "params.tiers.1.from",
            "2 Galleons",
        ),
    ] {
        let made = send(kind, fields).await;
        assert_eq!(made.status, 303, "{fields:?}: {}", made.text);
        let (id, stored) = newest_rule(&sale.owner, &sale.auction).await;
        assert_eq!(stored, params, "{fields:?}");
        let edit = sale.owner.get(&format!("/auctions/{}/currency-rules/{id}", sale.auction)).await.text;
        assert_eq!(value_of(&edit, field), shown, "{fields:?}");
    }
    let refused = send("MAX_BID", &[("params.amount", "5 gold")]).await;
    assert_eq!(refused.status, 422);
    let words = "Enter a number, alone or beside its own name.";
    assert!(refused.text.contains(words), "{}", refused.text);
    let tier = [("kind", "tiers"), ("params.tiers.0.from", "0"), ("params.tiers.0.amount", "1,000")];
    let refused = send("MIN_INCREMENT", &tier).await.text;
    assert!(refused.contains("Tier 1: enter it without a separator for thousands"), "{refused}");
}

#[tokio::test]
async fn the_amounts_of_a_book_are_typed_with_its_unit() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let fields = [
        ("name", "Class 4b"),
        ("baseUnitName", "Ticket"),
        ("baseUnitPlural", "Tickets"),
        ("baseUnitSymbol", "T"),
        ("startingBalance", "300 tickets"),
        ("creditLimit", "T 5"),
        ("visibility", "PRIVATE"),
    ];
    let made = ada.post_form("/books/new", &fields).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let path = made.header("location").split('?').next().unwrap().to_owned();
    let stored = ada.get(&format!("/api{path}")).await.expect(200);
    assert_eq!((&stored["startingBalance"], &stored["creditLimit"]), (&json!("300"), &json!("5")));
    let refused = ada.post_form("/books/new", &[("startingBalance", "many"), ("name", "B")]).await;
    assert!(refused.text.contains("Enter a number, alone or beside its own name."), "{}", refused.text);
}

#[tokio::test]
async fn a_grant_may_be_typed_in_pieces() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = book(&ada, json!({"baseUnit": {"name": "Knut", "plural": "Knuts", "symbol": ""}})).await;
    let id = path.rsplit('/').next().unwrap().to_owned();
    let sale = auction(&ada, json!({"bookId": id})).await;
    ada.post(&format!("{sale}/currencies"), wizards()).await.expect(201);
    let grant = async |key: &str, amount: &str| -> Answer {
        let fields = [("idempotencyKey", key), ("amount", amount), ("reason", "A prize"), ("whom", "ALL")];
        ada.post_form(&format!("/books/{id}/entries"), &fields).await
    };
    for (key, typed, amount) in
        [("1", "2 galleons 1 sickle", "1015"), ("2", "-1 Sickle · -2 Knuts", "-31"), ("3", ".5", "0.5")]
    {
        let granted = grant(key, typed).await;
        assert_eq!(granted.status, 303, "{typed}: {}", granted.text);
        let entries = ada.get(&format!("{path}/entries")).await.expect(200);
        assert_eq!(entries["entries"][0]["amount"], amount, "{typed}");
    }
    assert_eq!(grant("4", "2 gold").await.status, 422);
}

#[tokio::test]
async fn the_codes_of_pieces_in_any_script_are_derived() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let fields = [
        ("name", "Ρούβλια"),
        ("inputMode", "DENOMINATION"),
        ("rateToBase", "1"),
        ("denominations.0.name", "Δραχμή"),
        ("denominations.0.factor", "100"),
        ("denominations.1.name", "Λεπτό"),
        ("denominations.1.factor", "1"),
    ];
    let form = format!("{}/currencies/new", path.trim_start_matches("/api"));
    let made = ada.post_form(&form, &fields).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let currency = ada.get(&format!("{path}/currencies")).await.expect(200)["currencies"][0].clone();
    let codes = [0, 1].map(|at| text(&currency["denominations"][at]["code"]));
    assert_eq!(codes, ["C1", "C2"]);
    assert!(!text(&currency["code"]).is_empty());
}

/// 430 copper pieces are 4 gold and 3 silver on every page.
#[tokio::test]
async fn a_price_is_in_pieces_on_each_page() {
    let unit = json!({"baseUnit": {"name": "Copper piece", "plural": "Copper pieces", "symbol": ""}});
    let guild = json!({"code": "G", "name": "Guild money", "rateToBase": "1", "inputMode": "DENOMINATION",
    "denominations": [
        {"code": "GOLD", "name": "Gold", "symbol": "g", "factor": 100},
        {"code": "SILVER", "name": "Silver", "symbol": "s", "factor": 10},
        {"code": "COPPER", "name": "Copper piece", "plural": "Copper pieces", "factor": 1},
    ]});
    let sale = Sale::open(unit, &[guild], json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let counts = |gold: u32, silver: u32| {
        json!({"enteredRepresentation": [
        {"denomination": "GOLD", "count": gold}, {"denomination": "SILVER", "count": silver}]})
    };
    sale.bid(&bob, counts(1, 0)).await.expect(201);
    sale.bid(&ada, counts(4, 3)).await.expect(201);
    sale.app.tell_leads().await;
    let auction = format!("/auctions/{}", sale.auction);
    let item = format!("{auction}/items/{}", sale.item);
    let shows = async |client: &Client, path: &str| {
        let page = client.get(path).await.text.replace('\u{a0}', " ");
        let words: String =
            page.split('<').map(|part| part.split_once('>').map_or("", |(_, text)| text)).collect();
        assert!(words.contains("4 Gold · 3 Silver"), "{path}: {words}");
    };
    shows(&ada, &auction).await;
    shows(&ada, &item).await;
    shows(&ada, &format!("{item}/bids")).await;
    shows(&ada, "/dashboard").await;
    shows(&bob, "/notifications").await;
    sale.owner.post(&format!("/api{item}/close"), json!({})).await.expect(200);
    shows(&ada, &format!("{auction}/results")).await;
    shows(&ada, "/notifications").await;
    shows(&ada, "/dashboard").await;
}
