//! The pages of books, without JavaScript.

use installation::config::Switch;
use serde_json::{Value, json};

use super::words::words;
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, wizards};
use crate::routes::auctions::items::images::with_parts;
use crate::routes::auctions::{auction, join, user_id};

/// A keeper, and two holders who began with 300 tickets each.
struct Raffle {
    app: TestApp,
    ada: Client,
    bob: Client,
    /// Address of the page of the book.
    page: String,
}

impl Raffle {
    async fn start() -> Self {
        Self::start_in(TestApp::start().await).await
    }

    async fn start_in(app: TestApp) -> Self {
        let (ada, bob) = (app.user("ada").await, app.user("bob").await);
        let cleo = app.user("cleo").await;
        let fair = auction(&ada, json!({"joinMode": "FREE"})).await;
        join(&bob, &fair).await;
        join(&cleo, &fair).await;
        let fields = [
            ("name", "Class 4b"),
            ("baseUnitName", "Ticket"),
            ("startingBalance", "300"),
            ("idempotencyKey", "book"),
        ];
        let page = location(&ada.post_form("/books/new", &fields).await).replace("?done=created", "");
        for email in ["bob@example.org", "cleo@example.org"] {
            assert!(
                location(&ada.post_form(&format!("{page}/holders"), &[("email", email)]).await)
                    .ends_with("added")
            );
        }
        Self { app, ada, bob, page }
    }

    async fn post(&self, part: &str, fields: &[(&str, &str)]) -> Answer {
        self.ada.post_form(&format!("{}/{part}", self.page), fields).await
    }

    /// Posts pasted rows.
    async fn import(&self, fields: &[(&str, &str)]) -> Answer {
        let request = self.ada.request("POST", &format!("{}/import", self.page));
        Answer::of(with_parts(request, fields, &[])).await
    }

    /// The balances of the holders, in the order in which they were added.
    async fn balances(&self) -> Vec<String> {
        let found = self.ada.get(&format!("/api{}/holders", self.page)).await.expect(200);
        let holders = found["holders"].as_array().unwrap().iter();
        holders.map(|holder| holder["balance"].as_str().unwrap().to_owned()).collect()
    }

    async fn status(&self) -> Value {
        self.ada.get(&format!("/api{}", self.page)).await.expect(200)["status"].clone()
    }
}

/// Where an accepted form leads.
#[track_caller]
fn location(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").to_owned()
}

