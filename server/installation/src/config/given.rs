//! The declaration of the settings: flags, environment variables and keys of `farthing.toml`.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::Deserialize;

use super::releases::ReleasesParser;
use super::{
    Email, LogFormat, MailFrom, Networks, PublicUrl, Registration, Releases, SmtpUrl, StoreLocation, Switch,
};

/// The settings of one source; `None` where it has no value. A key of the file has the name of the flag.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[command(next_help_heading = "Settings (also as keys of farthing.toml)")]
pub struct Given {
    /// Address to listen on; with port 0 a free port, which is logged [default: 127.0.0.1:3000]
    #[arg(long, global = true, env = "FARTHING_LISTEN", value_name = "IP:PORT")]
    pub listen: Option<SocketAddr>,

    /// Database: sqlite://PATH, created if it is missing, or postgres://USER@HOST/NAME [default: sqlite://data/farthing.db]
    #[arg(long, global = true, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// Folder for the installation's files, such as the update journal [default: data]
    #[arg(long, global = true, env = "FARTHING_DATA_DIR", value_name = "PATH")]
    pub data_dir: Option<PathBuf>,

    /// Pictures of items, which several servers on one database share: a folder, or s3://BUCKET/PREFIX with the access in the
    /// variables AWS_… [default: the folder images in the data folder]
    #[arg(long, global = true, env = "FARTHING_IMAGES", value_name = "PATH|URL")]
    pub images: Option<StoreLocation>,

    /// The git checkout that an update switches; it contains update.toml and backups/ [default: the working directory]
    #[arg(long, global = true, env = "FARTHING_INSTALL_DIR", value_name = "PATH")]
    pub install_dir: Option<PathBuf>,

    /// Public address, for links, secure cookies and origin checks [default: from the request]
    #[arg(long, global = true, env = "FARTHING_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,

    /// Source of the latest release: `git`, the tags of the installation's origin, the URL of a release API, or `off` [default: git]
    #[arg(
        long,
        global = true,
        env = "FARTHING_RELEASES_URL",
        value_name = "git|URL|off",
        value_parser = ReleasesParser,
        hide_env_values = true
    )]
    pub releases_url: Option<Releases>,

    /// Rate limits on sign-ins and bids; off for load tests from one address [default: on]
    #[arg(
        long,
        global = true,
        env = "FARTHING_RATE_LIMITS",
        value_name = "on|off",
        hide_possible_values = true
    )]
    pub rate_limits: Option<Switch>,

    /// Proxies whose X-Forwarded-For is trusted, separated by commas: addresses or networks [default: none]
    #[arg(long, global = true, env = "FARTHING_TRUSTED_PROXIES", value_name = "IP[/BITS],…")]
    pub trusted_proxies: Option<Networks>,

    /// E-mail of the account that may become the first Deployment Admin [default: any account]
    #[arg(long, global = true, env = "FARTHING_ADMIN_EMAIL", value_name = "EMAIL")]
    pub admin_email: Option<Email>,

    /// Whether becoming the first Deployment Admin requires the one-time code in the log [default: off]
    #[arg(
        long,
        global = true,
        env = "FARTHING_CLAIM_CODE",
        value_name = "on|off",
        hide_possible_values = true
    )]
    pub claim_code: Option<Switch>,

    /// Who may register: anyone, users who have an invite or the link of an auction, or nobody [default: open]
    #[arg(
        long,
        global = true,
        env = "FARTHING_REGISTRATION",
        value_name = "open|invited|closed",
        hide_possible_values = true
    )]
    pub registration: Option<Registration>,

    /// Server for mail: smtp://USER:PASSWORD@HOST, with STARTTLS where it is offered, or smtps://… [default: no mail is sent]
    #[arg(long, global = true, env = "FARTHING_SMTP_URL", value_name = "URL", hide_env_values = true)]
    pub smtp_url: Option<SmtpUrl>,

    /// Sender of mail: ADDRESS, or `NAME <ADDRESS>`; with --smtp-url, which also needs --public-url [default: none]
    #[arg(long, global = true, env = "FARTHING_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<MailFrom>,

    /// Format of the log on standard error; RUST_LOG filters it [default: text]
    #[arg(
        long,
        global = true,
        env = "FARTHING_LOG_FORMAT",
        value_name = "text|json",
        hide_possible_values = true
    )]
    pub log_format: Option<LogFormat>,
}

impl Given {
    /// The settings of this source, completed with those of `next`.
    pub(super) fn or(self, next: Self) -> Self {
        Self {
            listen: self.listen.or(next.listen),
            database_url: self.database_url.or(next.database_url),
            data_dir: self.data_dir.or(next.data_dir),
            images: self.images.or(next.images),
            install_dir: self.install_dir.or(next.install_dir),
            public_url: self.public_url.or(next.public_url),
            releases_url: self.releases_url.or(next.releases_url),
            rate_limits: self.rate_limits.or(next.rate_limits),
            trusted_proxies: self.trusted_proxies.or(next.trusted_proxies),
            admin_email: self.admin_email.or(next.admin_email),
            claim_code: self.claim_code.or(next.claim_code),
            registration: self.registration.or(next.registration),
            smtp_url: self.smtp_url.or(next.smtp_url),
            mail_from: self.mail_from.or(next.mail_from),
            log_format: self.log_format.or(next.log_format),
        }
    }
}
