//! `POST /api/books/{book_id}/import`

use serde_json::{Value, json};

use super::{Class, balances, each, entries, meet, names};
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, wizards};
use crate::routes::auctions::wrong_fields;

/// Posts a table.
async fn post(client: &Client, path: &str, key: Option<&str>, table: &str) -> Answer {
    let request = client.request("POST", path).header("content-type", "text/csv; charset=utf-8");
    let request = match key {
        Some(key) => request.header("idempotency-key", key),
        None => request,
    };
    Answer::of(request.body(table.to_owned())).await
}

/// Imports a table.
pub async fn table(client: &Client, book: &str, key: &str, table: &str) -> Answer {
    post(client, &format!("{book}/import"), Some(key), table).await
}

const TABLE: &str = "email,amount,reason\r\nholder@example.org,12.5,\"Cakes, late\"\r\n\
                     EVE@example.org,-1,Lost\r\nholder@example.org,7,Tea\r\n";

#[tokio::test]
async fn a_table_is_shown_first_and_then_written_as_a_whole() {
    let class = Class::start().await;
    let eve = class.app.user("eve").await;
    meet(&class.teller, &[&eve, &class.owner]).await;
    let shown = post(&class.teller, &class.path("import?dryRun=true"), None, TABLE).await.expect(200);
    let row = |row: i64, email: &str, name: &str, amount: &str, reason: &str| json!({"row": row, "email": email, "name": name, "amount": amount, "reason": reason});
    assert_eq!(
        shown,
        json!({"rows": [
            row(2, "holder@example.org", "holder", "12.5", "Cakes, late"),
            row(3, "EVE@example.org", "eve", "-1", "Lost"),
            row(4, "holder@example.org", "holder", "7", "Tea"),
        ], "errors": [], "passedOver": [], "ignoredColumns": [], "unread": []})
    );
    assert_eq!(entries(&class.owner, &class.book).await.len(), 2);

    let written = table(&class.teller, &class.book, "k1", TABLE).await;
    let again = table(&class.teller, &class.book, "k1", TABLE).await;
    assert_eq!(written.expect(201), again.expect(201));
    assert_eq!(again.header("idempotent-replayed"), "true");
    let written = written.json()["entries"].as_array().unwrap().clone();
    assert_eq!(
        each(&written, "amount"),
        ["300", "12.5", "-1", "7"],
        "a new holder begins with the starting balance"
    );
    assert_eq!(each(&written, "sequence"), [3, 4, 5, 6]);
    assert_eq!(
        balances(&class.owner, &class.book).await,
        names(&[("owner", "0"), ("teller", "300"), ("holder", "319.5"), ("eve", "299")])
    );
}

#[tokio::test]
async fn a_row_without_an_e_mail_is_of_the_holder_with_its_name() {
    let class = Class::start().await;
    let rows = "Player,E-Mail,Balance,Total\nHOLDER,,5,9\n,holder@example.org,6,9\nNobody,,7,9\n";
    let shown =
        post(&class.teller, &class.path("import?dryRun=true&reason=Raid"), None, rows).await.expect(200);
    assert_eq!(each(shown["rows"].as_array().unwrap(), "name"), ["holder", "holder"]);
    assert_eq!(each(shown["rows"].as_array().unwrap(), "amount"), ["5", "6"], "the left one counts");
    assert_eq!((&shown["unread"], &shown["passedOver"]), (&json!(["Total"]), &json!([])));
    assert_eq!(shown["errors"][0]["path"], "row 4");
    let chosen = class.path("import?dryRun=true&reason=Raid&column=amount:Total&headerRow=1");
    let shown = post(&class.teller, &chosen, None, rows).await.expect(200);
    assert_eq!(each(shown["rows"].as_array().unwrap(), "amount"), ["9", "9"]);
    for (query, field) in
        [("reason=", "reason"), ("headerRow=3", "headerRow"), ("column=amount:Sum", "column")]
    {
        let path = class.path(&format!("import?dryRun=true&{query}"));
        assert_eq!(wrong_fields(&post(&class.teller, &path, None, rows).await), [field]);
    }
}

