//! `farthing.toml`.

use std::path::Path;

use super::Given;

/// Why the file is not valid, in one line.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("can't read `{path}`: {cause}")]
    Read { path: String, cause: std::io::Error },
    #[error("`{path}`, line {line}: {reason}")]
    Content { path: String, line: usize, reason: String },
    /// In the file that a variable names, whose content may be a secret.
    #[error("the file in `{variable}`: {reason}")]
    Named { variable: &'static str, reason: String },
}

/// Whether a value of the file has an address with a password.
pub(crate) fn has_password(text: &str) -> bool {
    let values = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let places = values.filter_map(|line| Some(line.split_once("://")?.1));
    places.filter_map(|place| Some(place.rsplit_once('@')?.0)).any(|user| user.contains(':'))
}

/// Reads the file. A missing file is empty.
pub(super) fn read(path: &Path) -> Result<Given, FileError> {
    let shown = || path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text).map_err(|(line, reason)| FileError::Content { path: shown(), line, reason }),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(Given::default()),
        Err(cause) => Err(FileError::Read { path: shown(), cause }),
    }
}

/// Reads the file without the lines that have an error, and every error.
pub(super) fn read_valid_lines(path: &Path) -> (Given, Vec<FileError>) {
    match std::fs::read_to_string(path) {
        Ok(text) => {
            let (given, errors) = parse_valid_lines(text);
            let shown = || path.display().to_string();
            let named = |(line, reason)| FileError::Content { path: shown(), line, reason };
            (given, errors.into_iter().map(named).collect())
        }
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => (Given::default(), Vec::new()),
        Err(cause) => (Given::default(), vec![FileError::Read { path: path.display().to_string(), cause }]),
    }
}

/// Removes the line of each error and parses again.
fn parse_valid_lines(mut text: String) -> (Given, Vec<(usize, String)>) {
    let mut errors = Vec::new();
    loop {
        let (line, reason) = match parse(&text) {
            Ok(given) => return (given, errors),
            Err(error) => error,
        };
        errors.push((line, reason));
        let lines = text.lines().enumerate();
        let rest: Vec<&str> = lines.map(|(at, text)| if at + 1 == line { "" } else { text }).collect();
        let rest = rest.join("\n");
        // The error is of a line that is empty already.
        if rest == text {
            return (Given::default(), errors);
        }
        text = rest;
    }
}

fn parse(text: &str) -> Result<Given, (usize, String)> {
    toml::from_str(text).map_err(|error| line_and_reason(text, &error))
}

/// The line of an error, counted from 1, and the reason in one line.
pub(crate) fn line_and_reason(text: &str, error: &toml::de::Error) -> (usize, String) {
    let start = error.span().map_or(0, |span| span.start);
    let line = 1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count();
    let reason = error.message().replace('\n', " ");
    let is_bare = text.lines().nth(line - 1).is_some_and(lacks_quotation_marks);
    let hint = if is_bare { "; a text must stand in quotation marks: key = \"value\"" } else { "" };
    (line, format!("{reason}{hint}"))
}

/// Whether the value of a line is a text without quotation marks.
fn lacks_quotation_marks(line: &str) -> bool {
    let Some((_, value)) = line.split_once('=') else { return false };
    let value = value.trim();
    let is_other = value.starts_with(['"', '\'', '[', '{']) || ["true", "false"].contains(&value);
    !value.is_empty() && !is_other && value.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::{has_password, parse, parse_valid_lines};

    #[test]
    fn a_password_in_an_address_is_found() {
        for text in ["smtp-url = \"smtp://ada:x@h\"", "a = 1\ndatabase-url = \"postgres://a:b@c@h/x\"\n"] {
            assert!(has_password(text), "{text}");
        }
        for text in
            ["", "public-url = \"https://a.example:80\"", "# smtp://ada:x@h", "x = \"postgres://ada@h/x\""]
        {
            assert!(!has_password(text), "{text}");
        }
    }

    #[test]
    fn a_text_without_quotation_marks_is_explained() {
        for text in ["listen = 127.0.0.1:3000\n", "data-dir = /srv/data\n", "log-format = json\n"] {
            let (line, reason) = parse(text).expect_err("no TOML");
            assert!(line == 1 && reason.contains("in quotation marks"), "{text}: {reason}");
        }
        let (_, reason) = parse("log-format = 1\n").expect_err("a number");
        assert!(!reason.contains("quotation marks"), "{reason}");
    }

    #[test]
    fn reads_every_kind_of_value() {
        let given = parse(
            "listen = \"0.0.0.0:80\"\npublic-url = \"https://bids.example\"\nrate-limits = \"off\"\n\
             trusted-proxies = \"10.0.0.0/8, ::1\"\nlog-format = \"json\"\n",
        );
        assert!(given.is_ok_and(|given| given.listen.is_some() && given.trusted_proxies.is_some()));
    }

    #[test]
    fn names_an_unknown_key_and_its_line() {
        let (line, reason) = parse("# mine\nlisten_on = \"x\"\n").expect_err("an unknown key");
        assert_eq!(line, 2);
        assert!(reason.contains("`listen_on`"), "{reason}");
    }

    #[test]
    fn names_the_line_of_a_bad_value() {
        let (line, reason) = parse("\n\nlisten = \"3000\"\n").expect_err("a bad address");
        assert_eq!(line, 3);
        assert!(reason.contains("address of a socket"), "{reason}");
    }
    #[test]
    fn every_error_is_found() {
        let text = "listen = \"3000\"\npublik-url = \"x\"\ndata-dir = \"elsewhere\"\nrate-limits = \"of\nlog-format = 1";
        let (given, errors) = parse_valid_lines(text.to_owned());
        assert_eq!(given.data_dir.unwrap().to_str(), Some("elsewhere"));
        let mut lines: Vec<usize> = errors.iter().map(|(line, _)| *line).collect();
        lines.sort_unstable();
        assert_eq!(lines, [1, 2, 4, 5], "{errors:?}");
    }
}
