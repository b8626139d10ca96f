//! The page of the protocol.
