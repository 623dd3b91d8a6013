//! Users that load pages of items at a steady pace during an attack, and the time each page takes.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::READERS;
use crate::bidders;
use crate::load::{self, MeasureError};
use crate::target::Server;

const PAUSE: Duration = Duration::from_millis(50);

/// The 95th percentile of the time for the page of an item, in seconds. Fails if a page is refused.
pub async fn measure(server: &Server) -> Result<f64, MeasureError> {
    let begun = Instant::now() + bidders::WARM_UP;
    let mut readers = JoinSet::new();
    for n in READERS {
        let (address, token) = (server.target.address, server.target.filled.tokens[n].clone());
        let path = server.target.filled.items[n - READERS.start].clone();
        readers.spawn(async move {
            let mut stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let (mut request, mut answer, mut waits) = (String::new(), Vec::new(), Vec::new());
            load::get(&mut request, &path, &token);
            while begun.elapsed() < bidders::LENGTH {
                let sent = Instant::now();
                stream.write_all(request.as_bytes()).await?;
                match load::read(&mut stream, &mut answer).await? {
                    200 => {}
                    status => return Err(MeasureError::refused(status, &answer)),
                }
                if sent >= begun {
                    waits.push(sent.elapsed().as_secs_f64());
                }
                tokio::time::sleep(PAUSE).await;
            }
            Ok(waits)
        });
    }
    bidders::percentile_95(readers).await
}
