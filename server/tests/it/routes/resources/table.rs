use serde_json::{Value, json};

use super::{Invalid, Resource};
use crate::harness::TestApp;
use crate::routes::auctions::{NO_ID, auction, tickets, wizards};
use crate::routes::books::raffle;

fn renamed(number: u32) -> Value {
    json!({"name": format!("Name {number}")})
}

#[tokio::test]
async fn fields_of_auctions() {
    let app = TestApp::start().await;
    let unit = json!({"name": "Knut", "symbol": "k"});
    let resource = Resource {
        owner: app.user("ada").await,
        app,
        collection: "/api/auctions".to_owned(),
        body: json!({"name": "Spring sale", "description": "Blue", "baseUnit": unit, "endDate": "2026-06-01T00:00:00Z"}),
        patch: r#"{"name": "Autumn sale", "joinMode": "FREE", "memberCanInvite": true,
            "bidderVisibility": "PER_BID", "readableBy": "ANYONE", "itemEndMode": "NONE", "defaultAntiSnipe": true,
            "defaultAntiSnipeThreshold": 5, "defaultAntiSnipeExtension": 5,
            "currencyCode": "EUR", "goal": "1200.5", "collection": "The hall, at 10",
            "endDate": "2026-07-01T00:00:00.000Z", "baseUnit": {"symbol": "κ"}}"#,
        shown: json!({"baseUnit": {"name": "Knut", "plural": null, "symbol": "κ"}}),
        same: r#"{"endDate": "2026-07-01T02:00:00+02:00", "baseUnit": {"name": "Knut"}}"#,
        numbered: renamed,
        invalid: Invalid {
            values: vec![
                ("name", json!([null, "", " ", "x".repeat(201), 7, "a\0b"])),
                ("description", json!(["x".repeat(10_001), []])),
                ("joinMode", json!(["OPEN", "free", ""])),
                ("memberCanInvite", json!(["true", 1])),
                ("bidderVisibility", json!(["HIDDEN"])),
                ("readableBy", json!(["anyone", "NOBODY", true])),
                ("endDate", json!(["tomorrow", "2026-05-01", "2026-05-01T18:00", 0, "2026-05-01T18:00:00Z"])),
                ("itemEndMode", json!(["NEVER"])),
                ("baseUnit", json!(["Knut", []])),
                ("baseUnit.name", json!([{"name": "", "symbol": "k"}, {"name": "x".repeat(61)}])),
                (
                    "baseUnit.symbol",
                    json!([{"name": "Knut", "symbol": "x".repeat(9)}, {"name": "Knut", "symbol": " "}]),
                ),
                ("baseUnit.plural", json!([{"name": "Knut", "plural": ""}])),
                ("baseUnit.rate", json!([{"name": "Knut", "rate": 1}])),
                ("defaultAntiSnipe", json!(["yes"])),
                ("defaultAntiSnipeThreshold", json!([4, 3601, 60.0, "60"])),
                ("defaultAntiSnipeExtension", json!([4, 3601])),
                ("currencyCode", json!(["ZZZ", "eur", 7])),
                ("goal", json!([0, "-1", "much", "1000000000000001"])),
                ("collection", json!(["x".repeat(501), 7])),
                ("status", json!(["OPEN", "CLOSED"])),
                ("myRole", json!(["OWNER"])),
            ],
            new: vec![("baseUnit.name", json!({"baseUnit": {}}))],
            ..Invalid::default()
        },
        defaults: json!({
            "description": "", "joinMode": "INVITE_ONLY", "readableBy": "MEMBERS", "baseUnit": null, "endDate": null, "itemEndMode": "CUSTOM",
            "defaultAntiSnipeThreshold": 300, "currencyCode": null, "goal": null, "collection": "",
        }),
        derived: json!({}),
    };
    resource.check().await;
}

