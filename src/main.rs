//! The binary: hooks, arguments, exit code.

fn main() {}
