//! Places for connections: so many in all, and no more than half of them for one address. A hall behind one
//! address has room in that half; a proxy, whose address stands for everyone, may take them all.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{ClientAddress, Networks};

/// See the module.
pub struct Places {
    all: usize,
    free: Arc<Semaphore>,
    by_address: Arc<Mutex<HashMap<ClientAddress, usize>>>,
    proxies: Networks,
}

/// Free again when it is dropped.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
    _counted: Option<Counted>,
}

#[derive(Debug)]
struct Counted {
    address: ClientAddress,
    by_address: Arc<Mutex<HashMap<ClientAddress, usize>>>,
}

impl Places {
    pub fn new(all: usize, proxies: Networks) -> Self {
        Self { all, free: Arc::new(Semaphore::new(all)), by_address: Arc::default(), proxies }
    }

    /// A place for a connection from `peer`, if there is one.
    pub fn take(&self, peer: IpAddr) -> Option<Place> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        if peer.to_canonical().is_loopback() || self.proxies.contain(peer) {
            return Some(Place { _permit: permit, _counted: None });
        }
        let address = ClientAddress::of(peer);
        let mut counts = self.by_address.lock();
        let count = counts.entry(address).or_default();
        if *count >= self.all.div_ceil(2) {
            return None;
        }
        *count += 1;
        let by_address = Arc::clone(&self.by_address);
        Some(Place { _permit: permit, _counted: Some(Counted { address, by_address }) })
    }

    /// Waits until every place is free.
    pub async fn all_left(&self) {
        let all = u32::try_from(self.all).unwrap_or(u32::MAX);
        // It fails where the semaphore is closed, which nobody does.
        let _all = self.free.acquire_many(all).await;
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

    fn take(places: &Places, peer: &str) -> Option<Place> {
        places.take(peer.parse().unwrap())
    }

    #[tokio::test]
    async fn one_address_gets_half_and_gives_it_back() {
        let places = Places::new(4, "10.0.0.0/8".parse().unwrap());
        let first = [take(&places, "192.0.2.1"), take(&places, "192.0.2.1")];
        assert!(first.iter().all(Option::is_some));
        assert!(take(&places, "192.0.2.1").is_none());
        assert!(take(&places, "192.0.2.2").is_some());
        drop(first);
        assert!(places.by_address.lock().is_empty());
        assert!(take(&places, "192.0.2.1").is_some());
    }

    #[tokio::test]
    async fn a_proxy_and_this_machine_may_take_all() {
        for peer in ["10.0.0.1", "127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            let places = Places::new(3, "10.0.0.0/8".parse().unwrap());
            let taken: Vec<_> = (0..4).map(|_| take(&places, peer)).collect();
            assert_eq!(taken.iter().filter(|place| place.is_some()).count(), 3, "{peer}");
        }
    }

    #[tokio::test]
    async fn who_waits_for_all_to_leave_waits_for_the_last() {
        let places = Places::new(2, Networks::default());
        let last = take(&places, "192.0.2.1");
        assert!(futures::FutureExt::now_or_never(places.all_left()).is_none());
        drop(last);
        places.all_left().await;
    }
}
