//! Settings that the handling of every request depends on.

use axum::http::{HeaderMap, HeaderName, header};

use super::public_url::PublicUrl;
use crate::net::Networks;

/// The address of the site and the proxies in front of it.
#[derive(Debug, Clone, Default)]
pub struct HttpSettings {
    /// Absent: links and cookies depend on the request.
    pub public_url: Option<PublicUrl>,
    /// Peers whose `X-Forwarded-For` counts.
    pub trusted_proxies: Networks,
    /// In the names of cookies without TLS, which browsers keep by host, not by port. Absent for the default
    /// port.
    pub cookie_port: Option<u16>,
}

impl HttpSettings {
    /// The address of the site without a slash at its end, for links. Without the setting it is the one that
    /// the request names: a browser sends its `Origin`, which has the scheme, too.
    pub fn site(&self, headers: &HeaderMap) -> String {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let origin = || text(header::ORIGIN).and_then(|origin| origin.parse::<PublicUrl>().ok());
        match self.public_url.clone().or_else(origin) {
            Some(url) => url.as_str().to_owned(),
            None => format!("http://{}", text(header::HOST).unwrap_or_default()),
        }
    }

    /// Whether browsers reach this server by https, as far as the settings say.
    pub fn is_https(&self) -> bool {
        self.public_url.as_ref().is_some_and(PublicUrl::is_https)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_public_url_or_back_to_the_sender_of_the_request() {
        let site = |public_url: Option<&str>, headers: &[(&'static str, &str)]| {
            let public_url = public_url.map(|text| text.parse().unwrap());
            let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
            HttpSettings { public_url, ..HttpSettings::default() }.site(&headers.collect())
        };
        let (host, origin) = (("host", "a.example:3000"), ("origin", "https://a.example"));
        assert_eq!(site(Some("https://b.example/"), &[host, origin]), "https://b.example");
        assert_eq!(site(None, &[host, origin]), "https://a.example");
        assert_eq!(site(None, &[host]), "http://a.example:3000");
        assert_eq!(site(None, &[host, ("origin", "null")]), "http://a.example:3000");
    }
}
