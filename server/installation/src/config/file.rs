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
    use super::parse;

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
}
