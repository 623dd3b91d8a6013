//! The settings as flags, as variables and as keys of `farthing.toml`: one declaration for all three.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::Deserialize;

use super::{LogFormat, Networks, PublicUrl, Releases, Switch};

/// What was given; what was not is absent. A key of the file has the name of its flag.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[command(next_help_heading = "Settings (also as keys of farthing.toml)")]
pub struct Given {
    /// Address to listen on; port 0 takes a free one, and the log says which [default: 127.0.0.1:3000]
    #[arg(long, global = true, env = "FARTHING_LISTEN", value_name = "IP:PORT")]
    pub listen: Option<SocketAddr>,

    /// Database: sqlite://PATH, created where it is missing, or postgres://USER@HOST/NAME [default: sqlite://data/farthing.db]
    #[arg(long, global = true, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// Folder for uploads and the update journal [default: data]
    #[arg(long, global = true, env = "FARTHING_DATA_DIR", value_name = "PATH")]
    pub data_dir: Option<PathBuf>,

    /// The git checkout that an update switches; update.toml and backups/ lie in it [default: the working directory]
    #[arg(long, global = true, env = "FARTHING_INSTALL_DIR", value_name = "PATH")]
    pub install_dir: Option<PathBuf>,

    /// Address people see, for links, secure cookies and origin checks [default: from the request]
    #[arg(long, global = true, env = "FARTHING_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,

    /// Where the latest release is asked: `git`, the tags of the installation's origin, or the URL of a release API [default: git]
    #[arg(
        long,
        global = true,
        env = "FARTHING_RELEASES_URL",
        value_name = "git|URL",
        hide_env_values = true
    )]
    pub releases_url: Option<Releases>,

    /// Limits on guessing passwords and on bids; off for load tests behind one address [default: on]
    #[arg(
        long,
        global = true,
        env = "FARTHING_RATE_LIMITS",
        value_name = "on|off",
        hide_possible_values = true
    )]
    pub rate_limits: Option<Switch>,

    /// Proxies whose X-Forwarded-For counts, by comma: addresses or networks [default: none]
    #[arg(long, global = true, env = "FARTHING_TRUSTED_PROXIES", value_name = "IP[/BITS],…")]
    pub trusted_proxies: Option<Networks>,

    /// How the log is written to standard error; RUST_LOG filters it [default: text]
    #[arg(
        long,
        global = true,
        env = "FARTHING_LOG_FORMAT",
        value_name = "text|json",
        hide_possible_values = true
    )]
    pub log_format: Option<LogFormat>,
}
