//! `/api/groups/{group_id}/imports`: the same table a second time, and the undo of an import.

use auction_house::ids::{GroupId, ImportId};
use auction_house::imports::{self, ImportPlace};
use platform::paging::Page;
use serde_json::{Value, json};

use super::{Group, item, members};
use crate::harness::{Answer, Client};
use crate::routes::auctions::items::images::with_parts;

async fn import(group: &Group, query: &str, key: &str, table: &str) -> Answer {
    let request = group.keeper.request("POST", &format!("{}/import{query}", group.path));
    let request = request.header("content-type", "text/csv").header("idempotency-key", key);
    Answer::of(request.body(table.to_owned())).await
}

async fn undo(client: &Client, group: &Group, import: &Value) -> Answer {
    client.post(&format!("{}/imports/{}/undo", group.path, import.as_str().unwrap()), Value::Null).await
}

async fn exported(group: &Group) -> String {
    group.keeper.get(&format!("{}/export?format=csv", group.path)).await.text
}

#[tokio::test]
async fn the_same_table_is_imported_again_on_request_only() {
    let group = Group::start().await;
    let first = import(&group, "", "k1", "number,name,pin\n17,Mia,\n,Ada,4711\n").await.expect(201);
    let before = json!({"id": first["importId"], "createdAt": first["people"][0]["createdAt"]});
    let others =
        ["name;number;shelf;pin\nMia;17;B;\nAda;;;4711\n", "number\tname\tpin\n17\tMia\t\n\tAda\t8264\n"];
    for (at, same) in others.into_iter().enumerate() {
        let refused = import(&group, "", &format!("same{at}"), same).await;
        assert_eq!(refused.expect_problem(409, "IMPORTED_BEFORE")["details"], before);
        let preview = import(&group, "?dryRun=true", "k", same).await.expect(200);
        assert_eq!(preview["importedBefore"], before);
    }
    let replay = import(&group, "", "k1", "number,name,pin\n17,Mia,\n,Ada,4711\n").await;
    assert_eq!(replay.expect(201)["importId"], first["importId"]);
    import(&group, "", "k1", "name\nZoe\n").await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    import(&group, "?again=x", "k2", "name\nZoe\n").await.expect_problem(422, "INVALID_BODY");

    let table = "number,name,pin\n17,Mia,\n,Ada,4711\n";
    let again = import(&group, "?again=true", "k3", table).await.expect(201);
    assert_ne!(again["importId"], first["importId"]);
    let unchanged = import(&group, "", "k4", "name\nMia\nAda\n").await.expect(201);
    assert_eq!(unchanged, json!({"people": []}), "nothing is written, and nothing is kept");
    import(&group, "", "k5", "name\nMia\nAda\n").await.expect(201);
    let list = group.keeper.get(&format!("{}/imports", group.path)).await.expect(200);
    let ids: Vec<&Value> = list["imports"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&again["importId"], &first["importId"]], "newest first");
    let page = group.keeper.get(&format!("{}/imports?limit=1", group.path)).await.expect(200);
    assert_eq!(page["nextCursor"], again["importId"]);
    let rest = format!("{}/imports?cursor={}", group.path, again["importId"].as_str().unwrap());
    let rest = group.keeper.get(&rest).await.expect(200);
    let counts = |import: &Value| ["created", "changed", "unchanged"].map(|name| import[name].clone());
    assert_eq!(counts(&rest["imports"][0]), [json!(2), json!(0), json!(0)]);
    assert_eq!(rest["imports"][0]["by"]["name"], "keeper");
    assert_eq!(rest["imports"][0]["undoneAt"], Value::Null);
}

#[tokio::test]
async fn an_import_its_undo_and_its_repeat_leave_the_export_as_it_was() {
    let group = Group::start().await;
    group.add(&["Ada", "Bob"]).await;
    let auction = group.auction(json!({})).await;
    let before = exported(&group).await;
    let table = "number,name,pin\n2,Ada L.,\n3,Bob,8264\n7,Cleo,\n,Dora,\n";
    let imported = import(&group, "", "k1", table).await.expect(201);
    let after = exported(&group).await;
    assert_eq!(members(&group.keeper, &auction).await.len(), 5);

    let undone = undo(&group.keeper, &group, &imported["importId"]).await.expect(200);
    assert_eq!(undone["undoneBy"]["name"], "keeper");
    assert_eq!(exported(&group).await, before);
    assert_eq!(members(&group.keeper, &auction).await.len(), 3);
    undo(&group.keeper, &group, &imported["importId"]).await.expect_problem(409, "ALREADY_UNDONE");

    let repeated = import(&group, "", "k2", table).await.expect(201);
    assert_eq!(exported(&group).await, after, "an import that is undone does not count");
    undo(&group.keeper, &group, &repeated["importId"]).await.expect(200);
    assert_eq!(exported(&group).await, before);
}

