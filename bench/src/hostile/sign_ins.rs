//! Users who sign in during an attack, each in a new browser, and how long that takes.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::task::JoinSet;

use tokio::io::AsyncWriteExt;

use crate::bidders;
use crate::filling;
use crate::load::{self, MeasureError};
use crate::target::Server;

const PAUSE: Duration = Duration::from_millis(250);
/// The users, who neither bid nor attack: each signs in seldom enough for the limit of one user.
const USERS: Range<usize> = 205..245;
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// The 95th percentile of the time for a sign-in, in seconds. Fails if one is refused.
pub async fn measure(server: &Server) -> Result<f64, MeasureError> {
    let begun = Instant::now() + bidders::WARM_UP;
    let address = server.target.address;
    let mut clients = JoinSet::new();
    clients.spawn(async move {
        let (mut answer, mut waits) = (Vec::new(), Vec::new());
        while begun.elapsed() < bidders::LENGTH {
            let user = USERS.start + NEXT.fetch_add(1, Ordering::Relaxed) % USERS.len();
            let mut request = String::new();
            let body =
                format!(r#"{{"email":"{}","password":"{}"}}"#, filling::email_of(user), filling::PASSWORD);
            load::send(&mut request, "POST", "/api/auth/login", "", &body);
            let sent = Instant::now();
            let mut stream = TcpStream::connect(address).await?;
            stream.write_all(request.as_bytes()).await?;
            match load::read(&mut stream, &mut answer).await? {
                200 => {}
                status => return Err(MeasureError::refused(status, &answer)),
            }
            // Also one that has waited since before.
            if Instant::now() >= begun {
                waits.push(sent.elapsed().as_secs_f64());
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(waits)
    });
    bidders::percentile_95(clients).await
}
