//! Limits on what can be tried how often. Only failures count as guesses, by account and address together, so
//! that one guesser shuts out nobody else; bids and other writes are limited by user, so that a hall full of
//! bidders behind one address is not hindered (SPEC, section 2).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use platform::limits::{Bucket, RefillRate, TooMany};
use platform::net::{Client, ClientAddress, Ipv6Site};
use platform::time::{Clock, Moment};
use platform::touched_rows;

use crate::device::DeviceId;
use crate::ids::UserId;

/// Wrong passwords for one account, from one address or one known device: ten at once, then one each 12
/// seconds.
const PAIR: RefillRate = RefillRate { burst: 10, millis_each: 12_000 };
/// Wrong passwords for one account from all networks of one site: a /48 of IPv6 has 65,536 addresses.
const PAIR_OF_SITE: RefillRate = RefillRate { burst: 50, millis_each: 12_000 };
/// Wrong passwords for one account from anywhere, until each costs more: a hundred, then a hundred an hour.
const ACCOUNT: RefillRate = RefillRate { burst: 100, millis_each: 36_000 };
/// Wrong passwords from one address for any account, until each costs more: a hall that mistypes, then one a
/// second.
const ADDRESS: RefillRate = RefillRate { burst: 300, millis_each: 1_000 };
/// Wrong passwords for one account from anywhere, of which the next one is refused unless it comes from a
/// known device: a thousand, then a hundred an hour.
const ACCOUNT_MAX: RefillRate = RefillRate { burst: 1_000, millis_each: 36_000 };
/// Wrong passwords from one address for all accounts, of which the next one is refused: two each of a hall of
/// 300, then one in six seconds. One password that is tried on many accounts meets this.
const ADDRESS_MAX: RefillRate = RefillRate { burst: 700, millis_each: 6_000 };
/// Tokens of its pair that a failure costs once its account or its address had too many: three tries are
/// left.
const COST_IF_WIDESPREAD: i64 = 4;
/// Wrong codes of an app for one account, whose password the guesser knows: from anywhere, or from one known
/// device: ten at once, then one each ten minutes. Each is right by chance three times in a million.
const CODES: RefillRate = RefillRate { burst: 10, millis_each: 600_000 };
/// Right passwords of one user, each of which costs as much work as a wrong one: sixty, then one each five
/// seconds.
const PROOFS: RefillRate = RefillRate { burst: 60, millis_each: 5_000 };
/// Answers to one address that an e-mail is taken or not invited, or that a link does not work.
const DISCLOSURES: RefillRate = RefillRate { burst: 100, millis_each: 2_000 };
/// New accounts from one address: a whole hall at once, then one a second.
const REGISTRATIONS: RefillRate = RefillRate { burst: 500, millis_each: 1_000 };
/// New accounts from all networks of one site.
const REGISTRATIONS_OF_SITE: RefillRate = RefillRate { burst: 2_000, millis_each: 250 };
/// Mails with a link, asked for from one address: a few people at once, then one a minute.
const ACCOUNT_MAILS: RefillRate = RefillRate { burst: 20, millis_each: 60_000 };
/// Mails with such a link to one e-mail, whether or not it has an account, asked for from one address: three,
/// then one each ten minutes.
const ACCOUNT_MAILS_OF_PAIR: RefillRate = RefillRate { burst: 3, millis_each: 600_000 };
/// Mails with such a link to one e-mail from anywhere: thirty, then one each two minutes.
const ACCOUNT_MAILS_OF_ACCOUNT: RefillRate = RefillRate { burst: 30, millis_each: 120_000 };
/// Mails with invites to e-mails without a confirmed account, from one user: twenty, then twenty a day.
const MAILS_TO_STRANGERS: RefillRate = RefillRate { burst: 20, millis_each: 4_320_000 };
/// The same of a user who has confirmed the own e-mail: a hundred, then a hundred a day.
const MAILS_TO_STRANGERS_OF_VERIFIED: RefillRate = RefillRate { burst: 100, millis_each: 864_000 };
/// Mails with invites that all users of one address cause: two hundred, then two hundred a day.
const INVITES_FROM_ADDRESS: RefillRate = RefillRate { burst: 200, millis_each: 432_000 };
/// Mails with invites to one e-mail without a confirmed account: three, then three a day.
const INVITES_TO_STRANGER: RefillRate = RefillRate { burst: 3, millis_each: 28_800_000 };
/// Invites of one user to users with a confirmed e-mail: a hundred, then a hundred a day.
const INVITES_TO_USERS: RefillRate = RefillRate { burst: 100, millis_each: 864_000 };
/// Invites of all senders to one user with a confirmed e-mail: twenty, then twenty a day.
const INVITES_TO_USER: RefillRate = RefillRate { burst: 20, millis_each: 4_320_000 };
/// Pages that answer forms without a session from one address: a hall that signs in, then one a second.
const SHOWN_FORMS: RefillRate = RefillRate { burst: 300, millis_each: 1_000 };
/// Bids of one user: a lively minute, then ten a second.
const BIDS: RefillRate = RefillRate { burst: 60, millis_each: 100 };
/// Other writes of one user: the script of a busy organizer, then ten a second.
const WRITES: RefillRate = RefillRate { burst: 600, millis_each: 100 };
/// Parts of [`PICTURE_BYTES`] of pictures that one user gets: 50 MB at once, then 6 MB a second.
const PICTURES: RefillRate = RefillRate { burst: 800, millis_each: 10 };
/// The same of one address without an account, behind which a hall may be: 500 MB at once, then 64 MB a
/// second.
const PICTURES_OF_ADDRESS: RefillRate = RefillRate { burst: 8_000, millis_each: 1 };
const PICTURE_BYTES: usize = 64 * 1024;

