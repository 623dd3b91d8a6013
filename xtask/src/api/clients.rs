//! Clients made from the document, which do what a program of an auction's owner does: sign in, list, rename
//! an auction and an item and nothing else of them, place a bid, and read a picture.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{OWNER, PASSWORD};
use crate::measure::HttpClient;
use crate::path_context::PathContext;
use crate::process;
use crate::python::Python;
use crate::works_with::Program;
use crate::workspace::Workspace;

/// Validates the documents at the addresses: the validator's own program reads files only.
const VALIDATE: &str = "import json, sys, urllib.request
from openapi_spec_validator import validate
for address in sys.argv[1:]:
    validate(json.load(urllib.request.urlopen(address)))";

/// The document in OpenAPI 3.0.
const OLDER: &str = "/api/docs/openapi-3.0.json";

/// The package of the client that progenitor makes.
const MANIFEST: &str = include_str!("progenitor/Cargo.toml");

/// Validates the documents that are served.
pub fn validate(python: &Python, address: &str) -> Result<Program> {
    let documents = ["/api/openapi.json", OLDER].map(|path| format!("http://{address}{path}"));
    process::run(python.script(VALIDATE).args(documents))?;
    let version = python.version("openapi-spec-validator")?;
    Ok(Program::new("openapi-spec-validator", &version, "valid, of 3.1 and of 3.0"))
}

pub fn in_python(python: &Python, folder: &Path, address: &str) -> Result<Program> {
    let address = format!("http://{address}");
    let document = format!("{address}/api/openapi.json");
    let mut generate = python.module("openapi_python_client");
    generate.args(["generate", "--meta", "none", "--output-path", "client", "--url", &document]);
    process::run(generate.current_dir(folder))?;
    let mut script = python.script(include_str!("client.py"));
    process::run(script.arg(folder).args([&address, OWNER, PASSWORD]))?;
    let seen = "all of it. The three imports of tables are left out: it knows no media type of theirs";
    Ok(Program::new("openapi-python-client", &python.version("openapi-python-client")?, seen))
}

pub fn in_rust(workspace: &Workspace, server: &mut HttpClient, address: &str) -> Result<Program> {
    let folder = workspace.scratch()?.join("progenitor");
    let source = folder.join("src");
    fs::create_dir_all(&source).on_path("create", &source)?;
    let document = single_answers(server.get_json(OLDER)?).to_string();
    for (name, text) in [
        ("Cargo.toml", MANIFEST),
        ("Cargo.lock", include_str!("progenitor/Cargo.lock")),
        ("src/main.rs", include_str!("progenitor/main.rs")),
        ("openapi.json", &document),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).on_path("write", &path)?;
    }
    let mut client = workspace.cargo();
    client.args(["run", "--quiet", "--locked", "--", &format!("http://{address}"), OWNER, PASSWORD]);
    // Kept for the next run, beside the workspace's own target folder.
    process::run(client.current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")))?;
    let version = MANIFEST.split_once("progenitor = \"=").and_then(|(_, rest)| rest.split('"').next());
    let seen = "all of it, from the document in OpenAPI 3.0. Six operations with two kinds of answers are to be taken out of \
                the document first: it ends with `response_types.len() <= 1` otherwise";
    Ok(Program::new("progenitor (Rust)", version.context("the client names no version of progenitor")?, seen))
}

/// A document without the operations that have several kinds of answers of success: progenitor takes one.
fn single_answers(mut document: Value) -> Value {
    let paths = document["paths"].as_object_mut();
    for operations in paths.into_iter().flat_map(|paths| paths.values_mut()) {
        let Some(operations) = operations.as_object_mut() else { continue };
        operations.retain(|_, operation| {
            let answers = operation["responses"].as_object();
            answers.is_none_or(|answers| answers.keys().filter(|status| status.starts_with('2')).count() < 2)
        });
    }
    document
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::single_answers;

    #[test]
    fn operations_with_several_answers_of_success_are_left_out() {
        let operation = |statuses: &[&str]| {
            let responses: serde_json::Map<_, _> =
                statuses.iter().map(|one| ((*one).to_owned(), json!({}))).collect();
            json!({ "responses": responses })
        };
        let (one, two) = (operation(&["200", "4XX"]), operation(&["200", "201"]));
        let document = json!({"paths": {"/a": {"get": one, "post": two}}});
        assert_eq!(single_answers(document), json!({"paths": {"/a": {"get": one}}}));
    }
}
