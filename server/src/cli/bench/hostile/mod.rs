//! Bids while hostile clients attack the server: each attack between two measurements without one.
//!
//! Another attack is a file in this folder with its `start`, and one line in [`attacks`].

mod bidders;
mod clients;

use clients::{Clients, Requests};

use super::load::{self, LoadError};
use super::progress;
use super::server::Server;
use super::table::{Row, Unit};

/// Connections of an attack that needs few.
const ATTACKERS: usize = 8;
/// Limit and aim of a ratio.
const RATIO_LIMIT: f64 = 2.0;
const RATIO_AIM: f64 = 1.2;

/// Hostile clients, and what is measured meanwhile.
struct Attack {
    bids: Row,
    /// Memory of the server, if the attack is on it.
    memory: Option<Row>,
    /// Starts the clients. They attack until they are dropped.
    start: fn(&Server) -> Result<Clients, LoadError>,
}

fn attacks() -> Vec<Attack> {
    vec![Attack::new("8 anonymous clients on the largest file", largest_file)]
}

impl Attack {
    fn new(name: &'static str, start: fn(&Server) -> Result<Clients, LoadError>) -> Self {
        Self { bids: Row::cost(name, Unit::Ratio, RATIO_LIMIT, RATIO_AIM), memory: None, start }
    }
}

/// Measures every attack once in each round.
pub async fn measure(server: &Server, rounds: u32) -> Result<Vec<Row>, LoadError> {
    let mut attacks = attacks();
    let mut alone = Row::plain("bids without an attack, 95th percentile", Unit::PreciseMilliseconds);
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let mut before = bidders::measure(server).await?;
        for attack in &mut attacks {
            let clients = (attack.start)(server)?;
            clients.attacking().await?;
            let during = bidders::measure(server).await?;
            let memory = server.processes.memory_bytes()?;
            clients.stop().await?;
            let after = bidders::measure(server).await?;
            attack.bids.add(during / ((before + after) / 2.0));
            if let Some(row) = &mut attack.memory {
                row.add(memory / 1e6);
            }
            alone.add(before * 1e3);
            before = after;
        }
    }
    let rows = attacks.into_iter().flat_map(|attack| std::iter::once(attack.bids).chain(attack.memory));
    Ok(std::iter::once(alone).chain(rows).collect())
}

/// The largest file of the API's documentation, compressed.
fn largest_file(server: &Server) -> Result<Clients, LoadError> {
    let request =
        "GET /api/docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: localhost\r\naccept-encoding: br\r\n\r\n";
    Clients::start(server, ATTACKERS, Requests::each(move |_| request.to_owned()))
}
