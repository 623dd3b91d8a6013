//! Settings of the operator. Flags override environment variables, which override `farthing.toml` in the
//! working directory, which overrides the defaults. No other module reads the environment.

mod early;
mod environment;
mod file;
mod listen;
mod releases;
mod schedule;
mod secret;
mod setting;
mod settings;

use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use early::Early;
pub use environment::{INSTALLED_VARIABLE, command_environment, installed_binary, unknown_variables};
pub use environment::{is_in_path, postgres_environment};
pub use file::FileError;
pub(crate) use file::{has_password, line_and_reason};
pub use listen::{Listen, NoListen};
pub use releases::Releases;
pub use schedule::Schedule;
pub use setting::{Setting, settings_table};
pub use settings::{Given, SETTINGS, Settings};

use environment::named_file;
pub use platform::email::Email;
pub use platform::file_store::{BucketAccess, FileStore, StoreError, StoreLocation};
pub use platform::http::public_url::PublicUrl;
pub use platform::logging::LogFormat;
use platform::mail::Mailer;
pub use platform::mail::{MailFrom, SmtpUrl};
pub use platform::net::Networks;

/// The file in the working directory.
pub(crate) const FILE: &str = "farthing.toml";

/// `on` or `off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    On,
    Off,
}

/// Who may register an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RegistrationPolicy {
    Open,
    /// Users who have an invite, or the link of an auction.
    Invited,
    Closed,
}

impl Settings {
    /// `given` are the flags and variables. `farthing.toml`, if it exists, and the defaults complete them.
    pub fn complete(given: Given) -> Result<Self, FileError> {
        Ok(given.with_file()?.into())
    }

    /// Where the pictures of items are kept.
    pub fn images_location(&self) -> StoreLocation {
        self.images.clone().unwrap_or_else(|| StoreLocation::Folder(self.data_dir.join("images")))
    }

    /// The store of the pictures of items.
    ///
    /// # Errors
    /// The variables with the access to a bucket are incomplete or contradictory.
    pub fn image_store(&self) -> Result<FileStore, StoreError> {
        FileStore::open(&self.images_location(), &self.bucket_access)
    }

    /// The folder of pictures that arrive.
    pub fn uploads_dir(&self) -> PathBuf {
        match self.images_location() {
            StoreLocation::Folder(path) => path,
            StoreLocation::Bucket(_) => self.data_dir.clone(),
        }
    }

    /// How mail is sent, if all settings for it are there.
    pub fn mailer(&self) -> Option<(Mailer, PublicUrl)> {
        let (server, from) = self.smtp_url.clone().zip(self.mail_from.clone())?;
        let site = self.public_url.clone()?;
        let from = from.or_named(&format!("Farthing at {}", site.host()));
        let hello = site.host().split(':').next().unwrap_or_default().to_owned();
        Some((Mailer::new(server, from, hello), site))
    }

    /// The setting that is missing for mail, if another one is there.
    pub fn lacks_for_mail(&self) -> Option<&'static str> {
        match (&self.smtp_url, &self.mail_from, &self.public_url) {
            (None, None, _) | (Some(_), Some(_), Some(_)) => None,
            (None, Some(_), _) => Some("--mail-from needs --smtp-url"),
            (Some(_), None, _) => Some("--smtp-url needs --mail-from"),
            (Some(_), Some(_), None) => Some("--smtp-url needs --public-url, for the links in mails"),
        }
    }
}

impl Given {
    /// Completes flags and variables with the files that variables name, and with `farthing.toml`, if it
    /// exists.
    pub fn with_file(self) -> Result<Self, FileError> {
        let given = self.or(Self::from_named_files(named_file)?);
        Ok(given.or(file::read(Path::new(FILE))?))
    }

    /// Completes flags and variables with the valid lines of `farthing.toml`, and returns its errors.
    pub fn with_valid_lines_of_file(self) -> (Self, Vec<FileError>) {
        let (file, mut errors) = file::read_valid_lines(Path::new(FILE));
        let named = Self::from_named_files(named_file).unwrap_or_else(|error| {
            errors.push(error);
            Self::default()
        });
        (self.or(named).or(file), errors)
    }
}
