//! Records every page as every caller gets it, so that two versions of the program can be compared byte by
//! byte.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::path::PathBuf;

use installation::config::Switch;
use server::demo::{self, Demo};

use super::callers::{CALLERS, Callers};
use super::table::PAGES;
use crate::harness::{Client, TestApp};

/// The most pages of the demo that one person is shown.
const PAGES_MAX: usize = 250;

/// The folder into which pages are recorded.
fn folder() -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "a variable of the tests, not a setting of the server")]
    let folder = std::env::var_os("FARTHING_RECORD_PAGES").expect("FARTHING_RECORD_PAGES names a folder");
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Every page of the table, then every form, posted without fields: a refused one shows its page again.
#[tokio::test]
#[ignore = "writes files for a comparison: CONTRIBUTING says when"]
async fn pages_of_the_table_are_recorded() {
    let folder = folder();
    let mut callers = Callers::start().await;
    let pages: Vec<_> = PAGES.iter().filter(|(method, ..)| *method == "get").collect();
    let forms: Vec<_> = PAGES.iter().filter(|(method, ..)| *method == "post").collect();
    let mut records: Vec<Record> = CALLERS.iter().map(|_| Record::default()).collect();
    for is_readable in [false, true] {
        if is_readable {
            callers.let_anyone_read().await;
        }
        for (method, path, _) in &pages {
            for (caller, record) in records.iter_mut().enumerate() {
                let response = callers.respond(caller, method, path).await;
                record.add(method, path, response.status().as_u16(), &response.text().await.unwrap());
            }
        }
    }
    for (method, path, _) in &forms {
        for (caller, record) in records.iter_mut().enumerate() {
            let response = callers.respond(caller, method, path).await;
            record.add(method, path, response.status().as_u16(), &response.text().await.unwrap());
        }
    }
    for (name, record) in CALLERS.iter().zip(records) {
        std::fs::write(folder.join(format!("table-{name}.html")), record.text).unwrap();
    }
}

/// The pages of the demo that lead from one to the next, for a visitor and for each person.
#[tokio::test]
#[ignore = "writes files for a comparison: CONTRIBUTING says when"]
async fn pages_of_the_demo_are_recorded() {
    let folder = folder();
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::Off).await;
    let Demo::Present(window) = demo::fill(&app.state).await.unwrap() else { panic!("not added") };
    app.state.demo.set(window.clone()).unwrap();
    app.reconcile().await;
    let visitor = follow(&app.anonymous()).await;
    std::fs::write(folder.join("demo-visitor.html"), visitor).unwrap();
    for person in &window.people {
        let client = app.anonymous();
        let form = [("email", person.email.as_str()), ("password", &window.password)];
        client.post_form("/sign-in", &form).await;
        let text = follow(&client).await;
        std::fs::write(folder.join(format!("demo-{}.html", person.name)), text).unwrap();
    }
}

/// The pages to which the links of pages lead, in the order in which they are found.
async fn follow(client: &Client) -> String {
    let mut record = Record::default();
    let mut waiting: VecDeque<String> =
        ["/", "/dashboard", "/books", "/groups", "/auctions"].map(str::to_owned).into();
    let mut found: BTreeSet<String> = waiting.iter().cloned().collect();
    let mut count = 0;
    while let Some(path) = waiting.pop_front().filter(|_| count < PAGES_MAX) {
        let answer = client.get(&path).await;
        count += 1;
        for link in answer.text.split(" href=\"/").skip(1) {
            let link = link.split(['"', '#']).next().unwrap_or_default().replace("&amp;", "&");
            let link = format!("/{link}");
            let is_page = !["/api", "/assets", "/pictures"].iter().any(|start| link.starts_with(start));
            if is_page && !link.contains('.') && found.insert(link.clone()) {
                waiting.push_back(link);
            }
        }
        if answer.header("content-type").starts_with("text/html") {
            record.add("get", &path, answer.status.as_u16(), &answer.text);
        }
    }
    record.text
}

/// Pages of one caller. What differs from run to run is replaced by its number in the order of appearance.
#[derive(Default)]
struct Record {
    text: String,
    names: BTreeMap<String, usize>,
}

impl Record {
    fn add(&mut self, method: &str, path: &str, status: u16, html: &str) {
        let path = self.normalized(path);
        let html = self.normalized(html).replace("><", ">\n<");
        writeln!(self.text, "\n===== {method} {path} {status}\n{html}").unwrap();
    }

    fn normalized(&mut self, text: &str) -> String {
        let mut normalized = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let length = random_length(rest, &normalized);
            if length > 0 {
                let next = self.names.len();
                let number = self.names.entry(rest[..length].to_owned()).or_insert(next);
                write!(normalized, "#{number}").unwrap();
                rest = &rest[length..];
            } else {
                let end = rest.chars().next().map_or(0, char::len_utf8);
                normalized.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
        normalized
    }
}

/// The length of a value at the beginning of `rest` that differs from run to run: an id, a token, a nonce,
/// the code of a group, what a QR code shows, a port, the space on the disk.
fn random_length(rest: &str, before: &str) -> usize {
    let after = |start| before.ends_with(start);
    let tag = || rest.split(['<', '>']).next().unwrap_or_default();
    let is_code = || rest.chars().take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit()).count() == 6;
    let is_random =
        ["nonce=\"", "127.0.0.1:", "fill=\"#fff\"></rect><path d=\"", "group-code\">"].into_iter().any(after)
            || ["name=\"code\" value=\"", "</a>, code ", "<dd>"].into_iter().any(after) && is_code()
            || after("viewBox=\"") && tag().contains("qr-code")
            || after("<span>") && tag().ends_with(" GB are free.");
    if is_random {
        return rest.find(['"', '<', '/', ',']).unwrap_or(rest.len());
    }
    let is_part = |character: char| character.is_ascii_hexdigit() || character == '-';
    let length = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
    let word = &rest[..length];
    let is_id = word.get(..36).is_some_and(|id| id.matches('-').count() == 4 && id[8..].starts_with('-'));
    let is_hex = length >= 32 && !word.contains('-');
    if is_id {
        36
    } else if is_hex {
        length
    } else {
        0
    }
}
