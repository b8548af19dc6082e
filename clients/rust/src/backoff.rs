//! How long to wait before the next attempt to connect.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(10);

/// Ever longer delays up to a cap, scattered so that a crowd of bots does not come back all at once.
pub struct Backoff {
    next: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff { next: FIRST }
    }
}

impl Iterator for Backoff {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let full = self.next;
        self.next = LONGEST.min(2 * full);
        Some(full.mul_f64(0.5 + fastrand::f64() / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Delays double from a quarter of a second to ten, and lie between half of that and all of it.
    #[test]
    fn delays_double_up_to_ten_seconds() {
        let full = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0];
        for (delay, full_s) in Backoff::default().zip(full) {
            let delay_s = delay.as_secs_f64();
            assert!((full_s / 2.0..=full_s).contains(&delay_s), "{delay_s} of {full_s}");
        }
    }
}
