//! The base of the container image: the C library and the certificates from the packages of this machine's
//! Debian, without a shell and without a package manager.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::BuiltRelease;
use super::tree::Tree;
use crate::path_context::PathContext;
use crate::process;

const PACKAGES: [&str; 3] = ["ca-certificates", "libc6", "libgcc-s1"];

/// What the binary is linked to, beside the loader.
const LIBRARIES: [&str; 3] = ["libc.so.6", "libgcc_s.so.1", "libm.so.6"];

const LOADER: &str = "ld-linux";

const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";

pub struct BaseImage {
    pub tree: Tree,
    /// Names, versions and sums of the packages.
    pub packages: Vec<String>,
}

/// Downloads the packages for the release's architecture, if apt does so on this machine.
pub fn make(release: &BuiltRelease<'_>) -> Result<Option<BaseImage>> {
    if process::on_path("apt-get").is_none() || process::on_path("dpkg-deb").is_none() {
        println!("dist: no image, because this machine has no packages of Debian");
        return Ok(None);
    }
    let own = process::output(Command::new("dpkg").arg("--print-architecture"))?;
    if own.trim() != release.architecture {
        println!("dist: no image, because this machine's packages are for {}", own.trim());
        return Ok(None);
    }
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let mut download = Command::new("apt-get");
    download.args(["-qq", "-o=APT::Sandbox::User=root", "download"]).args(PACKAGES);
    process::run(download.current_dir(folder.path()))?;

    let mut base = BaseImage { tree: Tree::default(), packages: Vec::new() };
    for link in ["lib", "lib64"] {
        base.tree.link(link, &format!("usr/{link}"));
    }
    base.tree.folder("usr/lib64", 0o755, (0, 0));
    let mut certificates = Vec::new();
    for package in packages(folder.path())? {
        let archive = Command::new("dpkg-deb").arg("--fsys-tarfile").arg(&package.path).output();
        let archive = archive.context("cannot start dpkg-deb")?.stdout;
        add(&archive, &mut base.tree, &mut certificates)?;
        base.packages.push(package.described);
    }
    // In the package's order, which is that of the tree that its own program would write.
    certificates.sort();
    let all: Vec<u8> = certificates.into_iter().flat_map(|(_, bytes)| bytes).collect();
    if all.is_empty() || !base.tree.paths().any(|path| path.contains(LOADER)) {
        bail!("the packages have no certificates, or no loader");
    }
    base.tree.file(CERTIFICATES, 0o644, all);
    Ok(Some(base))
}

struct Package {
    path: std::path::PathBuf,
    described: String,
}

fn packages(folder: &Path) -> Result<Vec<Package>> {
    let mut packages = Vec::new();
    for entry in fs::read_dir(folder).on_path("read", folder)? {
        let path = entry.on_path("read", folder)?.path();
        let format = ["--show", "--showformat=${Package} ${Version}"];
        let named = process::output(Command::new("dpkg-deb").args(format).arg(&path))?;
        let sum = super::sums::hex(&fs::read(&path).on_path("read", &path)?);
        packages.push(Package { path, described: format!("{} sha256:{sum}", named.trim()) });
    }
    packages.sort_by(|one, other| one.described.cmp(&other.described));
    Ok(packages)
}

/// Adds the libraries and the licences of a package to the tree, and its certificates to the list.
fn add(archive: &[u8], tree: &mut Tree, certificates: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    for entry in tar::Archive::new(archive).entries().context("cannot read a package")? {
        let mut entry = entry.context("cannot read a package")?;
        let path = entry.path().context("a package has an invalid path")?.to_string_lossy().into_owned();
        let path = path.trim_start_matches("./").to_owned();
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let is_loader = name.starts_with(LOADER);
        if let (true, Some(to)) = (is_loader, entry.link_name().context("a package has an invalid link")?) {
            // The program names the loader by this path.
            let to = to.to_string_lossy().into_owned();
            tree.link(&merged(&path), &to);
            continue;
        }
        let mut read = || {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut bytes).context("cannot read a package")?;
            Ok::<_, anyhow::Error>(bytes)
        };
        if is_loader || LIBRARIES.contains(&name.as_str()) {
            tree.file(&merged(&path), 0o755, read()?);
        } else if path.starts_with("usr/share/doc/") && name == "copyright" {
            tree.file(&path, 0o644, read()?);
        } else if path.starts_with("usr/share/ca-certificates/") && name.ends_with(".crt") {
            certificates.push((path, read()?));
        }
    }
    Ok(())
}

/// The path below `usr`: in the image `lib` and `lib64` are links into it, as in Debian.
fn merged(path: &str) -> String {
    if path.starts_with("usr/") { path.to_owned() } else { format!("usr/{path}") }
}
