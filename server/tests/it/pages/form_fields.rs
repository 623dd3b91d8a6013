//! How the fields of forms are read, and how their errors are shown.

use serde_json::{Value, json};

use crate::harness::{Answer, TestApp};
use crate::routes::auctions::{auction, tickets};

#[tokio::test]
async fn a_currency_without_a_code_gets_one_like_its_name() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let form = format!("{}/currencies/new", path.strip_prefix("/api").unwrap());
    let create = async |name: &str| -> Answer {
        ada.post_form(&form, &[("name", name), ("inputMode", "SCALAR"), ("rateToBase", "1")]).await
    };
    for name in ["Galleon", "Gold  piece", "Übergroße Münze 2026", "金貨"] {
        assert_eq!(create(name).await.status, 303, "{name}");
    }
    let created = ada.get(&format!("{path}/currencies")).await.expect(200);
    let codes: Vec<_> =
        created["currencies"].as_array().unwrap().iter().map(|currency| &currency["code"]).collect();
    assert_eq!(codes, ["GALLEON", "GOLD_PIECE", "BERGROSSE_MN", "C193207"]);
}

/// Browsers do not send an unchecked box.
#[tokio::test]
async fn a_ticked_box_keeps_a_piece_out_of_writing() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let page = path.strip_prefix("/api").unwrap();
    let fields = |unwritten: &'static [&'static str]| {
        let fields = [
            ("name", "Old money"),
            ("inputMode", "DENOMINATION"),
            ("rateToBase", "1"),
            ("denominations.0.name", "Guinea"),
            ("denominations.0.plural", "Guineas"),
            ("denominations.0.factor", "252"),
            ("denominations.1.name", "Penny"),
            ("denominations.1.factor", "1"),
        ];
        fields.into_iter().chain(unwritten.iter().map(|name| (*name, "true"))).collect::<Vec<_>>()
    };
    let both = &["denominations.0.unwritten", "denominations.1.unwritten"];
    let refused = ada.post_form(&format!("{page}/currencies/new"), &fields(both)).await;
    assert_eq!(refused.status, 422, "one piece at least is written");
    let made =
        ada.post_form(&format!("{page}/currencies/new"), &fields(&["denominations.0.unwritten"])).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let stored = async || ada.get(&format!("{path}/currencies")).await.expect(200)["currencies"][0].clone();
    let written = |currency: &Value| [0, 1].map(|at| currency["denominations"][at]["written"] == true);
    let currency = stored().await;
    assert_eq!(
        (written(&currency), &currency["denominations"][0]["plural"]),
        ([false, true], &json!("Guineas"))
    );
    let form = format!("{page}/currencies/{}", currency["id"].as_str().unwrap());
    let shown = ada.get(&form).await.text;
    let box_of = |row: usize| {
        let at = shown.find(&format!("name=\"denominations.{row}.unwritten\"")).expect("a box");
        let (from, to) = (shown[..at].rfind('<').unwrap(), shown[at..].find('>').unwrap() + at);
        shown[from..to].contains(" checked")
    };
    assert_eq!([box_of(0), box_of(1)], [true, false]);
    let changed = ada.post_form(&form, &fields(&["denominations.1.unwritten"])).await;
    assert_eq!(changed.status, 303, "{}", changed.text);
    assert_eq!(written(&stored().await), [true, false]);
}

#[tokio::test]
async fn the_values_of_a_ladder_are_typed_in_one_field() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    ada.post(&format!("{path}/currencies"), tickets(json!({}))).await.expect(201);
    let form = format!("{}/currency-rules/new?type=STEP", path.strip_prefix("/api").unwrap());
    let send = async |values: &str| -> Answer {
        let fields = [("type", "STEP"), ("kind", "ladder"), ("params.ladder", values), ("enabled", "true")];
        ada.post_form(&form, &fields).await
    };
    for wrong in ["100 90", "100 1000", "", "100 x", "1,000 2,000"] {
        let refused = send(wrong).await;
        assert_eq!(refused.status, 422, "{wrong}");
        assert!(refused.text.contains("Enter amounts that rise"), "{wrong}: {}", refused.text);
        assert!(refused.text.contains(&format!("value=\"{wrong}\"")) || wrong.is_empty(), "{wrong}");
    }
    for values in ["100 200 500", " 100, 200,  500 "] {
        assert_eq!(send(values).await.status, 303, "{values}");
    }
    let rules = ada.get(&format!("{path}/currency-rules")).await.expect(200);
    for rule in rules["rules"].as_array().unwrap() {
        assert_eq!(rule["params"], json!({"ladder": ["100", "200", "500"]}));
    }
    let hall = ada.get(&form.replace("?type=STEP", "?type=STEP&template=hall")).await;
    assert!(hall.text.contains("100 120 150 180 200"), "{}", hall.text);
}

