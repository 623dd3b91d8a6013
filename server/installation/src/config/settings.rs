//! Every setting: flag, environment variable, key of `farthing.toml`, default and documentation.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Deserialize;

use super::environment::bucket_access;
use super::file::FileError;
use super::secret::SecretParser;
use super::setting::{Setting, help};
use super::{
    BucketAccess, Email, Listen, LogFormat, MailFrom, Networks, PublicUrl, RegistrationPolicy, Releases,
    Schedule, SmtpUrl, StoreLocation, Switch,
};

/// Declares the settings, each in one entry, and what is done with all of them.
///
/// The first paragraph of an entry's documentation is the help of the flag, the next ones are for the
/// documentation only. `default` describes the default, in backticks if it is a value, followed by the value
/// itself; a setting without such a value is an `Option`. `secret`: the value may contain a password and is
/// never shown.
macro_rules! settings {
    ($(
        $(#[doc = $doc:literal])+
        $field:ident: $type:ty {
            variable: $variable:literal,
            value: $value:literal,
            default: $text:literal $(= $default:expr)?,
            $($secret:ident)?
        }
    )+) => {
        /// The settings of one source; `None` where it has no value. A key of the file has the name of the
        /// flag.
        #[derive(Debug, Clone, Default, clap::Args, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        #[command(next_help_heading = "Settings (also as keys of farthing.toml)")]
        pub struct Given {
            $(
                #[arg(
                    long,
                    global = true,
                    env = $variable,
                    value_name = $value,
                    value_parser = parser!($type $(, $secret)?),
                    hide_env_values = is_secret!($($secret)?),
                    hide_possible_values = true,
                    help = help(concat!($($doc, "\n"),+), $text)
                )]
                pub $field: Option<$type>,
            )+
        }

        impl Given {
            /// The settings of this source, completed with those of `next`.
            pub(super) fn or(self, next: Self) -> Self {
                Self { $($field: self.$field.or(next.$field)),+ }
            }

            /// The secret settings in files that variables name: `DATABASE_URL_FILE` and the like. `read`
            /// returns the content of the file that a variable names.
            pub(super) fn from_named_files(
                read: impl Fn(&'static str) -> Result<Option<String>, FileError>,
            ) -> Result<Self, FileError> {
                Ok(Self { $($field: from_named_file!(read, $type, $variable $(, $secret)?)),+ })
            }
        }

        /// Every setting with its effective value.
        #[derive(Debug, Clone)]
        pub struct Settings {
            $(
                $(#[doc = $doc])+
                pub $field: effective_type!($type $(, $default)?),
            )+
            /// Address and credentials of the store of a bucket.
            pub bucket_access: BucketAccess,
        }

        impl Settings {
            /// The defaults complete what is given.
            fn effective(given: Given, bucket_access: BucketAccess) -> Self {
                Self { $($field: effective_value!(given.$field $(, $default)?),)+ bucket_access }
            }
        }

        /// Every setting as it is documented, in the order of the help.
        pub const SETTINGS: &[Setting] = &[$(
            Setting {
                field: stringify!($field),
                variable: $variable,
                default: $text,
                doc: concat!($($doc, "\n"),+),
            }
        ),+];
    };
}

macro_rules! from_named_file {
    ($read:ident, $type:ty, $variable:literal) => {
        None
    };
    ($read:ident, $type:ty, $variable:literal, secret) => {
        parsed::<$type>(&$read, concat!($variable, "_FILE"))?
    };
}

macro_rules! parser {
    ($type:ty) => {
        clap::value_parser!($type)
    };
    ($type:ty, secret) => {
        SecretParser::<$type>::default()
    };
}

macro_rules! is_secret {
    () => {
        false
    };
    (secret) => {
        true
    };
}

macro_rules! effective_type {
    ($type:ty) => { Option<$type> };
    ($type:ty, $default:expr) => { $type };
}

macro_rules! effective_value {
    ($given:expr) => {
        $given
    };
    ($given:expr, $default:expr) => {
        $given.unwrap_or_else(|| $default)
    };
}

/// The value in the file that a variable names.
fn parsed<T: FromStr<Err: Display>>(
    read: impl Fn(&'static str) -> Result<Option<String>, FileError>,
    variable: &'static str,
) -> Result<Option<T>, FileError> {
    let Some(text) = read(variable)? else { return Ok(None) };
    let parsed = text.trim_end_matches(['\n', '\r']).parse();
    let named = |error: T::Err| FileError::Named { variable, reason: error.to_string() };
    parsed.map(Some).map_err(named)
}

settings! {
    /// Address to listen on; with port 0 a free port, which is logged
    listen: Listen {
        variable: "FARTHING_LISTEN",
        value: "IP:PORT",
        default: "`127.0.0.1:3000`" = Listen::default(),
    }

    /// Database: sqlite://PATH, created if it is missing, or postgres://USER@HOST/NAME
    database_url: String {
        variable: "DATABASE_URL",
        value: "URL",
        default: "the file `farthing.db` in the data folder" = "sqlite://data/farthing.db".to_owned(),
        secret
    }

    /// Folder for everything that is kept: the database, pictures, backups and the update journal
    data_dir: PathBuf {
        variable: "FARTHING_DATA_DIR",
        value: "PATH",
        default: "`data`" = PathBuf::from("data"),
    }

    /// Pictures of items: a folder, or s3://BUCKET/PREFIX with the access in the variables AWS_…; several
    /// servers on one database share them
    ///
    /// See [pictures](running.md#data)
    images: StoreLocation {
        variable: "FARTHING_IMAGES",
        value: "PATH|URL",
        default: "the folder `images` in the data folder",
    }

    /// The installation that an update switches; it contains update.toml
    install_dir: PathBuf {
        variable: "FARTHING_INSTALL_DIR",
        value: "PATH",
        default: "the working directory" = PathBuf::from("."),
    }

    /// Public address, for links, secure cookies and origin checks
    public_url: PublicUrl {
        variable: "FARTHING_PUBLIC_URL",
        value: "URL",
        default: "from the request",
    }

    /// Source of the latest release: `git`, the tags of the installation's origin, the URL of a release API,
    /// or `off`
    ///
    /// A release API answers `{tag_name, html_url, body, assets}`
    releases_url: Releases {
        variable: "FARTHING_RELEASES_URL",
        value: "git|URL|off",
        default: "`git`" = Releases::Git,
        secret
    }

    /// Rate limits on sign-ins and bids; off for load tests from one address
    ///
    /// The bounds on what a user may create stay
    rate_limits: Switch {
        variable: "FARTHING_RATE_LIMITS",
        value: "on|off",
        default: "`on`" = Switch::On,
    }

    /// Proxies whose X-Forwarded-For is trusted, separated by commas: addresses or networks
    trusted_proxies: Networks {
        variable: "FARTHING_TRUSTED_PROXIES",
        value: "IP[/BITS],…",
        default: "none" = Networks::default(),
    }

    /// E-mail of the account that may become the first Deployment Admin
    admin_email: Email {
        variable: "FARTHING_ADMIN_EMAIL",
        value: "EMAIL",
        default: "any account",
    }

    /// Whether becoming the first Deployment Admin requires the one-time code in the log
    ///
    /// `farthing admin claim-code` prints the code, too
    claim_code: Switch {
        variable: "FARTHING_CLAIM_CODE",
        value: "on|off",
        default: "`off`" = Switch::Off,
    }

    /// Who may register: anyone, users who have an invite or the link of an auction, or nobody
    ///
    /// The values are `open`, `invited` and `closed`. The first account needs `open`: start once without the
    /// setting, register, and restart with it
    registration: RegistrationPolicy {
        variable: "FARTHING_REGISTRATION",
        value: "open|invited|closed",
        default: "`open`" = RegistrationPolicy::Open,
    }

    /// Server for mail: smtp://USER:PASSWORD@HOST, with STARTTLS where it is offered, or
    /// smtps://USER:PASSWORD@HOST
    ///
    /// Without TLS the password is sent to this machine only, unless the address ends with `?tls=off`, by
    /// which no TLS begins. Needs `--mail-from` and `--public-url`. Without it everything else works; see
    /// [mail](mail.md)
    smtp_url: SmtpUrl {
        variable: "FARTHING_SMTP_URL",
        value: "URL",
        default: "no mail is sent",
        secret
    }

    /// Sender of mail: ADDRESS, or `NAME <ADDRESS>`; with --smtp-url, which also needs --public-url
    mail_from: MailFrom {
        variable: "FARTHING_MAIL_FROM",
        value: "ADDRESS",
        default: "none",
    }

    /// When a backup is made: `daily HH:MM`, in UTC; the newest fourteen are kept. PostgreSQL needs `pg_dump`
    ///
    /// A time that passed while no server ran is made up for at the next start
    backup_schedule: Schedule {
        variable: "FARTHING_BACKUP_SCHEDULE",
        value: "daily HH:MM",
        default: "none",
    }

    /// Format of the log on standard error; RUST_LOG filters it
    ///
    /// Log lines of a request contain its id, as in `X-Request-Id`
    log_format: LogFormat {
        variable: "FARTHING_LOG_FORMAT",
        value: "text|json",
        default: "`text`" = LogFormat::Text,
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::effective(Given::default(), BucketAccess::default())
    }
}

impl From<Given> for Settings {
    /// The defaults, and the variables of the bucket, complete what is given.
    fn from(mut given: Given) -> Self {
        if let (None, Some(data_dir)) = (&given.database_url, &given.data_dir) {
            given.database_url = Some(format!("sqlite://{}", data_dir.join("farthing.db").display()));
        }
        Self::effective(given, bucket_access())
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

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

    #[test]
    fn the_database_is_in_the_data_folder_by_default() {
        let data_dir = Some(PathBuf::from("/srv/data"));
        let settings = Settings::from(Given { data_dir: data_dir.clone(), ..Given::default() });
        assert_eq!(settings.database_url, "sqlite:///srv/data/farthing.db");
        let database_url = Some("postgres://h/x".to_owned());
        let settings = Settings::from(Given { data_dir, database_url, ..Given::default() });
        assert_eq!(settings.database_url, "postgres://h/x");
    }

    #[test]
    fn a_secret_is_read_from_the_file_that_a_variable_names() {
        let read = |variable: &'static str| {
            Ok((variable == "FARTHING_SMTP_URL_FILE")
                .then(|| "smtp://ada:secret@mail.example.org\n".to_owned()))
        };
        let given = Given::from_named_files(read).unwrap();
        assert_eq!(given.smtp_url, "smtp://ada:secret@mail.example.org".parse().ok());
        assert!(given.database_url.is_none() && given.listen.is_none());
        let wrong = |variable: &'static str| {
            Ok((variable == "FARTHING_SMTP_URL_FILE").then(|| "ada:secret@mail".to_owned()))
        };
        let said = Given::from_named_files(wrong).unwrap_err().to_string();
        assert!(said.contains("FARTHING_SMTP_URL_FILE") && !said.contains("secret"), "{said}");
    }

    #[test]
    fn a_default_in_backticks_is_the_default() {
        let settings = |args: &[&str]| {
            let command = Given::augment_args(Command::new("farthing").no_binary_name(true));
            let given = Given::from_arg_matches(&command.get_matches_from(args)).unwrap();
            format!("{:?}", Settings::from(given))
        };
        for setting in SETTINGS {
            let value = setting.default.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
            if let Some(value) = value {
                assert_eq!(settings(&[&setting.flag(), value]), settings(&[]), "{setting:?}");
            }
        }
    }
}
