//! PINs of many people. Hashing takes long by intent, so that it is done before the transaction.

use accounts::Accounts;
use accounts::credentials::Credentials;
use accounts::groups::Pin;
use accounts::hashing::{Caller, HashError};
use futures::{StreamExt, TryStreamExt, stream};
use platform::net::ClientAddress;

/// Hashes of one request that wait for a core at once.
const AT_ONCE: usize = 8;

/// The credentials of each PIN, in their order.
pub async fn credentials(
    accounts: &Accounts,
    address: ClientAddress,
    pins: &[Pin],
) -> Result<Vec<Credentials>, HashError> {
    let hash = |pin: Pin| async move {
        let hash = accounts.passwords.hash_pin(Caller::Stranger(address), &pin).await?;
        Ok(Credentials::new(hash)?)
    };
    stream::iter(pins.to_vec()).map(hash).buffered(AT_ONCE).try_collect().await
}