#[tokio::test]
async fn a_date_without_a_time_zone_is_in_utc() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let form = format!("{}/items/new", path.strip_prefix("/api").unwrap());
    let create = async |end: &str| -> Answer {
        ada.post_form(&form, &[("name", "A vase"), ("currencyCode", "GBP"), ("endDate", end)]).await
    };
    for (end, stored) in [
        ("2026-06-01T18:00", "2026-06-01T18:00:00.000Z"),
        ("2026-06-01T18:00:30", "2026-06-01T18:00:30.000Z"),
    ] {
        let created = create(end).await;
        assert_eq!(created.status, 303, "{end}: {}", created.text);
        let item = ada.get(&format!("/api{}", created.header("location"))).await.expect(200);
        assert_eq!(item["endDate"], stored);
    }
    for end in ["soon", "2026-06-01T18:00:00+02:00"] {
        assert_eq!(create(end).await.status, 422, "{end}");
    }
}

#[tokio::test]
async fn an_error_names_its_field_in_words() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let form = format!("{}/currencies/new?template=own", path.strip_prefix("/api").unwrap());
    let fields = [
        ("name", "Coins"),
        ("inputMode", "DENOMINATION"),
        ("rateToBase", "0"),
        ("denominations.3.name", "Galleon"),
        ("denominations.3.factor", "0"),
    ];
    let page = ada.post_form(&form, &fields).await;
    assert_eq!(page.status, 422);
    for error in ["Say how many base units one unit is worth", "Denomination 4: say how many"] {
        assert!(page.text.contains(error), "{error}: {}", page.text);
    }
    assert!(page.text.contains("id=\"field-denominations.3.error\""), "{}", page.text);
}

#[tokio::test]
async fn a_preview_shows_the_description_and_changes_nothing() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({})).await;
    let page = path.strip_prefix("/api").unwrap();
    let fields = [("name", "A vase"), ("description", "# Blue\n\n- <b>tall</b>"), ("preview", "true")];
    let settings = format!("{page}/settings?subject=about");
    for form in ["/auctions/new/settings".to_owned(), settings, format!("{page}/items/new")] {
        let shown = ada.post_form(&form, &fields).await;
        assert_eq!(shown.status, 200, "{form}: {}", shown.text);
        assert!(
            shown.text.contains("<h2>Blue</h2>") && shown.text.contains("&lt;b&gt;tall"),
            "{}",
            shown.text
        );
        assert!(shown.text.contains("value=\"A vase\"") && !shown.text.contains("error-summary"), "{form}");
    }
    assert_eq!(ada.get("/api/auctions").await.expect(200)["auctions"].as_array().unwrap().len(), 1);
    assert_eq!(ada.get(&path).await.expect(200)["name"], "Spring sale");
    assert_eq!(bob.post_form(&format!("{page}/settings"), &fields).await.status, 404);
    let signed_out = app.anonymous().post_form("/auctions/new/settings", &fields).await;
    assert!(signed_out.header("location").starts_with("/sign-in"), "{}", signed_out.text);
}

#[tokio::test]
async fn the_first_currency_names_the_unit_of_an_auction_without_one() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let pieces = [
        ("name", "Old money"),
        ("inputMode", "DENOMINATION"),
        ("rateToBase", "1"),
        ("denominations.0.name", "Shilling"),
        ("denominations.0.factor", "12"),
        ("denominations.1.name", "Penny"),
        ("denominations.1.plural", "Pence"),
        ("denominations.1.symbol", "d"),
        ("denominations.1.factor", "1"),
    ];
    let amount = [("name", "Ticket"), ("plural", "Tickets"), ("inputMode", "SCALAR"), ("rateToBase", "1")];
    let dear = [("name", "Crate"), ("inputMode", "SCALAR"), ("rateToBase", "12")];
    for (fields, name) in [(&pieces[..], json!("Penny")), (&amount, json!("Ticket")), (&dear, json!(null))] {
        let path = auction(&ada, json!({})).await;
        let form = format!("{}/currencies/new", path.strip_prefix("/api").unwrap());
        assert_eq!(ada.post_form(&form, fields).await.status, 303);
        assert_eq!(ada.get(&path).await.expect(200)["baseUnit"]["name"], name);
    }
    let path = auction(&ada, json!({"baseUnit": {"name": "Knut"}})).await;
    let form = format!("{}/currencies/new", path.strip_prefix("/api").unwrap());
    assert_eq!(ada.post_form(&form, &amount).await.status, 303);
    assert_eq!(ada.get(&path).await.expect(200)["baseUnit"]["name"], "Knut", "a name that is given stays");
}
