use serde_json::{Value, json};

use super::{Hall, named, outcome};
use crate::routes::auctions::items::bids::books::{BookSale, short_of};
use crate::routes::auctions::items::bids::{codes, points};
use crate::routes::auctions::{user_id, wrong_fields};

async fn sold_to_ada(hall: &Hall) {
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 7});
    hall.hammer("1", body).await.expect(200);
}

#[tokio::test]
async fn a_clerk_corrects_member_and_price_without_a_bid() {
    let hall = Hall::open().await;
    let to_bob = json!({"for": named(&hall.bob).await, "amount": 6, "reason": "17, not 71"});
    hall.correct(&hall.clerk, to_bob.clone()).await.expect_problem(409, "NOT_CLOSED");
    sold_to_ada(&hall).await;
    let item = hall.correct(&hall.clerk, to_bob).await.expect(200);
    assert_eq!(outcome(&item), json!(["SOLD", null, "6", "bob"]));
    assert_eq!((&item["outcome"]["number"], &item["outcome"]["reason"]), (&json!(2), &json!("17, not 71")));
    assert_eq!(item["outcome"]["bid"]["amount"], 6);
    assert_eq!(hall.sale.bids().await.len(), 1, "the ledger stays");
    let listed = hall.bob.get(&format!("{}/outcomes", hall.auction())).await.expect(200);
    let winners =
        listed["outcomes"].as_array().unwrap().iter().map(|outcome| outcome["winner"]["name"].clone());
    assert_eq!(winners.collect::<Vec<Value>>(), ["ada", "bob"]);
    let news = hall.bob.get("/api/user/notifications").await.expect(200);
    assert_eq!(news["notifications"][0]["kind"], "WON");
}

#[tokio::test]
async fn a_repeated_correction_adds_one_outcome() {
    let hall = Hall::open().await;
    sold_to_ada(&hall).await;
    let to_bob = json!({"for": named(&hall.bob).await, "amount": 6, "reason": "17, not 71"});
    for is_repeat in [false, true] {
        let answer = hall.correct_keyed(&hall.clerk, "k", to_bob.clone()).await;
        assert_eq!(answer.headers.contains_key("idempotent-replayed"), is_repeat);
        assert_eq!(answer.expect(200)["outcome"]["number"], 2);
    }
    let other = json!({"for": named(&hall.bob).await, "amount": 5, "reason": "17, not 71"});
    let reused = hall.correct_keyed(&hall.clerk, "k", other).await;
    reused.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    let to_nobody = json!({"sequence": null, "reason": "gone"});
    for _ in 0..2 {
        let decided = hall.correct_keyed(&hall.sale.owner, "d", to_nobody.clone()).await;
        assert_eq!(decided.expect(200)["outcome"]["number"], 3);
    }
}

#[tokio::test]
async fn a_clerk_corrects_for_ten_minutes_and_a_manager_always() {
    let hall = Hall::open().await;
    sold_to_ada(&hall).await;
    let to_bob = json!({"for": named(&hall.bob).await, "amount": 6, "reason": "wrong number"});
    let by_sequence = json!({"sequence": 1, "reason": "wrong number"});
    hall.correct(&hall.clerk, by_sequence.clone()).await.expect_problem(403, "FORBIDDEN");
    for client in [&hall.ada, &hall.bob] {
        hall.correct(client, to_bob.clone()).await.expect_problem(403, "FORBIDDEN");
    }
    hall.sale.app.clock.advance_seconds(600);
    hall.correct(&hall.clerk, to_bob.clone()).await.expect(200);
    hall.sale.app.clock.advance_seconds(1);
    hall.correct(&hall.clerk, to_bob.clone()).await.expect_problem(409, "TOO_LATE");
    hall.correct(&hall.sale.owner, by_sequence).await.expect(200);
    let item = hall.correct(&hall.sale.owner, to_bob).await.expect(200);
    assert_eq!(item["outcome"]["number"], 4);
}

