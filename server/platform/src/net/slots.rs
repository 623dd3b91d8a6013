//! Slots for connections: a fixed number, and at most half of them for one address. Half is enough for a room
//! full of bidders behind one address; a proxy, which connects for all clients, may take all of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{ClientAddress, Networks};

/// The slots of one server.
pub struct ConnectionSlots {
    count: usize,
    free: Arc<Semaphore>,
    by_address: Arc<Mutex<HashMap<ClientAddress, usize>>>,
    proxies: Networks,
}

/// The slot of a connection. Dropping it frees the slot.
#[derive(Debug)]
pub struct ConnectionSlot {
    _permit: OwnedSemaphorePermit,
    _counted: Option<Counted>,
}

#[derive(Debug)]
struct Counted {
    address: ClientAddress,
    by_address: Arc<Mutex<HashMap<ClientAddress, usize>>>,
}

impl ConnectionSlots {
    pub fn new(count: usize, proxies: Networks) -> Self {
        Self { count, free: Arc::new(Semaphore::new(count)), by_address: Arc::default(), proxies }
    }

    /// Takes a slot for a connection from `peer`, if one is free.
    pub fn take(&self, peer: IpAddr) -> Option<ConnectionSlot> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        if peer.to_canonical().is_loopback() || self.proxies.contain(peer) {
            return Some(ConnectionSlot { _permit: permit, _counted: None });
        }
        let address = ClientAddress::of(peer);
        let mut counts = self.by_address.lock();
        let count = counts.entry(address).or_default();
        if *count >= self.count.div_ceil(2) {
            return None;
        }
        *count += 1;
        let by_address = Arc::clone(&self.by_address);
        Some(ConnectionSlot { _permit: permit, _counted: Some(Counted { address, by_address }) })
    }

    /// Waits until every slot is free.
    pub async fn all_free(&self) {
        let count = u32::try_from(self.count).unwrap_or(u32::MAX);
        // It fails only if the semaphore is closed, which never happens.
        let _all = self.free.acquire_many(count).await;
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.by_address.lock();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(slots: &ConnectionSlots, peer: &str) -> Option<ConnectionSlot> {
        slots.take(peer.parse().unwrap())
    }

    #[tokio::test]
    async fn one_address_gets_half_of_the_slots_and_returns_them() {
        let slots = ConnectionSlots::new(4, "10.0.0.0/8".parse().unwrap());
        let first = [take(&slots, "192.0.2.1"), take(&slots, "192.0.2.1")];
        assert!(first.iter().all(Option::is_some));
        assert!(take(&slots, "192.0.2.1").is_none());
        assert!(take(&slots, "192.0.2.2").is_some());
        drop(first);
        assert!(slots.by_address.lock().is_empty());
        assert!(take(&slots, "192.0.2.1").is_some());
    }

    #[tokio::test]
    async fn a_proxy_and_this_machine_may_take_all_slots() {
        for peer in ["10.0.0.1", "127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            let slots = ConnectionSlots::new(3, "10.0.0.0/8".parse().unwrap());
            let taken: Vec<_> = (0..4).map(|_| take(&slots, peer)).collect();
            assert_eq!(taken.iter().filter(|slot| slot.is_some()).count(), 3, "{peer}");
        }
    }

    #[tokio::test]
    async fn waiting_for_all_slots_waits_for_the_last_connection() {
        let slots = ConnectionSlots::new(2, Networks::default());
        let last = take(&slots, "192.0.2.1");
        assert!(futures::FutureExt::now_or_never(slots.all_free()).is_none());
        drop(last);
        slots.all_free().await;
    }
}
