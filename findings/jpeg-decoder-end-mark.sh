#!/usr/bin/env bash
# Finding: jpeg-decoder 0.3.2 tells a complete picture from a cut one by its end mark alone.
#
# Expected: a JPEG that lacks only its last two bytes (the end mark) is decoded, as libjpeg does with a warning,
# and one that lacks half of its rows is an error, or says how many rows it has.
# Seen: the first is an error ("failed to fill whole buffer"); the second, once an end mark is appended, is
# decoded without an error, with rows that the file does not have. So appending the mark repairs the first kind
# and hides the second: a caller has to find out otherwise whether rows are missing.
#
# Runs without Farthing, in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cargo init --quiet --name finding --vcs none
cargo add --quiet jpeg-decoder@=0.3.2 --no-default-features
cargo add --quiet jpeg-encoder@=0.7.0
cat > src/main.rs <<'RUST'
use jpeg_decoder::Decoder;
use jpeg_encoder::{ColorType, Encoder};

const END: [u8; 2] = [0xff, 0xd9];

fn decoded(bytes: &[u8]) -> Result<Vec<u8>, String> {
    Decoder::new(bytes).decode().map_err(|error| error.to_string())
}

fn main() {
    let (width, height) = (64_u16, 64_u16);
    let rgb: Vec<u8> = (0..u32::from(width) * u32::from(height) * 3).map(|n| (n * 7 % 251) as u8).collect();
    let mut whole = Vec::new();
    Encoder::new(&mut whole, 90).encode(&rgb, width, height, ColorType::Rgb).unwrap();
    assert!(whole.ends_with(&END));
    let reference = decoded(&whole).unwrap();

    let without_end = &whole[..whole.len() - 2];
    println!("without the end mark: {:?}", decoded(without_end).map(|pixels| pixels.len()));
    assert!(decoded(without_end).is_err());

    let half = [&whole[..whole.len() / 2], &END].concat();
    let pixels = decoded(&half).expect("half of the file and an end mark");
    let first_difference = pixels.iter().zip(&reference).position(|(one, other)| one != other);
    println!("half of it with an end mark: Ok({}), other from byte {first_difference:?}", pixels.len());
    assert_eq!(pixels.len(), reference.len());
    assert!(first_difference.is_some_and(|at| at > 0));
}
RUST
cargo run --quiet
