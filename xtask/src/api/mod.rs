//! The API against its OpenAPI document: a validator reads it, clients that are made from it are used, and
//! schemathesis sends generated requests to a demo server.

mod clients;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::measure::{DemoServer, HttpClient};
use crate::path_context::PathContext;
use crate::process;
use crate::python::Python;
use crate::works_with::Program;
use crate::workspace::Workspace;

/// A response must be documented, and no server error.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance";
/// Fixed, so that a failure can be repeated.
const SEED: &str = "1";

/// A part of the operations.
struct Part {
    paths: &'static str,
    is_signed_in: bool,
    seconds_max: &'static str,
}

/// All operations except for streams of events, which do not end, and those that end the session. Those that
/// close or give away what the others work on come last.
const PARTS: [Part; 3] = [
    Part {
        paths: "^/api/auth/(login|register|reset-password)$|^/api/invites/",
        is_signed_in: false,
        seconds_max: "30",
    },
    Part {
        paths: "^(?!/api/auth/|/api/user/(password|sessions/)|.*/(events|close|cancel|transfer)$)",
        is_signed_in: true,
        seconds_max: "200",
    },
    Part { paths: "/(close|cancel|transfer)$", is_signed_in: true, seconds_max: "30" },
];

/// The owner of the demo's first auction, and the password of all its accounts.
const OWNER: &str = "ada@example.org";
const PASSWORD: &str = "a farthing a bid";

/// Fails if the document is not valid, if a client that is made from it does not do what its user wants, or
/// if an operation answers with a server error, or with what the document does not describe.
pub fn check(workspace: &Workspace, python: &Python) -> Result<Vec<Program>> {
    let folder = workspace.scratch()?.join("api");
    // Left by an interrupted run.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).on_path("create", &folder)?;
    let outcome = check_demo(workspace, python, &folder);
    let _ = fs::remove_dir_all(&folder);
    outcome
}

fn check_demo(workspace: &Workspace, python: &Python, folder: &Path) -> Result<Vec<Program>> {
    let server = DemoServer::start(&workspace.binary(), folder)?;
    let mut owner = HttpClient::connect(&server.address)?;
    owner.post_json("/api/auth/login", &json!({"email": OWNER, "password": PASSWORD}))?;
    let mut rows = vec![
        clients::validate(python, &server.address)?,
        clients::in_python(python, folder, &server.address)?,
        clients::in_rust(workspace, &mut owner, &server.address)?,
    ];
    // The compiler takes longer than the server keeps an idle connection.
    let mut owner = HttpClient::resume(&server.address, owner.cookie())?;
    let settings = folder.join("schemathesis.toml");
    fs::write(&settings, parameters(&mut owner)?).on_path("write", &settings)?;
    let cookie = format!("Cookie: {}", owner.cookie().context("the server has set no cookie")?);
    for part in &PARTS {
        let mut command = python.module("schemathesis.cli");
        command.arg("--config-file").arg(&settings).arg("run");
        command.arg(format!("http://{}/api/openapi.json", server.address));
        command.args(["--checks", CHECKS, "--include-path-regex", part.paths]);
        command.args(["--seed", SEED, "--max-time", part.seconds_max, "--phases", "coverage,fuzzing"]);
        command.args(["--suppress-health-check", "all", "--warnings", "off", "--no-color"]);
        if part.is_signed_in {
            command.args(["--header", &cookie]);
        }
        process::run(command.current_dir(folder))?;
        // Requests without a session would find little.
        let signed_in = HttpClient::resume(&server.address, owner.cookie())?.get_json("/api/user");
        signed_in.context("a generated request has ended the session")?;
    }
    let seen = "no server error, and no answer that the document does not describe, signed in as the owner of an auction, for \
                five minutes at most";
    rows.push(Program::new("schemathesis", &python.version("schemathesis")?, seen));
    Ok(rows)
}

/// Settings by which paths lead to the demo's first auction, to an item in it on which its owner may bid, and
/// to a new book.
fn parameters(owner: &mut HttpClient) -> Result<String> {
    let first = |list: &Value, fits: &dyn Fn(&Value) -> bool| {
        let found = list.as_array().into_iter().flatten().find(|entry| fits(entry));
        found.and_then(|entry| entry["id"].as_str()).map(str::to_owned).context("the demo has changed")
    };
    let me = owner.get_json("/api/user")?["user"]["id"].clone();
    let auctions = owner.get_json("/api/auctions")?;
    let auction = first(&auctions["auctions"], &|auction| auction["myRole"] == "OWNER")?;
    let path = format!("/api/auctions/{auction}");
    let items = owner.get_json(&format!("{path}/items"))?;
    let item = first(&items["items"], &|item| item["status"] == "OPEN" && item["seller"]["id"] != me)?;
    let currency = first(&owner.get_json(&format!("{path}/currencies"))?["currencies"], &|_| true)?;
    let rule = first(&owner.get_json(&format!("{path}/currency-rules"))?["rules"], &|_| true)?;
    let terms = json!({"name": "Book of the test", "baseUnit": {"name": "Ticket", "symbol": ""}});
    let book = owner.post_json("/api/books", &terms)?["id"].as_str().map(str::to_owned);
    let book = book.context("the server has made no book")?;
    Ok(format!(
        "[parameters]\n\"path.auction_id\" = \"{auction}\"\n\"path.item_id\" = \"{item}\"\n\
         \"path.currency_id\" = \"{currency}\"\n\"path.rule_id\" = \"{rule}\"\n\"path.sequence\" = 1\n\
         \"path.book_id\" = \"{book}\"\n"
    ))
}
