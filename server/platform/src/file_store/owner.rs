//! The databases that use a store. A file in it names the owner, whose files it has, and a token of the
//! store itself. Another database that uses the store leaves a file of its own. Unused files may be
//! removed only for the owner of a store that nobody else uses: to another database, all of them would
//! seem unused, and those of the other database would seem unused to the owner.

use super::{FileStore, StoreError};
use crate::random;

/// The file with the id of the owner. It is not among the files of the store.
pub const OWNER_FILE: &str = "farthing-owner";
/// Beginning of the names of the files that other databases leave. Part of their ids follows.
pub const GUEST: &str = "farthing-guest-";
/// Characters of an id in the name of a file.
const ID_CHARS: usize = 16;

/// Relation of a database to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It belongs to the database, and no other one uses it.
    Own,
    /// It belongs to the database, and another one uses it, too.
    Shared,
    /// It belongs to another database.
    Foreign,
}

impl Claim {
    /// Warning for the operator, with what to do.
    pub fn warning(self) -> Option<&'static str> {
        match self {
            Self::Own => None,
            Self::Shared => Some(
                "another installation uses this store of pictures, too, so unused pictures are not removed: give that one a \
                 store of its own with --images, and remove its file `farthing-guest-…` from this store once it needs \
                 none of the pictures",
            ),
            Self::Foreign => Some(
                "the store of pictures belongs to another installation, so unused pictures are not removed: give this one a \
                 store of its own with --images, or remove the file `farthing-owner` from the store if the other one has \
                 ended",
            ),
        }
    }
}

/// A store, as a database finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    pub claim: Claim,
    /// The token of the store, which is the same for every server that uses it.
    pub store: String,
}

/// Whether a file is about the store, and not among its files.
pub fn is_about_store(name: &str) -> bool {
    name == OWNER_FILE || name.starts_with(GUEST)
}

impl FileStore {
    /// Says that the database `own` uses the store. A store without an owner belongs to it from now on,
    /// and so does that of the database that it `replaces`.
    pub async fn claim(&self, own: &str, replaces: Option<&str>) -> Result<Claimed, StoreError> {
        let guest = format!("{GUEST}{}", own.chars().take(ID_CHARS).collect::<String>());
        let found = self.get(OWNER_FILE).await?;
        let found = found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let mut lines = found.as_deref().unwrap_or_default().lines();
        let (owner, token) = (lines.next(), lines.next().map(str::to_owned));
        if owner.is_some_and(|owner| owner != own && Some(owner) != replaces) {
            if self.written_at(&guest).await?.is_none() {
                self.put(&guest, own.as_bytes().to_vec()).await?;
            }
            return Ok(Claimed { claim: Claim::Foreign, store: token.unwrap_or_default() });
        }
        let is_complete = owner == Some(own) && token.is_some();
        let store = match token {
            Some(token) => token,
            None => random::new_token()?,
        };
        if !is_complete {
            self.put(OWNER_FILE, format!("{own}\n{store}\n").into_bytes()).await?;
        }
        let others = self.every_file().await?;
        let is_other = |name: &str| name.starts_with(GUEST) && name != guest;
        let claim = if others.iter().any(|file| is_other(&file.name)) { Claim::Shared } else { Claim::Own };
        if others.iter().any(|file| file.name == guest) {
            self.remove(&guest).await?;
        }
        Ok(Claimed { claim, store })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BucketAccess, StoreLocation};
    use super::*;

    #[tokio::test]
    async fn a_store_belongs_to_one_database_and_knows_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let location = StoreLocation::Folder(folder.path().join("images"));
        let store = FileStore::open(&location, &BucketAccess::default()).unwrap();
        let claim = async |own: &str, replaces: Option<&str>| store.claim(own, replaces).await.unwrap();
        let first = claim("one", None).await;
        assert_eq!(first.claim, Claim::Own);
        for (own, replaces, expected) in [
            ("one", None, Claim::Own),
            ("copy", None, Claim::Foreign),
            ("one", None, Claim::Shared),
            ("copy", Some("zero"), Claim::Foreign),
            // The owner was replaced by its backup.
            ("two", Some("one"), Claim::Shared),
            ("one", None, Claim::Foreign),
            ("two", None, Claim::Shared),
        ] {
            let found = claim(own, replaces).await;
            assert_eq!((found.claim, found.store), (expected, first.store.clone()), "{own}");
        }
        assert_eq!(store.list().await.unwrap(), []);
        // The others have ended.
        for other in ["one", "copy"] {
            store.remove(&format!("{GUEST}{other}")).await.unwrap();
        }
        assert_eq!(claim("two", None).await.claim, Claim::Own);
        claim("copy", None).await;
        store.remove(OWNER_FILE).await.unwrap();
        assert_eq!(claim("copy", None).await.claim, Claim::Own, "it is a guest no more");
        assert_ne!(claim("copy", None).await.store, first.store);
    }
}
