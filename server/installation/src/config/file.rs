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
    (line, error.message().replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_valid_lines};

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
        assert!(reason.contains("socket address"), "{reason}");
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
