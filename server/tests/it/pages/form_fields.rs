//! How the fields of forms are read, and how their errors are shown.

use serde_json::json;

use crate::harness::{Answer, TestApp};
use crate::routes::auctions::auction;

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
    for form in ["/auctions/new".to_owned(), format!("{page}/settings"), format!("{page}/items/new")] {
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
    let signed_out = app.anonymous().post_form("/auctions/new", &fields).await;
    assert!(signed_out.header("location").starts_with("/sign-in"), "{}", signed_out.text);
}
