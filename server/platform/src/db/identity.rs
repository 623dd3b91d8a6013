//! The identity of a database: an id that it keeps for life. A store of files names the database that it
//! belongs to by this id. The place where the database is stands beside the id, so that a copy that was
//! made by other means, such as `cp` or `pg_restore`, is noticed when it is served: it gets an id of its
//! own. Where this program puts a copy in the place of a database, the copy has a new id, and the id of
//! the database that it replaces.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::{Connection, Database, DbError, copy, query, query_scalar};
use crate::random;

/// The identity of a database.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Identity {
    pub name: String,
    /// The id of the database that this one has replaced, until it has taken over what belonged to that.
    pub replaces: Option<String>,
    /// The place of the database when it was served last. None if this program has put it elsewhere since.
    place: Option<String>,
}

impl Database {
    /// The identity of this database, which is made at the first call.
    pub async fn identity(&self) -> Result<Identity, DbError> {
        if let Some(identity) = self.read_identity().await? {
            return Ok(identity);
        }
        let mut transaction = self.write_always().await?;
        query("INSERT INTO database_identity (id, name) VALUES ('identity', $1) ON CONFLICT (id) DO NOTHING")
            .bind(random::new_token()?)
            .execute(&mut transaction)
            .await?;
        transaction.commit().await?;
        let made = self.read_identity().await?;
        made.ok_or_else(|| DbError::Corrupt("the database has no identity".to_owned()))
    }

    /// Compares the place of the database at `address`, which is to be served, with the one where it was
    /// served last. A copy that was made by other means gets another id. Whether it is one.
    pub async fn recognize(&self, address: &str) -> Result<bool, DbError> {
        let place = match copy::file_of(address) {
            Ok(path) => of_file(&path),
            Err(_) => Some(of_server(&mut self.read().await?).await?),
        };
        let Some(place) = place else { return Ok(false) };
        let known = self.identity().await?;
        let is_copy = known.place.as_deref().is_some_and(|known| !is_same(known, &place));
        if known.place.as_ref() == Some(&place) {
            return Ok(false);
        }
        let name = if is_copy { random::new_token()? } else { known.name.clone() };
        let replaces = known.replaces.filter(|_| !is_copy);
        let mut transaction = self.write_always().await?;
        // Another server may do so at the same time.
        query("UPDATE database_identity SET name = $1, replaces = $2, place = $3 WHERE name = $4")
            .bind(name)
            .bind(replaces)
            .bind(place)
            .bind(known.name)
            .execute(&mut transaction)
            .await?;
        transaction.commit().await?;
        Ok(is_copy)
    }

    /// Forgets the database that this one has replaced, once what belonged to that belongs to this one.
    pub async fn has_taken_over(&self) -> Result<(), DbError> {
        let mut transaction = self.write_always().await?;
        query("UPDATE database_identity SET replaces = NULL").execute(&mut transaction).await?;
        transaction.commit().await
    }

    async fn read_identity(&self) -> Result<Option<Identity>, DbError> {
        let sql = "SELECT name, replaces, place FROM database_identity";
        query(sql).fetch_optional(&mut self.read().await?).await
    }
}

/// The place of a file: its number, its device and its path. None if there is no such file.
fn of_file(path: &Path) -> Option<String> {
    let path = std::fs::canonicalize(path).ok()?;
    let found = std::fs::metadata(&path).ok()?;
    Some(format!("{} {} {}", found.ino(), found.dev(), path.display()))
}

/// The place of a database of PostgreSQL: its cluster and the table with the identity. A dump that is
/// restored has another table. A role that may not read the id of the cluster is content with the table.
async fn of_server(connection: &mut Connection) -> Result<String, DbError> {
    let may_read = "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')";
    let cluster: Option<String> = if query_scalar(may_read).fetch_one(connection).await? {
        let sql = "SELECT CAST(system_identifier AS TEXT) FROM pg_control_system()";
        Some(query_scalar(sql).fetch_one(connection).await?)
    } else {
        None
    };
    let table: String = query_scalar("SELECT CAST(CAST(to_regclass('database_identity') AS oid) AS TEXT)")
        .fetch_one(connection)
        .await?;
    Ok(format!("{} {table}", cluster.unwrap_or_default()))
}

