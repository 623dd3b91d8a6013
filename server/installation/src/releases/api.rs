//! A release API: one address whose answer is the latest release, in the form of the forges.

use std::time::Duration;

use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{CheckError, FetchError, Release, ReleaseFile, transfer};
use platform::log_field::logged;

/// The timeout of a check, redirects included.
const WAIT_MAX: Duration = Duration::from_secs(10);
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
const URL_CHARS_MAX: usize = 2000;
/// Longer notes are cut off.
const NOTES_CHARS_MAX: usize = 10_000;

/// The members that are read of the answer.
#[derive(Deserialize)]
struct Answer {
    tag_name: String,
    /// Anything but a text counts as no link.
    #[serde(default)]
    html_url: Value,
    /// Anything but a text counts as no notes.
    #[serde(default)]
    body: Value,
    #[serde(default)]
    draft: bool,
    #[serde(default)]
    prerelease: bool,
    /// An entry that is not a file is left out.
    assets: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Asset {
    name: String,
    browser_download_url: String,
    size: u64,
}

pub(super) async fn latest(address: &str) -> Result<Release, CheckError> {
    let asked = tokio::time::timeout(WAIT_MAX, ask(address)).await;
    let body = asked.unwrap_or(Err(FetchError::TooSlow))?;
    read(&body, address)
}

async fn ask(address: &str) -> Result<Vec<u8>, FetchError> {
    let response = transfer::get(address, "application/json", WAIT_MAX).await?;
    transfer::read(response, ANSWER_BYTES_MAX).await
}

impl From<FetchError> for CheckError {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Unreachable | FetchError::Truncated => Self::Unreachable,
            FetchError::TooSlow => Self::TooSlow,
            FetchError::TooManyRedirects => Self::TooManyRedirects,
            FetchError::Status(status) => Self::Status(status),
            FetchError::TooLarge(_) => Self::TooLarge,
        }
    }
}

/// Reads the answer of the API at `address`.
fn read(body: &[u8], address: &str) -> Result<Release, CheckError> {
    let answer: Answer = serde_json::from_slice(body).map_err(|error| {
        tracing::warn!(error = logged(&error), "the release source's answer can't be read");
        CheckError::NotARelease
    })?;
    if answer.draft || answer.prerelease {
        return Err(CheckError::NoPlainVersion);
    }
    let tag = answer.tag_name.parse().map_err(|_| CheckError::NoPlainVersion)?;
    let url = answer.html_url.as_str().and_then(https);
    let notes = answer.body.as_str().and_then(readable);
    let is_secure = address.starts_with("https:");
    let assets = answer.assets.as_deref().map(RawValue::get).unwrap_or_default();
    let assets: Vec<&RawValue> = serde_json::from_str(assets).unwrap_or_default();
    let files = assets.into_iter().filter_map(|asset| serde_json::from_str::<Asset>(asset.get()).ok());
    let files = files.map(|Asset { name, browser_download_url, size }| ReleaseFile {
        name,
        address: download_address(&browser_download_url, is_secure),
        size,
    });
    Ok(Release { tag, url, notes, files: files.collect() })
}

/// The address of a file: over https, if the API is asked over https.
fn download_address(text: &str, is_secure: bool) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_allowed = url.scheme() == "https" || (url.scheme() == "http" && !is_secure);
    is_allowed.then(|| url.to_string())
}

/// The notes without control characters, which a database may refuse; `None` if nothing remains.
fn readable(text: &str) -> Option<String> {
    let letters = text.trim().chars().filter(|letter| !letter.is_control() || "\n\t".contains(*letter));
    let mut notes: String = letters.clone().take(NOTES_CHARS_MAX).collect();
    if letters.count() > NOTES_CHARS_MAX {
        notes.push('…');
    }
    (!notes.is_empty()).then_some(notes)
}

/// The address if it may be shown as a link: https, without a user name or password.
pub(super) fn https(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_plain = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
    let url = url.to_string();
    (is_plain && url.len() <= URL_CHARS_MAX).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    const API: &str = "https://releases.example.org/latest";

    fn release(members: &str, address: &str) -> Release {
        read(format!(r#"{{"tag_name": "v1.2.3", {members}}}"#).as_bytes(), address).unwrap()
    }

    fn url_of(html_url: &str) -> Option<String> {
        release(&format!(r#""html_url": {html_url}"#), API).url
    }

    #[test]
    fn only_a_plain_https_address_becomes_a_link() {
        assert_eq!(
            url_of(r#""https://example.org/r/1?a=b""#).as_deref(),
            Some("https://example.org/r/1?a=b")
        );
        for link in [
            "null",
            "1",
            "[]",
            r#"{"a": 1}"#,
            r#""""#,
            r#""javascript:alert(1)""#,
            r#""http://example.org/""#,
            r#""data:text/html,x""#,
            r#""//example.org""#,
            r#""https://user:word@example.org/""#,
        ] {
            assert_eq!(url_of(link), None, "{link}");
        }
        let long = format!(r#""https://example.org/{}""#, "a".repeat(URL_CHARS_MAX));
        assert_eq!(url_of(&long), None);
    }

    #[test]
    fn an_unreadable_answer_differs_from_a_release_that_is_not_offered() {
        for body in ["", "x", "[]", "{}", "null", r#"{"tag_name": 1}"#, r#"{"tag_name": null}"#] {
            assert_eq!(read(body.as_bytes(), API), Err(CheckError::NotARelease), "{body}");
        }
        for body in [
            r#"{"tag_name": "v2.0.0-rc1"}"#,
            r#"{"tag_name": "nightly"}"#,
            r#"{"tag_name": "v2.0.0", "prerelease": true}"#,
            r#"{"tag_name": "v2.0.0", "draft": true}"#,
        ] {
            assert_eq!(read(body.as_bytes(), API), Err(CheckError::NoPlainVersion), "{body}");
        }
    }

    #[test]
    fn notes_are_bounded_and_without_control_characters() {
        let notes = |body: &str| release(&format!(r#""body": {body}"#), API).notes;
        assert_eq!(notes(r##""# New\r\n\ta\u0000b\n""##).as_deref(), Some("# New\n\tab"));
        for none in ["null", "1", r#""""#, r#"" \n""#] {
            assert_eq!(notes(none), None, "{none}");
        }
        let long = notes(&format!(r#""{}""#, "é".repeat(NOTES_CHARS_MAX + 1))).unwrap();
        assert_eq!(long.chars().count(), NOTES_CHARS_MAX + 1);
        assert!(long.ends_with("é…"));
    }

    #[test]
    fn files_have_addresses_that_are_no_less_secure_than_the_api() {
        let assets = r#""assets": [
            {"name": "a", "browser_download_url": "https://store.example.net/a", "size": 1},
            {"name": "b", "browser_download_url": "http://store.example.net/b", "size": 2},
            {"name": "c", "browser_download_url": "file:///etc/passwd", "size": 3},
            {"name": "d", "browser_download_url": "https://store.example.net/d", "size": -4},
            {"name": "e"}, 5]"#;
        let has_address = |api: &str| {
            let files = release(assets, api).files.into_iter();
            files.map(|file| (file.name, file.address.is_some())).collect::<Vec<_>>()
        };
        let names = |b| [("a".to_owned(), true), ("b".to_owned(), b), ("c".to_owned(), false)];
        assert_eq!(has_address(API), names(false));
        assert_eq!(has_address("http://127.0.0.1:8000/latest"), names(true));
        assert_eq!(release(r#""assets": {}"#, API).files, []);
    }
}