/// All limits, or none where they are switched off.
pub struct RateLimits(Option<Arc<Buckets>>);

struct Buckets {
    clock: Arc<dyn Clock>,
    pairs: Bucket<(String, GuessSource)>,
    pairs_of_sites: Bucket<(String, Ipv6Site)>,
    accounts: Bucket<String>,
    accounts_max: Bucket<String>,
    addresses: Bucket<ClientAddress>,
    addresses_max: Bucket<ClientAddress>,
    codes: Bucket<(UserId, Option<DeviceId>)>,
    proofs: Bucket<UserId>,
    disclosures: Bucket<ClientAddress>,
    registrations: Bucket<ClientAddress>,
    registrations_of_sites: Bucket<Ipv6Site>,
    account_mails: Bucket<ClientAddress>,
    account_mails_of_pairs: Bucket<(String, ClientAddress)>,
    account_mails_of_accounts: Bucket<String>,
    mails_to_strangers: Bucket<UserId>,
    mails_to_strangers_of_verified: Bucket<UserId>,
    invites_from_addresses: Bucket<ClientAddress>,
    invites_to_strangers: Bucket<String>,
    invites_to_users: Bucket<UserId>,
    invites_to_user: Bucket<UserId>,
    shown_forms: Bucket<ClientAddress>,
    bids: Bucket<UserId>,
    writes: Bucket<UserId>,
    pictures: Bucket<UserId>,
    pictures_of_addresses: Bucket<ClientAddress>,
}

/// The user who sends an invite.
#[derive(Debug, Clone, Copy)]
pub struct Inviter {
    pub sender: UserId,
    /// The sender has confirmed the own e-mail.
    pub is_verified: bool,
    pub address: ClientAddress,
}

/// Where a guess comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GuessSource {
    Address(ClientAddress),
    /// A browser in which the user of the account has signed in before. What others guess elsewhere does not
    /// count here.
    Device(DeviceId),
}

/// A password that is being verified. It counts as a failure until it is [`forgiven`](Guess::forgive).
#[must_use = "a guess that turned out right is to be forgiven"]
pub struct Guess<'a> {
    buckets: Option<&'a Buckets>,
    taken: Taken,
}

