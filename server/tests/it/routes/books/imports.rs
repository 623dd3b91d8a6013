//! `/api/books/{book_id}/imports`: the same table a second time, and the undo of an import.

use serde_json::{Value, json};

use super::{Class, balances, each, entries};
use crate::harness::{Answer, Client};
use crate::routes::auctions::items::images::with_parts;
use crate::routes::groups::Group;

async fn import(client: &Client, path: &str, key: &str, table: &str) -> Answer {
    let request = client.request("POST", path).header("content-type", "text/csv");
    Answer::of(request.header("idempotency-key", key).body(table.to_owned())).await
}

async fn undo(class: &Class, import: &Value) -> Answer {
    class.teller.post(&class.path(&format!("imports/{}/undo", import.as_str().unwrap())), Value::Null).await
}

const TABLE: &str = "email,amount,reason\nholder@example.org,12.5,Cakes\nteller@example.org,-1,Lost\n";

#[tokio::test]
async fn the_same_grants_are_written_again_on_request_only() {
    let class = Class::start().await;
    let path = class.path("import");
    let first = import(&class.teller, &path, "k1", TABLE).await.expect(201);
    let before = json!({"id": first["importId"], "createdAt": first["entries"][0]["createdAt"]});
    let same = "Reason;Amount;E-Mail;Shelf\nCakes;12.5;holder@example.org;7\nLost;-1;teller@example.org;\n";
    let refused = import(&class.owner, &path, "k2", same).await;
    assert_eq!(refused.expect_problem(409, "IMPORTED_BEFORE")["details"], before);
    let preview = import(&class.owner, &class.path("import?dryRun=true"), "k", same).await.expect(200);
    assert_eq!(preview["importedBefore"], before);
    let replay = import(&class.teller, &path, "k1", TABLE).await;
    assert_eq!((replay.expect(201), replay.header("idempotent-replayed")), (first, "true"));
    import(&class.owner, &class.path("import?again=true"), "k3", TABLE).await.expect(201);
    assert_eq!(entries(&class.owner, &class.book).await.len(), 6);

    let unreasoned = "email,amount\nholder@example.org,1\n";
    let with = |reason: &str| class.path(&format!("import?reason={reason}"));
    import(&class.teller, &with("Cakes"), "k4", unreasoned).await.expect(201);
    import(&class.teller, &with("Cakes"), "k5", unreasoned).await.expect_problem(409, "IMPORTED_BEFORE");
    let written = "email,amount,reason\nholder@example.org,1,Cakes\n";
    import(&class.teller, &path, "k6", written).await.expect_problem(409, "IMPORTED_BEFORE");
    import(&class.teller, &with("Tea"), "k7", unreasoned).await.expect(201);
    let wrong = import(&class.teller, &path, "k8", "email,amount,reason\nholder@example.org,1e3,x\n").await;
    wrong.expect_problem(422, "INVALID_BODY");
}

#[tokio::test]
async fn numbers_of_two_groups_are_two_tables() {
    let group = Group::start().await;
    group.add(&["Ada"]).await;
    let other = group.keeper.post("/api/groups", json!({"name": "Others"})).await.expect(201);
    let one = json!({"people": [{"number": 1}]});
    let people = format!("/api/groups/{}/people", other["id"].as_str().unwrap());
    let people = group.keeper.request("POST", &people).header("idempotency-key", "one").json(&one);
    Answer::of(people).await.expect(201);
    let book = super::book(&group.keeper, json!({})).await;
    let path = |id: &str| format!("{book}/import?groupId={id}");
    let table = "number,amount,reason\n1,5,Cakes\n";
    import(&group.keeper, &path(&group.id), "k1", table).await.expect(201);
    import(&group.keeper, &path(&group.id), "k2", table).await.expect_problem(409, "IMPORTED_BEFORE");
    import(&group.keeper, &path(other["id"].as_str().unwrap()), "k3", table).await.expect(201);
}

