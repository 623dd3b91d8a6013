//! Tables of any heading, separator, kind of file and locale: the form of the page and the API import the
//! same of each.

use platform::cell::Cell;
use platform::workbook::Workbook;
use serde_json::{Value, json};

use crate::dice::Dice;
use crate::harness::{Answer, Client, TestApp, times};
use crate::routes::auctions::auction;

/// Headings of the columns, and of one that is not read, with cells that they may have.
const COLUMNS: [(&[&str], &[&str]); 6] = [
    (
        &["lot", "Lot #", "Item number", "Los", "NR"],
        &["", "7", "007a", "KM-2", "12E3", "1-2", "8", "9", "A1", "B2", "C3"],
    ),
    (
        &["name", "Title", "ITEM NAME", "Bezeichnung"],
        &["A vase", "A \"lamp\", blue", "Tisch; alt", "=1+1", "3/4", "Zoë"],
    ),
    (&["description", "Details", "Beschreibung"], &["", "Two\nlines", "'quoted", "100 %", "a|b"]),
    (
        &["minimum", "Starting Bid", "Mindestgebot"],
        &["", "3", "12", "12.5", "0.75", "12,5", "1.000,5", "1,000", "€ 3", "x"],
    ),
    (
        &["ends", "Close time", "Ende"],
        &["", "2098-05-02 18:00", "2.5.2098 18:00", "2098-06-01", "5/2/2098", "soon"],
    ),
    (&["Shelf", "Donated by"], &["B", "", "12"]),
];
const FIELDS: [(&str, &str); 2] = [("idempotencyKey", "k"), ("timeZone", "Europe/Berlin")];
const LOCALES: [&str; 4] = ["en-GB", "en-US", "de-DE", "fr-CH"];

/// A table, and how it is written.
struct Written {
    cells: Vec<Vec<String>>,
    /// None in a workbook.
    separator: Option<u8>,
    locale: &'static str,
}

impl Written {
    fn draw(dice: &mut Dice) -> Self {
        let mut one_of = |count: usize| usize::try_from(dice.below(count as u64)).unwrap();
        let mut columns: Vec<usize> = (0..COLUMNS.len()).collect();
        for at in (1..columns.len()).rev() {
            columns.swap(at, one_of(at + 1));
        }
        // A name there must be.
        columns.retain(|column| *column == 1 || one_of(4) > 0);
        let mut cells = vec![columns.iter().map(|column| one(COLUMNS[*column].0, &mut one_of)).collect()];
        for _ in 0..=one_of(4) {
            cells.push(columns.iter().map(|column| one(COLUMNS[*column].1, &mut one_of)).collect());
        }
        let separator = [Some(b','), Some(b';'), Some(b'\t'), None][one_of(4)];
        Self { cells, separator, locale: LOCALES[one_of(4)] }
    }

    fn bytes(&self) -> Vec<u8> {
        let Some(separator) = self.separator else {
            let mut bytes = Vec::new();
            let (headings, rows) = self.cells.split_first().unwrap();
            let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
            let mut workbook = Workbook::begin(&headings).unwrap();
            for row in rows {
                workbook.write_row(&row.iter().map(Cell::text).collect::<Vec<_>>()).unwrap();
            }
            workbook.save(&mut bytes).unwrap();
            return bytes;
        };
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let line = |row: &Vec<String>| {
            row.iter().map(quoted).collect::<Vec<_>>().join(&char::from(separator).to_string()) + "\r\n"
        };
        self.cells.iter().map(line).collect::<String>().into_bytes()
    }
}

fn one(values: &[&str], one_of: &mut impl FnMut(usize) -> usize) -> String {
    values[one_of(values.len())].to_owned()
}

/// Whether the API imports the table.
async fn by_api(client: &Client, path: &str, table: &Written) -> bool {
    let request = client.request("POST", &format!("{path}/items/import?timeZone=Europe/Berlin"));
    let media_type = if table.separator.is_some() { "text/csv" } else { "application/octet-stream" };
    let request = request.header("content-type", media_type).header("accept-language", table.locale);
    let answer = Answer::of(request.header("idempotency-key", "k").body(table.bytes())).await;
    assert!([201, 422].contains(&answer.status.as_u16()), "{}", answer.text);
    answer.status == 201
}

/// Whether the form imports the table once it has shown it.
async fn by_form(client: &Client, path: &str, table: &Written, is_pasted: bool) -> bool {
    let page = format!("{}/items/import/file", path.replace("/api", ""));
    let bytes = table.bytes();
    let send = async |further: &[(&str, &str)]| {
        let field = |(name, value): &(&str, &str)| {
            format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let texts: String = FIELDS.iter().chain(further).map(field).collect();
        let rows = if is_pasted { "name=\"csv\"" } else { "name=\"file\"; filename=\"lots.csv\"" };
        let head = format!("{texts}--b\r\ncontent-disposition: form-data; {rows}\r\n\r\n");
        let request = client.request("POST", &page).header("accept-language", table.locale);
        let request = request.header("content-type", "multipart/form-data; boundary=b");
        Answer::of(request.body([head.as_bytes(), &bytes, b"\r\n--b--\r\n"].concat())).await
    };
    let shown = send(&[("preview", "true")]).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    let previewed = shown.text.split("name=\"previewed\" value=\"").nth(1);
    let previewed = previewed.and_then(|rest| rest.split('"').next()).unwrap_or_default();
    let answer = send(&[("previewed", previewed)]).await;
    assert!([200, 303, 422].contains(&answer.status.as_u16()), "{}", answer.text);
    answer.status == 303
}

async fn exported(client: &Client, path: &str) -> Value {
    client.get(&format!("{path}/items/export?format=json")).await.expect(200)
}

#[tokio::test]
async fn the_form_and_the_api_import_the_same_of_any_table() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let mut dice = Dice(0x5EED_F00D);
    let (rounds, mut imported) = (times(30, 300), 0);
    for round in 0..rounds {
        let table = Written::draw(&mut dice);
        let mut ways = Vec::new();
        for way in ["api", "form"] {
            let path = auction(&ada, json!({})).await;
            let currency = json!({"code": "PT", "name": "Points", "rateToBase": "1", "inputMode": "SCALAR", "precision": 4});
            ada.post(&format!("{path}/currencies"), currency).await.expect(201);
            let is_pasted = table.separator.is_some() && round % 2 == 0;
            let is_done = match way {
                "api" => by_api(&ada, &path, &table).await,
                _ => by_form(&ada, &path, &table, is_pasted).await,
            };
            ways.push((is_done, exported(&ada, &path).await));
        }
        let case = (&table.cells, table.separator, table.locale);
        assert_eq!(ways[0], ways[1], "round {round}: {case:?}");
        let rows = ways[0].1["items"].as_array().unwrap().len();
        assert_eq!(ways[0].0, rows > 0, "round {round}: {case:?}");
        imported += u64::from(ways[0].0);
    }
    assert!(imported > rounds / 5, "{imported} tables are right");
}
