//! The pages for operators name commands, flags, files and headings that exist.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::source::root;
use super::spec::commands_of;

/// Flags that the help does not list.
const HIDDEN: &[&str] = &["--supervised-by"];
/// Words before the name of the user or of the unit `farthing`, which is no command there.
const OF_OTHERS: &[&str] =
    &["-u", "-iu", "-o", "-g", "reload", "edit", "start", "stop", "exec", "enable", "--now"];

/// The pages with their texts.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = root().join("docs/operate");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages
        .chain([root().join("README.md")])
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

/// What stands in code: the lines of blocks, and the spans between backquotes.
fn code(text: &str) -> Vec<String> {
    let (mut found, mut prose) = (Vec::new(), String::new());
    for (place, part) in text.split("```").enumerate() {
        match place % 2 {
            0 => prose.push_str(part),
            _ => found.extend(part.lines().skip(1).map(str::to_owned)),
        }
    }
    found.extend(prose.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")));
    found
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|char| char.is_ascii_lowercase() || char == '-')
        && !text.starts_with('-')
}

#[test]
fn every_command_in_the_pages_exists() {
    let mut commands = commands_of(&[]);
    commands.extend(["help".to_owned(), "farthing".to_owned()]);
    let mut unknown = Vec::new();
    for (path, text) in pages() {
        for line in code(&text) {
            let words: Vec<&str> = line.split_whitespace().collect();
            for (place, pair) in words.windows(2).enumerate() {
                let before = place.checked_sub(1).map_or("", |before| words[before]);
                let is_command =
                    pair[0].rsplit('/').next() == Some("farthing") && !OF_OTHERS.contains(&before);
                if is_command && is_word(pair[1]) && !commands.iter().any(|command| command == pair[1]) {
                    unknown.push(format!("{}: `{line}`", path.display()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "\n{}\n", unknown.join("\n"));
}

#[test]
fn every_flag_in_the_pages_exists() {
    let help = |command: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_farthing")).args(command).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let mut known = help(&[]);
    for command in commands_of(&[]) {
        known += &help(&[&command]);
    }
    let known: Vec<&str> = known.split(|char: char| char.is_whitespace() || char == ',').collect();
    let mut unknown = Vec::new();
    for (path, text) in pages() {
        for span in code(&text).iter().filter(|span| span.starts_with("--")) {
            let flag = span.split([' ', '=']).next().unwrap();
            if !known.contains(&flag) && !HIDDEN.contains(&flag) {
                unknown.push(format!("{}: `{span}`", path.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "\n{}\n", unknown.join("\n"));
}

#[test]
fn every_link_of_the_pages_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    for (path, text) in pages() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            if !target.exists() || !(heading.is_empty() || has_heading(&target, heading)) {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

fn has_heading(page: &Path, wanted: &str) -> bool {
    let text = std::fs::read_to_string(page).unwrap();
    let slug = |line: &str| {
        let kept = |char: &char| char.is_ascii_alphanumeric() || [' ', '-'].contains(char);
        line.trim_start_matches('#')
            .trim()
            .to_ascii_lowercase()
            .chars()
            .filter(kept)
            .collect::<String>()
            .replace(' ', "-")
    };
    text.lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == wanted)
}
