//! Tests of the limits on guesses, mails and registrations.

use platform::time::ManualClock;

use super::*;

fn limits() -> (RateLimits, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(Moment::from_millis(1_800_000_000_000).unwrap()));
    (RateLimits::new(true, Arc::clone(&clock) as _), clock)
}

fn address(text: &str) -> GuessSource {
    GuessSource::Address(ClientAddress::of(text.parse().unwrap()))
}

/// Wrong passwords until one is refused.
fn fail(limits: &RateLimits, account: &str, source: GuessSource) -> usize {
    (0..1000).take_while(|_| limits.guess(Some(account), source).map(drop).is_ok()).count()
}

#[test]
fn wrong_passwords_are_limited_by_account_and_address_together() {
    let (limits, clock) = limits();
    assert_eq!(fail(&limits, "ada", address("192.0.2.1")), 10);
    assert_eq!(fail(&limits, "ada", address("192.0.2.2")), 10);
    assert_eq!(fail(&limits, "bob", address("192.0.2.1")), 10);
    clock.advance_seconds(12);
    assert_eq!(fail(&limits, "ada", address("192.0.2.1")), 1);
}

#[test]
fn a_right_password_is_no_failure() {
    let (limits, _) = limits();
    for _ in 0..1000 {
        limits.guess(Some("ada"), address("2001:db8::1")).unwrap().forgive();
    }
    assert_eq!(fail(&limits, "ada", address("2001:db8::1")), 10);
}

#[test]
fn many_failures_elsewhere_leave_fewer_tries() {
    let (limits, _) = limits();
    for n in 0..500 {
        let _ = limits.guess(Some(&format!("nobody{n}")), address("192.0.2.1"));
        let _ = limits.guess(Some("ada"), address(&format!("10.0.{}.{}", n / 250, n % 250)));
    }
    for (account, at) in [("ada", "192.0.2.9"), ("bob", "192.0.2.1")] {
        assert_eq!(fail(&limits, account, address(at)), 3, "{account} has fewer tries");
    }
}

/// One password that is tried on many accounts.
#[test]
fn an_address_has_700_failures_for_all_accounts() {
    let (limits, clock) = limits();
    let tried = |from: usize| {
        (from..from + 1000)
            .take_while(|n| limits.guess(Some(&format!("user{n}")), address("192.0.2.1")).is_ok())
            .count()
    };
    assert_eq!(tried(0), 700);
    assert!(limits.guess(Some("user0"), address("192.0.2.2")).is_ok());
    clock.advance_seconds(60);
    assert_eq!(tried(2000), 10);
    let device = GuessSource::Device(DeviceId::new().unwrap());
    limits.guess(Some("user1"), device).unwrap().forgive();
}

#[test]
fn an_account_has_1000_failures_from_everywhere() {
    let (limits, _) = limits();
    let at = |n: usize| address(&format!("10.{}.{}.{}", n / 60_000, n / 250 % 250, n % 250));
    let tried = (0..2000).take_while(|n| limits.guess(Some("ada"), at(*n)).is_ok()).count();
    assert_eq!(tried, 1000);
    assert_eq!(fail(&limits, "ada", GuessSource::Device(DeviceId::new().unwrap())), 10);
    assert!(limits.guess(Some("bob"), at(1)).is_ok());
}

/// Requests of others leave the user's own from elsewhere.
#[test]
fn links_by_mail_are_limited_by_address_and_account() {
    let (limits, _) = limits();
    let [attacker, user] = ["192.0.2.1", "192.0.2.2"].map(|text| ClientAddress::of(text.parse().unwrap()));
    let asked = (0..100).take_while(|_| limits.account_mail(attacker, "ada").is_ok()).count();
    assert_eq!(asked, 3);
    limits.account_mail(user, "ada").unwrap();
    let addresses = (3..100).map(|n| ClientAddress::of(format!("192.0.2.{n}").parse().unwrap()));
    let asked: usize =
        addresses.map(|from| (0..9).filter(|_| limits.account_mail(from, "ada").is_ok()).count()).sum();
    assert_eq!(asked, 30 - 4, "no mailbox is flooded");
}

