//! `update.toml` in the installation: the operator's adaptations (SPEC, section 8). Everything is optional,
//! and nothing can be changed over HTTP.

mod file;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::line_and_reason;
use crate::journal::StepName;
use crate::releases::Keys;

const FILE: &str = "update.toml";

/// What an archive needs beyond this file.
pub const NO_API: &str = "`source.kind = \"archive\"` needs the address of a release API as `releases-url`";

/// A program and its arguments; run without a shell.
pub type Arguments = Vec<String>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    pub steps: Steps,
    pub hooks: Vec<Hook>,
    pub restart: Restart,
    pub health: Health,
    pub limits: UpdateLimits,
    pub source: ReleaseSource,
}

/// The form in which the installation takes releases, and what a release has to prove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseSource {
    /// A tag of `origin`, which is built here.
    Git {
        /// A file with the SSH keys of those who may sign releases, in the format `allowed signers` of
        /// ssh-keygen.
        signers: Option<PathBuf>,
    },
    /// The archive for this machine, signed with one of the keys.
    Archive { keys: Keys },
}

impl Default for ReleaseSource {
    fn default() -> Self {
        Self::Git { signers: None }
    }
}

/// Commands that replace those of the steps. An empty list skips the step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Steps {
    pub dependencies: Option<Arguments>,
    pub data_layer: Option<Arguments>,
    pub build: Option<Arguments>,
    pub rehearse: Option<Arguments>,
    pub schema: Option<Arguments>,
}

/// A step that the operator adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    pub name: StepName,
    pub place: Place,
    pub command: Arguments,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Before(StepName),
    After(StepName),
    /// Not in an update: after each backup of the schedule.
    AfterScheduledBackup,
}

/// How the new release is started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Restart {
    /// By the supervisor, without a process manager.
    #[default]
    SelfManaged,
    Systemd {
        unit: String,
    },
    Command {
        command: Arguments,
    },
    /// By the operator, later.
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Health {
    /// By default the address of the listener.
    pub url: Option<String>,
    pub timeout_seconds: u64,
    /// How long a new release that answers is observed before the run has succeeded.
    pub observe_seconds: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UpdateLimits {
    pub step_timeout_seconds: u64,
    /// Free disk space that a build needs, in MiB.
    pub build_disk_mb: u64,
}

/// Why the file is not valid, in one line.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("can't read `{path}`: {cause}")]
    Read { path: PathBuf, cause: std::io::Error },
    #[error("`{path}`, line {line}: {reason}")]
    Content { path: PathBuf, line: usize, reason: String },
    #[error("`{path}`: {reason}")]
    Meaning { path: PathBuf, reason: String },
}

impl Default for Health {
    fn default() -> Self {
        Self { url: None, timeout_seconds: 60, observe_seconds: 60 }
    }
}

impl Default for UpdateLimits {
    fn default() -> Self {
        Self { step_timeout_seconds: 3600, build_disk_mb: 4096 }
    }
}

