//! PINs of managed users.

use std::str::FromStr;

use platform::random::{self, NoEntropy};

/// 4–8 digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Pin(String);

/// The text is not a PIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 4 to 8 digits")]
pub struct NotAPin;

impl Pin {
    /// Six random digits.
    pub fn new() -> Result<Self, NoEntropy> {
        // The bias of the remainder is below one in ten million millions.
        let drawn = u64::from_le_bytes(random::bytes()?) % 1_000_000;
        Ok(Self(format!("{drawn:06}")))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

/// Shows nothing of the secret.
impl std::fmt::Debug for Pin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pin")
    }
}

impl FromStr for Pin {
    type Err = NotAPin;

    fn from_str(text: &str) -> Result<Self, NotAPin> {
        let text = text.trim();
        let is_pin = (4..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_pin { Ok(Self(text.to_owned())) } else { Err(NotAPin) }
    }
}