/// The tokens of a guess.
#[derive(Default)]
struct Taken {
    pair: Option<((String, GuessSource), i64)>,
    pair_of_site: Option<((String, Ipv6Site), i64)>,
    account: Option<String>,
    account_max: Option<String>,
    address: Option<ClientAddress>,
    address_max: Option<ClientAddress>,
}

impl RateLimits {
    pub fn new(on: bool, clock: Arc<dyn Clock>) -> Self {
        Self(on.then(|| {
            Arc::new(Buckets {
                clock,
                pairs: Bucket::new(PAIR),
                pairs_of_sites: Bucket::new(PAIR_OF_SITE),
                accounts: Bucket::new(ACCOUNT),
                accounts_max: Bucket::new(ACCOUNT_MAX),
                addresses: Bucket::new(ADDRESS),
                addresses_max: Bucket::new(ADDRESS_MAX),
                codes: Bucket::new(CODES),
                proofs: Bucket::new(PROOFS),
                disclosures: Bucket::new(DISCLOSURES),
                registrations: Bucket::new(REGISTRATIONS),
                registrations_of_sites: Bucket::new(REGISTRATIONS_OF_SITE),
                account_mails: Bucket::new(ACCOUNT_MAILS),
                account_mails_of_pairs: Bucket::new(ACCOUNT_MAILS_OF_PAIR),
                account_mails_of_accounts: Bucket::new(ACCOUNT_MAILS_OF_ACCOUNT),
                mails_to_strangers: Bucket::new(MAILS_TO_STRANGERS),
                mails_to_strangers_of_verified: Bucket::new(MAILS_TO_STRANGERS_OF_VERIFIED),
                invites_from_addresses: Bucket::new(INVITES_FROM_ADDRESS),
                invites_to_strangers: Bucket::new(INVITES_TO_STRANGER),
                invites_to_users: Bucket::new(INVITES_TO_USERS),
                invites_to_user: Bucket::new(INVITES_TO_USER),
                shown_forms: Bucket::new(SHOWN_FORMS),
                bids: Bucket::new(BIDS),
                writes: Bucket::new(WRITES),
                pictures: Bucket::new(PICTURES),
                pictures_of_addresses: Bucket::new(PICTURES_OF_ADDRESS),
            })
        }))
    }

