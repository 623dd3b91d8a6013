//! The unit that is shipped for systemd.

use std::path::Path;
use std::process::{Command, Output};

const UNIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operate/farthing.service");
/// The first version that rates a file without a running systemd.
const VERSION_MIN: u32 = 250;
/// The first version that knows `Type=notify-reload`. For an earlier one the unit says what to write instead.
const NOTIFY_RELOAD_MIN: u32 = 253;
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

#[test]
#[expect(clippy::print_stderr, reason = "the reason for which the test is skipped")]
fn the_unit_is_valid_and_hardened() {
    let Some(version) = version().filter(|version| *version >= VERSION_MIN) else {
        eprintln!("skipped: systemd-analyze {VERSION_MIN} or later is not installed");
        return;
    };
    // The paths of the unit need not exist on this machine.
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(UNIT).unwrap();
    let mut text = text.replace("/usr/local/bin/farthing", env!("CARGO_BIN_EXE_farthing"));
    if version < NOTIFY_RELOAD_MIN {
        let earlier = "Type=notify\nExecReload=/bin/kill -HUP $MAINPID\n";
        text = text.replace("Type=notify-reload\n", earlier);
    }
    let unit = folder.path().join("farthing.service");
    std::fs::write(&unit, text.replace("/srv/farthing", folder.path().to_str().unwrap())).unwrap();

    let verified = analyze(&["verify"], Some(&unit)).unwrap();
    let said = String::from_utf8_lossy(&verified.stderr);
    // Other units of this machine may have warnings.
    assert!(verified.status.success() && !said.contains("farthing.service"), "{said}");
    let rated = analyze(&["security", "--offline=true", EXPOSURE_MAX], Some(&unit)).unwrap();
    let said = String::from_utf8_lossy(&rated.stdout);
    assert!(rated.status.success(), "{}", said.lines().last().unwrap_or_default());
}
