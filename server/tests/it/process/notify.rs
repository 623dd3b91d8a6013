//! Notifications to the service manager, as `docs/operate/farthing.service` has systemd expect them.

use std::path::PathBuf;
use std::time::Duration;

use tokio::net::UnixDatagram;

use super::{Process, command};
use crate::harness::database;

/// A socket as systemd listens on.
struct Manager {
    folder: tempfile::TempDir,
    path: PathBuf,
    socket: UnixDatagram,
}

impl Manager {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        Self { folder, path, socket }
    }

    /// Starts a service with further variables.
    async fn run(&self, variables: &[(&str, &str)]) -> Process {
        let folder = self.folder.path();
        let mut command = command(&database::fresh(folder).await, folder, "127.0.0.1:0");
        command.env("NOTIFY_SOCKET", &self.path).envs(variables.iter().copied());
        Process::run(command).await
    }

    /// The next message, without the line end.
    async fn next(&self) -> String {
        let mut buffer = [0; 4096];
        let length = tokio::time::timeout(Duration::from_secs(20), self.socket.recv(&mut buffer)).await;
        let message = &buffer[..length.expect("a message").unwrap()];
        std::str::from_utf8(message).unwrap().trim_end().to_owned()
    }

    async fn hears_a_reload(&self) {
        let message = self.next().await;
        let (reloading, since) = message.split_once('\n').unwrap();
        assert_eq!(reloading, "RELOADING=1");
        assert!(since.strip_prefix("MONOTONIC_USEC=").unwrap().parse::<u64>().unwrap() > 0, "{since}");
    }
}

#[tokio::test]
async fn the_service_manager_hears_of_the_start_of_reloads_and_of_the_stop() {
    let manager = Manager::start();
    let mut process = manager.run(&[]).await;
    assert_eq!(manager.next().await, "READY=1");
    let server = process.server();

    process.signal("HUP");
    manager.hears_a_reload().await;
    assert_eq!(manager.next().await, "READY=1");
    assert!(process.is_ready().await);
    assert_ne!(process.server(), server, "the unit keeps its main process, and has another server");

    // A reload with wrong settings ends at once, with the same server.
    let server = process.server();
    std::fs::write(manager.folder.path().join("farthing.toml"), "lissen = \"x\"\n").unwrap();
    process.signal("HUP");
    manager.hears_a_reload().await;
    assert_eq!(manager.next().await, "READY=1");
    assert_eq!(process.server(), server);

    process.signal("TERM");
    assert_eq!(manager.next().await, "STOPPING=1");
    assert!(process.ends_within(Duration::from_secs(10)).await.success());
}

#[tokio::test]
async fn the_watchdog_of_the_service_manager_is_answered() {
    let manager = Manager::start();
    let _process = manager.run(&[("WATCHDOG_USEC", "400000")]).await;
    let mut answers = 0;
    while answers < 3 {
        answers += i32::from(manager.next().await == "WATCHDOG=1");
    }
}
