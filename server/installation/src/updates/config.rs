//! `update.toml` in the installation: what an operator adapts (contract, section 8). All of it is optional, and none of
//! it can be changed over HTTP.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::journal::StepName;
use crate::config::line_and_reason;

const FILE: &str = "update.toml";
const HOOKS_MAX: usize = 32;
const NAME_MAX: usize = 64;
const SECONDS_MAX: u64 = 24 * 60 * 60;

/// A program and what it is given; run without a shell.
pub type Arguments = Vec<String>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    pub steps: Steps,
    pub hooks: Vec<Hook>,
    pub restart: Restart,
    pub health: Health,
    pub limits: Limits,
}

/// What runs in place of a step's own command; an empty list skips the step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Steps {
    pub dependencies: Option<Arguments>,
    pub data_layer: Option<Arguments>,
    pub build: Option<Arguments>,
    pub rehearse: Option<Arguments>,
    pub schema: Option<Arguments>,
}

/// A step of the operator's own.
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
}

/// Who starts the new release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Restart {
    /// Farthing itself, without a process manager.
    #[default]
    SelfManaged,
    Systemd {
        unit: String,
    },
    Command {
        command: Arguments,
    },
    /// Somebody, later.
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Health {
    /// By default the listener's own.
    pub url: Option<String>,
    pub timeout_seconds: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    pub step_timeout_seconds: u64,
    /// Free disk that a build needs, in MiB.
    pub build_disk_mb: u64,
}

/// Why the file can't be followed, in one line.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("can't read `{path}`: {cause}")]
    Read { path: PathBuf, cause: std::io::Error },
    #[error("`{path}`, line {line}: {reason}")]
    Content { path: PathBuf, line: usize, reason: String },
    #[error("`{path}`: {reason}")]
    Meaning { path: PathBuf, reason: String },
}

/// As it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    steps: Steps,
    hooks: Vec<WrittenHook>,
    restart: WrittenRestart,
    health: Health,
    limits: Limits,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenHook {
    before: Option<String>,
    after: Option<String>,
    name: String,
    command: Arguments,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WrittenRestart {
    kind: Kind,
    unit: Option<String>,
    command: Option<Arguments>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    #[serde(rename = "self")]
    SelfManaged,
    Systemd,
    Command,
    None,
}

impl Default for Health {
    fn default() -> Self {
        Self { url: None, timeout_seconds: 60 }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { step_timeout_seconds: 3600, build_disk_mb: 4096 }
    }
}

impl Config {
    /// A missing file changes nothing.
    pub fn read(install_dir: &Path) -> Result<Self, ConfigError> {
        let path = install_dir.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(cause) => return Err(ConfigError::Read { path, cause }),
        };
        match toml::from_str::<Written>(&text) {
            Ok(written) => written.understood().map_err(|reason| ConfigError::Meaning { path, reason }),
            Err(error) => {
                let (line, reason) = line_and_reason(&text, &error);
                Err(ConfigError::Content { path, line, reason })
            }
        }
    }

    /// The steps of a run in their order, with the hooks in their places.
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

    pub fn hook(&self, name: &StepName) -> Option<&Hook> {
        self.hooks.iter().find(|hook| hook.name == *name)
    }
}

impl Written {
    fn understood(self) -> Result<Config, String> {
        if self.hooks.len() > HOOKS_MAX {
            return Err(format!("more than {HOOKS_MAX} hooks"));
        }
        let hooks: Vec<Hook> =
            self.hooks.into_iter().map(WrittenHook::understood).collect::<Result<_, _>>()?;
        let mut names = BTreeSet::new();
        if let Some(twice) = hooks.iter().find(|hook| !names.insert(hook.name.as_str())) {
            return Err(format!("two hooks are called `{}`", twice.name));
        }
        for (name, seconds) in [
            ("health.timeout_seconds", self.health.timeout_seconds),
            ("limits.step_timeout_seconds", self.limits.step_timeout_seconds),
        ] {
            if !(1..=SECONDS_MAX).contains(&seconds) {
                return Err(format!("`{name}` must be between 1 and {SECONDS_MAX}"));
            }
        }
        let Self { steps, health, limits, .. } = self;
        Ok(Config { steps, hooks, restart: self.restart.understood()?, health, limits })
    }
}

impl WrittenHook {
    fn understood(self) -> Result<Hook, String> {
        let fits = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || "-_".contains(char);
        if self.name.is_empty() || self.name.len() > NAME_MAX || !self.name.chars().all(fits) {
            return Err(format!("the hook `{}` must be called by 1 to {NAME_MAX} of a–z 0–9 _ -", self.name));
        }
        let name = StepName::from(self.name);
        if !matches!(name, StepName::Hook(_)) {
            return Err(format!("a hook can't be called `{name}` like a step"));
        }
        let step = |place: String| match StepName::from(place) {
            StepName::Hook(unknown) => Err(format!("the hook `{name}` names no step: `{unknown}`")),
            step => Ok(step),
        };
        let place = match (self.before, self.after) {
            (Some(before), None) => Place::Before(step(before)?),
            (None, Some(after)) => Place::After(step(after)?),
            _ => return Err(format!("the hook `{name}` must have either `before` or `after`")),
        };
        if self.command.is_empty() {
            return Err(format!("the hook `{name}` has no command"));
        }
        Ok(Hook { name, place, command: self.command })
    }
}

impl WrittenRestart {
    fn understood(self) -> Result<Restart, String> {
        Ok(match (self.kind, self.unit, self.command) {
            (Kind::SelfManaged, None, None) => Restart::SelfManaged,
            (Kind::None, None, None) => Restart::None,
            (Kind::Systemd, Some(unit), None) => Restart::Systemd { unit },
            (Kind::Command, None, Some(command)) if !command.is_empty() => Restart::Command { command },
            (Kind::Systemd, ..) => {
                return Err("`restart.kind = \"systemd\"` needs `unit`, and it alone".to_owned());
            }
            (Kind::Command, ..) => {
                return Err("`restart.kind = \"command\"` needs `command`, and it alone".to_owned());
            }
            (Kind::SelfManaged | Kind::None, ..) => {
                return Err("this `restart.kind` takes neither `unit` nor `command`".to_owned());
            }
        })
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
    fn the_contracts_own_example_is_read() {
        let config = read(
            r#"
            [steps]
            dependencies = ["cargo", "fetch", "--locked"]
            build = ["./ci-build.sh"]
            [[hooks]]
            after = "health"
            name = "upload-backup"
            command = ["rclone", "copy", "backups", "remote:farthing"]
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
    fn nothing_is_the_default() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Config::read(folder.path()).unwrap(), Config::default());
        assert_eq!(read("").unwrap(), Config::default());
        assert_eq!(Config::default().restart, Restart::SelfManaged);
    }

    #[test]
    fn what_can_not_be_followed_is_named() {
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
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(words) && said.contains("update.toml"), "{text}: {said}");
        }
    }
}
