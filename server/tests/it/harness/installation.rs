//! An installation: a git clone of an origin with release tags, in temporary folders.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::releases::SigningKey;

/// Steps that finish immediately, and no restart.
pub const QUICKLY: &str = "
[steps]
dependencies = [\"true\"]
build = [\"./build.sh\"]
rehearse = [\"true\"]
[restart]
kind = \"none\"
";

pub struct Installation {
    folder: tempfile::TempDir,
}

impl Installation {
    /// Creates an installation whose origin has no release.
    pub fn new() -> Self {
        let installation = Self { folder: tempfile::tempdir().unwrap() };
        let root = installation.folder.path();
        git(root, &["init", "--quiet", "--bare", "-b", "main", "origin.git"]);
        git(root, &["init", "--quiet", "-b", "main", "work"]);
        git(&installation.work(), &["remote", "add", "origin", "../origin.git"]);
        installation.push("README", "A stand-in.\n");
        git(root, &["clone", "--quiet", "origin.git", "install"]);
        installation.configure("");
        installation
    }

    /// Creates an installation without git that takes archives signed with this key.
    pub fn of_archives(key: &SigningKey) -> Self {
        let installation = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(installation.path()).unwrap();
        installation.take_archives(key, QUICKLY);
        installation
    }

    /// Lets updates take archives signed with this key, with `more` in `update.toml`.
    pub fn take_archives(&self, key: &SigningKey, more: &str) {
        std::fs::write(self.path().join("release-keys.pub"), key.public()).unwrap();
        let archive = "[source]\nkind = \"archive\"\n[verify]\nallowed_signers = \"release-keys.pub\"\n";
        self.configure_all(&format!("{archive}{more}"));
    }

    /// Folder of the installation.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("install")
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Writes `update.toml` with fast steps and `more`.
    pub fn configure(&self, more: &str) {
        self.configure_all(&format!("{QUICKLY}{more}"));
    }

    pub fn configure_all(&self, text: &str) {
        std::fs::write(self.path().join("update.toml"), text).unwrap();
    }

    /// Tags a release whose build produces the binary under test.
    pub fn release(&self, tag: &str) {
        self.release_of(tag, &format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_farthing")));
    }

    /// Tags a release whose build produces this script as its binary.
    pub fn release_of(&self, tag: &str, binary: &str) {
        self.push("binary.sh", binary);
        let build = "#!/bin/sh\nset -e\nmkdir -p target/release\ncp binary.sh target/release/farthing\n\
                     chmod 755 target/release/farthing\necho built $FARTHING_TAG\n";
        self.push("build.sh", build);
        self.tag(tag);
    }

    /// Tags the commit that was pushed last.
    pub fn tag(&self, tag: &str) {
        git(
            &self.folder.path().join("origin.git"),
            &["update-ref", &format!("refs/tags/{tag}"), "refs/heads/main"],
        );
    }

    /// Signs the commit that was pushed last as a release, with the private SSH key in a file.
    pub fn signed_tag(&self, tag: &str, key: &Path) {
        let key = format!("user.signingkey={}", key.display());
        let identity =
            ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "gpg.format=ssh", "-c", &key];
        git(&self.work(), &[&identity[..], &["tag", "--sign", "--message", tag, tag]].concat());
        git(&self.work(), &["push", "--quiet", "origin", tag]);
    }

    fn push(&self, name: &str, content: &str) {
        let path = self.work().join(name);
        std::fs::write(&path, content).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        git(&self.work(), &["add", name]);
        let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
        git(&self.work(), &[&identity[..], &["commit", "--quiet", "--allow-empty", "-m", name]].concat());
        git(&self.work(), &["push", "--quiet", "origin", "main"]);
    }

    /// Target of the link `current`.
    pub fn current(&self) -> Option<String> {
        let link = std::fs::read_link(self.path().join("current")).ok()?;
        Some(link.to_str().unwrap().to_owned())
    }

    /// Names of the installed releases, sorted.
    pub fn releases(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path().join("releases")) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Changes in the checkout, as `git status` reports them.
    pub fn changed(&self) -> String {
        git(&self.path(), &["status", "--porcelain"])
    }
}

pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env_remove("GIT_DIR");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
