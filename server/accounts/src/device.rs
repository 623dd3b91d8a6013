//! Browsers in which a user has signed in before. Each has a cookie with a random id and its signature with a
//! key of the user. Guesses from elsewhere, at any rate, keep nobody out who signs in from such a browser
//! with the right password.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use platform::random::{self, NoEntropy};
use sha2::Sha256;

/// Signs the devices of one user. A new password comes with a new key, so that the devices known until then
/// are strangers.
#[derive(Clone)]
pub struct DeviceKey([u8; 64]);

/// The id of a device that a user's key has signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeviceId([u8; 16]);

/// What a browser sends: an id and a signature, which may be of any user, or of none.
#[derive(Debug, Clone)]
pub struct DeviceCookie {
    id: DeviceId,
    signature: [u8; 32],
}

/// The text is not the key of a user.
#[derive(Debug)]
pub struct NotADeviceKey;

impl DeviceKey {
    pub fn new() -> Result<Self, NoEntropy> {
        random::bytes().map(Self)
    }

    /// The cookie of a device that is known from now on.
    pub fn sign(&self, id: DeviceId) -> DeviceCookie {
        DeviceCookie { id, signature: self.mac(&id.0).finalize().into_bytes().into() }
    }

    /// The id in the cookie, if this key has signed it.
    pub fn verify(&self, cookie: &DeviceCookie) -> Option<DeviceId> {
        self.mac(&cookie.id.0).verify_slice(&cookie.signature).is_ok().then_some(cookie.id)
    }

    /// For a signature of these bytes.
    pub(crate) fn mac(&self, bytes: &[u8]) -> Hmac<Sha256> {
        Hmac::<Sha256>::new(&self.0.into()).chain_update(bytes)
    }
}

impl DeviceId {
    pub fn new() -> Result<Self, NoEntropy> {
        random::bytes().map(Self)
    }
}

/// The text in the database.
impl fmt::Display for DeviceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const_hex::display(self.0).fmt(f)
    }
}

impl std::str::FromStr for DeviceKey {
    type Err = NotADeviceKey;

    fn from_str(text: &str) -> Result<Self, NotADeviceKey> {
        const_hex::decode_to_array(text).map(Self).map_err(|_| NotADeviceKey)
    }
}

/// The text in the browser's cookie.
impl fmt::Display for DeviceCookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", const_hex::display(self.id.0), const_hex::display(self.signature))
    }
}

impl DeviceCookie {
    /// `None` if the text has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let (id, signature) = text.split_once('.')?;
        let id = const_hex::decode_to_array(id).map(DeviceId).ok()?;
        Some(Self { id, signature: const_hex::decode_to_array(signature).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_known_by_the_key_that_signed_it_only() {
        let (mine, other) = (DeviceKey::new().unwrap(), DeviceKey::new().unwrap());
        let id = DeviceId::new().unwrap();
        let cookie = DeviceCookie::parse(&mine.sign(id).to_string()).unwrap();
        assert_eq!(mine.verify(&cookie), Some(id));
        assert_eq!(other.verify(&cookie), None);
        let swapped = DeviceCookie { id: DeviceId::new().unwrap(), ..cookie };
        assert_eq!(mine.verify(&swapped), None);
    }

    #[test]
    fn another_text_is_no_cookie() {
        let whole = DeviceKey::new().unwrap().sign(DeviceId::new().unwrap()).to_string();
        for text in ["", ".", "x.y", &whole[1..], &whole[..whole.len() - 1], &whole.replace('.', "")] {
            assert!(DeviceCookie::parse(text).is_none(), "{text}");
        }
    }
}