    /// Before a password is verified. `account` identifies the account, whether or not it exists; it is
    /// absent if there can be none. Refused if the account had too many wrong passwords from this source,
    /// and, except on a known device, from everywhere or this source too many for all accounts.
    pub fn guess(&self, account: Option<&str>, source: GuessSource) -> Result<Guess<'_>, TooMany> {
        let Some(buckets) = &self.0 else { return Ok(Guess { buckets: None, taken: Taken::default() }) };
        let taken = buckets.guess(account, source, buckets.clock.now())?;
        Ok(Guess { buckets: Some(buckets), taken })
    }

    /// Before a code of this user's app is verified, which counts as wrong until it is
    /// [forgiven](Self::forgive_code).
    pub fn code(&self, by: (UserId, Option<DeviceId>)) -> Result<(), TooMany> {
        self.with(|buckets, now| buckets.codes.take(&by, now))
    }

    /// The code was right, or was not verified.
    pub fn forgive_code(&self, by: (UserId, Option<DeviceId>)) {
        if let Some(buckets) = &self.0 {
            buckets.codes.give_back(&by, 1);
        }
    }

    /// Before a password of this user is verified that may be right.
    pub fn check_proof(&self, user: UserId) -> Result<(), TooMany> {
        self.with(|buckets, now| buckets.proofs.check(&user, now))
    }

    /// After a password of this user was right, or before it is verified for the user's own session.
    pub fn proof(&self, user: UserId) -> Result<(), TooMany> {
        self.with(|buckets, now| buckets.proofs.take(&user, now))
    }

    /// Before an answer that discloses whether an e-mail or a link is known.
    pub fn disclosure(&self, address: ClientAddress) -> Result<(), TooMany> {
        self.with(|buckets, now| buckets.disclosures.take(&address, now))
    }

    /// Before an answer that discloses this for so many e-mails.
    pub fn disclosures(&self, address: ClientAddress, count: usize) -> Result<(), TooMany> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        self.with(|buckets, now| buckets.disclosures.take_many(&address, count, now))
    }

    /// Before a new account is made.
    pub fn registration(&self, address: ClientAddress) -> Result<(), TooMany> {
        self.with(|buckets, now| {
            buckets.registrations.take(&address, now)?;
            address.site().map_or(Ok(()), |site| buckets.registrations_of_sites.take(&site, now))
        })
    }

    /// Before a mail with a link to set a new password or to confirm an e-mail. `account` identifies the
    /// account, whether or not it exists.
    pub fn account_mail(&self, address: ClientAddress, account: &str) -> Result<(), TooMany> {
        self.with(|buckets, now| {
            buckets.account_mails_of_pairs.take(&(account.to_owned(), address), now)?;
            buckets.account_mails.take(&address, now)?;
            buckets.account_mails_of_accounts.take(&account.to_owned(), now)
        })
    }

    /// Before an invite to an e-mail without a confirmed account is mailed. `email` is folded.
    pub fn invite_to_stranger(
        &self,
        Inviter { sender, is_verified, address }: Inviter,
        email: &str,
    ) -> Result<(), TooMany> {
        self.with(|buckets, now| {
            // What is refused takes nothing from the receiver's places, which others may need.
            buckets.invites_to_strangers.check(&email.to_owned(), now)?;
            match is_verified {
                true => buckets.mails_to_strangers_of_verified.take(&sender, now)?,
                false => buckets.mails_to_strangers.take(&sender, now)?,
            }
            buckets.invites_from_addresses.take(&address, now)?;
            buckets.invites_to_strangers.take(&email.to_owned(), now)
        })
    }

    /// Before a user with a confirmed e-mail is notified of an invite.
    pub fn invite_to_user(
        &self,
        Inviter { sender, address, .. }: Inviter,
        invited: UserId,
    ) -> Result<(), TooMany> {
        self.with(|buckets, now| {
            buckets.invites_to_user.check(&invited, now)?;
            buckets.invites_to_users.take(&sender, now)?;
            buckets.invites_from_addresses.take(&address, now)?;
            buckets.invites_to_user.take(&invited, now)
        })
    }

    /// Before a form without a session is answered with its page.
    pub fn shown_form(&self, address: ClientAddress) -> Result<(), TooMany> {
        self.with(|buckets, now| buckets.shown_forms.take(&address, now))
    }

    /// Before a bid is read.
    pub fn bid(&self, user: UserId) -> Result<(), TooMany> {
        self.with(|buckets, now| buckets.bids.take(&user, now))
    }

    /// Before another request that changes something is read. The user also pays for the rows that it
    /// changes, once they are changed.
    pub fn write(&self, user: UserId) -> Result<(), TooMany> {
        self.with(|buckets, now| buckets.writes.take(&user, now))?;
        if let Some(buckets) = self.0.clone() {
            touched_rows::pay_with(move |writes| {
                let writes = i64::try_from(writes).unwrap_or(i64::MAX);
                buckets.writes.owe(&user, writes.min(WRITES.burst), buckets.clock.now());
            });
        }
        Ok(())
    }

    /// Before a request writes as much as this many others, at most a full bucket. What it changes then is
    /// paid so far.
    pub fn writes(&self, user: UserId, count: i64) -> Result<(), TooMany> {
        self.with(|buckets, now| buckets.writes.take_many(&user, count, now))?;
        touched_rows::paid(u64::try_from(count).unwrap_or(0));
        Ok(())
    }

    /// Before a picture is loaded from where it is kept.
    pub fn check_pictures(&self, client: Client) -> Result<(), TooMany> {
        self.with(|buckets, now| match client {
            Client::User(user) => buckets.pictures.check(&user, now),
            Client::Address(address) => buckets.pictures_of_addresses.check(&address, now),
        })
    }

    /// After a picture of so many bytes was loaded.
    pub fn loaded_picture(&self, client: Client, bytes: usize) {
        let parts = i64::try_from(bytes.div_ceil(PICTURE_BYTES)).unwrap_or(i64::MAX);
        // Refused is the next one.
        let _ = self.with(|buckets, now| {
            let taken = match client {
                Client::User(user) => buckets.pictures.take_some(&user, parts, now),
                Client::Address(address) => buckets.pictures_of_addresses.take_some(&address, parts, now),
            };
            taken.map(drop)
        });
    }

    fn with(&self, take: impl FnOnce(&Buckets, Moment) -> Result<(), TooMany>) -> Result<(), TooMany> {
        self.0.as_ref().map_or(Ok(()), |buckets| take(buckets, buckets.clock.now()))
    }
}

