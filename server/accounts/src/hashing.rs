//! Hashing and verifying passwords, which are kept as argon2id. Hashing takes much memory and time by intent,
//! so that a bounded number of threads of low priority does it, for which clients take turns.

mod turns;

use std::fmt::Display;
use std::hash::Hash;
use std::sync::Arc;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};

use crate::groups::Pin;
use crate::ids::UserId;
use crate::password::OwnPassword;
use platform::fair::Busy;
use platform::low_priority::LowPriority;
use platform::net::{Client, ClientAddress};
use platform::random;
use platform::text::composed;
use turns::{Core, Turns};

/// OWASP's parameters: 19 MiB, two passes, one lane.
const PARAMS: Result<Params, argon2::Error> = Params::new(19_456, 2, 1, None);

/// Address space that is asked for to hash in, in blocks of 1 KiB; what the parameters don't use is never
/// touched. More than 32 MiB the allocator gives back to the system at once; of less it keeps 19 MiB for each
/// thread that ever hashed.
const MEMORY_BLOCKS: usize = 34 * 1024;

/// A hash of no password, with the parameters above. It is verified where there is no account, so that
/// both cases takes as long.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$ZmFydGhpbmctbm9ib2R5cw$u0VkN1l7fN0oQ3k9sV4yq2m6wB8Jx5tHc1ZrD7eXgPA";

/// Why a password could not be hashed.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
    #[error("too many passwords are being checked")]
    Busy,
    #[error("hashing failed: {0}")]
    Failed(String),
    #[error(transparent)]
    Entropy(#[from] random::NoEntropy),
}

/// The client for whom a password is hashed. Known browsers and keepers have cores of their own, and clients
/// take turns.
#[derive(Debug, Clone, Copy)]
pub enum HashingClient {
    Stranger(ClientAddress),
    /// A client that signs in with a number of a group and a PIN. A hall has one address: passwords that are
    /// typed there don't wait behind guesses of PINs.
    Number(ClientAddress),
    /// A user, by a session: proofs of the password, and new passwords.
    User(UserId),
    /// A browser in which the user of the account has signed in before. Strangers don't make it wait.
    Known(UserId),
    /// The keeper of a group, who sets PINs of many people.
    Keeper(UserId),
    /// This process.
    Process,
}

/// The client that takes turns on the cores for strangers and sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stranger {
    Client(Client),
    Number(ClientAddress),
}

/// Hashes and verifies, a bounded number at a time.
pub struct Passwords {
    threads: Arc<LowPriority>,
    strangers: Turns<Stranger>,
    known: Turns<UserId>,
    keepers: Turns<UserId>,
}

impl Passwords {
    /// Half of the cores for strangers and sessions, and one more thread each for known browsers and for
    /// keepers.
    pub fn new(threads: Arc<LowPriority>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { threads, strangers: Turns::new(cores / 2), known: Turns::new(1), keepers: Turns::new(1) }
    }

    /// The text to keep.
    pub async fn hash(&self, caller: HashingClient, password: OwnPassword) -> Result<String, HashError> {
        self.hash_text(caller, password.into_string()).await
    }

    /// The text to keep of a PIN.
    pub async fn hash_pin(&self, caller: HashingClient, pin: &Pin) -> Result<String, HashError> {
        self.hash_text(caller, pin.as_str().to_owned()).await
    }

    /// Whether `typed` is the password that `kept` was made of. Takes the same time where nothing is kept.
    pub async fn verify(
        &self,
        caller: HashingClient,
        typed: String,
        kept: Option<String>,
    ) -> Result<bool, HashError> {
        let typed = composed(&typed);
        self.work(
            caller,
            |is_right| *is_right,
            move || {
                let hash = PasswordHash::new(kept.as_deref().unwrap_or(NOBODYS)).map_err(failed)?;
                let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else {
                    return Err(HashError::Failed("a kept hash lacks a part".to_owned()));
                };
                let found = derive(typed.as_bytes(), salt, Params::try_from(&hash).map_err(failed)?)?;
                // Compared in constant time.
                Ok(found == *expected && kept.is_some())
            },
        )
        .await
    }

