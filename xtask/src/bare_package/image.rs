//! The container image without an engine: its layers as a root that can't be written to, for a user that the
//! image does not know.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::machine::Service;
use crate::dist::{self, BuiltRelease, base, image};
use crate::measure::HttpClient;
use crate::path_context::PathContext;
use crate::process;
use crate::python::Python;
use crate::workspace::Workspace;

/// Any user, with the group that the volume has.
const USER: [&str; 2] = ["--setgid=0", "--setuid=4321"];

/// The volume, and the folder in which the server runs.
const DATA: &str = "/data";

/// Makes a root of the layers, a volume and a temporary folder of its own, and runs a program there.
const RUN: &str = "set -e
mount --bind \"$1\" \"$1\"
mount --bind \"$2\" \"$1/data\"
mount -t tmpfs none \"$1/tmp\"
mount -t proc none \"$1/proc\"
mount --bind /dev \"$1/dev\"
mount -o remount,bind,ro \"$1\"
shift 2
exec unshare \"$@\"";

/// Runs the image with the binary of the tests. Prints why if that is not possible on this machine.
pub fn check(workspace: &Workspace, python: &Python) -> Result<()> {
    if !process::succeeds("unshare", &["--mount", "true"]) {
        println!("skipped: only root may mount the file systems of a container");
        return Ok(());
    }
    let (target, architecture) = dist::target(None)?;
    let path = workspace.binary();
    let release = BuiltRelease {
        workspace,
        python,
        version: dist::version().to_owned(),
        target,
        architecture,
        binary: fs::read(&path).on_path("read", &path)?,
        releases_url: None,
        public_keys: None,
        epoch: dist::epoch(workspace)?,
        folder: workspace.scratch()?.join("image"),
    };
    // Left by an interrupted run.
    let _ = fs::remove_dir_all(&release.folder);
    let outcome = run(&release);
    let _ = fs::remove_dir_all(&release.folder);
    outcome
}

fn run(release: &BuiltRelease<'_>) -> Result<()> {
    let Some(base) = base::make(release)? else { return Ok(()) };
    let folder = &release.folder;
    let (root, volume) = (folder.join("root"), folder.join("volume"));
    for folder in [&root.join("dev"), &root.join("proc"), &volume] {
        fs::create_dir_all(folder).on_path("create", folder)?;
    }
    let config = unpack(release, &image::make(release, &base)?.1, &root)?;
    // An engine makes a volume with the owner and the mode of the folder in the image.
    process::run(Command::new("chown").arg("65532:0").arg(&volume))?;
    process::run(Command::new("chmod").arg("0770").arg(&volume))?;

    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", RUN, "sh"])
        .args([&root, &volume]);
    command.arg(format!("--root={}", root.display())).arg(format!("--wd={DATA}"));
    let server = Service::start(program(command, &config, &["serve"])?)?;
    ensure!(
        HttpClient::connect(&server.address)?.get("/", "identity")?.status == 200,
        "there is no first page"
    );
    ensure!(volume.join("farthing/farthing.db").is_file(), "the database is not in the volume");
    for command in [&["health"][..], &["admin", "claim-code"], &["backup"]] {
        let mut beside = Command::new("nsenter");
        beside.args(["--mount", "--pid", "--root", "--wd", &format!("--target={}", server.process()?)]);
        process::run(program(beside, &config, command)?.stdout(Stdio::null()))?;
    }
    println!("image: serves as another user from a root that can't be written to");
    server.stop()
}

/// Unpacks the layers in their order, and returns the configuration.
fn unpack(release: &BuiltRelease<'_>, image: &[u8], root: &Path) -> Result<Value> {
    let folder = &release.folder;
    tar::Archive::new(image).unpack(folder).on_path("unpack the image to", folder)?;
    let json = |file: &str| -> Result<Value> {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).on_path("read", &path)?;
        serde_json::from_str(&text).with_context(|| format!("{file} is not JSON"))
    };
    let list = json("manifest.json")?;
    for layer in list[0]["Layers"].as_array().context("the image has no layers")? {
        let layer = folder.join(layer.as_str().context("a layer has no name")?);
        let compressed = fs::read(&layer).on_path("read", &layer)?;
        let tar = release.decompress(&compressed)?;
        tar::Archive::new(tar.as_slice()).unpack(root).on_path("unpack a layer to", root)?;
    }
    json(list[0]["Config"].as_str().context("the image has no configuration")?)
}

/// Lets a command run the program of the image, with the environment of its configuration.
fn program(mut command: Command, config: &Value, arguments: &[&str]) -> Result<Command> {
    let config = &config["config"];
    let text = |value: &Value| value.as_str().map(str::to_owned).context("the configuration lacks a text");
    command.args(USER).arg(text(&config["Entrypoint"][0])?).args(arguments).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    for variable in config["Env"].as_array().context("the image has no environment")? {
        let variable = text(variable)?;
        let (name, value) = variable.split_once('=').context("a variable has no value")?;
        if name != "PATH" {
            command.env(name, value);
        }
    }
    Ok(command)
}
