//! A database of each released version opens in this one, and holds the same: sign-ins, ledgers and totals.
//! `server/tests/databases/README.md` says how they are made.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use platform::db::Database;
use serde_json::{Map, Value, json};
use server::demo::{self, Demo};

use crate::harness::TestApp;

const THIS: &str = env!("CARGO_PKG_VERSION");
/// Makes the database of this version anew before the test.
const WRITE: &str = "FARTHING_WRITE_DATABASE";

#[tokio::test]
async fn the_database_of_each_released_version_opens_and_holds_the_same() {
    #[expect(clippy::disallowed_methods, reason = "a variable of the tests, not a setting of the server")]
    if std::env::var_os(WRITE).is_some() {
        write_database().await;
    }
    let mut versions: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".json.gz")?.to_owned()))
        .collect();
    versions.sort();
    assert!(versions.iter().any(|version| version == THIS), "no database of {THIS}: see the README there");
    for version in versions {
        let wanted: Value = serde_json::from_slice(&unpacked(&format!("{version}.json.gz"))).unwrap();
        let files = tempfile::tempdir().unwrap();
        let file = files.path().join("farthing.db");
        std::fs::write(&file, unpacked(&format!("{version}.db.gz"))).unwrap();
        let database_url = format!("sqlite://{}", file.display());
        // It migrates.
        let opened = Database::open(&database_url).await;
        let opened = opened.unwrap_or_else(|error| {
            panic!("the database of {version} does not open: {error}. Before the first release, {WRITE}=1 makes it anew")
        });
        opened.close().await;
        let app = TestApp::start_with(|settings| settings.database_url = database_url).await;
        app.reconcile().await;
        let emails: Vec<String> = serde_json::from_value(wanted["emails"].clone()).unwrap();
        let found = record(&app, &emails, wanted["password"].as_str().unwrap()).await;
        if let Some(difference) = missing(&found, &wanted, "") {
            panic!("{version}: {difference}");
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases")
}

fn unpacked(name: &str) -> Vec<u8> {
    let path = folder().join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut content = Vec::new();
    GzDecoder::new(file).read_to_end(&mut content).unwrap();
    content
}

fn pack(name: &str, content: &[u8]) {
    let file = std::fs::File::create(folder().join(name)).unwrap();
    let mut packed = GzEncoder::new(file, Compression::best());
    packed.write_all(content).unwrap();
    packed.finish().unwrap();
}

/// Writes the demo as the database of this version, and what it holds.
async fn write_database() {
    let files = tempfile::tempdir().unwrap();
    let [file, copy] = ["farthing.db", "copy.db"].map(|name| files.path().join(name));
    let database_url = format!("sqlite://{}", file.display());
    let app = TestApp::start_with(|settings| settings.database_url = database_url).await;
    let Demo::Present(window) = demo::fill(&app.state).await.unwrap() else { panic!("not empty") };
    app.reconcile().await;
    let emails: Vec<String> = window.people.into_iter().map(|person| person.email).collect();
    let holds = record(&app, &emails, &window.password).await;
    let read = holds["answers"].as_object().unwrap();
    for part in
        ["/currencies", "/export?format=json", "/bids?limit=100", "/holders?limit=100", "/entries?limit=100"]
    {
        assert!(read.keys().any(|path| path.ends_with(part)), "{part}");
    }
    let source = rusqlite::Connection::open(file).unwrap();
    source.execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    pack(&format!("{THIS}.db.gz"), &std::fs::read(copy).unwrap());
    pack(&format!("{THIS}.json.gz"), holds.to_string().as_bytes());
}

/// What users read: everyone signs in, and the first of them reads auctions, ledgers, results and books.
async fn record(app: &TestApp, emails: &[String], password: &str) -> Value {
    let sign_in = async |email: &String| {
        let client = app.anonymous();
        client.post("/api/auth/login", json!({"email": email, "password": password})).await.expect(200);
        client
    };
    let reader = sign_in(emails.first().unwrap()).await;
    let mut users = Vec::new();
    for email in emails {
        users.push(sign_in(email).await.get("/api/user").await.expect(200));
    }
    let mut answers = Map::new();
    let mut answer = async |path: String| -> Value {
        let answer = reader.get(&path).await;
        // Only an owner exports.
        if answer.status != 200 {
            return Value::Null;
        }
        answers.insert(path, answer.json());
        answer.json()
    };
    for auction in ids(&answer("/api/auctions?limit=100".to_owned()).await["auctions"]) {
        let auction = format!("/api/auctions/{auction}");
        answer(auction.clone()).await;
        for part in ["members", "currencies", "export?format=json"] {
            answer(format!("{auction}/{part}")).await;
        }
        for item in ids(&answer(format!("{auction}/items?limit=100")).await["items"]) {
            answer(format!("{auction}/items/{item}")).await;
            answer(format!("{auction}/items/{item}/bids?limit=100")).await;
        }
    }
    for book in ids(&answer("/api/books?limit=100".to_owned()).await["books"]) {
        for part in ["holders", "entries"] {
            answer(format!("/api/books/{book}/{part}?limit=100")).await;
        }
    }
    json!({"emails": emails, "password": password, "users": users, "answers": answers})
}

fn ids(list: &Value) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| Some(item["id"].as_str()?.to_owned())).collect()
}

/// The place of the first value that `found` lacks. A later version may answer with more members.
fn missing(found: &Value, wanted: &Value, place: &str) -> Option<String> {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => wanted.iter().find_map(|(name, wanted)| {
            missing(found.get(name).unwrap_or(&Value::Null), wanted, &format!("{place} {name}"))
        }),
        (Value::Array(found), Value::Array(wanted)) if found.len() == wanted.len() => {
            let pairs = found.iter().zip(wanted).enumerate();
            pairs
                .into_iter()
                .find_map(|(at, (found, wanted))| missing(found, wanted, &format!("{place} {at}")))
        }
        _ => (found != wanted).then(|| format!("{place} is {found}, and was {wanted}")),
    }
}
