//! The keys of releases, and what they have signed: signatures of minisign, whose trusted comment names the
//! release.

use std::io::Read;

use minisign_verify::{Error, PublicKey, Signature};

const COMMENT: &str = "untrusted comment:";
const READ_BYTES: usize = 64 * 1024;

/// The public keys that an installation trusts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys(Vec<PublicKey>);

/// Why a file has no keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeysError {
    #[error("line {0} is not a public key of minisign")]
    Line(usize),
    #[error("it has no public key of minisign")]
    None,
}

/// Why a signature is refused.
#[derive(Debug, thiserror::Error)]
pub enum SignatureError {
    #[error("the signature can't be read")]
    Unreadable,
    #[error("the signature is for `{found}`, and not for `{wanted}`")]
    OtherRelease { found: String, wanted: String },
    #[error("it is signed by no key that this installation trusts")]
    UnknownKey,
    #[error("the signature is not that of this file")]
    Forged,
    #[error("it can't be read: {0}")]
    Io(#[from] std::io::Error),
}

/// A signature that claims to be of a key that is trusted, for a file that it has yet to match.
pub struct Signed<'a> {
    key: &'a PublicKey,
    signature: Signature,
}

impl Keys {
    /// Reads blocks as in a file `….pub` of minisign: a comment, and a key in the next line.
    pub fn parse(text: &str) -> Result<Self, KeysError> {
        let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
        let keys = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with(COMMENT));
        let keys =
            keys.map(|(line, number)| PublicKey::from_base64(line).map_err(|_| KeysError::Line(number)));
        let keys: Vec<PublicKey> = keys.collect::<Result<_, _>>()?;
        if keys.is_empty() { Err(KeysError::None) } else { Ok(Self(keys)) }
    }

    /// Reads a signature for `release`, the text of its trusted comment.
    pub fn signed(&self, signature: &str, release: &str) -> Result<Signed<'_>, SignatureError> {
        let signature = Signature::decode(signature).map_err(|_| SignatureError::Unreadable)?;
        let found = signature.trusted_comment();
        if found != release {
            let found = found.chars().filter(|letter| !letter.is_control()).take(100).collect();
            return Err(SignatureError::OtherRelease { found, wanted: release.to_owned() });
        }
        let of_key = |key: &&PublicKey| !matches!(key.verify_stream(&signature), Err(Error::UnexpectedKeyId));
        let key = self.0.iter().find(of_key).ok_or(SignatureError::UnknownKey)?;
        Ok(Signed { key, signature })
    }
}

impl Signed<'_> {
    /// Fails unless the signature is that of what is read, and its trusted comment is genuine.
    pub fn verify(&self, mut file: impl Read) -> Result<(), SignatureError> {
        // A signature of the whole file instead of its hash is not accepted.
        let mut verifier = self.key.verify_stream(&self.signature).map_err(|_| SignatureError::Unreadable)?;
        let mut piece = vec![0; READ_BYTES];
        loop {
            match file.read(&mut piece)? {
                0 => return verifier.finalize().map_err(|_| SignatureError::Forged),
                bytes => verifier.update(piece.get(..bytes).unwrap_or_default()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key and the signature of the word `test` in the documentation of minisign-verify.
    const KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
    const OTHER: &str = "RWSmKaOrT6m3TGwjwBovgOmlhSbyBUw3hyhnSOYruHXbJa36xHr8rq2M";
    const SIGNATURE: &str = "untrusted comment: signature from minisign secret key
RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=
trusted comment: timestamp:1556193335\tfile:test
y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==\n";
    const COMMENT: &str = "timestamp:1556193335\tfile:test";

    fn keys(keys: &[&str]) -> Keys {
        let blocks: Vec<String> =
            keys.iter().map(|key| format!("untrusted comment: a key\n{key}\n")).collect();
        Keys::parse(&blocks.join("\n")).unwrap()
    }

    #[test]
    fn a_file_has_one_key_or_several() {
        assert_eq!(keys(&[KEY, OTHER]).0.len(), 2);
        assert_eq!(Keys::parse(KEY).unwrap(), keys(&[KEY]));
        for (text, error) in [
            ("", KeysError::None),
            ("untrusted comment: a key\n", KeysError::None),
            ("\nada@example.org ssh-ed25519 AAAA\n", KeysError::Line(2)),
            (&format!("{KEY}\n{}", &KEY[1..]), KeysError::Line(2)),
        ] {
            assert_eq!(Keys::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_signature_counts_for_its_file_its_comment_and_its_key_only() {
        let both = keys(&[OTHER, KEY]);
        let verified = |signature: &str, comment: &str, file: &str| {
            both.signed(signature, comment).and_then(|signed| signed.verify(file.as_bytes()))
        };
        verified(SIGNATURE, COMMENT, "test").unwrap();
        let forged = |result| matches!(result, Err(SignatureError::Forged));
        assert!(forged(verified(SIGNATURE, COMMENT, "Test")));
        let renamed = SIGNATURE.replace("file:test", "file:next");
        assert!(forged(verified(&renamed, &COMMENT.replace("file:test", "file:next"), "test")));
        let other = verified(SIGNATURE, "farthing 1.2.3 x", "test").unwrap_err();
        assert!(matches!(other, SignatureError::OtherRelease { .. }), "{other}");
        let unknown = keys(&[OTHER]);
        assert!(matches!(unknown.signed(SIGNATURE, COMMENT), Err(SignatureError::UnknownKey)));
        for text in ["", "x", &SIGNATURE[..200], &SIGNATURE.replace("RUQf", "RXQf")] {
            assert!(matches!(verified(text, COMMENT, "test"), Err(SignatureError::Unreadable)), "{text}");
        }
        // Of the file itself and not of its hash.
        let whole = SIGNATURE.replace("RUQf", "RWQf");
        assert!(matches!(verified(&whole, COMMENT, "test"), Err(SignatureError::Unreadable)));
    }
}
