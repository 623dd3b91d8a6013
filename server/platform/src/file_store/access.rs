//! Address and credentials of an S3-compatible store, in the variables that its other clients read.

use std::fmt;

use object_store::aws::AmazonS3Builder;
use url::{Host, Url};

use super::StoreError;

/// The variables that are read. Others of the store's clients would weaken TLS, or name another bucket.
const VARIABLES: [&str; 18] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "AWS_SERVER_SIDE_ENCRYPTION",
    "AWS_SSE_KMS_KEY_ID",
    ALLOW_HTTP,
];
const ALLOW_HTTP: &str = "AWS_ALLOW_HTTP";
/// The address of the store; the first one that is set counts.
const ENDPOINTS: [&str; 3] = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];

/// Each is a source of credentials.
const CREDENTIALS: [&str; 4] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/// The variables with address and credentials of a store. Its debug output does not contain their values.
#[derive(Clone, Default)]
pub struct BucketAccess(Vec<(String, String)>);

impl fmt::Debug for BucketAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl BucketAccess {
    /// Takes what it reads from the environment variables.
    pub fn from_variables<N: AsRef<str>>(all: impl IntoIterator<Item = (N, String)>) -> Self {
        let known = |name: &str| VARIABLES.contains(&name);
        let taken = all.into_iter().filter(|(name, value)| known(name.as_ref()) && !value.is_empty());
        Self(taken.map(|(name, value)| (name.as_ref().to_owned(), value)).collect())
    }

    fn value(&self, wanted: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
    }

    /// Whether the connection is without TLS.
    ///
    /// # Errors
    /// It would be, to another machine or without being allowed.
    pub(super) fn is_plain_http(&self) -> Result<bool, StoreError> {
        let given = ENDPOINTS.iter().find_map(|name| Some((*name, self.value(name)?)));
        let Some((variable, endpoint)) = given else { return Ok(false) };
        let url =
            Url::parse(endpoint).ok().filter(|url| url.username().is_empty() && url.password().is_none());
        let is_allowed = self.value(ALLOW_HTTP).is_some_and(|value| ["true", "1"].contains(&value));
        match url.as_ref().map(Url::scheme) {
            Some("https") => Ok(false),
            Some("http") if is_allowed && url.as_ref().is_some_and(is_loopback) => Ok(true),
            _ => Err(StoreError::Endpoint { variable }),
        }
    }

    /// Whether there are credentials, or a place that gives some, other than the machine's own.
    pub(super) fn has_credentials(&self) -> bool {
        CREDENTIALS.iter().any(|name| self.value(name).is_some())
    }

    /// The builder with these values.
    pub(super) fn configure(&self, builder: AmazonS3Builder) -> AmazonS3Builder {
        self.0.iter().filter(|(name, _)| name != ALLOW_HTTP).fold(
            builder,
            |builder, (name, value)| match name.to_ascii_lowercase().parse() {
                Ok(key) => builder.with_config(key, value),
                Err(_) => builder,
            },
        )
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use object_store::aws::AmazonS3ConfigKey;

    use super::*;

    fn access(variables: &[(&str, &str)]) -> BucketAccess {
        BucketAccess::from_variables(variables.iter().map(|(name, value)| (*name, (*value).to_owned())))
    }

    #[test]
    fn only_this_machine_is_reached_without_tls() {
        for (endpoint, allowed, expected) in [
            ("https://s3.example.org", "", Some(false)),
            ("http://127.0.0.1:9000", "true", Some(true)),
            ("http://localhost:9000", "1", Some(true)),
            ("http://[::1]:9000", "true", Some(true)),
            ("http://127.0.0.1:9000", "", None),
            ("http://s3.example.org", "true", None),
            ("http://127.0.0.1.example.org", "true", None),
            ("s3.example.org", "true", None),
            ("https://ada:s3cret@s3.example.org", "", None),
        ] {
            let access = access(&[("AWS_ENDPOINT_URL", endpoint), (ALLOW_HTTP, allowed)]);
            let found = access.is_plain_http();
            assert!(found.as_ref().err().is_none_or(|error| !error.to_string().contains("s3")));
            assert_eq!(found.ok(), expected, "{endpoint}");
        }
        assert!(!BucketAccess::default().is_plain_http().unwrap());
    }

    #[test]
    fn every_variable_is_known_and_no_other_is_taken() {
        for name in VARIABLES {
            name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>().unwrap();
        }
        let access = access(&[
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_ALLOW_INVALID_CERTIFICATES", "true"),
            ("AWS_BUCKET", "other"),
        ]);
        assert_eq!(format!("{access:?}"), r#"{"AWS_SECRET_ACCESS_KEY"}"#);
    }
}
