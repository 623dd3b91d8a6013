//! The files of the workspace, with code, string literals and comments told apart.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A Rust file.
pub struct Source {
    /// Its path in the workspace, with `/`.
    pub path: String,
    /// The text with comments, the contents of string literals and test modules replaced by spaces, so that
    /// offsets stay.
    pub code: String,
    /// String literals outside test modules.
    pub strings: Vec<Piece>,
    /// Comments, those of test modules included.
    pub comments: Vec<Piece>,
    line_starts: Vec<usize>,
}

/// A part of a file.
#[derive(Debug, PartialEq)]
pub struct Piece {
    pub offset: usize,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Code,
    Comment,
    /// A string literal with this many bytes before and after its contents.
    Text(usize, usize),
}

static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let paths = paths(&["app", "bench", "rules-engine", "server", "xtask"], &[".rs"]);
    paths.iter().map(|path| Source::new(path, &read(path))).collect()
});

/// The workspace's folder. The variable is read when the test runs, so that a copy of the tree tests itself.
pub fn root() -> PathBuf {
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo names the folder of the tree under test, no setting"
    )]
    let server = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    Path::new(&server).parent().expect("the folder above server").to_owned()
}

/// The text of a file, by its path in the workspace.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All Rust files in `src` folders below these folders of the workspace.
pub fn below(folders: &[&str]) -> impl Iterator<Item = &'static Source> {
    let is_within = |source: &Source| folders.iter().any(|folder| source.path.starts_with(folder));
    SOURCES.iter().filter(move |source| source.path.contains("/src/") && is_within(source))
}

/// All Rust files, tests included.
pub fn all() -> &'static [Source] {
    &SOURCES
}

/// The paths of all files below these folders of the workspace whose names have one of these endings.
pub fn paths(folders: &[&str], endings: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root().join(folder), endings, &mut paths);
    }
    paths.sort();
    paths
}

fn collect(folder: &Path, endings: &[&str], paths: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && name != "target" && name != "node_modules" {
            collect(&path, endings, paths);
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            let relative = path.strip_prefix(root()).unwrap();
            paths.push(relative.to_string_lossy().replace('\\', "/"));
        }
    }
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        let mut code = text.as_bytes().to_vec();
        let (mut strings, mut comments) = (Vec::new(), Vec::new());
        let mut offset = 0;
        while offset < text.len() {
            let (kind, length) = token(text.as_bytes(), offset);
            let (start, end) = match kind {
                Kind::Code => (offset, offset),
                Kind::Comment => (offset, offset + length),
                Kind::Text(before, after) => (offset + before, offset + length - after),
            };
            let piece = || Piece { offset: start, text: text[start..end].to_owned() };
            match kind {
                Kind::Code => {}
                Kind::Comment => comments.push(piece()),
                Kind::Text(..) => strings.push(piece()),
            }
            blank(&mut code[start..end]);
            offset += length;
        }
        let mut code = String::from_utf8(code).expect("whole characters are replaced");
        for tests in test_modules(&code) {
            strings.retain(|piece| !tests.contains(&piece.offset));
            code.replace_range(tests.clone(), &spaces(&code[tests]));
        }
        let line_starts = text.match_indices('\n').map(|(offset, _)| offset).collect();
        Self { path: path.to_owned(), code, strings, comments, line_starts }
    }

    pub fn line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start < offset) + 1
    }

    /// The words of the code with their offsets.
    pub fn words(&self) -> impl Iterator<Item = (usize, &str)> {
        words(&self.code)
    }
}

/// Letters, digits and `_` between other characters, with their offsets.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split(move |character| !is_part(character))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The kind and length of what begins at `offset`.
fn token(text: &[u8], offset: usize) -> (Kind, usize) {
    let rest = &text[offset..];
    let is_in_word = offset > 0 && (text[offset - 1].is_ascii_alphanumeric() || text[offset - 1] == b'_');
    match rest {
        [b'/', b'/', ..] => (Kind::Comment, find(rest, b"\n").unwrap_or(rest.len())),
        [b'/', b'*', ..] => (Kind::Comment, find(rest, b"*/").map_or(rest.len(), |end| end + 2)),
        [b'"', ..] => quoted(rest),
        [b'r', b'"' | b'#', ..] if !is_in_word => raw(rest, 1).unwrap_or((Kind::Code, 1)),
        [b'b', b'r', ..] if !is_in_word => raw(rest, 2).unwrap_or((Kind::Code, 1)),
        [b'\'', b'\\', _, more @ ..] => (Kind::Code, 3 + find(more, b"'").map_or(0, |end| end + 1)),
        [b'\'', _, b'\'', ..] => (Kind::Code, 3),
        _ => (Kind::Code, 1),
    }
}

fn quoted(rest: &[u8]) -> (Kind, usize) {
    let mut end = 1;
    while end < rest.len() && rest[end] != b'"' {
        end += if rest[end] == b'\\' { 2 } else { 1 };
    }
    (Kind::Text(1, 1), end + 1)
}

/// A raw string literal after `prefix` letters.
fn raw(rest: &[u8], prefix: usize) -> Option<(Kind, usize)> {
    let hashes = rest[prefix..].iter().take_while(|byte| **byte == b'#').count();
    let start = prefix + hashes + 1;
    if rest.get(start - 1) != Some(&b'"') {
        return None;
    }
    let close = [b"\"", "#".repeat(hashes).as_bytes()].concat();
    let length = start + find(&rest[start..], &close)? + close.len();
    Some((Kind::Text(start, close.len()), length))
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

fn spaces(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    blank(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Modules with the attribute `#[cfg(test)]`, and other items with it.
fn test_modules(code: &str) -> Vec<std::ops::Range<usize>> {
    let marks = code.match_indices("#[cfg(test)]");
    marks.map(|(start, _)| start..start + item_length(&code[start..])).collect()
}

/// The length of the item at the beginning of `code`: to its closing brace, or to a semicolon before the
/// first brace.
pub fn item_length(code: &str) -> usize {
    let mut depth = 0;
    for (offset, character) in code.char_indices() {
        match character {
            ';' if depth == 0 => return offset + 1,
            '{' => depth += 1,
            '}' if depth == 1 => return offset + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

#[test]
fn code_strings_and_comments_are_told_apart() {
    let text = "let a = \"x // \\\" y\"; // c \"d\"\nlet b: &'a str = r#\"e\"f\"#; '\"'; b'\\''\n\
        #[cfg(test)]\nmod tests { \"g\" /* h */ }\nfn i() {}";
    let source = Source::new("a.rs", text);
    let texts = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&source.strings), ["x // \\\" y", "e\"f"]);
    assert_eq!(texts(&source.comments), ["// c \"d\"", "/* h */"]);
    assert_eq!(
        source.code.split_whitespace().collect::<String>(),
        "leta=\"\";letb:&'astr=r#\"\"#;'\"';b'\\''fni(){}"
    );
    assert_eq!(source.line(text.find("fn i").unwrap()), 5);
}
