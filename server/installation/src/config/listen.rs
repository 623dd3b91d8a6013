//! The setting `listen`.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::str::FromStr;

use serde::Deserialize;

/// The address of a socket: `IP:PORT`, or `localhost:PORT` for this machine only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Listen(SocketAddr);

/// The text is not such an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the address of a socket: write IP:PORT, such as 127.0.0.1:3000, or 0.0.0.0:3000 for every address"
)]
pub struct NoListen(String);

impl Default for Listen {
    fn default() -> Self {
        Self(SocketAddr::from((Ipv4Addr::LOCALHOST, 3000)))
    }
}

impl Deref for Listen {
    type Target = SocketAddr;

    fn deref(&self) -> &SocketAddr {
        &self.0
    }
}

impl FromStr for Listen {
    type Err = NoListen;

    fn from_str(text: &str) -> Result<Self, NoListen> {
        let local =
            || Some(SocketAddr::from((Ipv4Addr::LOCALHOST, text.strip_prefix("localhost:")?.parse().ok()?)));
        let address = text.parse().ok().or_else(local);
        address.map(Self).ok_or_else(|| NoListen(text.to_owned()))
    }
}

impl TryFrom<String> for Listen {
    type Error = NoListen;

    fn try_from(text: String) -> Result<Self, NoListen> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::Listen;

    #[test]
    fn an_address_has_a_port_and_may_be_that_of_this_machine() {
        for (text, address) in [
            ("0.0.0.0:80", Some("0.0.0.0:80")),
            ("[::1]:3000", Some("[::1]:3000")),
            ("localhost:3000", Some("127.0.0.1:3000")),
            (":3000", None),
            ("3000", None),
            ("localhost", None),
            ("example.org:80", None),
        ] {
            let parsed = text.parse::<Listen>();
            assert_eq!(parsed.as_ref().ok().map(|listen| listen.to_string()).as_deref(), address, "{text}");
            assert!(parsed.is_ok() || parsed.unwrap_err().to_string().contains("0.0.0.0:3000"));
        }
    }
}