#[tokio::test]
async fn invalid_rows_are_all_named_and_nothing_is_written() {
    let class = Class::start().await;
    let table_with_errors = "email,amount,reason\nholder@example.org,1,Cakes\nnobody@example.org,1,Cakes\n\
                             holder@example.org,1e3,Cakes\nholder@example.org,1,\n=1+1,1,Cakes\nholder@example.org,1\n";
    let answer = table(&class.owner, &class.book, "k1", table_with_errors).await;
    let mut rows = wrong_fields(&answer);
    rows.sort_unstable();
    assert_eq!(rows, ["row 3", "row 4", "row 5", "row 6", "row 7"]);
    let shown =
        post(&class.owner, &class.path("import?dryRun=true"), None, table_with_errors).await.expect(200);
    assert_eq!(each(shown["rows"].as_array().unwrap(), "row"), [2]);
    assert_eq!(shown["errors"].as_array().unwrap().len(), 5);
    assert!(shown["errors"].as_array().unwrap().iter().all(|error| error["message"].is_string()));
    assert_eq!(entries(&class.owner, &class.book).await.len(), 2);
}

#[tokio::test]
async fn a_preview_of_many_rows_stays_within_an_answer_and_says_that_it_is_cut() {
    let class = Class::start().await;
    let path = class.path("import?dryRun=true");
    let wrong = "holder@example.org,1e3,Cakes with a name that is rather long\n".repeat(5_000);
    let wrong = format!("email,amount,reason\n{wrong}");
    let preview = post(&class.owner, &path, None, &wrong).await;
    let errors = preview.expect(200)["errors"].as_array().unwrap().clone();
    assert!(preview.text.len() <= 256 * 1024, "{}", preview.text.len());
    let words = format!("{} more are wrong: only the first ones are listed", 5_000 - (errors.len() - 1));
    assert_eq!(errors.last().unwrap(), &json!({"path": "rows", "message": words}));
    let refused = table(&class.owner, &class.book, "k1", &wrong).await;
    refused.expect_problem(422, "INVALID_BODY");
    assert!(refused.text.len() <= 256 * 1024, "{}", refused.text.len());

    let right = wrong.replace("1e3", "1");
    let preview = post(&class.owner, &path, None, &right).await;
    let shown = preview.expect(200);
    assert!(preview.text.len() <= 256 * 1024, "{}", preview.text.len());
    assert_eq!(shown["moreRows"], json!(5_000 - shown["rows"].as_array().unwrap().len()));
}

#[tokio::test]
async fn the_wrong_rows_are_a_file_with_their_errors() {
    let class = Class::start().await;
    let rows = "Mail;Points;Class;Note\nholder@example.org;1;4b;Cakes\nholder@example.org;1e3;=4c;\n\nnobody@example.org;5;4d;Tea\n";
    let path = class.path("import?dryRun=true&format=csv");
    let file = post(&class.owner, &path, None, rows).await;
    assert_eq!(file.status, 200, "{}", file.text);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8; header=present");
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"wrong-rows.csv\"");
    let lines: Vec<&str> = file.text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, "\u{feff}Mail,Points,Class,Note,row,column,error"));
    let formula = "holder@example.org,1e3,\"'=4c\",,3,\"Points, Note\",\"has `1e3` in B3: ";
    assert!(lines[1].starts_with(formula), "no cell is a formula: {}", lines[1]);
    assert!(lines[2].starts_with("nobody@example.org,5,4d,Tea,5,Mail,"), "{}", lines[2]);
    let many = format!("email,amount,reason\n{}", "holder@example.org,1e3,x\n".repeat(5_000));
    let all = post(&class.owner, &path, None, &many).await;
    assert_eq!(all.text.lines().count(), 5_001, "not only those for which a preview has room");
    let semicolons = post(&class.owner, &format!("{path}&dialect=semicolon"), None, rows).await.text;
    assert!(semicolons.starts_with("\u{feff}Mail;Points;Class;Note;row;column;error"), "{semicolons}");
    let workbook = class.path("import?dryRun=true&format=xlsx");
    assert!(post(&class.owner, &workbook, None, rows).await.text.starts_with("PK"));
    let wrong = class.path("import?dryRun=true&format=pdf");
    assert_eq!(wrong_fields(&post(&class.owner, &wrong, None, rows).await), ["format"]);
    post(&class.holder, &path, None, rows).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(entries(&class.owner, &class.book).await.len(), 2);
}

