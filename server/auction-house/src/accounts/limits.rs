//! Limits on what can be tried how often. Guessing is limited by account and by address; bids by user, so
//! that a hall full of bidders behind one address is not hindered (contract, section 2).

use std::sync::Arc;

use platform::limits::{Bucket, Rate, TooMany};

use crate::ids::UserId;
use platform::net::ClientAddress;
use platform::time::Clock;

/// Wrong passwords for one account: ten at once, then one each 12 seconds.
const ACCOUNT: Rate = Rate { burst: 10, millis_each: 12_000 };
/// Wrong guesses from one address, about any account: thirty at once, then one each 3 seconds.
const ADDRESS: Rate = Rate { burst: 30, millis_each: 3_000 };
/// New accounts from one address: a whole hall at once, then one a second.
const REGISTRATIONS: Rate = Rate { burst: 500, millis_each: 1_000 };
/// Bids of one user: a lively minute, then ten a second.
const BIDS: Rate = Rate { burst: 60, millis_each: 100 };

/// All limits, or none where they are switched off.
pub struct Limits(Option<Buckets>);

struct Buckets {
    clock: Arc<dyn Clock>,
    accounts: Bucket<String>,
    addresses: Bucket<ClientAddress>,
    registrations: Bucket<ClientAddress>,
    bids: Bucket<UserId>,
}

/// A guess that was let through and is counted until it is [`forgiven`](Guess::forgive).
#[must_use = "a guess that turned out right is to be forgiven"]
pub struct Guess<'a> {
    limits: &'a Limits,
    account: Option<String>,
    address: ClientAddress,
}

impl Limits {
    pub fn new(on: bool, clock: Arc<dyn Clock>) -> Self {
        Self(on.then(|| Buckets {
            clock,
            accounts: Bucket::new(ACCOUNT),
            addresses: Bucket::new(ADDRESS),
            registrations: Bucket::new(REGISTRATIONS),
            bids: Bucket::new(BIDS),
        }))
    }

    /// Before a password or whether an e-mail is known is tried. `account` is what identifies the account,
    /// whether or not it exists; absent where the guess is not about one.
    pub fn guess(&self, account: Option<String>, address: ClientAddress) -> Result<Guess<'_>, TooMany> {
        if let Some(Buckets { clock, accounts, addresses, .. }) = &self.0 {
            let now = clock.now();
            addresses.take(&address, now)?;
            if let Some(account) = &account {
                accounts.take(account, now).inspect_err(|_| addresses.give_back(&address))?;
            }
        }
        Ok(Guess { limits: self, account, address })
    }

    /// Before a new account is made.
    pub fn registration(&self, address: ClientAddress) -> Result<(), TooMany> {
        self.0.as_ref().map_or(Ok(()), |buckets| buckets.registrations.take(&address, buckets.clock.now()))
    }

    /// Before a bid is read.
    pub fn bid(&self, user: UserId) -> Result<(), TooMany> {
        self.0.as_ref().map_or(Ok(()), |buckets| buckets.bids.take(&user, buckets.clock.now()))
    }
}

impl Guess<'_> {
    /// It was right, so it was none: it is no longer counted.
    pub fn forgive(self) {
        if let Some(Buckets { accounts, addresses, .. }) = &self.limits.0 {
            addresses.give_back(&self.address);
            if let Some(account) = &self.account {
                accounts.give_back(account);
            }
        }
    }
}