#[tokio::test]
async fn an_undo_reverses_each_entry_and_leaves_the_balances_as_they_were() {
    let class = Class::start().await;
    let export = async || class.owner.get(&class.path("balances/export?format=csv")).await.text;
    let (before, had) = (export().await, balances(&class.owner, &class.book).await);
    let imported = import(&class.teller, &class.path("import"), "k1", TABLE).await.expect(201);
    let after = export().await;
    let undone = undo(&class, &imported["importId"]).await.expect(200);
    assert_eq!((&undone["created"], &undone["undoneBy"]["name"]), (&json!(2), &json!("teller")));
    assert_eq!((export().await, balances(&class.owner, &class.book).await), (before.clone(), had));
    let all = entries(&class.owner, &class.book).await;
    assert_eq!(each(&all[4..], "kind"), ["REVERSAL", "REVERSAL"]);
    assert_eq!(each(&all[4..], "reverses"), each(imported["entries"].as_array().unwrap(), "sequence"));
    undo(&class, &imported["importId"]).await.expect_problem(409, "ALREADY_UNDONE");

    let repeated = import(&class.teller, &class.path("import"), "k2", TABLE).await.expect(201);
    assert_eq!(export().await, after);
    undo(&class, &repeated["importId"]).await.expect(200);
    assert_eq!(export().await, before);
}

#[tokio::test]
async fn a_new_holder_stays_with_the_starting_balance() {
    let class = Class::start().await;
    let eve = class.app.user("eve").await;
    super::meet(&class.teller, &[&eve]).await;
    let table = "email,amount,reason\neve@example.org,5,Cakes\n";
    let imported = import(&class.teller, &class.path("import"), "k1", table).await.expect(201);
    undo(&class, &imported["importId"]).await.expect(200);
    let found = balances(&class.owner, &class.book).await;
    assert!(found.contains(&("eve".to_owned(), "300".to_owned())), "{found:?}");
}

#[tokio::test]
async fn an_import_of_which_an_entry_was_reversed_stays() {
    let class = Class::start().await;
    let imported = import(&class.teller, &class.path("import"), "k1", TABLE).await.expect(201);
    let sequence = &imported["entries"][1]["sequence"];
    let reverse = class.path(&format!("entries/{sequence}/reverse"));
    class.teller.post(&reverse, json!({"reason": "A mistake"})).await.expect(201);
    let had = balances(&class.owner, &class.book).await;
    undo(&class, &imported["importId"]).await.expect_problem(409, "CHANGED");
    assert_eq!(balances(&class.owner, &class.book).await, had, "all or nothing");
    class.owner.patch(&class.book, json!({"status": "CLOSED"})).await.expect(200);
    undo(&class, &imported["importId"]).await.expect_problem(409, "CLOSED");
    let other = super::book(&class.teller, json!({})).await;
    let elsewhere = format!("{other}/imports/{}/undo", imported["importId"].as_str().unwrap());
    class.teller.post(&elsewhere, Value::Null).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_page_asks_before_it_imports_a_table_again_and_undoes_an_import() {
    let class = Class::start().await;
    let page = class.path("import").replace("/api", "");
    let send = async |key: &str, further: &[(&str, &str)]| {
        let fields = [&[("csv", TABLE), ("idempotencyKey", key)], further].concat();
        Answer::of(with_parts(class.teller.request("POST", &page), &fields, &[])).await
    };
    let done = format!("{}?done=imported", page.trim_end_matches("/import"));
    assert_eq!(send("k1", &[]).await.header("location"), done);
    let shown = class.teller.get(&done).await.text;
    for words in ["All rows are imported.", &format!("<a href=\"{page}\">Undo the import</a>")] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let asked = send("k2", &[]).await;
    assert_eq!(asked.status, 409);
    assert!(asked.text.contains("Import it again?"), "{}", asked.text);
    assert_eq!(send("k2", &[("again", "true")]).await.header("location"), done);
    let list = class.teller.get(&class.path("imports")).await.expect(200);
    let undo = format!("{page}/{}/undo", list["imports"][0]["id"].as_str().unwrap());
    let undone = class.teller.post_form(&undo, &[]).await;
    assert_eq!(
        (undone.status.as_u16(), undone.header("location")),
        (303, format!("{page}?done=undone").as_str())
    );
    assert!(class.teller.get(&format!("{page}?done=undone")).await.text.contains("The import is undone."));
}
