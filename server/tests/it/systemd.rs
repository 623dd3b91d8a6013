//! The units that are shipped for systemd.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

const UNITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operate");
/// The first version that rates a file without a running systemd.
const VERSION_MIN: u32 = 250;
/// The maximum exposure that `systemd-analyze security` may find, of 100.
const EXPOSURE_MAX: &str = "--threshold=20";

/// Runs `systemd-analyze`; `None` if it is not installed.
fn analyze(arguments: &[&str], unit: Option<&Path>) -> Option<Output> {
    Command::new("systemd-analyze").args(arguments).args(unit).output().ok()
}

fn version() -> Option<u32> {
    let output = String::from_utf8(analyze(&["--version"], None)?.stdout).ok()?;
    output.split_whitespace().nth(1)?.parse().ok()
}

fn text(unit: &str) -> String {
    std::fs::read_to_string(Path::new(UNITS).join(unit)).unwrap()
}

#[test]
#[expect(clippy::print_stderr, reason = "the reason for which the test is skipped")]
fn the_units_are_valid_and_hardened() {
    if version().is_none_or(|version| version < VERSION_MIN) {
        eprintln!("skipped: systemd-analyze {VERSION_MIN} or later is not installed");
        return;
    }
    for (unit, instance) in
        [("farthing.service", "farthing.service"), ("farthing@.service", "farthing@club.service")]
    {
        // The paths of the unit need not exist on this machine.
        let folder = tempfile::tempdir().unwrap();
        let text = text(unit)
            .replace("/usr/lib/farthing/install-release", "/bin/true")
            .replace("/var/lib/farthing-%i/current/farthing", env!("CARGO_BIN_EXE_farthing"))
            .replace("/var/lib/farthing/current/farthing", env!("CARGO_BIN_EXE_farthing"));
        let unit = folder.path().join(instance);
        std::fs::write(&unit, text).unwrap();

        let verified = analyze(&["verify"], Some(&unit)).unwrap();
        let said = String::from_utf8_lossy(&verified.stderr);
        // Other units of this machine may have warnings.
        assert!(verified.status.success() && !said.contains(instance), "{said}");
        let rated = analyze(&["security", "--offline=true", EXPOSURE_MAX], Some(&unit)).unwrap();
        let said = String::from_utf8_lossy(&rated.stdout);
        assert!(rated.status.success(), "{}", said.lines().last().unwrap_or_default());
    }
}

/// The template for more installations is as hardened as the unit, and differs from it by the name only.
#[test]
fn the_template_differs_by_the_name_of_the_installation() {
    let (unit, template) = (text("farthing.service"), text("farthing@.service"));
    let lines = |text: &str| -> BTreeSet<String> {
        let (_, settings) = text.split_once("\n[Unit]\n").unwrap();
        settings.lines().map(str::to_owned).collect()
    };
    let named = template
        .replace(" (%i)", "")
        .replace("/var/lib/farthing-%i", "/var/lib/farthing")
        .replace("StateDirectory=farthing-%i", "StateDirectory=farthing")
        .replace("/etc/farthing/%i", "/etc/farthing/farthing");
    let more: Vec<String> = lines(&named).difference(&lines(&unit)).cloned().collect();
    assert_eq!(
        more,
        [
            "AssertPathExists=/etc/farthing/farthing.toml",
            "ExecStartPre=/usr/lib/farthing/install-release /var/lib/farthing /etc/farthing/farthing.toml",
        ]
    );
    assert_eq!(lines(&unit).difference(&lines(&named)).count(), 0);
}
