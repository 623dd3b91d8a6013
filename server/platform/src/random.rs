//! Where randomness comes from: the operating system, asked here and nowhere else.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::time::Moment;

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

/// A new UUIDv7. Ids sort by `now`, and those of one millisecond in the order in which this process made them,
/// so that a list by id is a list by age. The rest is random.
pub fn new_id(now: Moment) -> Result<uuid::Uuid, NoEntropy> {
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    let mut bytes = [0; 10];
    AHEAD.with_borrow_mut(|ahead| ahead.fill(&mut bytes[4..]))?;
    // The count takes the 26 bits after the time that are not the version's or the variant's (RFC 9562, section
    // 6.2): 12 before the variant, 14 behind it. It begins again after 67 million ids.
    let count = IDS_MADE.fetch_add(1, Ordering::Relaxed);
    let [_, _, high, low] = (count >> 14).to_be_bytes();
    let [_, _, middle, last] = count.to_be_bytes();
    bytes[..4].copy_from_slice(&[high, low, middle, last]);
    Ok(uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid())
}

/// Never set back: a held clock, or one that was put right, makes a millisecond come twice.
static IDS_MADE: AtomicU32 = AtomicU32::new(0);

/// Random bytes for ids, some in advance: asking for the few of one id costs more than the rest of it.
struct Ahead {
    bytes: [u8; 240],
    used: usize,
}

thread_local! {
    static AHEAD: RefCell<Ahead> = const { RefCell::new(Ahead { bytes: [0; 240], used: 240 }) };
}

impl Ahead {
    fn fill(&mut self, wanted: &mut [u8]) -> Result<(), NoEntropy> {
        if self.bytes.len() - self.used < wanted.len() {
            self.bytes = bytes()?;
            self.used = 0;
        }
        wanted.copy_from_slice(&self.bytes[self.used..self.used + wanted.len()]);
        self.used += wanted.len();
        Ok(())
    }
}

/// 256 random bits as 64 hexadecimal digits.
pub fn new_token() -> Result<String, NoEntropy> {
    let bytes: [u8; 32] = bytes()?;
    Ok(const_hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_moment_sort_as_they_were_made() {
        let now = Moment::from_millis(1_800_000_000_000).unwrap();
        let ids: Vec<_> = (0..20_000).map(|_| new_id(now).unwrap()).collect();
        assert!(ids.is_sorted_by(|one, next| one < next));
        assert!(ids.iter().all(|id| id.get_version_num() == 7 && id.get_variant() == uuid::Variant::RFC4122));
        assert!(new_id(now.plus_seconds(1)).unwrap() > ids[0]);
    }
}
