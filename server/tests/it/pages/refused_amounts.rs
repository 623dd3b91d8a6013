//! Amounts that forms refuse, and the words that say why.

use serde_json::json;

use crate::harness::Answer;
use crate::routes::auctions::items::bids::Sale;

#[tokio::test]
async fn what_may_be_a_thousand_is_refused_in_each_form() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    for (person, locale) in [(&ada, "de-DE"), (&sale.owner, "en-GB")] {
        person.patch("/api/user", json!({"locale": locale})).await.expect(200);
    }
    let item = format!("/auctions/{}/items", sale.auction);
    let new = async |typed: &str| -> Answer {
        let fields = [("name", "A jug"), ("currencyCode", "EUR"), ("startingBid", typed)];
        sale.owner.post_form(&format!("{item}/new"), &fields).await
    };
    for typed in ["1.000", "1,000", "1,000,000", "12.345"] {
        let bid = ada.post_form(&format!("{item}/{}", sale.item), &[("amount", typed)]).await;
        assert_eq!(bid.status, 422, "{typed}");
        assert!(bid.text.contains("without a separator for thousands"), "{typed}: {}", bid.text);
        let refused = new(typed).await;
        assert_eq!(refused.status, 422, "{typed}");
        assert!(refused.text.contains("without a separator for thousands"), "{typed}: {}", refused.text);
        let fields = [("name", "A vase"), ("currencyCode", "EUR"), ("startingBid", typed)];
        let changed = sale.owner.post_form(&format!("{item}/{}/edit", sale.item), &fields).await;
        assert_eq!(changed.status, 422, "{typed}");
    }
    for (typed, stored) in [
        ("1.000.", ""),
        ("1.000,50", "1000.5"),
        ("$5", ""),
        (".5", "0.5"),
        (",5", "0.5"),
        ("5.", "5"),
        ("12,5 €", "12.5"),
    ] {
        let created = new(typed).await;
        if stored.is_empty() {
            assert_eq!(created.status, 422, "{typed}");
            continue;
        }
        assert_eq!(created.status, 303, "{typed}: {}", created.text);
        let made = sale.owner.get(&format!("/api{}", created.header("location"))).await.expect(200);
        assert_eq!(made["startingBid"], stored, "{typed}");
    }
}

#[tokio::test]
async fn what_cannot_be_stored_is_refused_with_grouped_digits_and_advice() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let item = format!("/auctions/{}/items", sale.auction);
    let most = "1\u{a0}000\u{a0}000\u{a0}000\u{a0}000 (for more, use a larger unit, such as thousands)";
    let (page, form, edit) =
        (format!("{item}/{}", sale.item), format!("{item}/new"), format!("{item}/{}/edit", sale.item));
    let lot = |typed| [("name", "A jug"), ("currencyCode", "EUR"), ("startingBid", typed)];
    for typed in ["1000000000001", "999999999999999999"] {
        for (person, path, fields) in [
            (&ada, &page, &[("amount", typed)][..]),
            (&sale.owner, &form, &lot(typed)[..]),
            (&sale.owner, &edit, &lot(typed)[..]),
        ] {
            let refused = person.post_form(path, fields).await;
            assert_eq!(refused.status, 422, "{path}: {typed}");
            assert!(refused.text.contains(most), "{path}: {typed}: {}", refused.text);
        }
    }
    let refused = ada.post_form(&page, &[("amount", "99999999999999999999")]).await;
    assert!(refused.text.contains("Amount: a smaller number, such as 1000."), "{}", refused.text);
}
