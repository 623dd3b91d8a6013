//! The opening of the listening socket, and how others find it.

use std::io::Error;
use std::net::TcpListener;
use std::path::Path;

use super::listener::{BindError, listen};
use super::pid_file::PidFile;
use crate::config::Settings;
use crate::control::announce;
use platform::log_field::logged;

/// Why there is no socket.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    #[error(transparent)]
    Bind(#[from] BindError),
    #[error("can't read the address of the socket: {0}")]
    Address(#[from] Error),
}

/// The socket, and the file that identifies its supervisor.
pub(super) struct ListenSocket {
    listener: TcpListener,
    _pid_file: Option<PidFile>,
}

impl ListenSocket {
    /// Listens, and announces the address to `announce_to` and to the log.
    pub async fn open(settings: &Settings, announce_to: Option<&Path>) -> Result<Self, SocketError> {
        let listener = listen(*settings.listen).await?;
        let pid_file = PidFile::lock(&settings.data_dir);
        if let Err(error) = &pid_file {
            let error = logged(error);
            tracing::warn!(error, "commands in a shell won't find this server by its data folder");
        }
        let address = listener.local_addr()?;
        if let Some(to) = announce_to
            && let Err(error) = announce(to, address)
        {
            let error = logged(&error);
            tracing::warn!(error, "can't announce the address to `{}`", to.display());
        }
        tracing::info!("listening on http://{address}");
        Ok(Self { listener, _pid_file: pid_file.ok() })
    }

    pub fn listener(&self) -> &TcpListener {
        &self.listener
    }
}