#[test]
fn what_a_sender_may_not_invite_takes_no_place_of_the_receiver() {
    let (limits, _) = limits();
    let address = ClientAddress::of("192.0.2.1".parse().unwrap());
    let user = || UserId::new(Moment::from_millis(1_800_000_000_000).unwrap());
    let inviter = || Inviter { sender: user(), is_verified: false, address };
    let (eager, other) = (inviter(), inviter());
    let invite = |sender, email: &str| limits.invite_to_stranger(sender, email).is_ok();
    assert!((0..20).all(|n| invite(eager, &format!("{n}@example.org"))));
    assert!((0..9).all(|_| !invite(eager, "ada@example.org")), "the sender has no mail left");
    assert!((0..3).all(|_| invite(other, "ada@example.org")), "three a day are left");
    assert!((0..9).all(|_| !invite(other, "ada@example.org")));
    assert!(
        (0..17).all(|n| invite(other, &format!("{n}@example.net"))),
        "refusals took nothing of the sender"
    );

    let invited = user();
    let notify = |sender| limits.invite_to_user(sender, invited).is_ok();
    assert!((0..20).all(|_| notify(eager)));
    assert!((0..9).all(|_| !notify(other)));
    assert!((0..80).all(|_| limits.invite_to_user(eager, user()).is_ok()));
    let next = user();
    assert!((0..20).all(|_| limits.invite_to_user(eager, next).is_err()), "the sender has none left");
    assert!((0..20).all(|_| limits.invite_to_user(other, next).is_ok()));
}

#[test]
fn a_known_device_has_its_own_limit() {
    let (limits, _) = limits();
    let device = GuessSource::Device(DeviceId::new().unwrap());
    for n in 0..1000 {
        let _ = limits.guess(Some("ada"), address(&format!("10.0.{}.{}", n / 250, n % 250)));
    }
    assert_eq!(fail(&limits, "ada", device), 10);
    assert_eq!(fail(&limits, "ada", GuessSource::Device(DeviceId::new().unwrap())), 10);
}

#[test]
fn the_networks_of_one_site_have_one_limit_for_an_account() {
    let (limits, _) = limits();
    let tries = |site: &str| -> usize {
        (0..100).map(|n| fail(&limits, "ada", address(&format!("{site}:{n:x}::1")))).sum()
    };
    let first = tries("2001:db8:1");
    assert!(first <= 50, "{first}");
    assert!(tries("2001:db8:2") > 0);
}

/// Two typing errors each, then the right password.
#[test]
fn a_hall_registers_and_signs_in_at_once() {
    let (limits, _) = limits();
    let hall = ClientAddress::of("192.0.2.1".parse().unwrap());
    for n in 0..300 {
        limits.registration(hall).unwrap();
        for _ in 0..2 {
            drop(limits.guess(Some(&format!("user{n}")), GuessSource::Address(hall)).unwrap());
        }
        limits.guess(Some(&format!("user{n}")), GuessSource::Address(hall)).unwrap().forgive();
    }
}

#[test]
fn the_bytes_of_pictures_are_limited_by_user_and_without_one_by_address() {
    let (limits, clock) = limits();
    let [ada, bob] = [(), ()].map(|()| Client::from(UserId::new(clock.now())));
    let load = |user| limits.check_pictures(user).map(|()| limits.loaded_picture(user, 1_000_000)).is_ok();
    assert_eq!((0..100).filter(|_| load(ada)).count(), 50);
    assert!(load(bob));
    clock.advance_seconds(2);
    assert_eq!((0..100).filter(|_| load(ada)).count(), 13);
    let [hall, home] =
        ["192.0.2.1", "192.0.2.2"].map(|text| Client::from(ClientAddress::of(text.parse().unwrap())));
    assert_eq!((0..1000).filter(|_| load(hall)).count(), 500);
    assert!(load(home));
}

#[test]
fn without_limits_nothing_is_refused() {
    let clock = Arc::new(ManualClock::at(Moment::from_millis(0).unwrap()));
    let limits = RateLimits::new(false, clock);
    assert_eq!(fail(&limits, "ada", address("192.0.2.1")), 1000);
}
