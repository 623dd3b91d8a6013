//! New PINs of many people. Hashing takes long by intent, so that it is done before the transaction, in turns
//! with other keepers, and costs the keeper a write for each PIN.

use accounts::Accounts;
use accounts::credentials::Credentials;
use accounts::groups::CardKeys;
use accounts::hashing::{HashError, HashingClient};
use futures::{StreamExt, TryStreamExt, stream};

use crate::ids::UserId;

/// Hashes of one request that wait for a core at once.
const AT_ONCE: usize = 8;

/// The credentials of each PIN and its card, in their order.
pub async fn credentials(
    accounts: &Accounts,
    keeper: UserId,
    keys: &[CardKeys],
) -> Result<Vec<Credentials>, HashError> {
    let hash = |keys: CardKeys| async move {
        let hash = accounts.passwords.hash_pin(HashingClient::Keeper(keeper), &keys.pin).await?;
        Ok(Credentials::of_card(hash, keys.secret.hash())?)
    };
    stream::iter(keys.to_vec()).map(hash).buffered(AT_ONCE).try_collect().await
}