#[tokio::test]
async fn the_input_phase_applies_to_a_correction_and_the_rules_do_not() {
    let hall = Hall::open().await;
    let rule = json!({"type": "STEP", "params": {"step": 5}});
    hall.sale.owner.post(&format!("{}/currency-rules", hall.auction()), rule).await.expect(201);
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 10});
    hall.hammer("1", body).await.expect(200);
    let bob = named(&hall.bob).await;
    let halves = hall.correct(&hall.clerk, json!({"for": bob, "amount": 1.5, "reason": "x"})).await;
    assert_eq!(codes(&halves.expect_problem(422, "BID_REJECTED")), ["FRACTION_NOT_ALLOWED"]);
    let unpriced = hall.correct(&hall.clerk, json!({"for": bob, "reason": "x"})).await;
    assert_eq!(codes(&unpriced.expect_problem(422, "BID_REJECTED")), ["AMOUNT_REQUIRED"]);
    for (body, wrong) in [
        (json!({"for": bob, "amount": 3}), "reason"),
        (json!({"for": {"number": 3}, "amount": 3, "reason": "x"}), "for.number"),
        (json!({"for": bob, "sequence": 1, "amount": 3, "reason": "x"}), "sequence"),
    ] {
        assert_eq!(wrong_fields(&hall.correct(&hall.clerk, body).await), [wrong]);
    }
    let seller = json!({"userId": user_id(&hall.sale.owner).await});
    let to_seller = json!({"for": seller, "amount": 3, "reason": "x"});
    hall.correct(&hall.clerk, to_seller).await.expect_problem(403, "OWN_ITEM");
    hall.correct(&hall.clerk, json!({"for": bob, "amount": 3, "reason": "x"})).await.expect(200);
}

/// The price of a correction is in a currency, which it uses as a bid does.
#[tokio::test]
async fn the_currency_of_a_correction_is_in_use() {
    let hall = Hall::open().await;
    let currencies = format!("{}/currencies", hall.auction());
    let coins = hall.sale.owner.post(&currencies, points("COIN", "3")).await.expect(201)["id"].clone();
    sold_to_ada(&hall).await;
    let path = format!("{currencies}/{}", coins.as_str().unwrap());
    let to_bob =
        json!({"for": named(&hall.bob).await, "amount": 4, "currencyProfileId": coins, "reason": "x"});
    let item = hall.correct(&hall.clerk, to_bob).await.expect(200);
    assert_eq!(outcome(&item), json!(["SOLD", null, "12", "bob"]));
    hall.sale.owner.patch(&path, json!({"rateToBase": 4})).await.expect_problem(409, "FROZEN");
    hall.sale.owner.delete(&path).await.expect_problem(409, "HAS_BIDS");
}

#[tokio::test]
async fn a_correction_takes_the_charge_back_and_charges_within_the_balance() {
    let BookSale { sale, book } = BookSale::open("30").await;
    let hall = Hall::of(sale).await;
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 25});
    hall.hammer("1", body).await.expect(200);
    let more = json!({"for": named(&hall.ada).await, "amount": 30, "reason": "30, not 25"});
    hall.correct(&hall.clerk, more).await.expect(200);
    let too_much = json!({"for": named(&hall.ada).await, "amount": 31, "reason": "x"});
    let refused = hall.correct(&hall.clerk, too_much).await;
    assert_eq!(short_of(&refused), ("31".to_owned(), "30".to_owned()));
    let to_bob = json!({"for": named(&hall.bob).await, "amount": 29, "reason": "x"});
    hall.correct(&hall.clerk, to_bob).await.expect(200);
    let books = BookSale { sale: hall.sale, book };
    let charged = |kinds: &[(&str, &str)]| {
        let owned = |(kind, amount): &(&str, &str)| (kind.to_string(), amount.to_string());
        kinds.iter().map(owned).collect::<Vec<_>>()
    };
    assert_eq!(
        books.entries_of(&hall.ada).await,
        charged(&[
            ("GRANT", "30"),
            ("CHARGE", "-25"),
            ("REVERSAL", "25"),
            ("CHARGE", "-30"),
            ("REVERSAL", "30")
        ])
    );
    assert_eq!(books.entries_of(&hall.bob).await, charged(&[("GRANT", "30"), ("CHARGE", "-29")]));
}
