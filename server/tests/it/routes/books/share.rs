//! How a book shares what is spent.

use serde_json::{Value, json};

use super::{Class, book};
use crate::harness::TestApp;
use crate::routes::auctions::wrong_fields;

#[tokio::test]
async fn a_book_says_how_it_shares_what_is_spent() {
    let class = Class::start().await;
    assert_eq!(class.owner.get(&class.book).await.expect(200).get("share"), None);
    let set =
        async |share: Value| class.owner.patch(&class.book, json!({ "share": share })).await.expect(200);
    let defaults = json!({"automatic": false, "buyer": "IN", "digits": 2, "rest": "KEEP"});
    assert_eq!(set(json!({})).await["share"], defaults);
    let changed = set(json!({"automatic": true, "digits": 0})).await;
    assert_eq!(changed["share"], json!({"automatic": true, "buyer": "IN", "digits": 0, "rest": "KEEP"}));
    let changed = set(json!({"buyer": "OUT", "rest": "SPREAD"})).await;
    let expected = json!({"automatic": true, "buyer": "OUT", "digits": 0, "rest": "SPREAD"});
    assert_eq!(changed["share"], expected, "a merge patch");
    assert_eq!(class.holder.get(&class.book).await.expect(200)["share"], expected);
    class.teller.patch(&class.book, json!({"share": null})).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(set(Value::Null).await.get("share"), None);
}

#[tokio::test]
async fn every_member_of_a_share_has_its_bounds() {
    let app = TestApp::start().await;
    let owner = app.user("owner").await;
    let made = book(&owner, json!({"share": {"automatic": true}})).await;
    for (share, field) in [
        (json!([]), "share"),
        (json!({"at": 1}), "share.at"),
        (json!({"automatic": "yes"}), "share.automatic"),
        (json!({"buyer": "NO"}), "share.buyer"),
        (json!({"digits": 7}), "share.digits"),
        (json!({"digits": -1}), "share.digits"),
        (json!({"rest": "BURN"}), "share.rest"),
    ] {
        let answer = owner.patch(&made, json!({ "share": share })).await;
        assert_eq!(wrong_fields(&answer), [field], "{share}");
    }
}
