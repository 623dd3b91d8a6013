//! What a user proves to be the user with.

use crate::device::DeviceKey;
use platform::random::NoEntropy;
use platform::token::TokenHash;

/// The hash of a password, and the key that signs the devices on which it was right.
#[derive(Clone)]
pub struct Credentials {
    pub password_hash: String,
    pub device_key: DeviceKey,
    /// Hash of the secret on the card of a managed user.
    pub card_hash: Option<TokenHash>,
}

impl Credentials {
    /// For a new password. No device is known yet.
    pub fn new(password_hash: String) -> Result<Self, NoEntropy> {
        Ok(Self { password_hash, device_key: DeviceKey::new()?, card_hash: None })
    }

    /// For a new PIN of a managed user, with the hash of the card's secret.
    pub fn of_card(pin_hash: String, card_hash: TokenHash) -> Result<Self, NoEntropy> {
        Ok(Self { card_hash: Some(card_hash), ..Self::new(pin_hash)? })
    }
}
