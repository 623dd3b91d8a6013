//! The secret that an account shares with its user's app.

use std::str::FromStr;

use platform::random::{self, NoEntropy};
use platform::time::Moment;
use totp_rs::{Algorithm, Builder, Totp, TotpError};

/// How long a code is shown.
const STEP_SECONDS: u64 = 30;
/// Steps before and after the present one whose codes are right, too: clocks differ.
const SKEW: u16 = 1;
const DIGITS: u8 = 6;
/// The name of the account's issuer in the app if the site has none.
const ISSUER: &str = "Farthing";

/// 160 random bits, from which the app and the server compute the same codes.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 20]);

/// The text is not the secret of an account.
#[derive(Debug)]
pub struct NotASecret;

impl Secret {
    pub fn new() -> Result<Self, NoEntropy> {
        random::bytes().map(Self)
    }

    /// The secret in base32, which a user types into an app and the database stores.
    pub fn to_base32(&self) -> String {
        totp_rs::Secret::new_stack(self.0).to_base32()
    }

    /// The address that an app reads from a QR code. `site` is the address of the site, whose host names the
    /// account in the app together with the e-mail.
    pub fn uri(&self, site: &str, email: &str) -> Result<String, TotpError> {
        // A colon separates the two names.
        let email = email.replace(':', "_");
        self.totp(Some(issuer(site)), &email)?.to_url()
    }

    /// The time step of this code, if the code is right now and no code of the step or a later one was
    /// accepted before.
    pub fn accepts(&self, code: &str, now: Moment, last_step: Option<i64>) -> Option<i64> {
        let seconds = u64::try_from(now.millis() / 1000).ok()?;
        let step = self.totp(None, "").ok()?.check(code, seconds)?;
        i64::try_from(step).ok().filter(|step| last_step.is_none_or(|last| *step > last))
    }

    fn totp(&self, issuer: Option<&str>, account: &str) -> Result<Totp, TotpError> {
        Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_digits(DIGITS)
            .with_skew(SKEW)
            .with_step_duration(STEP_SECONDS)
            .with_secret(totp_rs::Secret::new_stack(self.0))
            .with_issuer(issuer)
            .with_account_name(account)
            .build()
    }
}

impl FromStr for Secret {
    type Err = NotASecret;

    fn from_str(text: &str) -> Result<Self, NotASecret> {
        let secret = totp_rs::Secret::try_from_base32(text).map_err(|_| NotASecret)?;
        secret.as_bytes().try_into().map(Self).map_err(|_| NotASecret)
    }
}

/// The host of the site. The address of an IPv6 host has colons, which an issuer can't have.
fn issuer(site: &str) -> &str {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    let name = host.split([':', '/']).next().unwrap_or_default();
    if name.is_empty() || name.starts_with('[') { ISSUER } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of the test vectors in RFC 6238, appendix B.
    fn of_the_rfc() -> Secret {
        Secret(*b"12345678901234567890")
    }

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    #[test]
    fn a_code_is_that_of_the_standard() {
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(of_the_rfc().accepts(code, at(seconds), None), Some(seconds / 30), "{seconds}");
        }
    }

    #[test]
    fn a_code_is_right_one_step_early_and_one_step_late() {
        let code = "005924";
        let step = 1_234_567_890 / 30;
        for (seconds, is_right) in [(-31, false), (-30, true), (0, true), (59, true), (60, false)] {
            let accepted = of_the_rfc().accepts(code, at(step * 30 + seconds), None);
            assert_eq!(accepted, is_right.then_some(step), "{seconds}");
        }
    }

    #[test]
    fn a_step_is_accepted_once_and_none_before_it_afterwards() {
        let (secret, step) = (of_the_rfc(), 1_234_567_890 / 30);
        let now = at(step * 30);
        assert_eq!(secret.accepts("005924", now, Some(step - 1)), Some(step));
        assert_eq!(secret.accepts("005924", now, Some(step)), None);
        assert_eq!(secret.accepts("005924", now, Some(step + 1)), None);
    }

    #[test]
    fn other_texts_are_no_codes() {
        for text in ["", "5924", "0059240", "00592x", "００５９２４"] {
            assert_eq!(of_the_rfc().accepts(text, at(1_234_567_890), None), None, "{text}");
        }
    }

    #[test]
    fn a_secret_is_read_as_it_was_written_and_named_after_the_site() {
        let secret = of_the_rfc();
        assert_eq!(secret.to_base32(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(secret.to_base32().parse::<Secret>().unwrap() == secret);
        assert!("GEZDGNBV".parse::<Secret>().is_err() && "1".parse::<Secret>().is_err());
        let uri = secret.uri("https://bids.example:8443", "ada@example.org").unwrap();
        assert!(uri.starts_with("otpauth://totp/bids.example:ada%40example.org?secret=GEZDGNBV"), "{uri}");
        assert!(uri.contains("issuer=bids.example"), "{uri}");
        for site in ["http://[::1]:3000", "http://", ""] {
            assert!(secret.uri(site, "\"a:b\"@example.org").unwrap().contains("totp/Farthing:"), "{site}");
        }
    }
}
