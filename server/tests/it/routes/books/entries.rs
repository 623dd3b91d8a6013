//! `/api/books/{book_id}/entries`

use serde_json::{Value, json};

use super::{Class, balances, each, entries, grant, keyed, names};
use crate::routes::auctions::{NO_ID, user_id, wrong_fields};

#[tokio::test]
async fn a_grant_is_one_entry_for_each_holder_in_one_transaction() {
    let class = Class::start().await;
    let holder = user_id(&class.holder).await;
    let teller = json!({"id": user_id(&class.teller).await, "name": "teller"});
    let written =
        grant(&class.teller, &class.book, json!([holder, holder]), json!("-12.50")).await.expect(201);
    let expected = json!({
        "sequence": 3, "holder": {"id": holder, "name": "holder"}, "amount": "-12.5", "kind": "GRANT", "reason": "Cakes",
        "itemId": null, "outcome": null, "reverses": null, "by": teller, "createdAt": "2026-05-01T18:00:00.000Z",
    });
    assert_eq!(written["entries"], json!([expected]));
    let written = grant(&class.owner, &class.book, json!("ALL"), json!(100)).await.expect(201);
    assert_eq!(each(written["entries"].as_array().unwrap(), "sequence"), [4, 5, 6]);
    assert_eq!(
        balances(&class.owner, &class.book).await,
        names(&[("owner", "100"), ("teller", "400"), ("holder", "387.5")])
    );
    // Everyone sees their own entries, keepers those of all.
    assert_eq!(each(&entries(&class.holder, &class.book).await, "sequence"), [2, 3, 6]);
    assert_eq!(entries(&class.teller, &class.book).await.len(), 6);
    let other = class.path(&format!("entries?holder={}", user_id(&class.owner).await));
    let found = class.holder.get(&other).await.expect(200);
    assert_eq!(each(found["entries"].as_array().unwrap(), "sequence"), [6, 3, 2]);
    let found = class.teller.get(&other).await.expect(200);
    assert_eq!(each(found["entries"].as_array().unwrap(), "sequence"), [4]);
}

#[tokio::test]
async fn one_wrong_holder_or_balance_refuses_the_whole_grant() {
    let class = Class::start().await;
    let holder = user_id(&class.holder).await;
    let wrong = grant(&class.owner, &class.book, json!([holder, NO_ID]), json!(1)).await;
    assert_eq!(wrong_fields(&wrong), ["holders.1"]);
    grant(&class.owner, &class.book, json!([holder]), json!("999999999999699.5")).await.expect(201);
    let wrong = grant(&class.owner, &class.book, json!("ALL"), json!(1)).await;
    assert_eq!(wrong_fields(&wrong), ["amount"]);
    assert_eq!(entries(&class.owner, &class.book).await.len(), 3);
    // The number of the refused entries is used by the next.
    let written = grant(&class.owner, &class.book, json!([holder]), json!("0.5")).await.expect(201);
    assert_eq!(written["entries"][0]["sequence"], 4);
    assert_eq!(balances(&class.owner, &class.book).await[2].1, "1000000000000000");
}

#[tokio::test]
async fn every_field_of_a_grant_has_its_bounds() {
    let class = Class::start().await;
    let path = class.path("entries");
    for (changes, field) in [
        (json!({"holders": null}), "holders"),
        (json!({"holders": "SOME"}), "holders"),
        (json!({"holders": []}), "holders"),
        (json!({"holders": ["x"]}), "holders.0"),
        (json!({"amount": null}), "amount"),
        (json!({"amount": 0}), "amount"),
        (json!({"amount": "1e3"}), "amount"),
        (json!({"amount": "-1000000000000001"}), "amount"),
        (json!({"amount": "0.00000000000001"}), "amount"),
        (json!({"reason": ""}), "reason"),
        (json!({"reason": "x".repeat(501)}), "reason"),
    ] {
        let mut body = json!({"holders": "ALL", "amount": 1, "reason": "Cakes"});
        super::change(&mut body, changes.clone());
        assert_eq!(wrong_fields(&keyed(&class.owner, &path, "k1", &body).await), [field], "{changes}");
    }
    let body = json!({"holders": "ALL", "amount": 1, "reason": "Cakes"});
    assert_eq!(wrong_fields(&class.owner.post(&path, body).await), ["Idempotency-Key"]);
    assert_eq!(entries(&class.owner, &class.book).await.len(), 2);
}

#[tokio::test]
async fn a_repeated_grant_is_written_once() {
    let class = Class::start().await;
    let path = class.path("entries");
    let body = json!({"holders": "ALL", "amount": 1, "reason": "Cakes"});
    let both = tokio::join!(keyed(&class.owner, &path, "k1", &body), keyed(&class.owner, &path, "k1", &body));
    assert_eq!(both.0.expect(201), both.1.expect(201));
    let again = keyed(&class.owner, &path, "k1", &body).await;
    assert_eq!((again.expect(201), again.header("idempotent-replayed")), (both.0.json(), "true"));
    let other = json!({"holders": "ALL", "amount": 2, "reason": "Cakes"});
    keyed(&class.owner, &path, "k1", &other).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    // The key of another user is another key.
    keyed(&class.teller, &path, "k1", &body).await.expect(201);
    assert_eq!(balances(&class.owner, &class.book).await[0].1, "2");
}

