//! Rows of an import whose person nobody knows: refused, left out, or waiting for the person.

use serde_json::{Value, json};

use super::{Class, balances, names};
use crate::harness::{Answer, Client};
use crate::routes::auctions::items::images::with_parts;

const TABLE: &str =
    "email,amount,reason\nholder@example.org,2,Cakes\nNew@Example.org,12.5,Cakes\nnew@example.org,1,Tea\n";

async fn import(client: &Client, path: &str, table: &str) -> Answer {
    let request = client.request("POST", path).header("content-type", "text/csv");
    Answer::of(request.header("idempotency-key", path.rsplit('/').next().unwrap()).body(table.to_owned()))
        .await
}

async fn waiting(class: &Class) -> Vec<Value> {
    class.teller.get(&class.path("waiting")).await.expect(200)["grants"].as_array().unwrap().clone()
}

/// The user opens the link of the book, and takes part.
async fn take_part(class: &Class, user: &Client) -> Value {
    let token = class.owner.get(&class.book).await.expect(200)["inviteToken"].clone();
    user.post(&class.path("join"), json!({ "inviteToken": token })).await.expect(200)
}

#[tokio::test]
async fn rows_of_unknown_people_are_listed_and_left_out_on_request() {
    let class = Class::start().await;
    let row = |row: i64, email: &str, amount: &str, reason: &str, waits: bool| json!({"row": row, "email": email, "amount": amount, "reason": reason, "waits": waits});
    let shown = import(&class.teller, &class.path("import?dryRun=true"), TABLE).await.expect(200);
    let unknown =
        [row(3, "New@Example.org", "12.5", "Cakes", false), row(4, "new@example.org", "1", "Tea", false)];
    assert_eq!((&shown["unknown"], shown["errors"].as_array().unwrap().len()), (&json!(unknown), 2));
    import(&class.teller, &class.path("import"), TABLE).await.expect_problem(422, "INVALID_BODY");

    let skips = class.path("import?skipUnknown=true");
    let shown = import(&class.teller, &format!("{skips}&dryRun=true"), TABLE).await.expect(200);
    assert_eq!((&shown["unknown"], &shown["errors"]), (&json!(unknown), &json!([])));
    let written = import(&class.teller, &skips, TABLE).await.expect(201);
    assert_eq!((written["entries"].as_array().unwrap().len(), &written["waiting"]), (1, &Value::Null));
    let held = names(&[("holder", "302"), ("owner", "0"), ("teller", "300")]);
    assert_eq!(sorted(balances(&class.owner, &class.book).await), held);
    let nobody =
        import(&class.teller, &format!("{skips}&again=true"), "email,amount,reason\nx@example.org,1,x\n")
            .await;
    nobody.expect_problem(422, "INVALID_BODY");
    let named = "name,amount,reason\nholder,1,Raid\nStranger,1,Raid\n";
    let shown = import(&class.teller, &format!("{skips}&dryRun=true"), named).await.expect(200);
    let stranger =
        json!({"row": 3, "email": null, "name": "Stranger", "amount": "1", "reason": "Raid", "waits": false});
    assert_eq!((&shown["unknown"], &shown["errors"]), (&json!([stranger]), &json!([])));
    let invited = class.path("import?invite=true&dryRun=true");
    let errors = import(&class.teller, &invited, named).await.expect(200)["errors"].clone();
    assert_eq!(errors.as_array().unwrap().len(), 1, "no name is invited: {errors}");
    assert_eq!(waiting(&class).await, [] as [Value; 0]);
}

fn sorted(mut balances: Vec<(String, String)>) -> Vec<(String, String)> {
    balances.sort();
    balances
}

