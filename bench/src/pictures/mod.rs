//! Bids and memory while pictures of the largest size are uploaded: each kind of picture between two
//! measurements without uploads.

mod large;
mod uploads;

use std::sync::Arc;

use large::PictureKind;
use uploads::Uploads;

use crate::load::MeasureError;
use crate::table::{Figure, Unit};
use crate::target::Server;
use crate::{bidders, progress};

/// Pictures that are uploaded at once, each for another item.
const PICTURES: usize = 16;
/// Limit and aim for bids meanwhile.
const BIDS: (f64, f64) = (2.0, 1.2);
/// Limit and aim for the memory of the server, in megabytes.
const MEMORY: (f64, f64) = (400.0, 200.0);

/// A kind of picture with what is measured while it is uploaded.
struct Upload {
    picture: Arc<[u8]>,
    bids: Figure,
    memory: Figure,
}

impl Upload {
    fn new(kind: PictureKind, bids: &'static str, memory: &'static str) -> Result<Self, MeasureError> {
        Ok(Self {
            picture: large::picture(kind)?.into(),
            bids: Figure::cost(bids, Unit::Ratio, BIDS.0, BIDS.1),
            memory: Figure::cost(memory, Unit::Megabytes, MEMORY.0, MEMORY.1),
        })
    }
}

/// Uploads every kind once in each round.
pub async fn measure(server: &Server, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    progress("pictures");
    let mut kinds = [
        Upload::new(
            PictureKind::Jpeg,
            "bids while 16 JPEGs of 50 megapixels arrive",
            "most memory, 16 JPEGs",
        )?,
        Upload::new(
            PictureKind::WebP,
            "bids while 16 WebPs of 50 megapixels arrive",
            "most memory, 16 WebPs",
        )?,
    ];
    let mut alone = Figure::plain("bids without uploads, 95th percentile", Unit::PreciseMilliseconds);
    let mut idle = Figure::plain("most memory without uploads", Unit::Megabytes);
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        server.processes.forget_most_memory()?;
        let mut before = bidders::measure(server).await?;
        if round == 1 {
            // Later the memory has held pictures.
            idle.add(server.processes.most_memory_bytes()? / 1e6);
        }
        for upload in &mut kinds {
            server.processes.forget_most_memory()?;
            let uploads = Uploads::start(server, PICTURES, Arc::clone(&upload.picture))?;
            let during = bidders::measure(server).await?;
            uploads.finish(server).await?;
            let memory = server.processes.most_memory_bytes()?;
            let after = bidders::measure(server).await?;
            upload.bids.add(during / before.min(after));
            upload.memory.add(memory / 1e6);
            alone.add(before * 1e3);
            before = after;
        }
    }
    let rows = kinds.into_iter().flat_map(|upload| [upload.bids, upload.memory]);
    Ok([alone, idle].into_iter().chain(rows).collect())
}
