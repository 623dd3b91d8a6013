//! The packages of the workspace and the dependencies between them.

use std::collections::BTreeSet;

use super::source::read;

/// Every package's folder and name, with the packages of the workspace that it may depend on.
const STOREYS: &[(&str, &str, &[&str])] = &[
    ("app", "app", &["rules-engine"]),
    ("bench", "bench", &["accounts", "auction-house", "installation", "platform", "server"]),
    ("rules-engine", "rules-engine", &[]),
    ("rules-engine/wasm", "rules-engine-wasm", &["rules-engine"]),
    ("server", "server", &["accounts", "app", "auction-house", "installation", "platform", "rules-engine"]),
    ("server/accounts", "accounts", &["platform"]),
    ("server/auction-house", "auction-house", &["accounts", "platform", "rules-engine"]),
    ("server/installation", "installation", &["accounts", "platform"]),
    ("server/platform", "platform", &[]),
    ("xtask", "xtask", &[]),
    ("xtask/wasm-test-runner", "wasm-test-runner", &[]),
];

#[test]
fn packages_depend_on_storeys_below_them() {
    let packages: Vec<_> = STOREYS.iter().map(|(_, name, _)| *name).collect();
    let mut failures = Vec::new();
    for (folder, name, allowed) in STOREYS {
        let manifest = format!("{folder}/Cargo.toml");
        for (line, _, dependency) in dependencies(&read(&manifest)) {
            if packages.contains(&&*dependency) && !allowed.contains(&&*dependency) {
                failures.push(format!(
                    "{manifest}:{line}: {name} must not depend on {dependency}: docs/ARCHITECTURE.md lists the edges"
                ));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

#[test]
fn every_package_has_a_storey() {
    let root = read("Cargo.toml");
    let members = root.lines().find(|line| line.starts_with("members = ")).expect("one line of members");
    let members: BTreeSet<_> = members.split('"').skip(1).step_by(2).collect();
    let storeys: BTreeSet<_> = STOREYS.iter().map(|(folder, _, _)| *folder).collect();
    assert_eq!(members, storeys, "STOREYS in tidy/storeys.rs names every member of the workspace");
}

/// Each dependency of a manifest: its line, the last part of its table's name, and its own name.
fn dependencies(manifest: &str) -> Vec<(usize, String, String)> {
    let (mut table, mut found) = (String::new(), Vec::new());
    for (index, line) in manifest.lines().enumerate() {
        if let Some(header) = line.strip_prefix('[') {
            table = header.trim_end_matches(']').rsplit('.').next().unwrap_or("").to_owned();
        } else if table.ends_with("dependencies") {
            let name = line.split(['.', ' ', '=']).next().unwrap_or("");
            found.push((index + 1, table.clone(), name.to_owned()));
        }
    }
    found
}

#[test]
fn dependencies_are_read_from_every_table() {
    let manifest = "[package]\nname = \"a\"\n[dependencies]\nb.workspace = true\nc = { path = \"c\" }\n\
        [target.'cfg(unix)'.dev-dependencies]\nd = \"1\"\n[features]\ne = []\n";
    let found = dependencies(manifest);
    let found: Vec<_> =
        found.iter().map(|(line, table, name)| (*line, table.as_str(), name.as_str())).collect();
    assert_eq!(found, [(4, "dependencies", "b"), (5, "dependencies", "c"), (7, "dev-dependencies", "d")]);
}
