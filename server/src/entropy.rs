//! Where randomness comes from: the operating system, asked here and nowhere else.

use crate::clock::Moment;

/// The operating system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes: {0}")]
pub struct NoEntropy(getrandom::Error);

/// `N` bytes fit for secrets.
pub fn bytes<const N: usize>() -> Result<[u8; N], NoEntropy> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(NoEntropy)?;
    Ok(bytes)
}

/// A new UUIDv7: sorts by `now`, random in the rest.
pub fn new_id(now: Moment) -> Result<uuid::Uuid, NoEntropy> {
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    Ok(uuid::Builder::from_unix_timestamp_millis(millis, &bytes()?).into_uuid())
}

/// 256 random bits as 64 hexadecimal digits.
pub fn new_token() -> Result<String, NoEntropy> {
    let bytes: [u8; 32] = bytes()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