/// Whether a place is the known one. A file that was moved keeps its number and its device; a device may have
/// another number after the machine was started again.
fn is_same(known: &str, place: &str) -> bool {
    let parts = |text: &str| -> Vec<String> { text.splitn(3, ' ').map(str::to_owned).collect() };
    let (known, place) = (parts(known), parts(place));
    match (&known[..], &place[..]) {
        ([file, device, path], [now, now_device, now_path]) => {
            file == now && (device == now_device || path == now_path)
        }
        _ => known == place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::db::copy::Depth;

    /// The database in a file, as a server finds it, and whether it is a copy.
    async fn served(file: &Path) -> (Identity, bool) {
        let address = format!("sqlite://{}", file.display());
        let database = Database::open(&address).await.unwrap();
        let is_copy = database.recognize(&address).await.unwrap();
        let identity = database.identity().await.unwrap();
        assert!(!database.recognize(&address).await.unwrap(), "it is known now");
        database.close().await;
        (identity, is_copy)
    }

    #[tokio::test]
    async fn a_copy_of_a_file_gets_an_id_of_its_own_and_the_original_keeps_its_id() {
        let folder = tempfile::tempdir().unwrap();
        let [original, moved, byte_copy, backup] =
            ["a.db", "moved.db", "copy.db", "backup.db"].map(|name| folder.path().join(name));
        let (first, is_copy) = served(&original).await;
        assert!(!is_copy, "a new database");
        std::fs::copy(&original, &byte_copy).unwrap();
        copy::copy(&original, &backup, Depth::Full).unwrap();
        for file in [&byte_copy, &backup] {
            let (identity, is_copy) = served(file).await;
            assert!(is_copy && identity.name != first.name && identity.replaces.is_none(), "{identity:?}");
        }
        std::fs::rename(&original, &moved).unwrap();
        let (identity, is_copy) = served(&moved).await;
        assert_eq!((identity.name, is_copy), (first.name, false), "on the same disk");
    }

    #[tokio::test]
    async fn a_backup_in_the_place_of_its_database_takes_over_from_it() {
        let folder = tempfile::tempdir().unwrap();
        let [file, backup, second, kept] =
            ["a.db", "backup.db", "second.db", "a.db.rolled_back"].map(|name| folder.path().join(name));
        let (first, _) = served(&file).await;
        copy::copy(&file, &backup, Depth::Full).unwrap();
        let replaced = copy::restore(&backup, &file).await.unwrap().unwrap();
        let (restored, is_copy) = served(&file).await;
        assert_eq!((restored.replaces.as_ref(), is_copy), (Some(&first.name), false));
        assert_eq!(served(&replaced).await.0.name, first.name, "the replaced one is no other than before");

        copy::copy(&file, &second, Depth::Full).unwrap();
        copy::put_back(&second, &file, &kept).await.unwrap();
        copy::put_back(&second, &file, &kept).await.unwrap();
        let (rolled_back, is_copy) = served(&file).await;
        assert_eq!((rolled_back.replaces.as_ref(), is_copy), (Some(&restored.name), false));
        let database = Database::open(&format!("sqlite://{}", file.display())).await.unwrap();
        database.has_taken_over().await.unwrap();
        assert_eq!(database.identity().await.unwrap(), Identity { replaces: None, ..rolled_back });
        database.close().await;
        // In another place it is another installation.
        let elsewhere = folder.path().join("elsewhere.db");
        copy::restore(&backup, &elsewhere).await.unwrap();
        let (identity, is_copy) = served(&elsewhere).await;
        assert!(!is_copy && identity.replaces.is_none() && identity.name != first.name);
    }

    #[test]
    fn a_file_that_was_moved_or_mounted_again_is_the_same_and_a_copy_is_not() {
        let known = "17 2049 /var/lib/a b.db";
        for (place, same) in [
            ("17 2049 /var/lib/a b.db", true),
            ("17 2049 /srv/a b.db", true),
            ("17 64 /var/lib/a b.db", true),
            ("17 64 /srv/a b.db", false),
            ("18 2049 /var/lib/a b.db", false),
        ] {
            assert_eq!(is_same(known, place), same, "{place}");
        }
        assert!(is_same("7300 16411", "7300 16411") && !is_same("7300 16411", "7300 16999"));
    }
}
