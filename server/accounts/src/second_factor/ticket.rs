//! The ticket of a sign-in whose password was right: with it the same browser goes on to the code, without
//! the password. Nothing is stored of it.

use std::fmt;
use std::str::FromStr;

use hmac::Mac;
use platform::ids::Id;
use platform::time::Moment;

use crate::device::DeviceKey;
use crate::ids::UserId;

/// How long a ticket is good for.
const LIFETIME_SECONDS: i64 = 5 * 60;

/// Signed with the key of the user's devices: a new password, which comes with a new key, ends it.
#[derive(Debug, Clone)]
pub struct Ticket {
    pub user: UserId,
    expires_at: Moment,
    signature: [u8; 32],
}

/// The text has another form than a ticket.
#[derive(Debug)]
pub struct NotATicket;

impl Ticket {
    pub fn new(user: UserId, key: &DeviceKey, now: Moment) -> Self {
        let expires_at = now.plus_seconds(LIFETIME_SECONDS);
        let signature = key.mac(&signed(user, expires_at)).finalize().into_bytes().into();
        Self { user, expires_at, signature }
    }

    /// Whether the key of the ticket's user has signed it, within the last five minutes.
    pub fn is_good(&self, key: &DeviceKey, now: Moment) -> bool {
        let mac = key.mac(&signed(self.user, self.expires_at));
        mac.verify_slice(&self.signature).is_ok() && now < self.expires_at
    }
}

/// Longer than the id of a device, so that the signature of a device is never that of a ticket.
fn signed(user: UserId, expires_at: Moment) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[..16].copy_from_slice(user.uuid().as_bytes());
    bytes[16..].copy_from_slice(&expires_at.millis().to_be_bytes());
    bytes
}

/// The text in the browser's cookie.
impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { user, expires_at, signature } = self;
        write!(f, "{user}.{}.{}", expires_at.millis(), const_hex::display(signature))
    }
}

impl FromStr for Ticket {
    type Err = NotATicket;

    fn from_str(text: &str) -> Result<Self, NotATicket> {
        let mut parts = text.splitn(3, '.');
        let mut part = || parts.next().ok_or(NotATicket);
        let user = part()?.parse().map_err(|_| NotATicket)?;
        let millis = part()?.parse().map_err(|_| NotATicket)?;
        let expires_at = Moment::from_millis(millis).ok_or(NotATicket)?;
        let signature = const_hex::decode_to_array(part()?).map_err(|_| NotATicket)?;
        Ok(Self { user, expires_at, signature })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_good_for_its_user_for_five_minutes() {
        let now = Moment::from_millis(1_800_000_000_000).unwrap();
        let (key, other) = (DeviceKey::new().unwrap(), DeviceKey::new().unwrap());
        let ticket = Ticket::new(UserId::new(now), &key, now);
        let read: Ticket = ticket.to_string().parse().unwrap();
        assert!(read.is_good(&key, now.plus_seconds(299)));
        assert!(!read.is_good(&key, now.plus_seconds(300)), "it has expired");
        assert!(!read.is_good(&other, now), "another key");
        let later = Ticket { expires_at: now.plus_seconds(3600), ..read.clone() };
        let of_another = Ticket { user: UserId::new(now), ..read };
        assert!(!later.is_good(&key, now) && !of_another.is_good(&key, now));
    }

    #[test]
    fn another_text_is_no_ticket() {
        let now = Moment::from_millis(1_800_000_000_000).unwrap();
        let whole = Ticket::new(UserId::new(now), &DeviceKey::new().unwrap(), now).to_string();
        for text in ["", "..", &whole[1..], &whole[..whole.len() - 1], &whole.replace('.', "")] {
            assert!(text.parse::<Ticket>().is_err(), "{text}");
        }
    }
}