#[track_caller]
fn assert_shows(answer: &Answer, texts: &[&str]) {
    for text in texts {
        assert!(answer.text.contains(text), "{text}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_keeper_grants_to_all_and_to_some_once_for_each_form() {
    let raffle = Raffle::start().await;
    let all = [("idempotencyKey", "all"), ("amount", "7,5"), ("reason", "Cakes"), ("whom", "ALL")];
    let bobs = user_id(&raffle.bob).await;
    let some = [
        ("idempotencyKey", "some"),
        ("amount", "-100"),
        ("reason", "Lost"),
        ("whom", "SOME"),
        ("holder", bobs.as_str()),
    ];
    for _ in 0..2 {
        for fields in [&all[..], &some[..]] {
            assert!(location(&raffle.post("entries", fields).await).ends_with("?done=granted"));
        }
    }
    assert_eq!(raffle.balances().await, ["7.5", "207.5", "307.5"]);
    let shown = raffle.ada.get(&raffle.page).await;
    assert_shows(&shown, &["207.5", "307.5", "Lost", "Export as CSV", "Entries of bob"]);
    let of_bob = raffle.ada.get(&format!("{}?holder={bobs}", raffle.page)).await;
    assert_shows(&of_bob, &["Entries of all people", "Lost"]);
    assert_eq!(of_bob.text.matches("id=\"entry-").count(), 3, "{}", of_bob.text);
}

#[tokio::test]
async fn amounts_are_in_the_pieces_of_an_auction_of_the_book() {
    let knuts = json!({"name": "Knut", "plural": "Knuts", "symbol": ""});
    let sale = Sale::open(json!({"baseUnit": knuts}), &[wizards()], json!({})).await;
    let ada = sale.bidder("ada").await;
    let body = json!({"name": "Hogwarts", "baseUnit": knuts, "startingBalance": "2000"});
    let book = sale.owner.post("/api/books", body).await.expect(201)["id"].as_str().unwrap().to_owned();
    let page = format!("/books/{book}");
    let plain = words(&sale.owner, &page).await;
    assert!(!plain.contains("Galleon"), "a book without an auction has base units only: {plain}");
    let auction = format!("/auctions/{}", sale.auction);
    sale.owner.patch(&format!("/api{auction}"), json!({"bookId": book})).await.expect(200);
    let bid = json!({"enteredRepresentation": [{"denomination": "GALLEON", "count": 3}]});
    sale.bid(&ada, bid).await.expect(201);
    let adas = user_id(&ada).await;
    let fields = [
        ("idempotencyKey", "k"),
        ("amount", "-58"),
        ("reason", "Lost"),
        ("whom", "SOME"),
        ("holder", adas.as_str()),
    ];
    location(&sale.owner.post_form(&format!("{page}/entries"), &fields).await);
    for path in [page.as_str(), "/books", auction.as_str()] {
        let shown = words(&ada, path).await;
        assert!(shown.contains("3 Galleons · 15 Sickles · 28 Knuts"), "{path}: {shown}");
        assert!(shown.contains("1942 Knuts"), "{path}: {shown}");
    }
    let shown = words(&ada, &page).await;
    assert!(shown.contains("-2 Sickles -58 Knuts"), "{shown}");
    let told = words(&ada, "/notifications").await;
    assert!(told.contains("Your balance changed by -2 Sickles (-58 Knuts): Lost"), "{told}");
}

#[tokio::test]
async fn a_refused_grant_keeps_what_was_typed_and_writes_nothing() {
    let raffle = Raffle::start().await;
    let bobs = user_id(&raffle.bob).await;
    let typed = [
        ("idempotencyKey", "typed"),
        ("amount", "many"),
        ("reason", "Cakes"),
        ("whom", "SOME"),
        ("holder", bobs.as_str()),
    ];
    let refused = raffle.post("entries", &typed).await;
    assert_eq!(refused.status, 422);
    let ticked = format!("value=\"{bobs}\" checked");
    assert_shows(&refused, &["value=\"many\"", "value=\"Cakes\"", "value=\"typed\"", &ticked]);
    let nobody = [("idempotencyKey", "nobody"), ("amount", "1"), ("reason", "Cakes"), ("whom", "SOME")];
    let refused = raffle.post("entries", &nobody).await;
    assert_eq!(refused.status, 422);
    assert_shows(&refused, &["Tick at least one person"]);
    assert_eq!(raffle.balances().await, ["0", "300", "300"]);
}

#[tokio::test]
async fn a_keeper_reverses_an_entry_once() {
    let raffle = Raffle::start().await;
    let reverse = async |reason: &str| {
        raffle.post("entries/1/reverse", &[("entry", "1"), ("reversalReason", reason)]).await
    };
    let refused = reverse(&"x".repeat(501)).await;
    assert_eq!(refused.status, 422);
    assert_shows(&refused, &["at most 500 characters", "id=\"field-reversalReason\"", "xxx\""]);
    assert_eq!(raffle.balances().await, ["0", "300", "300"]);
    assert!(location(&reverse("Mistake").await).ends_with("?done=reversed"));
    assert_eq!(reverse("Mistake").await.status, 409);
    assert_eq!(raffle.balances().await, ["0", "0", "300"]);
    assert_shows(&raffle.ada.get(&raffle.page).await, &["Reversal of no. 1", "Mistake"]);
}

#[tokio::test]
async fn a_keeper_previews_rows_and_imports_them_once() {
    let raffle = Raffle::start().await;
    let rows = "email,amount,reason\r\nbob@example.org,12,Cakes\r\ncleo@example.org,-5,Tea";
    let preview = raffle.import(&[("idempotencyKey", "k"), ("csv", rows), ("preview", "true")]).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    assert_shows(
        &preview,
        &["Nothing is written yet", "2 rows", "Cakes", "cleo@example.org,-5,Tea", "value=\"k\""],
    );
    assert!(!preview.text.contains("<title>Error"), "{}", preview.text);
    assert_eq!(raffle.balances().await, ["0", "300", "300"]);

    let wrong = format!("{rows}\r\nnobody@example.org,1,Cakes");
    let refused = raffle.import(&[("idempotencyKey", "k"), ("csv", &wrong)]).await;
    assert_eq!(refused.status, 422);
    assert_shows(&refused, &["1 row is wrong", "Row 4", "nobody@example.org,1,Cakes"]);
    assert_eq!(raffle.balances().await, ["0", "300", "300"]);

    for _ in 0..2 {
        let done = raffle.import(&[("idempotencyKey", "k"), ("csv", rows)]).await;
        assert!(location(&done).ends_with("?done=imported"));
    }
    assert_eq!(raffle.balances().await, ["0", "312", "295"]);
}

/// 600 writes are permitted at once; the form is one, and its rows are 20.
#[tokio::test]
async fn the_rows_of_a_refused_table_are_counted_once() {
    let raffle =
        Raffle::start_in(TestApp::start_with(|settings| settings.rate_limits = Switch::On).await).await;
    let rows = format!("email,amount,reason\r\n{}", "a@b.c,0,x\n".repeat(2_000));
    for _ in 0..25 {
        let refused = raffle.import(&[("idempotencyKey", "k"), ("csv", &rows)]).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
    }
}

#[tokio::test]
async fn a_keeper_imports_by_the_numbers_of_a_group() {
    let raffle = Raffle::start().await;
    let page = raffle.ada.get(&format!("{}/import", raffle.page)).await;
    assert!(!page.text.contains("groupId"), "without a group there is no choice: {}", page.text);
    let group = raffle.ada.post("/api/groups", json!({"name": "Class 4b"})).await.expect(201);
    let group = group["id"].as_str().unwrap();
    let people = json!({"people": [{"name": "Dan", "number": 17}]});
    let request = raffle.ada.request("POST", &format!("/api/groups/{group}/people"));
    let request = request.header("content-type", "application/json").header("idempotency-key", "people");
    Answer::of(request.body(people.to_string())).await.expect(201);
    let rows = "amount;number;reason\n12,5;17;Cakes";
    let fields = |rows, key| [("idempotencyKey", key), ("groupId", group), ("csv", rows)];
    let preview = [&fields(rows, "k")[..], &[("preview", "true")]].concat();
    let preview = raffle.import(&preview).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    let chosen = format!("<option value=\"{group}\" selected>Their number in Class 4b</option>");
    assert_shows(&preview, &["Nothing is written yet", "Number 17", "Dan", "12.5", &chosen]);
    let refused = raffle.import(&fields("number,amount,reason\n9,1,Tea", "k")).await;
    assert_eq!(refused.status, 422);
    assert_shows(&refused, &["1 row is wrong", "nobody in the group has", &chosen]);
    for _ in 0..2 {
        assert!(location(&raffle.import(&fields(rows, "k")).await).ends_with("?done=imported"));
    }
    assert_eq!(raffle.balances().await, ["0", "300", "300", "312.5"]);
    let by_name = [
        ("idempotencyKey", "n"),
        ("groupId", group),
        ("reason", "Last raid"),
        ("csv", "name,dkp,class\nDan,1,Mage"),
    ];
    let withheld = raffle.import(&by_name).await;
    assert_eq!(withheld.status, 200, "{}", withheld.text);
    assert_shows(&withheld, &["This column is not read: class", "Last raid", "Number 17"]);
    let seen = withheld.text.split("name=\"previewed\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let done = raffle.import(&[&by_name[..], &[("previewed", seen)]].concat()).await;
    assert!(location(&done).ends_with("?done=imported"), "{}", done.text);
    assert_eq!(raffle.balances().await, ["0", "300", "300", "313.5"]);
    let others = raffle.import(&[("idempotencyKey", "o"), ("groupId", "x"), ("csv", rows)]).await;
    assert_eq!(others.status, 422);
    assert_shows(&others, &["id=\"field-groupId-error\""]);
}

/// The form with a file, with or without a preview.
async fn post_file(raffle: &Raffle, csv: &[u8], is_preview: bool) -> Answer {
    let preview = if is_preview {
        "--b\r\ncontent-disposition: form-data; name=\"preview\"\r\n\r\ntrue\r\n"
    } else {
        ""
    };
    let head = format!(
        "--b\r\ncontent-disposition: form-data; name=\"idempotencyKey\"\r\n\r\nfile\r\n{preview}\
         --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"rows.csv\"\r\n\r\n"
    );
    let body = [head.as_bytes(), csv, b"\r\n--b--\r\n"].concat();
    let request = raffle.ada.request("POST", &format!("{}/import", raffle.page));
    Answer::of(request.header("content-type", "multipart/form-data; boundary=b").body(body)).await
}

#[tokio::test]
async fn a_keeper_previews_a_file_and_imports_it_once() {
    let raffle = Raffle::start().await;
    let rows = "email,amount,reason\r\nbob@example.org,12,Cakes\r\ncleo@example.org,-5,Tea";
    let preview = post_file(&raffle, rows.as_bytes(), true).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    assert_shows(&preview, &["Nothing is written yet", "2 rows", "cleo@example.org,-5,Tea</textarea>"]);
    assert_eq!(raffle.balances().await, ["0", "300", "300"]);

    let long = format!("{rows}\r\n{}", "bob@example.org,1,A cake that is sold\r\n".repeat(2_000));
    let preview = post_file(&raffle, long.as_bytes(), true).await;
    assert_shows(&preview, &["2002 rows", "Choose the file again", "></textarea>"]);
    for wrong in [&b""[..], b"email,amount,reason\r\n\xff,1,x", &vec![b'x'; 1_100_000]] {
        let refused = post_file(&raffle, wrong, false).await;
        assert!([413, 422].contains(&refused.status.as_u16()), "{}", refused.text);
        assert_shows(&refused, &["id=\"field-file-error\""]);
    }
    let wrong = format!("{rows}\r\nnobody@example.org,1,Cakes");
    let refused = post_file(&raffle, wrong.as_bytes(), false).await;
    assert_eq!(refused.status, 422);
    assert_shows(&refused, &["1 row is wrong", "Row 4", "id=\"field-csv-error\""]);
    assert_eq!(raffle.balances().await, ["0", "300", "300"]);

    for _ in 0..2 {
        assert!(location(&post_file(&raffle, rows.as_bytes(), false).await).ends_with("?done=imported"));
    }
    assert_eq!(raffle.balances().await, ["0", "312", "295"]);
}

#[tokio::test]
async fn the_owner_changes_closes_and_opens_a_book() {
    let raffle = Raffle::start().await;
    let settings = format!("{}/settings", raffle.page);
    assert_shows(
        &raffle.ada.get(&settings).await,
        &["value=\"Class 4b\"", "value=\"300\"", "Close the balances"],
    );
    let change = |name, version| {
        [
            ("version", version),
            ("name", name),
            ("baseUnitName", "Ticket"),
            ("startingBalance", "20"),
            ("visibility", "MEMBERS"),
        ]
    };
    let refused = raffle.post("settings", &change("", "1")).await;
    assert_eq!(refused.status, 422);
    assert_shows(&refused, &["Enter a name for the balances", "value=\"20\""]);
    assert!(location(&raffle.post("settings", &change("Class 5b", "1")).await).ends_with("?done=saved"));
    assert_eq!(raffle.post("settings", &change("Class 6b", "1")).await.status, 412);
    let bobs = raffle.bob.get(&raffle.page).await;
    assert_shows(&bobs, &["Class 5b", "cleo"]);

    assert!(location(&raffle.post("settings/close", &[]).await).ends_with("?done=closed"));
    assert_eq!(raffle.status().await, "CLOSED");
    let closed = raffle.ada.get(&raffle.page).await;
    for text in ["Give or take away", "Add person", ">Import<", "Reverse entry"] {
        assert!(!closed.text.contains(text), "{text}: {}", closed.text);
    }
    let grant = [("idempotencyKey", "late"), ("amount", "1"), ("reason", "Cakes"), ("whom", "ALL")];
    assert_eq!(raffle.post("entries", &grant).await.status, 409);
    assert!(location(&raffle.post("settings/open", &[]).await).ends_with("?done=opened"));
    assert_eq!(raffle.status().await, "OPEN");
    let refused = raffle.post("settings/delete", &[]).await;
    assert!(refused.status == 409 && refused.text.contains("can’t be deleted"), "{}", refused.text);
}

#[tokio::test]
async fn a_holder_sees_their_own_entries_and_no_forms() {
    let raffle = Raffle::start().await;
    let page = raffle.bob.get(&raffle.page).await;
    assert_shows(&page, &["Your balance", "300", "No. 1"]);
    for text in ["cleo", "No. 2", "Give or take away", "Reverse", "Export", "Add person", "Settings"] {
        assert!(!page.text.contains(text), "{text}: {}", page.text);
    }
    let dan = raffle.app.user("dan").await;
    assert_eq!(dan.get(&raffle.page).await.status, 404);
    assert_shows(&raffle.bob.get("/books").await, &["Class 4b", "300"]);
    assert_shows(&dan.get("/books").await, &["You have no balances yet"]);
}

#[tokio::test]
async fn an_auction_gets_a_book_and_its_unit() {
    let raffle = Raffle::start().await;
    let book = raffle.page.replace("/books/", "");
    assert_shows(&raffle.ada.get("/auctions/new/settings").await, &["Class 4b", &book]);
    let fields = [("name", "Raffle"), ("bookId", book.as_str()), ("joinMode", "LINK")];
    let made = location(&raffle.ada.post_form("/auctions/new/settings", &fields).await);
    let made = raffle.ada.get(&format!("/api{made}")).await.expect(200);
    assert_eq!((&made["bookId"], &made["baseUnit"]["name"]), (&json!(book), &json!("Ticket")));

    let path = auction(&raffle.ada, json!({})).await;
    let settings = format!("{}/settings?subject=money", path.replace("/api", ""));
    assert_shows(&raffle.ada.get(&settings).await, &["None: people promise to pay"]);
    let change = async |book: &str| {
        let version = raffle.ada.get(&path).await.expect(200)["version"].to_string();
        let fields = [("version", version.as_str()), ("subject", "money"), ("bookId", book)];
        location(&raffle.ada.post_form(&settings, &fields).await);
        raffle.ada.get(&path).await.expect(200)["bookId"].clone()
    };
    assert_eq!(change(&book).await, json!(book));
    assert_shows(&raffle.ada.get(&settings).await, &[&format!("value=\"{book}\" selected")]);
    assert_shows(&raffle.ada.get(&raffle.page).await, &["Spring sale"]);
    assert_eq!(change("").await, Value::Null);
}