    /// The text to keep instead of `kept`, of which `typed` is the password, if the parameters are higher by
    /// now.
    pub async fn renew(
        &self,
        caller: HashingClient,
        typed: String,
        kept: &str,
    ) -> Result<Option<String>, HashError> {
        if is_weaker(&params_of(kept)?) {
            self.hash_text(caller, composed(&typed)).await.map(Some)
        } else {
            Ok(None)
        }
    }

    async fn hash_text(&self, caller: HashingClient, password: String) -> Result<String, HashError> {
        let salt: [u8; 16] = random::bytes()?;
        self.work(
            caller,
            |_| false,
            move || {
                let params = PARAMS.map_err(failed)?;
                let salt = Salt::new(&salt).map_err(failed)?;
                let hash = PasswordHash {
                    algorithm: ARGON2ID_IDENT,
                    version: Some(Version::V0x13.into()),
                    params: ParamsString::try_from(&params).map_err(failed)?,
                    salt: Some(salt),
                    hash: Some(derive(password.as_bytes(), &salt, params)?),
                };
                Ok(hash.to_string())
            },
        )
        .await
    }

    async fn work<T: Send + 'static>(
        &self,
        caller: HashingClient,
        is_right: fn(&T) -> bool,
        job: impl FnOnce() -> Result<T, HashError> + Send + 'static,
    ) -> Result<T, HashError> {
        let job = (is_right, job);
        match caller {
            HashingClient::Stranger(address) => self.run_for(Stranger::Client(address.into()), job).await,
            HashingClient::Number(address) => self.run_for(Stranger::Number(address), job).await,
            HashingClient::User(user) => self.run_for(Stranger::Client(user.into()), job).await,
            HashingClient::Known(user) => self.run(self.known.acquire(user).await?, job).await,
            HashingClient::Keeper(user) => self.run(self.keepers.acquire(user).await?, job).await,
            HashingClient::Process => self.run(self.known.acquire(UserId::NOBODY).await?, job).await,
        }
    }

    async fn run_for<T: Send + 'static>(
        &self,
        stranger: Stranger,
        job: (fn(&T) -> bool, impl FnOnce() -> Result<T, HashError> + Send + 'static),
    ) -> Result<T, HashError> {
        self.run(self.strangers.acquire(stranger).await?, job).await
    }

    /// The work holds the core, not its caller: a caller that leaves frees none.
    async fn run<T: Send + 'static, C: Copy + Eq + Hash + Send + 'static>(
        &self,
        core: Core<C>,
        (is_right, job): (fn(&T) -> bool, impl FnOnce() -> Result<T, HashError> + Send + 'static),
    ) -> Result<T, HashError> {
        let job = self.threads.run_blocking(move || {
            let done = job();
            if done.as_ref().is_ok_and(is_right) {
                core.was_right();
            }
            done
        });
        job.await.map_err(failed)?
    }
}

impl From<Busy> for HashError {
    fn from(Busy: Busy) -> Self {
        Self::Busy
    }
}

fn params_of(kept: &str) -> Result<Params, HashError> {
    Params::try_from(&PasswordHash::new(kept).map_err(failed)?).map_err(failed)
}

fn is_weaker(params: &Params) -> bool {
    PARAMS.is_ok_and(|now| params.m_cost() < now.m_cost() || params.t_cost() < now.t_cost())
}

/// Argon2id, in memory that is gone afterwards.
fn derive(password: &[u8], salt: &Salt, params: Params) -> Result<Output, HashError> {
    let mut memory = Vec::with_capacity(MEMORY_BLOCKS.max(params.block_count()));
    memory.resize(params.block_count(), Block::new());
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_into_with_memory(password, salt, &mut output, &mut memory).map_err(failed)?;
    Output::new(&output).map_err(failed)
}

