//! Draws by a seed that is published afterwards (section 7): anyone can repeat them.
//!
//! Draw `i` is HMAC-SHA-256, keyed by the seed, of the text `itemId/i/attempt`, both numbers from 1. The 32
//! bytes are a big-endian number; one from the largest multiple of the tickets left on is rejected, and the
//! next attempt counts, so that every ticket has the same chance. The number modulo the tickets left is the
//! place of the drawn ticket among them, from 0, in the order of their numbers.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::constants::constants;

/// Copies of an item, at most.
pub const MAX_COPIES: u32 = 100;
/// Rows of tickets in a case, at most.
pub const MAX_ROWS: usize = 100_000;
/// Tickets of one row in a case, at most.
pub const MAX_TICKETS: u64 = 1_000_000_000;

/// Bytes of a seed, and of what HMAC-SHA-256 gives.
const BYTES: usize = 32;
/// Bytes of a block of SHA-256, to which HMAC pads its key with zeros.
const BLOCK: usize = 64;

constants! {
    /// Tickets that leave the draw with a win.
    pub enum Again {
        /// All tickets of its holder.
        Person = "PERSON",
        /// Itself alone.
        Ticket = "TICKET",
    }
}

/// The 32 bytes that decide a draw. Secret until its end, and so never in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; BYTES]);

impl Seed {
    /// A seed of random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }

    /// Reads 64 digits in lower-case hexadecimal; none for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; BYTES];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != BYTES || !rest.is_empty() {
            return None;
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)?.wrapping_shl(4) | digit(*low)?;
        }
        Some(Self(bytes))
    }

    /// SHA-256 of the bytes, in lower-case hexadecimal. Published before the draw, it tells nothing of the
    /// seed, and shows afterwards that it was not replaced.
    #[must_use]
    pub fn hash(&self) -> String {
        format!("{}", Self(Sha256::digest(self.0).into()))
    }
}

fn digit(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character.wrapping_sub(b'0')),
        b'a'..=b'f' => Some(character.wrapping_sub(b'a').wrapping_add(10)),
        _ => None,
    }
}

/// 64 digits in lower-case hexadecimal.
impl fmt::Display for Seed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Seed")
    }
}

/// The draws of one item.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// What decides them.
    pub seed: &'a Seed,
    /// The item's id, which makes the draws of several items independent under one seed.
    pub item_id: &'a str,
}

impl Drawing<'_> {
    /// The place that a draw gives among so many tickets left; none if there are none. The first draw is 1.
    #[must_use]
    pub fn place(&self, draw: u32, left: u64) -> Option<u64> {
        if left == 0 {
            return None;
        }
        // INVARIANT: an attempt is rejected with a probability below 2^-192, so that the first one counts.
        (1..=u32::MAX).find_map(|attempt| self.number(draw, attempt).place(left))
    }

    fn number(&self, draw: u32, attempt: u32) -> Number {
        let mut key = [0; BLOCK];
        key.iter_mut().zip(self.seed.0).for_each(|(place, byte)| *place = byte);
        let text = format!("{}/{draw}/{attempt}", self.item_id);
        let bytes: [u8; BYTES] =
            Hmac::<Sha256>::new(&key.into()).chain_update(text).finalize().into_bytes().into();
        let (words, _) = bytes.as_chunks();
        let mut number = Number([0; WORDS]);
        number.0.iter_mut().zip(words).for_each(|(place, word)| *place = u64::from_be_bytes(*word));
        number
    }
}

/// Words of 64 bits in 256.
const WORDS: usize = 4;

/// A number of 256 bits, in words from the most significant to the least.
struct Number([u64; WORDS]);

impl Number {
    /// The number modulo `count`, which is above 0; none if the number is rejected.
    fn place(&self, count: u64) -> Option<u64> {
        // The numbers that are left on the largest multiple: 2^256 modulo `count`.
        let last = Self([u64::MAX; WORDS]).modulo(count)?.saturating_add(1);
        let rejected = if last == count { 0 } else { last };
        // How far the number is below 2^256 - 1.
        let below = self.0.map(|word| !word);
        let is_rejected = match below {
            [0, 0, 0, below] => below < rejected,
            _ => false,
        };
        if is_rejected { None } else { self.modulo(count) }
    }

    fn modulo(&self, count: u64) -> Option<u64> {
        let mut rest = 0_u64;
        for word in self.0 {
            let number = u128::from(rest).wrapping_shl(u64::BITS) | u128::from(word);
            rest = number.checked_rem(count.into()).and_then(|rest| u64::try_from(rest).ok())?;
        }
        Some(rest)
    }
}

