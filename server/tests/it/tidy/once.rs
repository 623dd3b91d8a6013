//! Tests that would do the same on both databases run once: `xtask/src/once.txt` names their modules.

use std::fs;
use std::path::Path;

use super::source::root;

const TESTS: &str = "server/tests/it";

/// Whether the tests of a file use the database that the test command names.
fn uses_the_named_database(file: &Path) -> bool {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    ["database::fresh(", "TestApp::", "Site::", "Sale::"].iter().any(|part| text.contains(part))
}

#[test]
fn modules_that_run_on_one_database_name_it_themselves() {
    let once = fs::read_to_string(root().join("xtask/src/once.txt")).unwrap();
    let mut wrong = Vec::new();
    for module in once.lines() {
        let path = root().join(TESTS).join(module.trim_end_matches(':').replace("::", "/"));
        let files = match fs::read_dir(&path) {
            Ok(folder) => folder.map(|entry| entry.unwrap().path()).collect(),
            Err(_) => vec![path.with_extension("rs")],
        };
        // These words themselves.
        let is_this = |file: &Path| file.ends_with("tidy/once.rs");
        wrong.extend(files.into_iter().filter(|file| !is_this(file) && uses_the_named_database(file)));
    }
    assert!(wrong.is_empty(), "take these off the list: {wrong:#?}");
}
