//! Signatures of minisign, with the key of the release's maker.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use anyhow::{Context, Result, bail};
use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox};

use super::BuiltRelease;
use crate::path_context::PathContext;

/// Reads a secret key. Asks for its password on the terminal if it has one.
pub fn key(path: &Path) -> Result<SecretKey> {
    let text = fs::read_to_string(path).on_path("read", path)?;
    let boxed = || SecretKeyBox::from_string(&text);
    // Other programs write keys without a password in a form that this crate does not accept.
    let key = boxed().and_then(SecretKeyBox::into_unencrypted_secret_key);
    key.or_else(|_| boxed()?.into_secret_key(None))
        .with_context(|| format!("{} is not a secret key of minisign with a password", path.display()))
}

/// The key that verifies what a secret key signs, in the form of a file.
pub fn public(secret: &SecretKey) -> Result<String> {
    let public = PublicKey::from_secret_key(secret).context("the secret key has no public one")?;
    let boxed = public.to_box().context("cannot write the public key")?;
    Ok(format!("{}\n", boxed.into_string().trim_end()))
}

/// Fails unless the keys that installations will have, one `.pub` file after the other, contain the public
/// half of a secret key.
pub fn check_shipped(secret: &SecretKey, shipped: &str) -> Result<()> {
    let public = public(secret)?;
    let key = public.lines().last().unwrap_or_default();
    if !shipped.lines().any(|line| line == key) {
        bail!(
            "`release-keys.pub` lacks the public half of the key, {key}: no installation would accept the release"
        );
    }
    Ok(())
}

/// Signs bytes. The comment is part of what is signed.
pub fn sign(secret: &SecretKey, bytes: &[u8], comment: &str) -> Result<String> {
    let public = PublicKey::from_secret_key(secret).context("the secret key has no public one")?;
    let signed = minisign::sign(Some(&public), secret, Cursor::new(bytes), Some(comment), Some("Farthing"));
    let text = signed.context("cannot sign")?.into_string();
    // A key whose halves do not belong together would make signatures that nothing accepts.
    let boxed = minisign::SignatureBox::from_string(&text).context("the signature can't be read")?;
    minisign::verify(&public, &boxed, Cursor::new(bytes), true, false, false)
        .context("the signature is wrong")?;
    Ok(text)
}

/// The comment in the archive's signature: the signature of another archive under this name is refused.
pub fn comment(release: &BuiltRelease<'_>) -> String {
    format!("farthing {} {}", release.version, release.target)
}

/// A key without a password, for tests.
pub fn temporary_key() -> Result<SecretKey> {
    Ok(KeyPair::generate_unencrypted_keypair().context("cannot make a key")?.sk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_prehashed_and_contains_the_comment() {
        let key = temporary_key().unwrap();
        let text = sign(&key, b"archive", "farthing 1.2.0 x86_64-unknown-linux-gnu").unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[1].starts_with("RU"), "`ED` at the beginning: {text}");
        assert_eq!(lines[2], "trusted comment: farthing 1.2.0 x86_64-unknown-linux-gnu");
    }

    #[test]
    fn installations_must_have_the_key() {
        let (key, other) = (temporary_key().unwrap(), temporary_key().unwrap());
        let both = public(&other).unwrap() + &public(&key).unwrap();
        check_shipped(&key, &both).unwrap();
        check_shipped(&key, &public(&other).unwrap()).unwrap_err();
    }

    #[test]
    fn a_key_is_read_from_its_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let key = temporary_key().unwrap();
        fs::write(file.path(), key.to_box(None).unwrap().into_string()).unwrap();
        assert_eq!(public(&super::key(file.path()).unwrap()).unwrap(), public(&key).unwrap());
        fs::write(file.path(), "no key").unwrap();
        super::key(file.path()).unwrap_err();
    }
}
