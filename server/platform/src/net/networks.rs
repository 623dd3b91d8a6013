//! IP addresses and networks such as `10.0.0.0/8`.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::Deserialize;

/// The text is not a network.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is neither an IP address nor a network such as 10.0.0.0/8")]
pub struct NoNetwork(String);

/// Networks, separated by commas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Networks(Vec<IpNet>);

impl Networks {
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl FromStr for Networks {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(network).collect::<Result<_, _>>().map(Self)
    }
}

/// A single address is a network of its own.
fn network(text: &str) -> Result<IpNet, NoNetwork> {
    let address = text.parse::<IpAddr>().map(IpNet::from).ok();
    address.or_else(|| text.parse().ok()).ok_or_else(|| NoNetwork(text.to_owned()))
}

impl TryFrom<String> for Networks {
    type Error = NoNetwork;

    fn try_from(text: String) -> Result<Self, NoNetwork> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(network: &str, address: &str) -> bool {
        network.parse::<Networks>().unwrap().contain(address.parse().unwrap())
    }

    #[test]
    fn a_network_contains_the_addresses_with_its_first_bits() {
        assert!(contains("10.0.0.0/8", "10.200.3.4"));
        assert!(!contains("10.0.0.0/8", "11.0.0.1"));
        assert!(contains("0.0.0.0/0", "203.0.113.9"));
        assert!(contains("192.0.2.7", "192.0.2.7"));
        assert!(!contains("192.0.2.7", "192.0.2.8"));
        assert!(contains("2001:db8::/32", "2001:db8:1::1"));
        assert!(!contains("::/0", "192.0.2.7"));
        assert!(contains("127.0.0.1", "::ffff:127.0.0.1"));
    }

    #[test]
    fn refuses_what_is_not_a_network() {
        for text in ["x", "10.0.0.0/33", "::1/129", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8"] {
            assert!(text.parse::<Networks>().is_err(), "{text}");
        }
        assert!("127.0.0.1, x".parse::<Networks>().is_err());
    }
}
