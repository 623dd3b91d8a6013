//! Spreadsheets at `POST /api/auctions/{auction_id}/items/import`, as programs write them.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp, spreadsheet};
use crate::routes::auctions::{auction, wrong_fields};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const ODS: &str = "application/vnd.oasis.opendocument.spreadsheet";

async fn post(
    client: &Client,
    path: &str,
    query: &str,
    media_type: &str,
    body: impl Into<Vec<u8>>,
) -> Answer {
    let request = client.request("POST", &format!("{path}/items/import{query}"));
    let request = request.header("content-type", media_type).header("idempotency-key", "k");
    Answer::of(request.body(body.into())).await
}

/// Names of items with their descriptions.
async fn descriptions(client: &Client, path: &str) -> HashMap<String, String> {
    let page = client.get(&format!("{path}/items?limit=100")).await.expect(200);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let items = page["items"].as_array().unwrap().iter();
    items.map(|item| (text(&item["name"]), text(&item["description"]))).collect()
}

/// Cells of each kind, below names, with the texts that they are read as.
fn cells() -> [(&'static str, Value, &'static str); 14] {
    [
        ("Sum", json!(0.1 + 0.2), "0.3"),
        ("Count", json!(7), "7"),
        ("Thousandth", json!(1.005), "1.0050"),
        ("Large", json!(1_234_567_890_123_456_789_i64), "1234567890123460000"),
        ("Percent", json!(["percent", 0.125]), "12.5"),
        ("Date", json!(["date", "2026-12-01"]), "2026-12-01"),
        ("Moment", json!(["moment", "2026-12-01T18:20:00"]), "2026-12-01 18:20"),
        ("Time", json!(["time", "18:20:00"]), "18:20"),
        ("Yes", json!(true), "yes"),
        ("No", json!(false), "no"),
        ("Digits", json!("007"), "007"),
        ("Lines", json!("a\nb, \"c\""), "a\nb, \"c\""),
        ("Rich", json!(["rich", "A lamp"]), "A lamp"),
        ("Formula", json!(["formula", ["=1+1", 2]]), "2"),
    ]
}

#[tokio::test]
async fn a_cell_is_read_as_its_spreadsheet_shows_and_stores_it() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let programs = [
        ("openpyxl", XLSX),
        ("openpyxl 1904", "application/octet-stream"),
        ("xlsxwriter", "text/csv"),
        ("xlsxwriter 1904", XLSX),
        ("odfdo", ODS),
    ];
    for (program, media_type) in programs {
        let path = auction(&ada, json!({})).await;
        // These write no value of a formula, or no pieces of a text.
        let is_written = |name: &str| match name {
            "Formula" => !program.starts_with("openpyxl"),
            "Rich" => program != "odfdo",
            _ => true,
        };
        let cells = cells().into_iter().filter(|(name, ..)| is_written(name));
        let (mut rows, mut expected) = (vec![json!(["name", "description", "currency"])], HashMap::new());
        for (name, cell, text) in cells {
            rows.push(json!([name, cell, "EUR"]));
            expected.insert(name.to_owned(), text.to_owned());
        }
        let file = spreadsheet(program, &json!(rows)).await;
        post(&ada, &path, "", media_type, file).await.expect(201);
        assert_eq!(descriptions(&ada, &path).await, expected, "{program}");
    }
}

#[tokio::test]
async fn a_formula_without_its_value_is_an_error_of_its_row() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let formula = json!(["formula", ["=1+1", 2]]);
    let rows = json!([
        [null, "name", "description", "currency"],
        [null, "A lamp", "", "EUR"],
        [null, null],
        [null, "A vase", formula, "EUR"],
        [null, "", "", ""],
        [formula, "An urn", "not read: A6", "EUR"]
    ]);
    let file = spreadsheet("openpyxl", &rows).await;
    let preview = post(&ada, &path, "?dryRun=true", XLSX, file.clone()).await.expect(200);
    assert_eq!(preview["errors"][0]["path"], "row 4");
    assert!(preview["errors"][0]["message"].as_str().unwrap().contains("C4"), "{preview}");
    assert_eq!(preview["errors"].as_array().unwrap().len(), 1, "{preview}");
    let numbers: Vec<_> = preview["rows"].as_array().unwrap().iter().map(|row| row["row"].clone()).collect();
    assert_eq!(numbers, [2, 6]);
    assert_eq!(wrong_fields(&post(&ada, &path, "", XLSX, file).await), ["row 4"]);
    let csv = "name,description,currency\nA lamp,#N/A,EUR\n";
    assert_eq!(wrong_fields(&post(&ada, &path, "", "text/csv", csv).await), ["row 2"]);
}

