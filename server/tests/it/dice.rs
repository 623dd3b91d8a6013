//! Random numbers for tests that are repeated by their seed.

/// xorshift64*: sufficiently random, and the same on every machine.
pub struct Dice(pub u64);

impl Dice {
    /// A number from 0 up to and without `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound
    }
}
