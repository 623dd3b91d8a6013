//! Draws once more, apart from the engine: every ticket for itself, the authentication code by its
//! definition, and the modulus in unbounded integers.

use num_bigint::BigUint;
use sha2::{Digest, Sha256};

fn sha256(parts: &[&[u8]]) -> Vec<u8> {
    parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part)).finalize().to_vec()
}

/// The number that draw `i` gives at its attempt, from the seed in hexadecimal.
fn number(seed: &str, text: &str) -> BigUint {
    let digit = |at: usize| u8::from_str_radix(&seed[2 * at..2 * at + 2], 16).expect("two digits");
    let key: Vec<u8> = (0..64).map(|at| if at < 32 { digit(at) } else { 0 }).collect();
    let pad = |with: u8| key.iter().map(|byte| byte ^ with).collect::<Vec<u8>>();
    let inner = sha256(&[&pad(0x36), text.as_bytes()]);
    BigUint::from_bytes_be(&sha256(&[&pad(0x5c), &inner]))
}

/// The place that draw `i` gives among `left`.
fn place(seed: &str, item: &str, i: usize, left: usize) -> usize {
    let all = BigUint::from(2_u32).pow(256);
    let usable = &all / left * left;
    let mut numbers = (1..).map(|attempt: u32| number(seed, &format!("{item}/{i}/{attempt}")));
    let first = numbers.find(|number| *number < usable).expect("a number");
    usize::try_from(first % left).expect("below a count")
}

/// Id, copy and ticket of each winner.
pub fn winners(
    (seed, item): (&str, &str),
    copies: usize,
    per_person: bool,
    tickets: &[(String, usize)],
) -> Vec<(String, usize, usize)> {
    let owners = tickets.iter().flat_map(|(id, count)| std::iter::repeat_n(id.as_str(), *count));
    let mut hat: Vec<(usize, &str)> = (1..).zip(owners).collect();
    let mut winners = Vec::new();
    for copy in 1..=copies {
        if hat.is_empty() {
            break;
        }
        let (ticket, id) = hat.remove(place(seed, item, copy, hat.len()));
        hat.retain(|(_, other)| !per_person || *other != id);
        winners.push((id.to_owned(), copy, ticket));
    }
    winners
}
