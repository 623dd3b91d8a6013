//! Each invariant of `docs/ARCHITECTURE.md` names the tests that hold it.

use super::source::{read, root, words};

/// A numbered invariant of the section “What must stay true”.
struct Invariant {
    number: usize,
    text: String,
}

#[test]
fn every_invariant_names_tests_that_exist() {
    let invariants = invariants();
    assert_eq!(invariants.len(), 19, "docs/ARCHITECTURE.md lists nineteen invariants");
    let failures: Vec<_> = invariants.iter().filter_map(|invariant| invariant.failure()).collect();
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

fn invariants() -> Vec<Invariant> {
    let document = read("docs/ARCHITECTURE.md");
    let (_, section) = document.split_once("\n## What must stay true\n").expect("the section of invariants");
    let section = section.split("\n## ").next().unwrap_or("");
    let mut found: Vec<Invariant> = Vec::new();
    for line in section.lines() {
        let numbered = line.split_once(". ").and_then(|(number, text)| Some((number.parse().ok()?, text)));
        if let Some((number, text)) = numbered {
            found.push(Invariant { number, text: text.to_owned() });
        } else if let Some(last) = found.last_mut() {
            last.text.push_str(line);
        }
    }
    found
}

impl Invariant {
    /// The first name between the asterisks that is neither a file nor a test of the file before it.
    fn failure(&self) -> Option<String> {
        let fails = |what: String| Some(format!("docs/ARCHITECTURE.md: invariant {}: {what}", self.number));
        let tests = self.text.split('*').nth(1).unwrap_or("");
        let mut file = String::new();
        for name in tests.split('`').skip(1).step_by(2) {
            if name.contains('/') {
                let path = ["", "server/tests/it/"].iter().map(|folder| format!("{folder}{name}"));
                match path.into_iter().find(|path| root().join(path).is_file()) {
                    Some(path) => file = read(&path),
                    None => return fails(format!("there is no file {name}")),
                }
            } else if !words(&file)
                .zip(words(&file).skip(1))
                .any(|(before, word)| before.1 == "fn" && word.1 == name)
            {
                return fails(format!("there is no test {name} in the file named before it"));
            }
        }
        if file.is_empty() { fails("it names no test".to_owned()) } else { None }
    }
}
