//! Settings of the operator (contract, section 10). Flags override environment variables, which override
//! `farthing.toml` in the working directory, which overrides the defaults. No other module reads the environment.

mod early;
mod environment;
mod file;
mod given;
mod releases;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use early::Early;
pub use environment::{INSTALLED_VARIABLE, command_environment, installed_binary};
pub use file::FileError;
pub(crate) use file::line_and_reason;
pub use given::Given;
pub use releases::Releases;

pub use platform::email::Email;
pub use platform::file_store::{BucketAccess, FileStore, StoreError, StoreLocation};
pub use platform::http::public_url::PublicUrl;
pub use platform::logging::LogFormat;
use platform::mail::Mailer;
pub use platform::mail::{MailFrom, SmtpUrl};
pub use platform::net::Networks;

/// The file in the working directory.
const FILE: &str = "farthing.toml";

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
pub enum Registration {
    Open,
    /// Users who have an invite, or the link of an auction.
    Invited,
    Closed,
}

/// Every setting with its effective value. [`Given`] describes each.
#[derive(Debug, Clone)]
pub struct Settings {
    pub listen: SocketAddr,
    pub database_url: String,
    pub data_dir: PathBuf,
    /// `None`: the folder `images` in the data directory. [`images_location`](Self::images_location) has the effective one.
    pub images: Option<StoreLocation>,
    /// Address and credentials of the store of a bucket.
    pub bucket_access: BucketAccess,
    pub install_dir: PathBuf,
    /// `None`: links and cookies use the address of the request.
    pub public_url: Option<PublicUrl>,
    pub releases_url: Releases,
    pub rate_limits: Switch,
    pub trusted_proxies: Networks,
    /// `None`: any user may become the first Deployment Admin.
    pub admin_email: Option<Email>,
    pub claim_code: Switch,
    pub registration: Registration,
    /// `None`: no mail is sent.
    pub smtp_url: Option<SmtpUrl>,
    pub mail_from: Option<MailFrom>,
    pub log_format: LogFormat,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 3000)),
            database_url: "sqlite://data/farthing.db".to_owned(),
            data_dir: PathBuf::from("data"),
            images: None,
            bucket_access: BucketAccess::default(),
            install_dir: PathBuf::from("."),
            public_url: None,
            releases_url: Releases::Git,
            rate_limits: Switch::On,
            trusted_proxies: Networks::default(),
            admin_email: None,
            claim_code: Switch::Off,
            registration: Registration::Open,
            smtp_url: None,
            mail_from: None,
            log_format: LogFormat::Text,
        }
    }
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
}

impl Settings {
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
    /// Completes flags and variables with `farthing.toml`, if it exists.
    pub fn with_file(self) -> Result<Self, FileError> {
        Ok(self.or(file::read(Path::new(FILE))?))
    }

    /// Completes flags and variables with the valid lines of `farthing.toml`, and returns its errors.
    pub fn with_valid_lines_of_file(self) -> (Self, Vec<FileError>) {
        let (file, errors) = file::read_valid_lines(Path::new(FILE));
        (self.or(file), errors)
    }
}

impl From<Given> for Settings {
    /// The defaults complete what is given.
    fn from(given: Given) -> Self {
        let default = Self::default();
        Self {
            listen: given.listen.unwrap_or(default.listen),
            database_url: given.database_url.unwrap_or(default.database_url),
            data_dir: given.data_dir.unwrap_or(default.data_dir),
            images: given.images,
            bucket_access: environment::bucket_access(),
            install_dir: given.install_dir.unwrap_or(default.install_dir),
            public_url: given.public_url,
            releases_url: given.releases_url.unwrap_or(default.releases_url),
            rate_limits: given.rate_limits.unwrap_or(default.rate_limits),
            trusted_proxies: given.trusted_proxies.unwrap_or_default(),
            admin_email: given.admin_email,
            claim_code: given.claim_code.unwrap_or(default.claim_code),
            registration: given.registration.unwrap_or(default.registration),
            smtp_url: given.smtp_url,
            mail_from: given.mail_from,
            log_format: given.log_format.unwrap_or(default.log_format),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_override_the_file_which_overrides_the_defaults() {
        let flags = Given { rate_limits: Some(Switch::Off), ..Given::default() };
        let file = Given {
            rate_limits: Some(Switch::On),
            data_dir: Some(PathBuf::from("elsewhere")),
            ..Given::default()
        };
        let settings = Settings::from(flags.or(file));
        assert_eq!(settings.rate_limits, Switch::Off);
        assert_eq!(settings.data_dir, PathBuf::from("elsewhere"));
        assert_eq!(settings.listen.to_string(), "127.0.0.1:3000");
    }
}
