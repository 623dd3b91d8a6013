//! IP addresses and networks such as `10.0.0.0/8`.

use std::net::IpAddr;
use std::str::FromStr;

use serde::Deserialize;

/// One address, or all addresses with the same first bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

/// The text is not a network.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is neither an IP address nor a network such as 10.0.0.0/8")]
pub struct NoNetwork(String);

impl Network {
    pub fn contains(&self, other: IpAddr) -> bool {
        match (self.address, other.to_canonical()) {
            (IpAddr::V4(mine), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                mine.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(mine), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                mine.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let wrong = || NoNetwork(text.to_owned());
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(all);
        if bits > all { Err(wrong()) } else { Ok(Self { address, bits }) }
    }
}

/// Networks, separated by commas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Networks(Vec<Network>);

impl Networks {
    pub fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }
}

impl FromStr for Networks {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::parse).collect::<Result<_, _>>().map(Self)
    }
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
        network.parse::<Network>().unwrap().contains(address.parse().unwrap())
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
        for text in ["", "x", "10.0.0.0/33", "::1/129", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
        assert!("127.0.0.1, x".parse::<Networks>().is_err());
    }
}
