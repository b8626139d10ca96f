//! A bad network: packets are lost, come late, twice, and in another order.

use ggrs::{Message, NonBlockingSocket, UdpNonBlockingSocket};
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

/// Of 100 packets, how many are lost, and how many come twice.
const LOST: u64 = 20;
const TWICE: u64 = 3;

/// How long packets take, ms. A packet may overtake others by the difference.
const DELAY: std::ops::Range<u64> = 20..70;

/// A UDP socket that treats what it sends badly.
pub struct LossySocket {
    socket: UdpNonBlockingSocket,
    /// Packets that are on their way.
    waiting: Vec<(Instant, Message, SocketAddr)>,
    random: u64,
}

impl LossySocket {
    pub fn new(port: u16) -> std::io::Result<Self> {
        let socket = UdpNonBlockingSocket::bind_to_port(port)?;
        Ok(Self { socket, waiting: Vec::new(), random: u64::from(port) | 1 })
    }

    /// A random number below `most`, by xorshift.
    fn below(&mut self, most: u64) -> u64 {
        for shift in [13, -7, 17_i32] {
            let shifted = if shift > 0 { self.random << shift } else { self.random >> -shift };
            self.random ^= shifted;
        }
        (self.random >> 11) % most
    }

    fn pass_on(&mut self) {
        let now = Instant::now();
        let (due, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|(at, ..)| *at <= now);
        self.waiting = waiting;
        let due: Vec<(Instant, Message, SocketAddr)> = due;
        due.iter().for_each(|(_, message, to)| self.socket.send_to(message, to));
    }
}

impl NonBlockingSocket<SocketAddr> for LossySocket {
    fn send_to(&mut self, message: &Message, to: &SocketAddr) {
        let fate = self.below(100);
        if fate < LOST {
            return;
        }
        for _ in 0..if fate < LOST + TWICE { 2 } else { 1 } {
            let delay = DELAY.start + self.below(DELAY.end - DELAY.start);
            self.waiting.push((Instant::now() + Duration::from_millis(delay), message.clone(), *to));
        }
        self.pass_on();
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        self.pass_on();
        self.socket.receive_all_messages()
    }
}
