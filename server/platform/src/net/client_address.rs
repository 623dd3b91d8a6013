//! The client address of a request, for rate limits and lists of sessions.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Once};

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::Networks;
use crate::http::HttpSettings;

/// The address of the peer, or of the client if the peer is a trusted proxy. Only the first 64 bits of an
/// IPv6 address count, because a customer usually has a network of this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        })
    }

    /// The first 48 bits of an IPv6 address: a customer may have a network of this size, and many addresses
    /// in it.
    pub fn site(self) -> Option<Ipv6Site> {
        match self.0 {
            IpAddr::V4(_) => None,
            IpAddr::V6(network) => Some(Ipv6Site(network.to_bits() >> 80)),
        }
    }

    fn find(peer: IpAddr, headers: &HeaderMap, trusted: &Networks) -> Self {
        // From right to left: each proxy appends the address of its peer, which counts only if the proxy is
        // trusted.
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

/// A network of IPv6 addresses with the same first 48 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ipv6Site(u128);

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
        let trusted = &Arc::<HttpSettings>::from_ref(state).trusted_proxies;
        if !trusted.contain(peer)
            && is_near(peer)
            && FORWARDED.iter().any(|name| parts.headers.contains_key(*name))
        {
            static WARNED: Once = Once::new();
            WARNED.call_once(|| warn_of_proxy(peer));
        }
        Ok(Self::find(peer, &parts.headers, trusted))
    }
}

/// Headers with which a proxy names the client.
const FORWARDED: [&str; 2] = ["x-forwarded-for", "forwarded"];

/// Whether a proxy of this installation may have the address: this machine or a private network.
fn is_near(peer: IpAddr) -> bool {
    match peer.to_canonical() {
        IpAddr::V4(peer) => peer.is_loopback() || peer.is_private() || peer.is_link_local(),
        IpAddr::V6(peer) => peer.is_loopback() || peer.is_unique_local() || peer.is_unicast_link_local(),
    }
}

fn warn_of_proxy(peer: IpAddr) {
    tracing::warn!(
        %peer,
        "the peer forwards requests of others and is not a trusted proxy: all its clients count as one address for rate \
         limits; if it is your proxy, start with --trusted-proxies {peer}"
    );
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
    fn a_proxy_of_this_installation_is_near() {
        for near in [
            "127.0.0.1",
            "::1",
            "10.1.2.3",
            "172.17.0.1",
            "192.168.0.9",
            "fd00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(is_near(near.parse().unwrap()), "{near}");
        }
        for far in ["203.0.113.5", "172.32.0.1", "2001:db8::1", "::ffff:203.0.113.5"] {
            assert!(!is_near(far.parse().unwrap()), "{far}");
        }
    }

    #[test]
    fn a_site_has_many_ipv6_networks() {
        let site = |address: &str| ClientAddress::of(address.parse().unwrap()).site();
        assert_eq!(site("2001:db8:1:2::3"), site("2001:db8:1:ffff::3"));
        assert_ne!(site("2001:db8:1:2::3"), site("2001:db8:2:2::3"));
        assert_eq!(site("192.0.2.1"), None);
    }

    #[test]
    fn one_ipv6_customer_is_one_address() {
        assert_eq!(find("2001:db8:1:2:3:4:5:6", &[], ""), "2001:db8:1:2::/64");
        assert_eq!(find("::ffff:192.0.2.1", &[], ""), "192.0.2.1");
    }
}
