//! `POST /api/groups/{group_id}/import`, and the page.

use installation::config::Switch;
use serde_json::{Value, json};

use super::{Group, members};
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::images::with_parts;
use crate::routes::auctions::wrong_fields;

async fn post(group: &Group, query: &str, key: Option<&str>, table: impl Into<Vec<u8>>) -> Answer {
    let path = format!("{}/import{query}", group.path);
    let request = group.keeper.request("POST", &path).header("content-type", "text/csv");
    let request = match key {
        Some(key) => request.header("idempotency-key", key),
        None => request,
    };
    Answer::of(request.body(table.into())).await
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

#[tokio::test]
async fn a_table_as_a_spreadsheet_writes_it_is_shown_first_and_then_written_as_a_whole() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let ada = group.signed_in(&people[0]).await;
    let auction = group.auction(json!({})).await;
    let table = utf16("Class\tName\tPIN\tNumber\r\n4b\tAda L.\t0042\t2\r\n4b\tBob\t\t3\r\n4b\tÄnne\t\t\r\n");
    let shown = post(&group, "?dryRun=true", None, table.clone()).await.expect(200);
    let row = |row: i64, number: i64, name: &str, action: &str| json!({"row": row, "number": number, "name": name, "action": action});
    let rows = [row(2, 2, "Ada L.", "CHANGE"), row(3, 3, "Bob", "NONE"), row(4, 4, "Änne", "CREATE")];
    assert_eq!(
        shown,
        json!({"rows": rows, "errors": [], "passedOver": [], "ignoredColumns": ["Class"], "unread": ["Class"]})
    );
    assert_eq!(group.people().await.len(), 3, "nothing is written");

    post(&group, "", None, table.clone()).await.expect_problem(422, "INVALID_BODY");
    let written = post(&group, "", Some("k1"), table.clone()).await.expect(201);
    let written = written["people"].as_array().unwrap().clone();
    let each = |name: &str| written.iter().map(|person| person[name].clone()).collect::<Vec<_>>();
    assert_eq!(each("number"), [2, 4]);
    assert_eq!(written[0]["pin"], "0042");
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    for person in &written {
        group.signed_in(person).await;
    }
    assert_eq!(members(&group.keeper, &auction).await.len(), 4);
    let again = post(&group, "", Some("k1"), table).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    let again = again.expect(201);
    assert!(again["people"].as_array().unwrap().iter().all(|person| person["pin"] == Value::Null));
    assert_eq!(again["people"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn all_rows_are_written_or_none() {
    let group = Group::start().await;
    let table = "number,name,pin\n7,Ada,\n0,Bob,\n1,Boss,\n8,Cleo,12\n7,Dora,\n";
    let refused = post(&group, "", Some("k1"), table).await;
    let mut rows = wrong_fields(&refused);
    rows.sort_unstable();
    assert_eq!(rows, ["row 3", "row 5", "row 6"], "the keeper gives up the number 1");
    assert_eq!(group.people().await.len(), 1);
    let header = post(&group, "", Some("k2"), "a;b\n1;2\n").await;
    assert_eq!(wrong_fields(&header), ["row 1"]);
    let rows: String = (0..2_001).map(|n| format!("Child {n}\n")).collect();
    let many = post(&group, "?dryRun=true", None, format!("name\n{rows}")).await.expect(200);
    assert_eq!(many["errors"][0]["path"], "row 2002");
}

#[tokio::test]
async fn a_preview_of_many_rows_stays_within_an_answer_and_says_that_it_is_cut() {
    let group = Group::start().await;
    let long = "A name that is so long that two thousand of them have no room in one answer of the server";
    let rows: String = (0..1_999).map(|n| format!("{long} {n}\n")).collect();
    let preview = post(&group, "?dryRun=true", None, format!("name\n{rows}")).await;
    let shown = preview.expect(200);
    assert!(preview.text.len() <= 256 * 1024, "{}", preview.text.len());
    assert_eq!(shown["moreRows"], json!(1_999 - shown["rows"].as_array().unwrap().len()));
    let rows: String = (0..1_999).map(|n| format!("{},{long} {n}\n", 10_000 + n)).collect();
    let preview = post(&group, "?dryRun=true", None, format!("number,name\n{rows}")).await;
    let errors = preview.expect(200)["errors"].as_array().unwrap().clone();
    assert!(preview.text.len() <= 256 * 1024, "{}", preview.text.len());
    let words = format!("{} more are wrong: only the first ones are listed", 1_999 - (errors.len() - 1));
    assert_eq!(errors.last().unwrap(), &json!({"path": "rows", "message": words}));
}

#[tokio::test]
async fn the_page_adds_nobody_before_it_has_shown_which_columns_are_left_out() {
    let group = Group::start().await;
    let page = group.path.replace("/api", "");
    let table = "Name,Bidder number,Phone\nMia,17,555\n";
    let send = async |fields: &[(&str, &str)]| {
        let fields = [&[("csv", table), ("idempotencyKey", "k1")], fields].concat();
        Answer::of(with_parts(group.keeper.request("POST", &format!("{page}/import")), &fields, &[])).await
    };
    let withheld = send(&[]).await;
    assert_eq!(withheld.status, 200, "{}", withheld.text);
    for words in ["This column is not read: Phone", "Nothing was imported yet.", ">17<", "Read Phone as"] {
        assert!(withheld.text.contains(words), "{words}: {}", withheld.text);
    }
    assert_eq!(group.people().await.len(), 1);
    let start = "name=\"previewed\" value=\"";
    let seen = withheld.text.split(start).nth(1).unwrap().split('"').next().unwrap();
    let cards = send(&[("previewed", seen)]).await.text;
    assert!(cards.contains("Mia") && cards.contains("<svg"), "{cards}");
    assert_eq!(group.people().await.len(), 2);
}

#[tokio::test]
async fn the_page_shows_what_each_row_does_and_then_the_cards() {
    let group = Group::start().await;
    group.add(&["Ada"]).await;
    let page = group.path.replace("/api", "");
    let table = "number;name\n2;Ada L.\n7;Cleo\n";
    let send = async |preview: bool| {
        let mut fields = vec![("csv", table), ("idempotencyKey", "k1")];
        fields.extend(preview.then_some(("preview", "true")));
        let request = group.keeper.request("POST", &format!("{page}/import"));
        Answer::of(with_parts(request, &fields, &[])).await
    };
    let shown = send(true).await.text;
    for words in ["Changes the person", "Adds a person", "Nothing is written yet"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(group.people().await.len(), 2);
    let cards = send(false).await.text;
    assert!(cards.contains("Cleo") && cards.contains("<svg"), "{cards}");
    assert_eq!(group.people().await.len(), 3);
}

#[tokio::test]
async fn tables_of_clubs_classes_and_guilds_are_read_with_their_headers() {
    for (table, query, unread, expected) in [
        (
            "Join date,Bidder number,Username,Name,Email,Phone\n\
             2024-01-05,17,mk,Mia Kaya,mia@example.org,555\n2024-02-06,42,ab,Ada Bell,,\n",
            "",
            json!(["Join date", "Username", "Email", "Phone"]),
            json!([[17, "Mia Kaya"], [42, "Ada Bell"]]),
        ),
        ("First Name,Last Name,Student#\nMia,Kaya,7\n", "", json!([]), json!([[7, "Mia Kaya"]])),
        ("Name of the class;\n\nNachname;Vorname;Nr.\nKaya;Mia;7\n", "", json!([]), json!([[7, "Mia Kaya"]])),
        ("name,class,dkp\nTank,Warrior,50\n", "", json!(["class", "dkp"]), json!([[2, "Tank"]])),
        (
            "Who plays;Paddle;Team\nTank;9;Red\n",
            "column=name:Who%20plays&column=:Team",
            json!(["Team"]),
            json!([[9, "Tank"]]),
        ),
    ] {
        let group = Group::start().await;
        let shown = post(&group, &format!("?dryRun=true&{query}"), None, table).await.expect(200);
        assert_eq!((&shown["unread"], &shown["errors"]), (&unread, &json!([])), "{table}");
        let rows = shown["rows"].as_array().unwrap();
        let found: Vec<Value> = rows.iter().map(|row| json!([row["number"], row["name"]])).collect();
        assert_eq!(json!(found), expected, "{table}");
        post(&group, &format!("?{query}"), Some("k1"), table).await.expect(201);
        assert_eq!(group.people().await.len(), 1 + rows.len());
        let again = post(&group, &format!("?dryRun=true&{query}"), None, table).await.expect(200);
        assert!(again["rows"].as_array().unwrap().iter().all(|row| row["action"] == "NONE"), "{again}");
    }
    let group = Group::start().await;
    let refused = post(&group, "?headerRow=2", Some("k1"), "name\nAda\n").await;
    assert_eq!(wrong_fields(&refused), ["headerRow"]);
    let refused = post(&group, "?column=name:Who&dryRun=true", None, "name\nAda\n").await;
    assert_eq!(wrong_fields(&refused), ["column"]);
}

/// 600 writes are permitted at once; the form is one, and its rows are 20.
#[tokio::test]
async fn the_rows_of_a_refused_table_are_counted_once() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let group = Group::start_in(app).await;
    let path = format!("{}/import", group.path.replace("/api", ""));
    let rows = format!("number;name\n{}", "0;Ada\n".repeat(2_000));
    for _ in 0..25 {
        let request = group.keeper.request("POST", &path);
        let fields = [("csv", rows.as_str()), ("idempotencyKey", "k")];
        let refused = Answer::of(with_parts(request, &fields, &[])).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
    }
}

#[tokio::test]
async fn a_book_is_imported_by_the_numbers_of_a_group() {
    let group = Group::start().await;
    group.add(&["Ada", "Bob"]).await;
    let body =
        json!({"name": "Tickets", "baseUnit": {"name": "Tickets", "symbol": "T"}, "startingBalance": 300});
    let book = group.keeper.post("/api/books", body).await.expect(201);
    let path = format!("/api/books/{}/import", book["id"].as_str().unwrap());
    let group_id = group.path.rsplit('/').next().unwrap();
    let send = async |client: &Client, query: &str, table: &str| {
        let request = client.request("POST", &format!("{path}?{query}")).header("content-type", "text/csv");
        Answer::of(request.header("idempotency-key", "k1").body(table.to_owned())).await
    };
    let table = "Name;Number;Amount;Reason\nAda;2;12,5;Cakes\nBob;3;-1;Lost\n";
    let by_number = format!("groupId={group_id}");
    let shown = send(&group.keeper, &format!("{by_number}&dryRun=true"), table).await.expect(200);
    assert_eq!(
        shown["rows"][0],
        json!({"row": 2, "email": null, "number": 2, "name": "Ada", "amount": "12.5", "reason": "Cakes"})
    );
    let written = send(&group.keeper, &by_number, table).await.expect(201);
    assert_eq!(written["entries"].as_array().unwrap().len(), 4, "and what both begin with");
    let wrong =
        send(&group.keeper, &format!("{by_number}&dryRun=true"), "number,amount,reason\n9,1,x\n").await;
    assert_eq!(wrong.expect(200)["errors"][0]["path"], "row 2");
    send(&group.keeper, "groupId=1", table).await.expect_problem(422, "INVALID_BODY");

    let by_name = "name,class,dkp\nada,Mage,5\nBob,Mage,-1\n";
    let raid = format!("{by_number}&reason=Last%20raid");
    let shown = send(&group.keeper, &format!("{raid}&dryRun=true"), by_name).await.expect(200);
    assert_eq!(
        shown["rows"][0],
        json!({"row": 2, "email": null, "number": 2, "name": "Ada", "amount": "5", "reason": "Last raid"})
    );
    assert_eq!((&shown["errors"], &shown["unread"]), (&json!([]), &json!(["class"])));
    let missing = send(&group.keeper, &format!("{by_number}&dryRun=true"), by_name).await.expect(200);
    assert_eq!(missing["errors"][0]["path"], "row 1", "no reason");
    group.add(&["Bob"]).await;
    let unclear = "name,number,dkp\nBob,,5\nNobody,,5\nBob,3,5\n";
    let shown = send(&group.keeper, &format!("{raid}&dryRun=true"), unclear).await.expect(200);
    let message = |at: usize| shown["errors"][at]["message"].as_str().unwrap();
    assert!(message(0).contains("`Bob` in A2") && message(0).contains("give numbers"), "{shown}");
    assert!(message(1).contains("nobody in the group"), "{shown}");
    assert_eq!(shown["rows"].as_array().unwrap().len(), 1);
    let long = format!("{by_number}&reason={}", "a".repeat(501));
    assert_eq!(wrong_fields(&send(&group.keeper, &long, by_name).await), ["reason"]);

    let other = group.app.user("other").await;
    let request =
        json!({"name": "Others", "baseUnit": {"name": "Tickets", "symbol": "T"}, "startingBalance": 300});
    let theirs = other.post("/api/books", request).await.expect(201);
    let theirs = format!("/api/books/{}/import?{by_number}", theirs["id"].as_str().unwrap());
    let request = other.request("POST", &theirs).header("content-type", "text/csv");
    let request = request.header("idempotency-key", "k1").body(table);
    Answer::of(request).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_wrong_rows_are_a_file_with_their_errors() {
    let group = Group::start().await;
    let table = "Roll No,First,Last,PIN,Class\n2,Ada,L.,0042,4b\nx7,Bob,M.,12,4c\n";
    let file = post(&group, "?dryRun=true&format=csv", None, table).await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"wrong-rows.csv\"");
    let lines: Vec<&str> = file.text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, "\u{feff}Roll No,First,Last,PIN,Class,row,column,error"));
    assert!(lines[1].starts_with("x7,Bob,M.,12,4c,3,\"Roll No"), "{}", lines[1]);
    let shown = post(&group, "?dryRun=true", None, table.replace("x7", "7").replace(",12,", ",0012,")).await;
    let shown = shown.expect(200);
    assert_eq!(shown["rows"][1]["name"], "Bob M.", "{shown}");
    assert_eq!((&shown["errors"], &shown["unread"]), (&json!([]), &json!(["Class"])));
}
