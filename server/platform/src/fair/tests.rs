use futures::FutureExt;

use super::*;

const LIMITS: FairLimits =
    FairLimits { running: 2, share: 2, waiting: 10, waiting_of_one: 6, wait: Duration::from_secs(10) };

#[tokio::test]
async fn a_client_with_one_request_waits_for_one_turn_of_a_client_with_many() {
    let limiter = FairLimiter::new(LIMITS);
    let first = limiter.acquire(1).await.unwrap();
    let second = limiter.acquire(1).await.unwrap();
    let mut many: Vec<_> = (0..5).map(|_| Box::pin(limiter.acquire(1))).collect();
    for waiting in &mut many {
        assert!(waiting.now_or_never().is_none(), "waits");
    }
    let mut one = Box::pin(limiter.acquire(2));
    assert!((&mut one).now_or_never().is_none(), "waits");
    drop(first);
    let other = one.now_or_never().expect("the turn of the other client").unwrap();
    assert!((&mut many[0]).now_or_never().is_none(), "waits behind itself");
    drop(second);
    let third = many.remove(0).now_or_never().expect("its own turn").unwrap();
    assert!((&mut many[0]).now_or_never().is_none());
    drop((third, other));
    assert!(many.remove(0).now_or_never().is_some());
    assert!(many.remove(0).now_or_never().is_some());
}

/// Three clients with requests without end, and one that asks for little.
#[tokio::test]
async fn a_client_that_asks_for_little_goes_before_those_that_ask_for_much() {
    let (much, little) = (Duration::from_secs(1), Duration::from_millis(1));
    let limiter = FairLimiter::new(FairLimits { running: 1, share: 1, ..LIMITS });
    let wait = |client| {
        let mut waiting = Box::pin(limiter.acquire(client));
        assert!((&mut waiting).now_or_never().is_none(), "waits");
        waiting
    };
    let mut running = limiter.acquire(0).await.unwrap();
    let mut waiting = vec![wait(1), wait(2)];
    let (mut turns, mut asked) = (Vec::new(), 0);
    for turn in 0..60 {
        let client = running.client;
        let took = if client == 9 { little } else { much };
        running.running_since = Instant::now().checked_sub(took);
        waiting.extend((client != 9).then(|| wait(client)));
        // The one with little comes now and then, and finds the others waiting.
        if turn % 4 == 3 {
            waiting.push(wait(9));
            asked = turn;
        }
        drop(running);
        let mut next = None;
        waiting.retain_mut(|waiting| {
            let delivered = waiting.now_or_never();
            let is_delivered = delivered.is_some();
            next = next.take().or(delivered);
            !is_delivered
        });
        running = next.expect("one goes on").unwrap();
        turns.push(running.client);
        if running.client == 9 {
            assert!(turn - asked <= 1, "it waits for one turn of another at most, not for one of each");
        }
    }
    for client in [0, 1, 2, 9] {
        let had = turns.iter().filter(|turn| **turn == client).count();
        assert!((14..=16).contains(&had), "{client} of {turns:?}");
    }
}

#[tokio::test]
async fn a_client_has_its_share_and_the_rest_is_for_others() {
    let limiter = FairLimiter::new(FairLimits { share: 1, ..LIMITS });
    let first = limiter.acquire(1).await.unwrap();
    assert_eq!(limiter.try_acquire(1).map(drop), Err(Busy));
    let mut again = Box::pin(limiter.acquire(1));
    assert!((&mut again).now_or_never().is_none(), "waits behind itself");
    let _other = limiter.try_acquire(2).unwrap();
    drop(first);
    assert!(again.now_or_never().is_some());
}

