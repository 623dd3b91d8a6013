//! The package for Debian and its derivatives. It brings the release to `/usr/lib/farthing`, and its scripts
//! bring it into the installation `/var/lib/farthing`, which no script removes.

use std::io::Write;

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};

use super::tree::Tree;
use super::{BuiltRelease, archive, binary};

const SCRIPTS: [&str; 3] = ["postinst", "postrm", "prerm"];

/// Settings of the administrator: an upgrade asks before it replaces a changed one.
const SETTINGS: &str = "etc/farthing/farthing.toml";

/// Returns the name of the file and its contents.
pub fn make(release: &BuiltRelease<'_>) -> Result<(String, Vec<u8>)> {
    let data = data(release)?;
    let control = control(release, data.size())?;
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.zst", release.compress(&control.tar(release.epoch)?)?),
        ("data.tar.zst", release.compress(&data.tar(release.epoch)?)?),
    ];
    let name = format!("farthing_{}_{}.deb", release.version, release.architecture);
    Ok((name, ar(&members, release.epoch)))
}

/// The outer archive, whose members have a header of 60 bytes.
fn ar(members: &[(&str, Vec<u8>)], epoch: u64) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let header = format!("{name:<16}{epoch:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, "100644", bytes.len());
        archive.extend_from_slice(header.as_bytes());
        archive.extend_from_slice(bytes);
        if bytes.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}

fn data(release: &BuiltRelease<'_>) -> Result<Tree> {
    let mut tree = Tree::default();
    archive::contents(release, &mut tree, "usr/lib/farthing")?;
    tree.file("usr/bin/farthing", 0o755, release.template("farthing.sh")?);
    tree.file(SETTINGS, 0o644, archive::settings(release)?);
    for unit in archive::UNITS {
        let from = release.workspace.root.join("docs/operate").join(unit);
        tree.copy(&format!("usr/lib/systemd/system/{unit}"), 0o644, &from)?;
    }
    let document = "usr/share/doc/farthing";
    tree.file(&format!("{document}/copyright"), 0o644, release.template("debian/copyright")?);
    tree.file(&format!("{document}/changelog.gz"), 0o644, gzip(&changelog(release)?)?);
    tree.file("usr/share/man/man1/farthing.1.gz", 0o644, gzip(&release.template("farthing.1")?)?);
    tree.file("usr/share/lintian/overrides/farthing", 0o644, release.template("debian/lintian-overrides")?);
    Ok(tree)
}

/// The changelog in Debian's form, of this version alone: `CHANGELOG.md`, which the package has, has all.
fn changelog(release: &BuiltRelease<'_>) -> Result<String> {
    let seconds = i64::try_from(release.epoch).context("the time of the commit")?;
    let time = jiff::Timestamp::from_second(seconds)?.strftime("%a, %d %b %Y %H:%M:%S +0000");
    let changelog = release.template("debian/changelog")?;
    Ok(changelog.replace("@VERSION@", &release.version).replace("@TIME@", &time.to_string()))
}

/// Compressed as Debian asks for, the same bytes each time: without the name and the time of a file.
fn gzip(text: &str) -> Result<Vec<u8>> {
    let mut writer = GzBuilder::new().write(Vec::new(), Compression::best());
    writer.write_all(text.as_bytes())?;
    Ok(writer.finish()?)
}

fn control(release: &BuiltRelease<'_>, installed: usize) -> Result<Tree> {
    let mut tree = Tree::default();
    let fields = release
        .template("debian/control")?
        .replace("@VERSION@", &release.version)
        .replace("@ARCHITECTURE@", release.architecture)
        .replace("@INSTALLED_SIZE@", &installed.div_ceil(1024).to_string())
        .replace("@GLIBC@", &binary::oldest_glibc(&release.binary)?);
    tree.file("control", 0o644, fields);
    tree.file("conffiles", 0o644, format!("/{SETTINGS}\n"));
    for script in SCRIPTS {
        tree.file(script, 0o755, release.template(&format!("debian/{script}"))?);
    }
    Ok(tree)
}