#[tokio::test]
async fn a_balance_out_of_bounds_is_named_by_its_row() {
    let class = Class::start().await;
    let eve = class.app.user("eve").await;
    meet(&class.owner, &[&eve]).await;
    let rows = "email,amount,reason\neve@example.org,1,Cakes\nholder@example.org,999999999999700,Cakes\n\
                holder@example.org,0.1,Cakes\n";
    assert_eq!(wrong_fields(&table(&class.owner, &class.book, "k1", rows).await), ["row 4"]);
    let shown = post(&class.owner, &class.path("import?dryRun=true"), None, rows).await.expect(200);
    assert_eq!(each(shown["errors"].as_array().unwrap(), "path"), ["row 4"]);
    assert_eq!(entries(&class.owner, &class.book).await.len(), 2);
}

#[tokio::test]
async fn a_request_that_is_no_table_is_refused() {
    let class = Class::start().await;
    let path = class.path("import");
    assert_eq!(wrong_fields(&post(&class.owner, &path, None, TABLE).await), ["Idempotency-Key"]);
    let json = class.owner.post(&path, json!({})).await;
    json.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let long = format!("email,amount,reason\n{}", "x".repeat(1024 * 1024));
    table(&class.owner, &class.book, "k1", &long).await.expect_problem(413, "TOO_LARGE");
    assert_eq!(wrong_fields(&table(&class.owner, &class.book, "k1", "mail,amount\n").await), ["row 1"]);
    let dry = class.path("import?dryRun=maybe");
    assert_eq!(wrong_fields(&post(&class.owner, &dry, None, TABLE).await), ["dryRun"]);
    class.owner.patch(&class.book, json!({"status": "CLOSED"})).await.expect(200);
    let rows = "email,amount,reason\nholder@example.org,1,Cakes\n";
    table(&class.owner, &class.book, "k1", rows).await.expect_problem(409, "CLOSED");
}

#[tokio::test]
async fn five_thousand_rows_are_imported_at_once() {
    let class = Class::start().await;
    let rows =
        |count: usize| format!("email,amount,reason\n{}", "holder@example.org,0.1,Cakes\n".repeat(count));
    assert_eq!(wrong_fields(&table(&class.owner, &class.book, "k1", &rows(5_001)).await), ["row 5002"]);
    let written = table(&class.owner, &class.book, "k1", &rows(5_000)).await.expect(201);
    let written = written["entries"].as_array().unwrap();
    assert_eq!((written.len(), &written[4_999]["sequence"]), (5_000, &Value::from(5_002)));
    assert_eq!(balances(&class.owner, &class.book).await[2].1, "800");
}

#[tokio::test]
async fn the_rows_of_a_table_count_as_writes() {
    let app = TestApp::start_with(|_| {}).await;
    let owner = app.user("owner").await;
    let body = json!({"name": "Class", "baseUnit": {"name": "Point", "symbol": "p"}, "startingBalance": "0"});
    let book = owner.post("/api/books", body).await;
    book.expect(201);
    let path = format!("{}/import?dryRun=true", book.header("location"));
    let table = format!("email,amount,reason\n{}", "owner@example.org,1,x\n".repeat(5_000));
    // Each costs 51 of 600 at once.
    for _ in 0..11 {
        assert_eq!(post(&owner, &path, None, &table).await.status, 200);
    }
    post(&owner, &path, None, &table).await.expect_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(post(&owner, &path, None, TABLE).await.status, 200, "a short one");
}

#[tokio::test]
async fn amounts_may_stand_in_the_words_of_the_unit_or_of_its_currency() {
    let knuts = json!({"name": "Knut", "plural": "Knuts", "symbol": ""});
    let sale = Sale::open(json!({"baseUnit": knuts}), &[wizards()], json!({})).await;
    let body = json!({"name": "Hogwarts", "baseUnit": knuts});
    let book = sale.owner.post("/api/books", body).await.expect(201)["id"].as_str().unwrap().to_owned();
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&auction, json!({"bookId": book})).await.expect(200);
    let path = format!("/api/books/{book}/import?reason=Raid");
    let rows = "email,amount\nowner@example.org,5 knuts\nowner@example.org,1 galleon 2 sickles\n\
                owner@example.org,\"1,000.50\"\nowner@example.org,-3 Knuts\n";
    let shown = post(&sale.owner, &format!("{path}&dryRun=true"), None, rows).await.expect(200);
    assert_eq!(each(shown["rows"].as_array().unwrap(), "amount"), ["5", "551", "1000.5", "-3"], "{shown}");
    let wrong = "email,amount\nowner@example.org,5 gold\nowner@example.org,5.000\n";
    let refused = post(&sale.owner, &path, Some("k"), wrong).await;
    assert_eq!(wrong_fields(&refused), ["row 2", "row 3"]);
}