#[tokio::test]
async fn a_light_client_finds_a_permit_beside_heavy_ones() {
    let limiter = FairLimiter::reserving(1, LIMITS);
    let both = [limiter.try_acquire(1), limiter.try_acquire(2)];
    both.into_iter().for_each(|permit| use_much(permit.unwrap()));
    let first = limiter.acquire(1).await.unwrap();
    let mut second = Box::pin(limiter.acquire(2));
    assert!((&mut second).now_or_never().is_none(), "the other permit is for light clients");
    drop(limiter.try_acquire(3).unwrap());
    let light = limiter.try_acquire(3).unwrap();
    use_much(first);
    let second = second.now_or_never().expect("the permit of the first").unwrap();
    drop(light);
    assert_eq!(limiter.try_acquire(1).map(drop), Err(Busy));
    drop(second);
    let alone = limiter.try_acquire(1).unwrap();
    assert_eq!(limiter.try_acquire(1).map(drop), Err(Busy), "a heavy client has one permit");
    drop(alone);
    let state = limiter.0.state.lock();
    assert_eq!((state.free, state.running_heavy), (2, 0), "all permits are free again");
}

#[tokio::test]
async fn a_heavy_client_that_asks_for_little_becomes_a_light_one() {
    let limiter = FairLimiter::reserving(1, FairLimits { share: 1, ..LIMITS });
    let is_heavy = |client| limiter.0.state.lock().requests_of(client).is_heavy();
    use_much(limiter.acquire(1).await.unwrap());
    assert!(is_heavy(1));
    // Others use what there is.
    let mut running = limiter.acquire(2).await.unwrap();
    for next in [3, 4, 2, 3, 4, 2, 3, 4] {
        let mut waiting = Box::pin(limiter.acquire(next));
        let begun = (&mut waiting).now_or_never();
        use_much(running);
        let begun = begun.or_else(|| waiting.now_or_never());
        running = begun.expect("the permit of the one before").unwrap();
    }
    assert!(!is_heavy(1) && is_heavy(2));
}

/// Ends work that has taken a second.
fn use_much(mut permit: FairPermit<i32>) {
    permit.running_since = Instant::now().checked_sub(Duration::from_secs(1));
}

#[tokio::test]
async fn a_permit_that_yields_lets_others_go_on_and_its_client_wait() {
    let limiter = FairLimiter::new(FairLimits { running: 1, share: 1, ..LIMITS });
    let mut first = limiter.acquire(1).await.unwrap();
    let mut other = Box::pin(limiter.acquire(2));
    assert!((&mut other).now_or_never().is_none());
    first.yield_to_others();
    drop(other.now_or_never().expect("goes on").unwrap());
    assert!(limiter.try_acquire(1).is_err());
    drop(first);
    assert!(limiter.try_acquire(1).is_ok());
    assert_eq!(limiter.0.state.lock().free, 1, "all permits are free again");
}

#[tokio::test]
async fn a_request_that_waits_no_more_takes_no_permit_and_one_beyond_the_queue_is_refused() {
    let limiter = FairLimiter::new(FairLimits { running: 1, waiting: 2, waiting_of_one: 1, ..LIMITS });
    let first = limiter.acquire(1).await.unwrap();
    let mut gone = Box::pin(limiter.acquire(1));
    assert!((&mut gone).now_or_never().is_none());
    assert_eq!(limiter.acquire(1).await.map(drop), Err(Busy), "one of a client waits");
    let mut second = Box::pin(limiter.acquire(2));
    assert!((&mut second).now_or_never().is_none());
    assert_eq!(limiter.acquire(3).await.map(drop), Err(Busy), "two wait");
    drop(gone);
    drop(first);
    drop(second.now_or_never().expect("the next one").unwrap());
    let state = limiter.0.state.lock();
    assert!(state.clients.values().all(Requests::is_idle) && state.turns.is_empty());
    assert_eq!((state.free, state.waiting), (1, 0));
}

#[tokio::test]
async fn a_wait_ends() {
    let wait = Duration::from_millis(20);
    let limiter = FairLimiter::new(FairLimits { running: 1, wait, ..LIMITS });
    let _first = limiter.acquire(1).await.unwrap();
    assert_eq!(limiter.acquire(2).await.map(drop), Err(Busy));
}
