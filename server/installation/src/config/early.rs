//! The folders of an installation, read without the other settings: those may be of a later release, which
//! this one does not know.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::{FILE, SETTINGS, Settings};

/// Where the current release is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Early {
    pub install_dir: PathBuf,
    pub data_dir: PathBuf,
}

impl Early {
    /// From flags, variables, and `farthing.toml` in the working directory. What can't be read is left to the
    /// complete settings, which report it.
    pub fn read(args: &[OsString]) -> Self {
        let text = std::fs::read_to_string(Path::new(FILE)).unwrap_or_default();
        let file = text.parse().unwrap_or_default();
        Self::from_layers(args, variable, &file)
    }

    fn from_layers(
        args: &[OsString],
        variable: impl Fn(&str) -> Option<OsString>,
        file: &toml::Table,
    ) -> Self {
        let read = |key: &str, default: PathBuf| {
            let setting = SETTINGS.iter().find(|setting| setting.key() == key);
            let outside = setting
                .and_then(|setting| value_of(args, &setting.flag()).or_else(|| variable(setting.variable)));
            let in_file = || file.get(key)?.as_str().map(OsString::from);
            outside.or_else(in_file).map_or(default, PathBuf::from)
        };
        let default = Settings::default();
        Self {
            install_dir: read("install-dir", default.install_dir),
            data_dir: read("data-dir", default.data_dir),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a part of the configuration")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The value of `--flag VALUE` or `--flag=VALUE`.
fn value_of(args: &[OsString], flag: &str) -> Option<OsString> {
    let prefix = format!("{flag}=");
    let joined = |arg: &OsString| Some(OsString::from(arg.to_str()?.strip_prefix(&prefix)?));
    let at = args.iter().position(|arg| arg == OsStr::new(flag));
    at.and_then(|at| args.get(at + 1).cloned()).or_else(|| args.iter().find_map(joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_override_variables_which_override_the_file_also_beside_unknown_settings() {
        let args = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let none = |_: &str| None;
        let file = "install-dir = \"/file\"\na-new-setting = 1\n".parse().unwrap();
        let read = |line: &str| Early::from_layers(&args(line), none, &file);
        assert_eq!(read("serve").install_dir, Path::new("/file"));
        assert_eq!(read("serve").data_dir, Path::new("data"));
        assert_eq!(read("serve --new 1 --install-dir /flag").install_dir, Path::new("/flag"));
        assert_eq!(read("--data-dir=/flag").data_dir, Path::new("/flag"));
        let variable = |name: &str| (name == "FARTHING_INSTALL_DIR").then(|| OsString::from("/variable"));
        assert_eq!(Early::from_layers(&args("serve"), variable, &file).install_dir, Path::new("/variable"));
    }
}
