//! What a user proves to be the user with.

use super::device::DeviceKey;
use platform::random::NoEntropy;

/// The hash of a password, and the key that signs the devices on which it was right.
pub struct Credentials {
    pub password_hash: String,
    pub device_key: DeviceKey,
}

impl Credentials {
    /// For a new password. No device is known yet.
    pub fn new(password_hash: String) -> Result<Self, NoEntropy> {
        Ok(Self { password_hash, device_key: DeviceKey::new()? })
    }
}
