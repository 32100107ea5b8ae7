//! The same capture compressed: how long `check` takes on it, next to decoding alone to nowhere.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use replayscope::capture::{Framer, Input};

use super::measure;

/// Makes `CAPTURE.gz` and `CAPTURE.zst` at the levels that their programs take, where they are not there.
pub(crate) fn make(capture: &Path) -> [PathBuf; 2] {
    let beside = |ending: &str| {
        let mut path = capture.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    };
    let paths = [beside(".gz"), beside(".zst")];
    let [gzip, zstd] = &paths;
    let open = || BufReader::new(File::open(capture).expect("the capture"));
    let create = |path: &Path| BufWriter::new(File::create(path).expect("a file to write"));
    if !gzip.exists() {
        let level = flate2::Compression::default();
        let mut encoder = flate2::write::GzEncoder::new(create(gzip), level);
        io::copy(&mut open(), &mut encoder).expect("it is compressed");
        let rest = encoder.finish().expect("it is compressed");
        rest.into_inner().expect("it is written");
    }
    if !zstd.exists() {
        let mut encoder = ::zstd::Encoder::new(create(zstd), 3).expect("an encoder");
        encoder.include_checksum(true).expect("an encoder");
        io::copy(&mut open(), &mut encoder).expect("it is compressed");
        let rest = encoder.finish().expect("it is compressed");
        rest.into_inner().expect("it is written");
    }
    paths
}

/// Decodes to nowhere: what a reader is bound by.
pub(crate) fn decode(path: &Path) {
    let file = BufReader::with_capacity(1 << 18, File::open(path).expect("the capture"));
    let mut nowhere = Nowhere(0);
    if path.extension().is_some_and(|ending| ending == "gz") {
        let decoder = flate2::bufread::MultiGzDecoder::new(file);
        copy(decoder, &mut nowhere);
    } else {
        let decoder = ::zstd::Decoder::with_buffer(file).expect("a decoder");
        copy(decoder, &mut nowhere);
    }
    assert!(nowhere.0 > 0, "nothing was decoded");
}

/// Reads a capture to its end, in chunks of whole records, and takes none of them apart: decoding, the
/// copy that is kept, the digest and the cutting.
pub(crate) fn read(path: &Path) {
    let input = Input::open(path).expect("the capture");
    let mut framer = Framer::new(&input);
    while let Some(chunk) = framer.next_chunk().expect("it is read") {
        framer.recycle(chunk);
    }
}

fn copy(mut from: impl io::Read, to: &mut impl Write) {
    let mut block = vec![0; 1 << 18];
    loop {
        let filled = from.read(&mut block).expect("it is decoded");
        if filled == 0 {
            return;
        }
        to.write_all(block.get(..filled).unwrap_or_default())
            .expect("nowhere has room");
    }
}

struct Nowhere(u64);

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Measures and prints.
pub(crate) fn report(capture: &Path, runs: usize) {
    let [gzip, zstd] = make(capture);
    let own = std::env::current_exe().expect("this program");
    let shown = |path: &Path| path.to_str().expect("a path that can be shown").to_owned();
    let own = shown(&own);
    let (plain, gzip, zstd) = (shown(capture), shown(&gzip), shown(&zstd));
    let mut runners = vec![
        measure::Runner::new("check", &[measure::BINARY, "check", &plain]),
        measure::Runner::new("gzip, decoding alone", &[&own, "decode", &gzip]),
        measure::Runner::new("gzip, read", &[&own, "read", &gzip]),
        measure::Runner::new("check of gzip", &[measure::BINARY, "check", &gzip]),
        measure::Runner::new("zstd, decoding alone", &[&own, "decode", &zstd]),
        measure::Runner::new("zstd, read", &[&own, "read", &zstd]),
        measure::Runner::new("check of zstd", &[measure::BINARY, "check", &zstd]),
    ];
    measure::in_turn(&mut runners, capture, runs);
    let seconds: Vec<f64> = runners.iter().map(measure::Runner::median).collect();
    for (runner, seconds) in runners.iter().zip(&seconds) {
        println!("{seconds:>10.3} s  {}", runner.name);
    }
    if let [check, gzip @ .., zstd_alone, zstd_read, zstd_check] = seconds.as_slice()
        && let [gzip_alone, gzip_read, gzip_check] = gzip
    {
        for (name, alone, read, whole) in [
            ("gzip", gzip_alone, gzip_read, gzip_check),
            ("zstd", zstd_alone, zstd_read, zstd_check),
        ] {
            println!(
                "{name}: reading {:.2} x decoding alone; check {:.2} x decoding alone, {:.2} x check \
                 of the plain capture",
                read / alone,
                whole / alone,
                whole / check
            );
        }
    }
}