#[tokio::test]
async fn fields_of_items() {
    let app = TestApp::start().await;
    let owner = app.user("ada").await;
    let terms = json!({"defaultAntiSnipe": true, "defaultAntiSnipeThreshold": 120, "endDate": "2026-07-01T00:00:00Z"});
    let resource = Resource {
        collection: format!("{}/items", auction(&owner, terms).await),
        owner,
        app,
        body: json!({
            "name": "A vase", "isPublished": true, "currencyCode": "EUR", "description": "Blue", "startingBid": "10.5",
            "endDate": "2026-06-01T00:00:00Z", "antiSnipeEnabled": false, "antiSnipeThresholdSeconds": 5,
        }),
        patch: r#"{"name": "An urn", "description": null, "minBidIncrement": "0.50",
            "startsAt": "2026-05-02T00:00:00Z"}"#,
        shown: json!({
            "description": "", "minBidIncrement": "0.5", "minIncrementNormalized": "0.5",
            "startsAt": "2026-05-02T00:00:00.000Z", "status": "SCHEDULED",
        }),
        same: r#"{"name": "An urn", "startingBid": "10.50", "endDate": "2026-06-01T02:00:00+02:00"}"#,
        numbered: renamed,
        invalid: Invalid {
            values: vec![
                ("name", json!([null, "", "x".repeat(201)])),
                ("description", json!(["x".repeat(10_001)])),
                ("isPublished", json!(["yes"])),
                ("currencyCode", json!([null, "ZZZ"])),
                ("startingBid", json!(["0.001"])),
                ("minBidConstraint", json!([{"currencyProfileId": NO_ID, "amount": 1}])),
                ("minIncrementNormalized", json!([1])),
                ("minBidNormalized", json!([1, "1"])),
                ("startsAt", json!(["soon"])),
                ("endDate", json!(["soon", "2027-07-01T18:00"])),
                ("antiSnipeEnabled", json!([1])),
                ("antiSnipeThresholdSeconds", json!([4, 3601])),
                ("antiSnipeExtensionSeconds", json!([4, 3601])),
                ("status", json!(["OPEN", "CLOSED"])),
            ],
            together: vec![
                ("startingBid", json!({"currencyCode": "JPY", "minBidIncrement": null})),
                ("endDate", json!({"endDate": "2026-05-01T18:00:00Z", "startsAt": null})),
                ("startsAt", json!({"startsAt": "2026-05-02T00:00:00Z", "endDate": "2026-05-02T00:00:00Z"})),
            ],
            ..Invalid::default()
        },
        defaults: json!({
            "startingBid": null, "endDate": "2026-07-01T00:00:00.000Z", "antiSnipeEnabled": true,
            "antiSnipeThresholdSeconds": 120, "startsAt": null, "isPublished": false,
        }),
        derived: json!({"minBidNormalized": null, "status": "DRAFT"}),
    };
    resource.check().await;
}

#[tokio::test]
async fn fields_of_currencies() {
    let app = TestApp::start().await;
    let owner = app.user("ada").await;
    let many: Vec<Value> =
        (0..17).map(|at| json!({"code": format!("D{at}"), "name": "D", "factor": 1})).collect();
    let piece = |code: &str, factor: &str| json!({"code": code, "name": "P", "factor": factor});
    let with = |name: &str, value: Value| json!([{"code": "X", "name": "P", "factor": 1, name: value}]);
    let resource = Resource {
        collection: format!("{}/currencies", auction(&owner, json!({})).await),
        owner,
        app,
        body: wizards(json!({"symbol": "ʛ"})),
        patch: r#"{"name": "Coins", "symbol": null, "rateToBase": "2.50", "precision": 2, "fractionPolicy": "UP"}"#,
        shown: json!({"symbol": "", "rateToBase": "2.5"}),
        same: r#"{"name": "Coins", "rateToBase": 2.5, "symbol": ""}"#,
        numbered: renamed,
        invalid: Invalid {
            values: vec![
                ("code", json!(["", "x x", "ABCDEFGHIJKLM", null])),
                ("name", json!([null, "", "x".repeat(61)])),
                ("plural", json!(["", " ", "x".repeat(61), 1])),
                ("symbol", json!(["x".repeat(9), "  "])),
                ("rateToBase", json!([null, true, "0.0000001"])),
                ("inputMode", json!(["COINS", null])),
                ("precision", json!([5, -1, 2.0, "2"])),
                ("fractionPolicy", json!(["ROUND"])),
                ("isDefault", json!(["true", 1])),
                ("denominations", json!([[], null, many])),
                ("denominations.0.code", json!([[piece("x x", "1")]])),
                ("denominations.1.code", json!([[piece("X", "1"), piece("X", "2")]])),
                (
                    "denominations.0.factor",
                    json!([[piece("X", "0")], [piece("X", "1000000.001")], [piece("X", "0.0001")]]),
                ),
                ("denominations.0.name", json!([[{"code": "X", "factor": 1}]])),
                ("denominations.0.symbol", json!([with("symbol", json!("x".repeat(9)))])),
                ("denominations.0.plural", json!([with("plural", json!("x".repeat(61)))])),
                ("denominations.0.written", json!([with("written", json!("no"))])),
                ("denominations.0.rate", json!([with("rate", json!(1))])),
                ("updatedAt", json!([null])),
            ],
            new: vec![("denominations", json!({"inputMode": "SCALAR"}))],
            ..Invalid::default()
        },
        defaults: json!({"precision": 0, "fractionPolicy": "REJECT"}),
        derived: json!({}),
    };
    resource.check().await;
}