impl Buckets {
    fn guess(&self, account: Option<&str>, source: GuessSource, now: Moment) -> Result<Taken, TooMany> {
        let mut taken = Taken::default();
        let GuessSource::Address(address) = source else {
            if let Some(account) = account {
                taken.pair = Some(self.take_pair(account, source, 1, now)?);
            }
            return Ok(taken);
        };
        self.addresses_max.take(&address, now)?;
        taken.address_max = Some(address);
        if let Some(account) = account.map(str::to_owned) {
            if let Err(error) = self.accounts_max.take(&account, now) {
                self.give_back(&taken);
                return Err(error);
            }
            taken.account_max = Some(account);
        }
        // Long before they refuse, the wide limits make failures cost more.
        taken.address = self.addresses.take(&address, now).is_ok().then_some(address);
        let Some(account) = account else { return Ok(taken) };
        taken.account = self.accounts.take(&account.to_owned(), now).is_ok().then(|| account.to_owned());
        let is_widespread = taken.address.is_none() || taken.account.is_none();
        let cost = if is_widespread { COST_IF_WIDESPREAD } else { 1 };
        let refused = |error| {
            self.give_back(&taken);
            error
        };
        let pair = self.take_pair(account, source, cost, now).map_err(refused)?;
        taken.pair = Some(pair);
        if let Some(site) = address.site() {
            let key = (account.to_owned(), site);
            match self.pairs_of_sites.take_some(&key, cost, now) {
                Ok(count) => taken.pair_of_site = Some((key, count)),
                Err(error) => {
                    self.give_back(&taken);
                    return Err(error);
                }
            }
        }
        Ok(taken)
    }

    fn take_pair(
        &self,
        account: &str,
        source: GuessSource,
        cost: i64,
        now: Moment,
    ) -> Result<((String, GuessSource), i64), TooMany> {
        let key = (account.to_owned(), source);
        let count = self.pairs.take_some(&key, cost, now)?;
        Ok((key, count))
    }

    fn give_back(&self, taken: &Taken) {
        let Taken { pair, pair_of_site, account, account_max, address, address_max } = taken;
        if let Some((key, count)) = pair {
            self.pairs.give_back(key, *count);
        }
        if let Some((key, count)) = pair_of_site {
            self.pairs_of_sites.give_back(key, *count);
        }
        if let Some(account) = account {
            self.accounts.give_back(account, 1);
        }
        if let Some(account) = account_max {
            self.accounts_max.give_back(account, 1);
        }
        if let Some(address) = address {
            self.addresses.give_back(address, 1);
        }
        if let Some(address) = address_max {
            self.addresses_max.give_back(address, 1);
        }
    }
}

impl Guess<'_> {
    /// It was right, or was not verified, so it is no failure.
    pub fn forgive(self) {
        if let Some(buckets) = self.buckets {
            buckets.give_back(&self.taken);
        }
    }
}
