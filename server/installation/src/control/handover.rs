//! The protocol between the supervisor and its server, over a Unix socket that is the server's standard input
//! at first. The server sends messages of one line. The supervisor sends no messages: it passes the listening
//! socket when the server is ready.

use std::io::{Error, IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::net::TcpListener;
use std::os::fd::AsFd;

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// The server has opened its database and waits for the listening socket.
pub const READY: &str = "ready";
/// The server requests that a new one replaces it.
pub const RESTART: &str = "restart";
/// The server works: sent every few seconds from [`READY`] on.
pub const ALIVE: &str = "alive";
/// The server, of a new version, answers and writes are open. From here on it is observed.
pub const ANSWERED: &str = "answered";
/// The server, of a new version, is healthy.
pub const CONFIRMED: &str = "confirmed";
/// The server, of a new version, is not healthy. The reason follows on the same line.
pub const REFUSED: &str = "refused ";

/// A descriptor is passed with at least one byte.
const CARRIER: &[u8] = b"\n";

/// Passes `listener` to the process at the other end of `socket`.
pub fn send_listener(socket: impl AsFd, listener: &TcpListener) -> Result<()> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut attached = SendAncillaryBuffer::new(&mut space);
    let sockets = [listener.as_fd()];
    if !attached.push(SendAncillaryMessage::ScmRights(&sockets)) {
        return Err(Error::other("no room for the socket"));
    }
    sendmsg(socket, &[IoSlice::new(CARRIER)], &mut attached, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Receives a listener over `socket`. Child processes do not inherit it.
pub fn receive_listener(socket: impl AsFd) -> Result<TcpListener> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut attached = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0; CARRIER.len()];
    recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut attached, RecvFlags::CMSG_CLOEXEC)?;
    let received = attached.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut sockets) => sockets.next(),
        _ => None,
    });
    received.map(TcpListener::from).ok_or_else(|| Error::other("the supervisor has ended"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use rustix::io::{FdFlags, fcntl_getfd};

    use super::*;

    #[test]
    fn a_listener_is_passed_and_not_inherited() {
        let (one, other) = UnixStream::pair().unwrap();
        let held = TcpListener::bind("127.0.0.1:0").unwrap();
        send_listener(&one, &held).unwrap();
        let received = receive_listener(&other).unwrap();
        assert_eq!(received.local_addr().unwrap(), held.local_addr().unwrap());
        assert!(fcntl_getfd(&received).unwrap().contains(FdFlags::CLOEXEC));
        assert!(fcntl_getfd(&other).unwrap().contains(FdFlags::CLOEXEC));
    }

    #[test]
    fn receiving_from_a_closed_socket_fails() {
        let (one, other) = UnixStream::pair().unwrap();
        drop(one);
        assert!(receive_listener(&other).is_err());
    }
}