#[tokio::test]
async fn a_grant_waits_until_the_person_takes_part() {
    let class = Class::start().await;
    let path = class.path("import?invite=true");
    let written = import(&class.teller, &path, TABLE).await.expect(201);
    let waits: Vec<_> = written["waiting"].as_array().unwrap().clone();
    assert_eq!(waits, waiting(&class).await);
    assert_eq!(
        (&waits[0]["email"], &waits[0]["amount"], &waits[1]["amount"]),
        (&json!("New@Example.org"), &json!("12.5"), &json!("1"))
    );
    let replay = import(&class.teller, &path, TABLE).await;
    assert_eq!((replay.header("idempotent-replayed"), replay.expect(201)), ("true", written));
    let page = class.teller.get(&class.path("").trim_end_matches('/').replace("/api", "")).await;
    assert!(
        page.text.contains("New@Example.org") && page.text.contains("Waiting for people"),
        "{}",
        page.text
    );

    let new = class.app.user("new").await;
    assert_eq!(sorted(balances(&class.owner, &class.book).await)[0], ("holder".to_owned(), "302".to_owned()));
    let joined = take_part(&class, &new).await;
    assert_eq!(joined["myRole"], "HOLDER");
    let own = sorted(balances(&class.owner, &class.book).await);
    assert_eq!(own[1], ("new".to_owned(), "313.5".to_owned()));
    assert_eq!(waiting(&class).await, [] as [Value; 0]);
    let notices = new.get("/api/user/notifications").await.expect(200);
    assert_eq!(notices["notifications"].as_array().unwrap().len(), 1);
    take_part(&class, &new).await;
    assert_eq!(sorted(balances(&class.owner, &class.book).await)[1].1, "313.5", "once");
}

#[tokio::test]
async fn what_waits_is_taken_back_alone_or_with_its_import() {
    let class = Class::start().await;
    let path = class.path("import?invite=true");
    let written = import(&class.teller, &path, TABLE).await.expect(201);
    let first = class.path(&format!("waiting/{}", written["waiting"][0]["id"].as_str().unwrap()));
    class.holder.delete(&first).await.expect_problem(403, "FORBIDDEN");
    class.teller.delete(&first).await.expect(204);
    class.teller.delete(&first).await.expect_problem(404, "NOT_FOUND");
    let new = class.app.user("new").await;
    take_part(&class, &new).await;
    assert_eq!(sorted(balances(&class.owner, &class.book).await)[1], ("new".to_owned(), "301".to_owned()));
    let undo = class.path(&format!("imports/{}/undo", written["importId"].as_str().unwrap()));
    class.teller.post(&undo, Value::Null).await.expect(200);
    let held = names(&[("holder", "300"), ("new", "300"), ("owner", "0"), ("teller", "300")]);
    assert_eq!(sorted(balances(&class.owner, &class.book).await), held, "also what had waited");

    let again = import(
        &class.teller,
        &class.path("import?invite=true&again=true"),
        "email,amount,reason\nx@example.org,5,x\n",
    )
    .await;
    let undo = class.path(&format!("imports/{}/undo", again.expect(201)["importId"].as_str().unwrap()));
    class.teller.post(&undo, Value::Null).await.expect(200);
    assert_eq!(waiting(&class).await, [] as [Value; 0]);
    let stranger = class.app.user("x").await;
    take_part(&class, &stranger).await;
    assert_eq!(sorted(balances(&class.owner, &class.book).await).last().unwrap().1, "300");
}

#[tokio::test]
async fn the_page_asks_what_becomes_of_unknown_people() {
    let class = Class::start().await;
    let page = class.path("import").replace("/api", "");
    let send = async |parts: &[(&str, &str)]| {
        let key = [("csv", TABLE), ("idempotencyKey", "k")];
        Answer::of(with_parts(class.teller.request("POST", &page), &[&key[..], parts].concat(), &[])).await
    };
    let refused = send(&[]).await;
    for words in
        ["People who are not known", "Nobody is known by this", "name=\"unknown\"", "New@Example.org"]
    {
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    let shown = send(&[("unknown", "INVITE"), ("preview", "true")]).await;
    assert!(shown.text.contains("Invited: the amount waits 30 days"), "{}", shown.text);
    let done = send(&[("unknown", "INVITE")]).await;
    assert_eq!(done.status, 303, "{}", done.text);
    let grant = waiting(&class).await[0]["id"].as_str().unwrap().to_owned();
    let taken = class
        .teller
        .post_form(&class.path(&format!("waiting/{grant}/delete")).replace("/api", ""), &[])
        .await;
    assert_eq!(taken.status, 303);
    assert_eq!(waiting(&class).await.len(), 1);
}
