//! The format of `update.toml`, and its validation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Arguments, Config, Health, Hook, Place, ReleaseSource, Restart, Steps, UpdateLimits};
use crate::journal::StepName;
use crate::releases::Keys;

const HOOKS_MAX: usize = 32;
const NAME_MAX: usize = 64;
const SECONDS_MAX: u64 = 24 * 60 * 60;
/// The place of a hook that is not in an update.
const SCHEDULED_BACKUP: &str = "scheduled-backup";

/// Parses the text. The inner result is the validation of the values; paths are relative to `folder`.
pub(super) fn parse(text: &str, folder: &Path) -> Result<Result<Config, String>, toml::de::Error> {
    toml::from_str::<File>(text).map(|file| file.checked(folder))
}

/// The content of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    steps: Steps,
    hooks: Vec<FileHook>,
    restart: FileRestart,
    health: Health,
    limits: UpdateLimits,
    source: FileSource,
    verify: Verify,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileSource {
    kind: SourceKind,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SourceKind {
    #[default]
    Git,
    Archive,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Verify {
    allowed_signers: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileHook {
    before: Option<String>,
    after: Option<String>,
    name: String,
    command: Arguments,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileRestart {
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

impl File {
    fn checked(self, folder: &Path) -> Result<Config, String> {
        if self.hooks.len() > HOOKS_MAX {
            return Err(format!("more than {HOOKS_MAX} hooks"));
        }
        let hooks: Vec<Hook> = self.hooks.into_iter().map(FileHook::checked).collect::<Result<_, _>>()?;
        let mut names = BTreeSet::new();
        if let Some(duplicate) = hooks.iter().find(|hook| !names.insert(hook.name.as_str())) {
            return Err(format!("two hooks have the name `{}`", duplicate.name));
        }
        for (name, seconds) in [
            ("health.timeout_seconds", self.health.timeout_seconds),
            ("limits.step_timeout_seconds", self.limits.step_timeout_seconds),
        ] {
            if !(1..=SECONDS_MAX).contains(&seconds) {
                return Err(format!("`{name}` must be between 1 and {SECONDS_MAX}"));
            }
        }
        if self.health.observe_seconds > SECONDS_MAX {
            return Err(format!("`health.observe_seconds` must be between 0 and {SECONDS_MAX}"));
        }
        let Self { steps, health, limits, .. } = self;
        let source = self.source.checked(self.verify, folder)?;
        Ok(Config { steps, hooks, restart: self.restart.checked()?, health, limits, source })
    }
}

impl FileSource {
    fn checked(self, verify: Verify, folder: &Path) -> Result<ReleaseSource, String> {
        let path = match (self.kind, verify.allowed_signers) {
            (SourceKind::Git, signers) => return Ok(ReleaseSource::Git { signers }),
            (SourceKind::Archive, Some(path)) => path,
            (SourceKind::Archive, None) => {
                return Err("`source.kind = \"archive\"` needs `verify.allowed_signers`, a file with the public keys of \
                            minisign that may sign releases"
                    .to_owned());
            }
        };
        let shown = path.display();
        let text = std::fs::read_to_string(folder.join(&path))
            .map_err(|error| format!("can't read the keys `{shown}`: {error}"))?;
        let keys =
            Keys::parse(&text).map_err(|error| format!("`{shown}` of `verify.allowed_signers`: {error}"))?;
        Ok(ReleaseSource::Archive { keys })
    }
}

impl FileHook {
    fn checked(self) -> Result<Hook, String> {
        let is_allowed =
            |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || "-_".contains(char);
        if self.name.is_empty() || self.name.len() > NAME_MAX || !self.name.chars().all(is_allowed) {
            return Err(format!(
                "the hook `{}` must have a name of 1 to {NAME_MAX} characters a–z 0–9 _ -",
                self.name
            ));
        }
        let name = StepName::from(self.name);
        if !matches!(name, StepName::Hook(_)) {
            return Err(format!("a hook can't have the name `{name}` like a step"));
        }
        let step = |place: String| match StepName::from(place) {
            StepName::Hook(unknown) => Err(format!("the hook `{name}` names no step: `{unknown}`")),
            step => Ok(step),
        };
        let place = match (self.before, self.after) {
            (Some(before), None) => Place::Before(step(before)?),
            (None, Some(after)) if after == SCHEDULED_BACKUP => Place::AfterScheduledBackup,
            (None, Some(after)) => Place::After(step(after)?),
            _ => return Err(format!("the hook `{name}` must have either `before` or `after`")),
        };
        if self.command.is_empty() {
            return Err(format!("the hook `{name}` has no command"));
        }
        Ok(Hook { name, place, command: self.command })
    }
}

impl FileRestart {
    fn checked(self) -> Result<Restart, String> {
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
