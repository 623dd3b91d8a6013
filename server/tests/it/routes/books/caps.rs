//! Caps of a book: limits on what grants and shares give.

use serde_json::{Value, json};

use super::{Class, balances, each, entries, grant, keyed, names};
use crate::routes::auctions::{user_id, wrong_fields};

async fn set(class: &Class, caps: Value) -> Value {
    class.owner.patch(&class.book, json!({ "caps": caps })).await.expect(200)
}

#[tokio::test]
async fn caps_leave_of_a_grant_what_the_table_says() {
    for (caps, had, asked, has) in [
        (json!({"soft": 500, "softPercent": 10}), 492, "20", "501.2"),
        (json!({"soft": 500, "softPercent": 10}), 520, "20", "522"),
        (json!({"hard": 100}), 95, "10", "100"),
        (json!({"hard": 100}), 123, "-10", "113"),
    ] {
        let class = Class::with(json!({"startingBalance": had})).await;
        set(&class, caps.clone()).await;
        let holder = user_id(&class.holder).await;
        let written = grant(&class.teller, &class.book, json!([holder]), json!(asked)).await.expect(201);
        assert_eq!(balances(&class.owner, &class.book).await[2].1, has, "{had} + {asked} with {caps}");
        let entry = &written["entries"][0];
        let expected = (entry["amount"] != asked).then(|| json!(asked));
        assert_eq!(entry.get("asked"), expected.as_ref(), "{entry}");
    }
}

#[tokio::test]
async fn a_holder_above_the_hard_cap_keeps_the_balance_and_gets_nothing() {
    let class = Class::with(json!({"startingBalance": 123})).await;
    set(&class, json!({"hard": "100.0"})).await;
    let holder = user_id(&class.holder).await;
    let nothing = grant(&class.teller, &class.book, json!([holder]), json!(10)).await;
    assert_eq!(wrong_fields(&nothing), ["amount"]);
    // Of many, those below the cap get theirs; the run has a row of each.
    let written = grant(&class.teller, &class.book, json!("ALL"), json!(10)).await.expect(201);
    assert_eq!(written["entries"].as_array().unwrap().len(), 1);
    assert_eq!(
        balances(&class.owner, &class.book).await,
        names(&[("owner", "10"), ("teller", "123"), ("holder", "123")])
    );
    let run = class.owner.get(&class.path("runs/1")).await.expect(200);
    let rows = run["rows"].as_array().unwrap();
    assert_eq!(
        (each(rows, "asked"), each(rows, "amount")),
        (vec![json!("10"); 3], vec![json!("10"), json!("0"), json!("0")])
    );
    assert_eq!(each(rows, "before"), ["0", "123", "123"]);
}

#[tokio::test]
async fn a_week_gives_so_much_and_no_more() {
    let class = Class::with(json!({"startingBalance": 5})).await;
    set(&class, json!({"weekly": 10, "weekStart": "SATURDAY", "timeZone": "Europe/Berlin"})).await;
    let holder = user_id(&class.holder).await;
    let one = json!([holder]);
    let has = async || balances(&class.owner, &class.book).await[2].1.clone();
    // A Friday. Neither the starting balance nor an import counts as given, and caps do not act on them.
    let table = "email,amount,reason\nholder@example.org,100,Cakes\n";
    let import = class.owner.request("POST", &class.path("import")).header("content-type", "text/csv");
    crate::harness::Answer::of(import.header("idempotency-key", "k1").body(table)).await.expect(201);
    grant(&class.teller, &class.book, one.clone(), json!(5)).await.expect(201);
    let written = grant(&class.teller, &class.book, one.clone(), json!(8)).await.expect(201);
    assert_eq!(
        (&written["entries"][0]["amount"], &written["entries"][0]["asked"]),
        (&json!("5"), &json!("8"))
    );
    assert_eq!(has().await, "115");
    assert_eq!(wrong_fields(&grant(&class.teller, &class.book, one.clone(), json!(1)).await), ["amount"]);
    // What is reversed was not given.
    let sequence = written["entries"][0]["sequence"].as_i64().unwrap();
    let reason = json!({"reason": "Mistake"});
    class.owner.post(&class.path(&format!("entries/{sequence}/reverse")), reason).await.expect(201);
    grant(&class.teller, &class.book, one.clone(), json!(2)).await.expect(201);
    // The week ends at midnight in Berlin, two hours before that of UTC.
    let midnight = "2026-05-01T22:00:00Z".parse().unwrap();
    class.app.clock.set(midnight);
    grant(&class.teller, &class.book, one.clone(), json!(11)).await.expect(201);
    assert_eq!(has().await, "122");
}

#[tokio::test]
async fn what_caps_take_of_a_share_stays_in_the_pot() {
    let class = Class::with(json!({"startingBalance": 95})).await;
    set(&class, json!({"hard": 100})).await;
    let (holder, owner) = (user_id(&class.holder).await, user_id(&class.owner).await);
    let body =
        json!({"kind": "SHARE", "params": {"amount": 100, "to": [holder, owner]}, "reason": "Tuesday"});
    let run = keyed(&class.owner, &class.path("runs"), "k1", &body).await.expect(201);
    assert_eq!(
        (each(run["rows"].as_array().unwrap(), "amount"), &run["kept"]),
        (vec![json!("5"), json!("50")], &json!("45"))
    );
    assert_eq!(entries(&class.owner, &class.book).await.last().unwrap().get("asked"), None);
}

#[tokio::test]
async fn every_cap_has_its_bounds_and_null_removes_them() {
    let class = Class::start().await;
    for (caps, field) in [
        (json!([]), "caps"),
        (json!({"most": 1}), "caps.most"),
        (json!({"soft": -1}), "caps.soft"),
        (json!({"softPercent": 10}), "caps.softPercent"),
        (json!({"soft": 1, "softPercent": "100.001"}), "caps.softPercent"),
        (json!({"hard": "1000000000000001"}), "caps.hard"),
        (json!({"weekly": "x"}), "caps.weekly"),
        (json!({"weekly": 1, "weekStart": "NOON"}), "caps.weekStart"),
        (json!({"weekly": 1, "timeZone": "Europe/Atlantis"}), "caps.timeZone"),
    ] {
        let answer = class.owner.patch(&class.book, json!({ "caps": caps })).await;
        assert_eq!(wrong_fields(&answer), [field], "{caps}");
    }
    let changed = set(&class, json!({"soft": "500.0", "weekly": 10})).await;
    let expected =
        json!({"soft": "500", "softPercent": "0", "weekly": "10", "weekStart": "MONDAY", "timeZone": "UTC"});
    assert_eq!(changed["caps"], expected);
    assert_eq!(class.holder.get(&class.book).await.expect(200)["caps"], expected);
    class.teller.patch(&class.book, json!({"caps": null})).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(set(&class, Value::Null).await.get("caps"), None);
}
