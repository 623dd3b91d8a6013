//! Ids, tokens and random bytes. No other module uses a source of randomness.

use std::sync::Mutex;

use uuid::{ContextV7, Timestamp, Uuid};

use crate::time::Moment;

/// The operating system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes: {0}")]
pub struct NoEntropy(getrandom::Error);

/// `N` random bytes, suitable for secrets.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads random bytes from the operating system"
)]
pub fn bytes<const N: usize>() -> Result<[u8; N], NoEntropy> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(NoEntropy)?;
    Ok(bytes)
}

/// A new UUIDv7. The ids of one process are strictly ascending in the order of creation, even if the clock is
/// set back: new ids then contain the latest time of an earlier id.
pub fn new_id(now: Moment) -> Uuid {
    static CONTEXT: Mutex<ContextV7> = Mutex::new(ContextV7::new());
    new_id_of(&CONTEXT, now)
}

/// The context has the latest time, and a counter that begins at another random number in each millisecond:
/// an id does not tell how many there are.
fn new_id_of(context: &Mutex<ContextV7>, now: Moment) -> Uuid {
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    let nanos = u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000;
    Uuid::new_v7(Timestamp::from_unix(context, millis / 1000, nanos))
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
    fn ids_are_strictly_ascending_even_if_the_clock_is_set_back() {
        let now = Moment::from_millis(1_800_000_000_000).unwrap();
        let times = (0..20_000).map(|n| now.plus_seconds(if n < 10_000 { 0 } else { -n }));
        let ids: Vec<_> = times.map(new_id).collect();
        assert!(ids.is_sorted_by(|one, next| one < next));
        assert!(ids.iter().all(|id| id.get_version_num() == 7 && id.get_variant() == uuid::Variant::RFC4122));
        assert!(new_id(now.plus_seconds(1)) > ids[19_999]);
    }

    #[test]
    fn an_id_does_not_tell_how_many_there_are() {
        let context = Mutex::new(ContextV7::new());
        let now = Moment::from_millis(1_800_000_000_000).unwrap();
        // The counter is around the bits of the variant: 12 bits before and 30 bits after.
        let counter = |moment| {
            let bits = new_id_of(&context, moment).as_u128();
            ((bits >> 64 & 0xfff) << 30) | (bits >> 32 & 0x3fff_ffff)
        };
        let (one, another) = (counter(now), counter(now));
        assert_eq!(another, one + 1);
        let later = counter(now.plus_seconds(1));
        assert!(later.abs_diff(another) > 1_000, "{another} {later}");
    }

    #[test]
    fn an_id_contains_its_time() {
        let now = Moment::from_millis(1_900_000_000_123).unwrap();
        let (seconds, nanos) = new_id(now).get_timestamp().unwrap().to_unix();
        assert_eq!((seconds, nanos), (1_900_000_000, 123_000_000));
    }
}