impl Config {
    /// Reads the file. Without one, the defaults apply.
    pub fn read(install_dir: &Path) -> Result<Self, ConfigError> {
        let path = install_dir.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(cause) => return Err(ConfigError::Read { path, cause }),
        };
        match file::parse(&text, install_dir) {
            Ok(checked) => checked.map_err(|reason| ConfigError::Meaning { path, reason }),
            Err(error) => {
                let (line, reason) = line_and_reason(&text, &error);
                Err(ConfigError::Content { path, line, reason })
            }
        }
    }

    /// Reads the file. If it is not valid, returns the defaults and the error.
    pub fn read_or_default(install_dir: &Path) -> (Self, Option<ConfigError>) {
        match Self::read(install_dir) {
            Ok(config) => (config, None),
            Err(error) => (Self::default(), Some(error)),
        }
    }

    /// The steps of a run in their order, hooks included.
    pub fn plan(&self) -> Vec<StepName> {
        let hooks_at = |place: Place| {
            self.hooks.iter().filter(move |hook| hook.place == place).map(|hook| hook.name.clone())
        };
        let mut names = Vec::new();
        for step in StepName::ALL {
            names.extend(hooks_at(Place::Before(step.clone())));
            names.push(step.clone());
            names.extend(hooks_at(Place::After(step)));
        }
        names
    }

    /// Whether releases are taken as archives, without building them.
    pub fn takes_archives(&self) -> bool {
        matches!(self.source, ReleaseSource::Archive { .. })
    }

    pub fn hook(&self, name: &StepName) -> Option<&Hook> {
        self.hooks.iter().find(|hook| hook.name == *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), text).unwrap();
        Config::read(folder.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_example_of_the_specification_is_read() {
        let config = read(
            r#"
            [steps]
            dependencies = ["cargo", "fetch", "--locked"]
            build = ["./ci-build.sh"]
            [[hooks]]
            after = "health"
            name = "upload-backup"
            command = ["rclone", "copy", "data/backups", "remote:farthing"]
            [restart]
            kind = "systemd"
            unit = "farthing.service"
            [health]
            url = "http://127.0.0.1:3000/api/version"
            timeout_seconds = 60
            [limits]
            step_timeout_seconds = 3600
            "#,
        )
        .unwrap();
        assert_eq!(config.steps.build.as_deref(), Some(["./ci-build.sh".to_owned()].as_slice()));
        assert_eq!(config.restart, Restart::Systemd { unit: "farthing.service".to_owned() });
        let plan: Vec<String> = config.plan().iter().map(ToString::to_string).collect();
        assert_eq!(
            plan.join(" "),
            "determine fetch dependencies data_layer build rehearse backup schema switch \
                                    restart health upload-backup"
        );
    }

    #[test]
    fn an_empty_file_gives_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Config::read(folder.path()).unwrap(), Config::default());
        assert_eq!(read("").unwrap(), Config::default());
        assert_eq!(Config::default().restart, Restart::SelfManaged);
    }

    #[test]
    fn an_archive_comes_with_keys() {
        let folder = tempfile::tempdir().unwrap();
        let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
        std::fs::write(folder.path().join("release-keys.pub"), format!("untrusted comment: x\n{key}\n"))
            .unwrap();
        let text = "[source]\nkind = \"archive\"\n[verify]\nallowed_signers = \"release-keys.pub\"\n";
        std::fs::write(folder.path().join(FILE), text).unwrap();
        let source = Config::read(folder.path()).unwrap().source;
        assert_eq!(source, ReleaseSource::Archive { keys: Keys::parse(key).unwrap() });
        let signers = Some(PathBuf::from("signers"));
        assert_eq!(
            read("[verify]\nallowed_signers = \"signers\"\n").unwrap().source,
            ReleaseSource::Git { signers }
        );
    }

    #[test]
    fn errors_are_named() {
        for (text, words) in [
            ("[steps]\nbiuld = []\n", "line 2: unknown field `biuld`"),
            ("[steps]\nbackup = []\n", "unknown field `backup`"),
            ("[steps]\nbuild = \"make all\"\n", "line 2"),
            ("[hooks]\n", "line 1"),
            ("[[hooks]]\nname = \"x\"\ncommand = [\"x\"]\n", "`x` must have either `before` or `after`"),
            ("[[hooks]]\nname = \"x\"\nbefore = \"y\"\ncommand = [\"x\"]\n", "names no step: `y`"),
            ("[[hooks]]\nname = \"build\"\nbefore = \"fetch\"\ncommand = [\"x\"]\n", "like a step"),
            ("[[hooks]]\nname = \"a b\"\nbefore = \"fetch\"\ncommand = [\"x\"]\n", "`a b`"),
            ("[[hooks]]\nname = \"x\"\nbefore = \"fetch\"\ncommand = []\n", "has no command"),
            ("[restart]\nkind = \"docker\"\n", "unknown variant `docker`"),
            ("[restart]\nkind = \"systemd\"\n", "needs `unit`"),
            ("[restart]\nkind = \"command\"\ncommand = []\n", "needs `command`"),
            ("[restart]\nunit = \"x\"\n", "takes neither"),
            ("[health]\ntimeout_seconds = 0\n", "`health.timeout_seconds`"),
            ("[limits]\nstep_timeout_seconds = 100000\n", "`limits.step_timeout_seconds`"),
            ("[source]\nkind = \"zip\"\n", "unknown variant `zip`"),
            ("[source]\nkind = \"archive\"\n", "needs `verify.allowed_signers`"),
            (
                "[source]\nkind = \"archive\"\n[verify]\nallowed_signers = \"none.pub\"\n",
                "can't read the keys `none.pub`: No such file",
            ),
            (
                "[source]\nkind = \"archive\"\n[verify]\nallowed_signers = \"update.toml\"\n",
                "`update.toml` of `verify.allowed_signers`: line 1 is not a public key",
            ),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(words) && said.contains("update.toml"), "{text}: {said}");
        }
    }
}