#[tokio::test]
async fn concurrent_grants_are_numbered_without_gaps_and_add_up() {
    let class = Class::start().await;
    let path = class.path("entries");
    let grants = (0..12).map(|n| {
        let (class, path) = (&class, &path);
        async move {
            let body = json!({"holders": "ALL", "amount": 1, "reason": "Cakes"});
            keyed(&class.owner, path, &format!("k{n}"), &body).await.expect(201);
        }
    });
    futures::future::join_all(grants).await;
    let sequences = each(&entries(&class.owner, &class.book).await, "sequence");
    assert_eq!(sequences, (1..=38).map(Value::from).collect::<Vec<_>>());
    let expected = names(&[("owner", "12"), ("teller", "312"), ("holder", "312")]);
    assert_eq!(balances(&class.owner, &class.book).await, expected);
}

#[tokio::test]
async fn a_grant_is_reversed_once_and_nothing_else_is() {
    let class = Class::start().await;
    grant(&class.owner, &class.book, json!("ALL"), json!("-2.5")).await.expect(201);
    let reverse = async |sequence: i64, reason: Value| {
        let path = class.path(&format!("entries/{sequence}/reverse"));
        class.teller.post(&path, json!({ "reason": reason })).await
    };
    assert_eq!(wrong_fields(&reverse(5, json!("")).await), ["reason"]);
    let entry = reverse(5, json!("Not her cakes")).await.expect(201);
    let teller = json!({"id": user_id(&class.teller).await, "name": "teller"});
    assert_eq!(
        entry,
        json!({
            "sequence": 6, "holder": {"id": user_id(&class.holder).await, "name": "holder"}, "amount": "2.5",
            "kind": "REVERSAL", "reason": "Not her cakes", "itemId": null, "outcome": null, "reverses": 5, "run": 1, "by": teller,
            "createdAt": "2026-05-01T18:00:00.000Z",
        })
    );
    reverse(5, json!("Again")).await.expect_problem(409, "ALREADY_REVERSED");
    reverse(6, json!("Back")).await.expect_problem(409, "NOT_REVERSIBLE");
    reverse(7, json!("None")).await.expect_problem(404, "NOT_FOUND");
    reverse(0, json!("None")).await.expect_problem(404, "NOT_FOUND");
    let expected = names(&[("owner", "-2.5"), ("teller", "297.5"), ("holder", "300")]);
    assert_eq!(balances(&class.owner, &class.book).await, expected);
}

#[tokio::test]
async fn a_charge_is_reversed_by_its_outcome_only() {
    use crate::routes::auctions::{auction, items::bids::text, join, tickets};
    let class = Class::with(json!({"startingBalance": 300, "visibility": "MEMBERS"})).await;
    let id = class.book.rsplit('/').next().unwrap();
    let sale = auction(&class.owner, json!({"bookId": id, "joinMode": "FREE"})).await;
    let currency = tickets(json!({"rateToBase": 1}));
    class.owner.post(&format!("{sale}/currencies"), currency).await.expect(201);
    let item = json!({"name": "A cake", "isPublished": true});
    let item = text(&class.owner.post(&format!("{sale}/items"), item).await.expect(201)["id"]);
    join(&class.holder, &sale).await;
    class.holder.post(&format!("{sale}/items/{item}/bids"), json!({"amount": 120})).await.expect(201);
    let holder = class.holder.get(&class.path("holders?q=holder")).await.expect(200)["holders"][0].clone();
    let amounts = ["balance", "committed", "available"].map(|name| text(&holder[name]));
    assert_eq!(amounts, ["300", "120", "180"]);

    class.owner.post(&format!("{sale}/close"), json!({})).await.expect(200);
    let charge = entries(&class.holder, &class.book).await.pop().unwrap();
    assert_eq!(
        (&charge["kind"], &charge["amount"], &charge["itemId"]),
        (&json!("CHARGE"), &json!("-120"), &json!(item))
    );
    let path = class.path(&format!("entries/{}/reverse", charge["sequence"]));
    class.owner.post(&path, json!({"reason": "x"})).await.expect_problem(409, "NOT_REVERSIBLE");
}

#[tokio::test]
async fn entries_are_listed_a_hundred_at_a_time() {
    let class = Class::start().await;
    for amount in 1..=40 {
        grant(&class.owner, &class.book, json!("ALL"), json!(amount)).await.expect(201);
    }
    let first = class.owner.get(&class.path("entries")).await.expect(200);
    let sequences = |page: &Value| each(page["entries"].as_array().unwrap(), "sequence");
    assert_eq!(sequences(&first), (23..=122).rev().map(Value::from).collect::<Vec<_>>());
    assert_eq!(first["nextBefore"], 23);
    let second = class.owner.get(&class.path("entries?before=23")).await.expect(200);
    assert_eq!(sequences(&second), (1..=22).rev().map(Value::from).collect::<Vec<_>>());
    assert_eq!(second["nextBefore"], Value::Null);
    let wrong = class.owner.get(&class.path("entries?before=0&holder=x")).await;
    assert_eq!(wrong_fields(&wrong), ["before", "holder"]);
}
