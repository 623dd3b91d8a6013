//! The client of a request, as far as clients share something fairly.

use super::ClientAddress;
use crate::ids::UserId;

/// The signed-in user of a request, from whatever address; of a request without a user its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Client {
    User(UserId),
    Address(ClientAddress),
}

impl From<UserId> for Client {
    fn from(user: UserId) -> Self {
        Self::User(user)
    }
}

impl From<ClientAddress> for Client {
    fn from(address: ClientAddress) -> Self {
        Self::Address(address)
    }
}