/// Tickets that a person got at once. Rows stand in the order of receipt, in which tickets are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tickets<'a> {
    /// The person, who may have several rows.
    pub holder: &'a str,
    /// How many tickets.
    pub count: u64,
}

/// A ticket that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The place of its row.
    pub row: usize,
    /// What it wins, from 1.
    pub copy: u32,
    /// The number of the ticket, from 1.
    pub ticket: u64,
}

/// Draws a ticket for each copy. There are fewer if no ticket is left.
#[must_use]
pub fn draw(drawing: Drawing<'_>, copies: u32, again: Again, tickets: &[Tickets<'_>]) -> Vec<Drawn> {
    let mut hat = Hat::new(tickets);
    let draw = |copy| {
        let place = drawing.place(copy, hat.left)?;
        let (row, ticket) = hat.take(place, again)?;
        Some(Drawn { row, copy, ticket })
    };
    (1..=copies).map_while(draw).collect()
}

/// Tickets with neighbouring numbers in one row.
#[derive(Clone, Copy)]
struct Range<'a> {
    holder: &'a str,
    row: usize,
    first: u64,
    count: u64,
}

/// The tickets that are left, in the order of their numbers.
struct Hat<'a> {
    ranges: Vec<Range<'a>>,
    left: u64,
}

impl<'a> Hat<'a> {
    fn new(tickets: &[Tickets<'a>]) -> Self {
        let mut ranges = Vec::new();
        let mut left = 0_u64;
        for (row, Tickets { holder, count }) in tickets.iter().enumerate() {
            ranges.push(Range { holder, row, first: left.saturating_add(1), count: *count });
            left = left.saturating_add(*count);
        }
        Self { ranges, left }
    }

    /// Takes the ticket at a place out, and what goes with it. Returns its row and its number.
    fn take(&mut self, place: u64, again: Again) -> Option<(usize, u64)> {
        let mut within = place;
        let at = self.ranges.iter().position(|range| match within.checked_sub(range.count) {
            Some(beyond) => {
                within = beyond;
                false
            }
            None => true,
        })?;
        let range = *self.ranges.get(at)?;
        let ticket = range.first.saturating_add(within);
        match again {
            Again::Person => self.ranges.retain(|other| other.holder != range.holder),
            Again::Ticket => {
                let after = range.count.saturating_sub(within).saturating_sub(1);
                self.ranges.get_mut(at)?.count = within;
                let rest = Range { first: ticket.saturating_add(1), count: after, ..range };
                self.ranges.insert(at.saturating_add(1), rest);
            }
        }
        self.left = self.ranges.iter().map(|range| range.count).fold(0, u64::saturating_add);
        Some((range.row, ticket))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_from_the_largest_multiple_on_are_rejected() {
        let end = |below: u64| Number([u64::MAX, u64::MAX, u64::MAX, u64::MAX - below]);
        // 2^256 modulo 3 and 5 is 1, modulo 7 it is 2, modulo 10 it is 6.
        for (count, rejected) in [(3, 1), (5, 1), (7, 2), (10, 6), (1, 0), (2, 0), (1 << 40, 0)] {
            for below in 0..rejected {
                assert_eq!(end(below).place(count), None, "{below} below the end of {count}");
            }
            assert_eq!(end(rejected).place(count), Some(count - 1), "{count}");
        }
        assert_eq!(Number([0, 0, 0, 12]).place(10), Some(2));
        // 2^64 modulo 10 is 6, and 2^192 too.
        assert_eq!(Number([1, 0, 1, 3]).place(10), Some(5));
        assert_eq!(Number([0; WORDS]).place(0), None);
    }

    #[test]
    fn a_seed_prints_as_it_is_read() {
        let text = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1dfeff";
        let seed = Seed::parse(text).expect("a seed");
        assert_eq!((format!("{seed}").as_str(), format!("{seed:?}").as_str()), (text, "Seed"));
        // By sha256sum, of the bytes.
        assert_eq!(seed.hash(), "a05e67b9db1b6de529af90e1bac2cb7941acd3f9c214460f6069e85d6aaec0ec");
        for wrong in ["", &text[1..], &text[2..], &text.to_ascii_uppercase(), &text.replace("ff", "fg")] {
            assert_eq!(Seed::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_number_is_the_authentication_code_of_its_text() {
        // By Python: hmac.new(bytes(range(32)), b"lot/1/1", "sha256").digest(), modulo 1,000,000.
        let seed = Seed::new(core::array::from_fn(|at| u8::try_from(at).expect("a byte")));
        let drawing = Drawing { seed: &seed, item_id: "lot" };
        assert_eq!(drawing.place(1, 1_000_000), Some(238_851));
        assert_eq!(drawing.place(12, 1_000_000), Some(269_382));
    }
}
