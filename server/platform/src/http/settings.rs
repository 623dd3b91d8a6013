//! Settings that the handling of every request depends on.

use super::public_url::PublicUrl;
use crate::net::Networks;

/// The address of the site and the proxies in front of it.
#[derive(Debug, Clone, Default)]
pub struct HttpSettings {
    /// Absent: links and cookies depend on the request.
    pub public_url: Option<PublicUrl>,
    /// Peers whose `X-Forwarded-For` counts.
    pub trusted_proxies: Networks,
}

impl HttpSettings {
    /// Whether browsers reach this server by https, as far as the settings say.
    pub fn is_https(&self) -> bool {
        self.public_url.as_ref().is_some_and(PublicUrl::is_https)
    }
}
