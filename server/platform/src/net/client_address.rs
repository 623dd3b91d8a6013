//! The client address of a request, for rate limits and lists of sessions.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::Networks;
use crate::http::HttpSettings;

/// The address of the peer, or of the client if the peer is a trusted proxy. Only the first 64 bits of an IPv6 address
/// count, because a customer usually has a network of this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        })
    }

    fn find(peer: IpAddr, headers: &HeaderMap, trusted: &Networks) -> Self {
        // From right to left: each proxy appends the address of its peer, which counts only if the proxy is trusted.
        let hops = headers.get_all("x-forwarded-for").into_iter().rev();
        let hops = hops.filter_map(|value| value.to_str().ok()).flat_map(|value| value.rsplit(','));
        let mut known = peer;
        for hop in hops {
            if !trusted.contain(known) {
                break;
            }
            match hop.trim().parse() {
                Ok(address) => known = address,
                Err(_) => break,
            }
        }
        Self::of(known)
    }
}

/// An IPv4 address, or the network of an IPv6 address: `192.0.2.1`, `2001:db8:1:2::/64`.
impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

impl<S> FromRequestParts<S> for ClientAddress
where
    S: Send + Sync,
    Arc<HttpSettings>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        // Requests without a socket share one placeholder address.
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(peer)| peer.ip());
        Ok(Self::find(peer, &parts.headers, &Arc::<HttpSettings>::from_ref(state).trusted_proxies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(peer: &str, forwarded: &[&str], trusted: &str) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let found = ClientAddress::find(peer.parse().unwrap(), &headers, &trusted.parse().unwrap());
        found.to_string()
    }

    #[test]
    fn a_client_cannot_choose_its_address() {
        assert_eq!(find("192.0.2.1", &["203.0.113.5"], ""), "192.0.2.1");
        assert_eq!(find("192.0.2.1", &["203.0.113.5"], "10.0.0.0/8"), "192.0.2.1");
        assert_eq!(find("10.0.0.1", &["198.51.100.1, 203.0.113.5"], "10.0.0.0/8"), "203.0.113.5");
    }

    #[test]
    fn the_rightmost_untrusted_address_is_the_client() {
        assert_eq!(find("10.0.0.1", &["198.51.100.1, 10.0.0.2"], "10.0.0.0/8"), "198.51.100.1");
        assert_eq!(find("10.0.0.1", &["198.51.100.1", "10.0.0.2"], "10.0.0.0/8"), "198.51.100.1");
        assert_eq!(find("10.0.0.1", &["nonsense, 10.0.0.2"], "10.0.0.0/8"), "10.0.0.2");
        assert_eq!(find("10.0.0.1", &[], "10.0.0.0/8"), "10.0.0.1");
    }

    #[test]
    fn one_ipv6_customer_is_one_address() {
        assert_eq!(find("2001:db8:1:2:3:4:5:6", &[], ""), "2001:db8:1:2::/64");
        assert_eq!(find("::ffff:192.0.2.1", &[], ""), "192.0.2.1");
    }
}
