//! The binary: hooks, arguments, exit code.

fn main() -> std::process::ExitCode {
    replayscope::cli::main()
}