#[tokio::test]
async fn an_import_stays_once_one_of_its_people_was_changed_or_has_taken_part() {
    let group = Group::start().await;
    let auction = group.auction(json!({})).await;
    let lot = item(&group.keeper, &auction, "A vase").await;
    let path = |number: &Value| group.person(number.as_i64().unwrap());
    for (at, change) in
        ["renamed", "pin", "number", "disabled", "signed in", "removed", "sells"].into_iter().enumerate()
    {
        let table = format!("number,name\n,One {at}\n,Two {at}\n");
        let imported = import(&group, "", change.replace(' ', "-").as_str(), &table).await.expect(201);
        let (one, two) = (&imported["people"][0], &imported["people"][1]);
        match change {
            "renamed" => {
                drop(group.keeper.patch(&path(&one["number"]), json!({"name": "Zoe"})).await.expect(200))
            }
            "pin" => drop(group.keeper.patch(&path(&one["number"]), json!({"pin": "NEW"})).await.expect(200)),
            "number" => {
                drop(group.keeper.patch(&path(&one["number"]), json!({"number": 999})).await.expect(200))
            }
            "disabled" => {
                drop(group.keeper.patch(&path(&one["number"]), json!({"disabled": true})).await.expect(200))
            }
            "signed in" => drop(group.signed_in(one).await),
            "removed" => drop(group.keeper.delete(&path(&one["number"])).await.expect(204)),
            _ => {
                let seller = json!({"sellerId": one["user"]["id"]});
                group.keeper.patch(&lot, seller).await.expect(200);
            }
        }
        undo(&group.keeper, &group, &imported["importId"]).await.expect_problem(409, "CHANGED");
        let people = group.people().await;
        assert!(people.iter().any(|person| person["number"] == two["number"]), "{change}: all or nobody");
    }
    let other = group.app.user("other").await;
    let made = other.post("/api/groups", json!({"name": "Others"})).await.expect(201);
    let imports = group.keeper.get(&format!("{}/imports?limit=1", group.path)).await.expect(200);
    let elsewhere = format!(
        "/api/groups/{}/imports/{}/undo",
        made["id"].as_str().unwrap(),
        imports["imports"][0]["id"].as_str().unwrap()
    );
    other.post(&elsewhere, Value::Null).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_bid_or_an_entry_of_a_person_keeps_the_import() {
    let group = Group::start().await;
    let book = crate::routes::books::book(&group.keeper, json!({"startingBalance": 10})).await;
    let id = book.rsplit('/').next().unwrap().to_owned();
    let auction = group.auction(json!({})).await;
    group
        .keeper
        .post(&format!("{auction}/currencies"), crate::routes::auctions::items::bids::points("P", "1"))
        .await
        .expect(201);
    group.keeper.patch(&auction, json!({"bookId": id})).await.expect(200);
    let imported = import(&group, "", "k1", "name\nMia\n").await.expect(201);
    undo(&group.keeper, &group, &imported["importId"]).await.expect(200);

    let imported = import(&group, "", "k2", "name\nMia\n").await.expect(201);
    let grant = json!({"holders": [imported["people"][0]["user"]["id"]], "amount": 1, "reason": "Cakes"});
    let request = group.keeper.request("POST", &format!("{book}/entries")).header("idempotency-key", "g");
    Answer::of(request.json(&grant)).await.expect(201);
    undo(&group.keeper, &group, &imported["importId"]).await.expect_problem(409, "CHANGED");
}

#[tokio::test]
async fn a_deleted_person_leaves_no_name_in_the_imports() {
    let group = Group::start().await;
    group.add(&["Ada"]).await;
    let imported = import(&group, "", "k1", "number,name\n2,Ada L.\n").await.expect(201);
    let (id, import): (GroupId, ImportId) =
        (group.id.parse().unwrap(), imported["importId"].as_str().unwrap().parse().unwrap());
    let kept = async || {
        let mut conn = group.app.state.context.db.read().await.unwrap();
        let rows = imports::store::written_by(&mut conn, import).await.unwrap();
        let list = ImportPlace::all_of(id).imports(&mut conn, Page::after(None)).await.unwrap();
        (rows.into_iter().map(|row| row.before.unwrap()).collect::<Vec<_>>(), list.entries.len())
    };
    assert_eq!(kept().await, (vec!["Ada".to_owned()], 1));
    group.keeper.delete(&group.person(2)).await.expect(204);
    assert_eq!(kept().await, (vec![String::new()], 1));
    undo(&group.keeper, &group, &imported["importId"]).await.expect_problem(409, "CHANGED");
    group.keeper.delete(&group.path).await.expect(204);
    assert_eq!(kept().await, (Vec::new(), 0), "the imports go with the group");
}

#[tokio::test]
async fn the_page_asks_before_it_imports_a_table_again_and_undoes_an_import() {
    let group = Group::start().await;
    let page = format!("{}/import", group.path.replace("/api", ""));
    let send = async |key: &str, further: &[(&str, &str)]| {
        let fields = [&[("csv", "name\nMia\n"), ("idempotencyKey", key)], further].concat();
        Answer::of(with_parts(group.keeper.request("POST", &page), &fields, &[])).await
    };
    let cards = send("k1", &[]).await;
    assert!(cards.text.contains("Undo the import"), "{}", cards.text);
    let asked = send("k2", &[]).await;
    assert_eq!(asked.status, 409);
    for words in ["This table was imported on", "Import it again?", "name=\"again\"", "Imports so far"] {
        assert!(asked.text.contains(words), "{words}: {}", asked.text);
    }
    assert_eq!(send("k2", &[("again", "true")]).await.status, 200);
    let list = group.keeper.get(&format!("{}/imports", group.path)).await.expect(200);
    let path = format!("{page}/{}/undo", list["imports"][0]["id"].as_str().unwrap());
    let undone = group.keeper.post_form(&path, &[]).await;
    assert_eq!(
        (undone.status.as_u16(), undone.header("location")),
        (303, format!("{page}?done=undone").as_str())
    );
    assert_eq!(group.people().await.len(), 1);
    let again = group.keeper.post_form(&path, &[]).await;
    assert_eq!(again.status, 409);
    assert!(again.text.contains("The import was undone already."), "{}", again.text);
}