#[tokio::test]
async fn fields_of_currency_rules() {
    let app = TestApp::start().await;
    let owner = app.user("ada").await;
    let path = auction(&owner, json!({})).await;
    let [galleons, tickets] = [wizards(json!({})), tickets(json!({}))];
    let galleons = owner.post(&format!("{path}/currencies"), galleons).await.expect(201)["id"].clone();
    let tickets = owner.post(&format!("{path}/currencies"), tickets).await.expect(201)["id"].clone();
    let rules = format!("{path}/currency-rules");
    let last = json!({"type": "MIN_INCREMENT", "params": {"amount": 1}, "position": 8});
    owner.post(&rules, last).await.expect(201);
    let resource = Resource {
        collection: rules,
        owner,
        app,
        body: json!({
            "type": "MIN_COMPONENT_RATIO", "currencyProfileId": galleons, "position": 7,
            "params": {"denomination": "GALLEON", "minRatio": "0.5"},
        }),
        patch: r#"{"params": {"denomination": "KNUT", "minRatio": 0.2500}, "enabled": false}"#,
        shown: json!({"params": {"denomination": "KNUT", "minRatio": "0.25"}}),
        same: r#"{"type": "MIN_COMPONENT_RATIO", "enabled": false}"#,
        numbered: |number| json!({"position": number}),
        invalid: Invalid {
            values: vec![
                ("type", json!(["FORMULA", null])),
                ("params", json!([null])),
                (
                    "params.denomination",
                    json!([{"denomination": "EURO", "minRatio": "0.5"}, {"minRatio": "0.5"}]),
                ),
                (
                    "params.minRatio",
                    json!([
                        {"denomination": "KNUT", "minRatio": "1.0001"}, {"denomination": "KNUT", "minRatio": "0.00001"},
                        {"denomination": "KNUT"},
                    ]),
                ),
                ("params.minCount", json!([{"denomination": "KNUT", "minRatio": "1", "minCount": 1}])),
                ("currencyProfileId", json!([null, tickets, NO_ID])),
                ("position", json!([1_000_001, -1])),
                ("enabled", json!([0, 1])),
                ("script", json!(["1"])),
            ],
            patched: vec![("type", json!({"type": "MIN_INCREMENT", "params": {"amount": 1}}))],
            ..Invalid::default()
        },
        // After the last other rule.
        defaults: json!({"enabled": true, "position": 9}),
        derived: json!({}),
    };
    resource.check().await;
}

#[tokio::test]
async fn fields_of_books() {
    let app = TestApp::start().await;
    let resource = Resource {
        owner: app.user("ada").await,
        app,
        collection: "/api/books".to_owned(),
        body: raffle(json!({"startingBalance": "300.5", "creditLimit": 20, "visibility": "MEMBERS"})),
        patch: r#"{"name": "Class 5b", "startingBalance": null, "creditLimit": "20.50"}"#,
        shown: json!({"startingBalance": "0", "creditLimit": "20.5"}),
        same: r#"{"name": "Class 5b", "creditLimit": 20.5, "baseUnit": {"symbol": "T"}}"#,
        numbered: renamed,
        invalid: Invalid {
            values: vec![
                ("name", json!([null, "", "x".repeat(201)])),
                ("baseUnit", json!([null])),
                (
                    "baseUnit.name",
                    json!([{"name": "", "symbol": ""}, {"name": "x".repeat(61), "symbol": ""}]),
                ),
                ("startingBalance", json!([-1, "1000000000000000.1", "0.12345678901234"])),
                ("creditLimit", json!(["-0.1", "much"])),
                ("visibility", json!(["PUBLIC"])),
                ("status", json!(["ENDED"])),
            ],
            ..Invalid::default()
        },
        defaults: json!({"startingBalance": "0", "creditLimit": "0", "visibility": "PRIVATE"}),
        derived: json!({}),
    };
    resource.check().await;
}