#[tokio::test]
async fn another_sheet_is_read_by_its_name() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let rows = json!([["name", "currency"], ["A lamp", "EUR"]]);
    let file = spreadsheet("openpyxl", &rows).await;
    for sheet in ["Hidden", "x"] {
        let refused = post(&ada, &path, &format!("?dryRun=true&sheet={sheet}"), XLSX, file.clone()).await;
        assert_eq!(wrong_fields(&refused), ["sheet"]);
        assert!(refused.text.contains("`Lots`"), "{}", refused.text);
    }
    let named = post(&ada, &path, "?dryRun=true&sheet=lots", XLSX, file).await.expect(200);
    assert_eq!(named["rows"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_file_of_another_kind_is_refused_with_what_to_do() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice();
    let table = b"name,currency\nA lamp,EUR\n".as_slice();
    let refused = [
        ("text/csv", old, 415, "UNSUPPORTED_MEDIA_TYPE", "old Excel file"),
        ("application/vnd.ms-excel", old, 415, "UNSUPPORTED_MEDIA_TYPE", "old Excel file"),
        ("application/pdf", b"%PDF-1.7", 415, "UNSUPPORTED_MEDIA_TYPE", "PDF"),
        (XLSX, table, 415, "UNSUPPORTED_MEDIA_TYPE", "no spreadsheet"),
        ("application/octet-stream", table, 415, "UNSUPPORTED_MEDIA_TYPE", "text/csv"),
        ("application/json", b"PK\x03\x04", 415, "UNSUPPORTED_MEDIA_TYPE", "text/csv"),
        (XLSX, b"PK\x03\x04", 422, "INVALID_BODY", "can’t be read"),
        ("text/csv", &vec![b'x'; 1024 * 1024 + 1], 413, "TOO_LARGE", "1048576"),
        (XLSX, &[b"PK\x03\x04".as_slice(), &[0; 5_000_000]].concat(), 413, "TOO_LARGE", "5000000"),
    ];
    for (media_type, body, status, code, words) in refused {
        let answer = post(&ada, &path, "?dryRun=true", media_type, body).await;
        answer.expect_problem(status, code);
        assert!(answer.text.contains(words), "{}", answer.text);
    }
}

#[tokio::test]
async fn the_page_takes_a_spreadsheet_and_shows_it_as_rows() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let file = spreadsheet("odfdo", &json!([["name", "currency"], ["A lamp", "EUR"]])).await;
    let page = path.replace("/api", "");
    let send = async |name: &str, file: &[u8]| {
        let head = format!(
            "--b\r\ncontent-disposition: form-data; name=\"idempotencyKey\"\r\n\r\nk\r\n{name}\
             --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"lots.csv\"\r\n\r\n"
        );
        let body = [head.as_bytes(), file, b"\r\n--b--\r\n"].concat();
        let request = ada.request("POST", &format!("{page}/items/import/file"));
        Answer::of(request.header("content-type", "multipart/form-data; boundary=b").body(body)).await
    };
    let preview = "--b\r\ncontent-disposition: form-data; name=\"preview\"\r\n\r\ntrue\r\n";
    let shown = send(preview, &file).await;
    assert_eq!(shown.status, 200);
    assert!(shown.text.contains("A new lot") && shown.text.contains("A lamp,EUR"), "{}", shown.text);
    assert!(!shown.text.contains("sep="), "{}", shown.text);
    let many = ada.get(&format!("{page}/items/add")).await.text;
    for part in
        ["items/import/file\"", "name=\"preview\"", "name=\"file\"", "name=\"csv\"", "name=\"timeZone\""]
    {
        assert!(many.contains(part), "the page of many lots leads to the preview: {part}: {many}");
    }
    let refused = send("", b"%PDF-1.7").await;
    assert_eq!(refused.status, 415);
    assert!(refused.text.contains("id=\"field-file-error\"") && refused.text.contains("This is a PDF"));
    assert_eq!(send("", &file).await.status, 303);
    assert_eq!(descriptions(&ada, &path).await.len(), 1);
}

#[tokio::test]
async fn the_page_offers_the_sheets_of_a_file() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let page = format!("{}/items/import/file", path.replace("/api", ""));
    for program in ["two-sheets-xlsx", "two-sheets-ods"] {
        let sheets = json!([
            ["Lots", [["name", "currency"], ["A lamp", "EUR"]]],
            ["More & more", [["name", "currency"], ["An urn", "EUR"]]],
        ]);
        let file = spreadsheet(program, &sheets).await;
        let send = async |texts: &[(&str, &str)], file: &[u8]| {
            let texts = [&[("preview", "true")], texts].concat();
            let mut body: String = texts
                .iter()
                .map(|(name, value)| {
                    format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                })
                .collect();
            if !file.is_empty() {
                body.push_str(
                    "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"lots\"\r\n\r\n",
                );
            }
            let end: &[u8] = if file.is_empty() { b"--b--\r\n" } else { b"\r\n--b--\r\n" };
            let body = [body.as_bytes(), file, end].concat();
            let request = ada.request("POST", &page);
            Answer::of(request.header("content-type", "multipart/form-data; boundary=b").body(body))
                .await
                .text
        };
        let shown = send(&[], &file).await;
        for part in [
            "A lamp",
            "<option value=\"More &amp; more\"",
            "name=\"sheets\" value=\"Lots\"",
            "choose the file again",
        ] {
            assert!(shown.contains(part), "{program}, {part}: {shown}");
        }
        let other = send(&[("sheet", "More & more")], &file).await;
        assert!(other.contains("An urn") && !other.contains("A lamp"), "{program}: {other}");
        assert!(other.contains("name=\"shownSheet\" value=\"More &amp; more\""), "{other}");
        let rows = [("csv", "name,currency\nA lamp,EUR\n"), ("sheets", "Lots"), ("sheets", "More & more")];
        let missing = send(&[&rows[..], &[("sheet", "More & more"), ("shownSheet", "")]].concat(), b"").await;
        assert!(
            missing.contains("Choose the file again") && missing.contains("More &amp; more"),
            "{missing}"
        );
        let same = send(&[&rows[..], &[("sheet", "Lots"), ("shownSheet", "Lots")]].concat(), b"").await;
        assert!(same.contains("A new lot"), "{same}");
        let wrong = send(&[("sheet", "Hidden")], &file).await;
        assert!(wrong.contains("field-sheet-error"), "{wrong}");
    }
}
