//! What the parent and its child say to each other, over a socket that is the child's standard input at first. The
//! child says words, a line each; the parent says nothing, but hands over the listening socket when the child is
//! ready for it.

use std::io::{Error, IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::net::TcpListener;
use std::os::fd::AsFd;

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// The child has opened its database, and waits for the listening socket.
pub const READY: &str = "ready";
/// The child wants to be replaced by a new one.
pub const RESTART: &str = "restart";
/// The child, of a new version, serves as it should.
pub const CONFIRMED: &str = "confirmed";
/// The child, of a new version, does not; why follows on the same line.
pub const REFUSED: &str = "refused ";

/// A socket travels with one byte at least.
const CARRIER: &[u8] = b"\n";

/// Hands `listener` to whoever holds the other end of `socket`.
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

/// Takes the listener that comes over `socket`. It is not passed on to processes that this one starts.
pub fn receive_listener(socket: impl AsFd) -> Result<TcpListener> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut attached = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0; CARRIER.len()];
    recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut attached, RecvFlags::CMSG_CLOEXEC)?;
    let received = attached.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut sockets) => sockets.next(),
        _ => None,
    });
    received.map(TcpListener::from).ok_or_else(|| Error::other("the supervisor is gone"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use rustix::io::{FdFlags, fcntl_getfd};

    use super::*;

    #[test]
    fn a_listener_is_handed_over_and_not_passed_on() {
        let (one, other) = UnixStream::pair().unwrap();
        let held = TcpListener::bind("127.0.0.1:0").unwrap();
        send_listener(&one, &held).unwrap();
        let received = receive_listener(&other).unwrap();
        assert_eq!(received.local_addr().unwrap(), held.local_addr().unwrap());
        assert!(fcntl_getfd(&received).unwrap().contains(FdFlags::CLOEXEC));
        assert!(fcntl_getfd(&other).unwrap().contains(FdFlags::CLOEXEC));
    }

    #[test]
    fn nothing_comes_from_a_parent_that_is_gone() {
        let (one, other) = UnixStream::pair().unwrap();
        drop(one);
        assert!(receive_listener(&other).is_err());
    }
}