fn failed(error: impl Display) -> HashError {
    HashError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::password::Password;

    fn passwords() -> Passwords {
        Passwords::new(Arc::new(LowPriority::start().unwrap()))
    }

    #[tokio::test]
    async fn hashing_does_not_take_a_core_from_bids() {
        let passwords = passwords();
        let stranger = HashingClient::Stranger(ClientAddress::of(std::net::Ipv4Addr::LOCALHOST.into()));
        for caller in [HashingClient::Process, HashingClient::Keeper(UserId::NOBODY), stranger] {
            let is_low = passwords.work(caller, |_| false, || Ok(platform::low_priority::is_current())).await;
            assert!(is_low.unwrap(), "{caller:?}");
        }
    }

    #[tokio::test]
    async fn a_password_does_not_wait_for_the_pins_of_a_hall_at_its_address() {
        let passwords = Passwords { strangers: Turns::new(1), ..passwords() };
        let address = ClientAddress::of(std::net::Ipv4Addr::LOCALHOST.into());
        let ((go, begun), order) = (std::sync::mpsc::channel(), parking_lot::Mutex::new(Vec::new()));
        let work = async |caller, what| {
            passwords.work(caller, |_| false, || Ok(())).await.unwrap();
            order.lock().push(what);
        };
        let guess =
            passwords.work(HashingClient::Number(address), |_| false, move || begun.recv().map_err(failed));
        let begin = async { go.send(()).unwrap() };
        let (number, stranger) = (HashingClient::Number(address), HashingClient::Stranger(address));
        let (guessed, ..) = tokio::join!(guess, work(number, "PIN"), work(stranger, "password"), begin);
        guessed.unwrap();
        assert_eq!(*order.lock(), ["password", "PIN"]);
    }

    async fn hash(passwords: &Passwords, text: &str) -> String {
        let password = text.parse::<Password>().unwrap().of("ada@example.org", "Ada", &[]).unwrap();
        passwords.hash(HashingClient::Process, password).await.unwrap()
    }

    #[tokio::test]
    async fn a_hash_is_argon2id_and_verifies_its_password_only() {
        let passwords = passwords();
        let kept = hash(&passwords, "correct h\u{f6}rse").await;
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        for (typed, kept, is_right) in [
            ("correct h\u{f6}rse", Some(kept.clone()), true),
            ("correct ho\u{308}rse", Some(kept.clone()), true),
            ("correct h\u{f6}rse ", Some(kept), false),
            ("correct h\u{f6}rse", None, false),
        ] {
            let verified = passwords.verify(HashingClient::Process, typed.to_owned(), kept).await;
            assert_eq!(verified.unwrap(), is_right, "{typed:?}");
        }
    }

    #[test]
    fn an_unknown_email_costs_as_much_as_a_new_hash() {
        let costs = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
        let (nobodys, now) = (params_of(NOBODYS).unwrap(), PARAMS.unwrap());
        assert_eq!(costs(&nobodys), costs(&now));
        assert_eq!(nobodys.output_len(), Some(Params::DEFAULT_OUTPUT_LEN));
    }

    #[tokio::test]
    async fn a_hash_is_renewed_if_its_parameters_are_lower() {
        let passwords = passwords();
        let kept = hash(&passwords, "correct horse").await;
        let renew = |kept: &str| {
            let kept = kept.to_owned();
            let passwords = &passwords;
            async move {
                passwords.renew(HashingClient::Process, "correct horse".to_owned(), &kept).await.unwrap()
            }
        };
        assert_eq!(renew(&kept).await, None);
        for lower in ["m=19455,t=2", "m=19456,t=1"] {
            let renewed = renew(&kept.replace("m=19456,t=2", lower)).await.unwrap();
            assert!(renewed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{renewed}");
        }
        assert_eq!(renew(&kept.replace("m=19456", "m=65536")).await, None);
    }
}
