//! Tests of decoding: the same text from a file and from a pipe, and every fault told where it is.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::io::{Cursor, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::zstd::zstd_safe::CParameter;
use flate2::write::GzEncoder;
use flate2::{Compression as Level, GzBuilder};
use sha2::{Digest, Sha256};

use super::*;
use crate::capture::{CaptureError, Input};

/// One gzip member.
pub(in crate::capture) fn gzipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// One zstd frame with a checksum, which says nothing of its length.
fn zstded(text: &[u8]) -> Vec<u8> {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn skippable(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    [b"\x53\x2a\x4d\x18", &length[..], content].concat()
}

/// Lines that compress about as a log does.
fn log(lines: u64) -> Vec<u8> {
    let mut seed = 7u64;
    let mut text = Vec::new();
    for number in 0..lines {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        writeln!(
            text,
            "{{\"event\":{{\"id\":\"e{number}-{seed:016x}\",\"specversion\":\"1.0\"}}}}"
        )
        .unwrap();
    }
    text
}

/// Gives a few bytes at a time.
struct Drip(Cursor<Vec<u8>>, usize);

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

fn piped(bytes: &[u8]) -> Input {
    Input::stream("pipe", Box::new(Cursor::new(bytes.to_vec()))).unwrap()
}

fn text_of(input: &Input) -> Vec<u8> {
    let mut text = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read_next(text.len() as u64, &mut buffer).unwrap() {
            0 => return text,
            filled => text.extend_from_slice(&buffer[..filled]),
        }
    }
}

/// The text, and why it ended early.
fn decoded(bytes: &[u8]) -> (Vec<u8>, Option<CaptureError>) {
    let input = piped(bytes);
    (text_of(&input), input.fault())
}

fn whole(bytes: &[u8]) -> Vec<u8> {
    let (text, fault) = decoded(bytes);
    assert!(fault.is_none(), "{fault:?}");
    text
}

/// The text, and the fault in words.
fn faulty(bytes: &[u8]) -> (Vec<u8>, String) {
    let (text, fault) = decoded(bytes);
    (text, fault.unwrap().to_string())
}

#[test]
fn file_and_pipe_give_the_same_text_anywhere() {
    let text = log(60_000);
    for bytes in [gzipped(&text), zstded(&text)] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let stored: [u8; 32] = Sha256::digest(&bytes).into();
        let slow = Drip(Cursor::new(bytes.clone()), 777);
        for input in [
            Input::open(file.path()).unwrap(),
            piped(&bytes),
            Input::stream("slow", Box::new(slow)).unwrap(),
        ] {
            assert!(!input.has_ended());
            assert!(text_of(&input) == text, "{input:?}");
            assert!(input.has_ended() && input.fault().is_none());
            assert_eq!(input.length_bytes(), text.len() as u64);
            assert_eq!(input.stored_bytes(), bytes.len() as u64);
            assert_eq!(input.sha256().unwrap(), stored);
            let content: [u8; 32] = Sha256::digest(&text).into();
            assert_eq!(input.text_sha256().unwrap(), content);
            for at in [0, 1, 262_143, 262_144, text.len() / 2, text.len() - 10] {
                let mut buffer = [0; 10];
                input.read_exact_at(at as u64, &mut buffer).unwrap();
                assert_eq!(buffer, text[at..at + 10]);
            }
            assert!(input.read_exact_at(text.len() as u64, &mut [0]).is_err());
        }
    }
}

#[test]
fn members_and_frames_follow_each_other() {
    let (one, two) = (log(3), log(40));
    let text = [&one[..], &two].concat();
    let members = [gzipped(&one), gzipped(b""), gzipped(&two)].concat();
    assert_eq!(whole(&members), text);
    assert_eq!(whole(&[&members[..], &[0; 512]].concat()), text);
    let frames = [
        skippable(b""),
        zstded(&one),
        zstded(b""),
        skippable(&vec![b'x'; 300_000]),
        zstded(&two),
        skippable(b"an index of frames, as seekable files end with"),
    ];
    assert_eq!(whole(&frames.concat()), text);
    for empty in [gzipped(b""), zstded(b""), skippable(b"nothing")] {
        assert_eq!(whole(&empty), b"");
    }
}

#[test]
fn every_field_of_a_gzip_header_is_passed_over() {
    let mut encoder = GzBuilder::new()
        .filename("orders.jsonl")
        .comment("for the incident")
        .extra(vec![7; 3000])
        .mtime(1_772_442_000)
        .write(Vec::new(), Level::best());
    encoder.write_all(b"{}\n").unwrap();
    assert_eq!(whole(&encoder.finish().unwrap()), b"{}\n");
    // A checksum of the header, which no encoder here writes.
    let plain = gzipped(b"{}\n");
    let mut header = plain[..10].to_vec();
    header[3] = 2;
    let mut sum = flate2::Crc::new();
    sum.update(&header);
    for wrong in [0, 1] {
        let sum = u16::try_from(sum.sum() & 0xffff)
            .unwrap()
            .wrapping_add(wrong)
            .to_le_bytes();
        let (text, fault) = decoded(&[&header[..], &sum, &plain[10..]].concat());
        assert_eq!(text.is_empty(), wrong == 1);
        assert_eq!(fault.is_some(), wrong == 1);
    }
    for (at, byte) in [(2, 7), (3, 0x40)] {
        let mut bytes = plain.clone();
        bytes[at] = byte;
        assert!(faulty(&bytes).1.contains("not defined"));
    }
}

#[test]
fn a_cut_at_any_byte_is_told_and_takes_nothing_along() {
    let text = log(30);
    let members = [gzipped(&text[..500]), gzipped(&text[500..])].concat();
    let frames = [zstded(&text[..500]), skippable(b"x"), zstded(&text[500..])].concat();
    let borders = [
        gzipped(&text[..500]).len(),
        zstded(&text[..500]).len(),
        zstded(&text[..500]).len() + skippable(b"x").len(),
    ];
    for (bytes, shortest, borders) in [(members, 2, &borders[..1]), (frames, 4, &borders[1..])] {
        for length in shortest..bytes.len() {
            let (came, fault) = decoded(&bytes[..length]);
            assert!(text.starts_with(&came), "{length}");
            if borders.contains(&length) {
                assert!(fault.is_none() && came == text[..500], "{length}");
                continue;
            }
            let told = fault.unwrap().to_string();
            assert!(told.contains("data are cut off"), "{length}: {told}");
            assert!(length < borders[0] || came.len() >= 500, "{length}");
        }
        assert_eq!(whole(&bytes), text);
    }
}

#[test]
fn a_flipped_bit_is_told_or_harmless() {
    let text = log(30);
    for (bytes, magic) in [(gzipped(&text), 2), (zstded(&text), 4)] {
        for at in magic..bytes.len() {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                let (came, fault) = decoded(&bytes);
                assert!(fault.is_some() || came == text, "byte {at}, bit {bit}");
            }
        }
    }
}

#[test]
fn damage_is_told_with_its_place_and_line() {
    let text = log(20_000);
    for mut bytes in [gzipped(&text), zstded(&text)] {
        let middle = bytes.len() / 2;
        bytes[middle..middle + 2000].fill(0xff);
        let (came, fault) = decoded(&bytes);
        let same = came.iter().zip(&text).take_while(|(a, b)| a == b).count();
        assert!(same > text.len() / 4, "{same} of {}", text.len());
        let Some(CaptureError::Damaged {
            at_bytes,
            text_bytes,
            line,
            ..
        }) = fault
        else {
            panic!("{fault:?}");
        };
        assert!(
            at_bytes.abs_diff(middle as u64) < 200_000,
            "{at_bytes}, not {middle}"
        );
        assert_eq!(text_bytes, came.len() as u64);
        let ends = memchr::memchr_iter(b'\n', &came).count() as u64;
        assert_eq!(line, ends + u64::from(!came.ends_with(b"\n")));
    }
}

#[test]
fn what_follows_the_last_member_is_told() {
    let text = log(3);
    for (bytes, form) in [(gzipped(&text), "gzip"), (zstded(&text), "zstd")] {
        for tail in [&b"{}\n"[..], b"\x00\x00{}", b"\x1f"] {
            let (came, told) = faulty(&[&bytes[..], tail].concat());
            assert_eq!(came, text);
            assert!(told.contains(&format!("the {form} data are")), "{told}");
        }
    }
    // Only gzip's readers are used to padding.
    assert!(
        faulty(&[&zstded(&text)[..], &[0; 8]].concat())
            .1
            .contains("not zstd")
    );
}

#[test]
fn a_wrong_checksum_says_that_any_byte_may_be_wrong() {
    let text = log(3);
    let mut bytes = [gzipped(&text), gzipped(&text)].concat();
    let last = bytes.len() - 5;
    bytes[last] ^= 1;
    let (came, told) = faulty(&bytes);
    assert_eq!(came, [&text[..], &text].concat());
    let began = bytes.len() / 2;
    assert!(
        told.contains(&format!("member that begins at byte {began} does not hold")),
        "{told}"
    );
}

#[test]
fn a_bomb_is_not_unpacked() {
    let zeros = vec![b' '; 100 << 20];
    for bytes in [gzipped(&zeros), zstded(&zeros)] {
        let (text, told) = faulty(&bytes);
        assert!(text.len() as u64 >= FREE_BYTES, "{}", text.len());
        assert!(
            text.len() as u64 <= FREE_BYTES + (1 << 20),
            "{}",
            text.len()
        );
        assert!(told.contains("expansion ratio"), "{told}");
        assert!(told.contains("-dc"), "{told}");
    }
    let small = vec![b' '; 60 << 20];
    assert_eq!(whole(&zstded(&small)).len(), small.len());
}

#[test]
fn a_window_is_bounded() {
    let with_window = |log| {
        let mut encoder = ::zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.set_parameter(CParameter::WindowLog(log)).unwrap();
        encoder.write_all(b"{}\n").unwrap();
        encoder.flush().unwrap();
        encoder.finish().unwrap()
    };
    assert_eq!(whole(&with_window(27)), b"{}\n");
    let (text, told) = faulty(&[zstded(b"[]\n"), with_window(28)].concat());
    assert_eq!(text, b"[]\n");
    assert!(
        told.contains("a window of 256 MiB, and 128 MiB is the most"),
        "{told}"
    );
    assert!(
        told.ends_with("zstd -dc --long=31 | replayscope -"),
        "{told}"
    );
    // A single segment, whose window is its content: 2^62 bytes.
    let huge = [
        &b"\x28\xb5\x2f\xfd\xe0"[..],
        &(1u64 << 62).to_le_bytes(),
        b"\x01\x00\x00",
    ];
    assert!(faulty(&huge.concat()).1.contains("window size"));
}

#[test]
fn a_stream_is_decoded_as_it_comes() {
    /// Gives one piece, then waits for ever.
    struct Silent(Cursor<Vec<u8>>, std::sync::mpsc::Receiver<()>);
    impl Read for Silent {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => self.1.recv().map(|()| 0).map_err(io::Error::other),
                filled => Ok(filled),
            }
        }
    }
    let mut gzip = GzEncoder::new(Vec::new(), Level::default());
    gzip.write_all(b"{\"a\":1}\n").unwrap();
    gzip.flush().unwrap();
    let mut zstd = ::zstd::Encoder::new(Vec::new(), 1).unwrap();
    zstd.write_all(b"{\"a\":1}\n").unwrap();
    zstd.flush().unwrap();
    for bytes in [gzip.get_ref().clone(), zstd.get_ref().clone()] {
        let (_open, waits) = channel();
        let input = Input::stream("pipe", Box::new(Silent(Cursor::new(bytes), waits))).unwrap();
        let mut buffer = [0; 100];
        // Would wait for ever if the decoder waited for more.
        assert_eq!(input.read_next(0, &mut buffer).unwrap(), 8);
        assert!(!input.has_ended());
    }
}

#[test]
fn nobody_decodes_for_nobody() {
    /// Endless, and told when it is given up.
    struct Endless(
        Vec<u8>,
        usize,
        #[allow(dead_code, reason = "only its end counts")] Arc<()>,
    );
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(buffer.len())
        }
    }
    let alive = Arc::new(());
    let endless = Endless(gzipped(&log(1000)), 0, Arc::clone(&alive));
    let input = Input::stream("pipe", Box::new(endless)).unwrap();
    assert!(input.read_next(0, &mut [0; 100]).unwrap() > 0);
    assert_eq!(Arc::strong_count(&alive), 2);
    drop(input);
    let begun = Instant::now();
    while Arc::strong_count(&alive) > 1 {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "it still decodes"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_compressed_file_that_changes_is_told_and_its_text_stays() {
    use crate::capture::Change;
    let text = log(100);
    let bytes = gzipped(&text);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    let input = Input::open(file.path()).unwrap();
    assert_eq!(text_of(&input), text);
    let digest = input.sha256().unwrap();
    file.write_all(&bytes).unwrap();
    let grown = Change::Grown(bytes.len() as u64);
    assert_eq!(input.change().unwrap(), Some(grown));
    assert!(input.doubtful().is_none(), "the copy is nobody else's");
    file.as_file().set_len(5).unwrap();
    assert_eq!(text_of(&input), text);
    assert_eq!(input.sha256().unwrap(), digest, "of what was decoded");
    // One that is cut off before it was read.
    file.as_file().set_len(0).unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let bytes = gzipped(&log(400_000));
    file.write_all(&bytes).unwrap();
    let input = Input::open(file.path()).unwrap();
    file.as_file().set_len(100).unwrap();
    let text = text_of(&input);
    assert!(log(400_000).starts_with(&text));
    let told = input.fault().unwrap().to_string();
    assert!(told.contains("cut off while it was open"), "{told}");
}

#[test]
fn what_is_inside_is_refused_like_a_plain_one() {
    let inner = gzipped(&zstded(b"{}\n"));
    let input = piped(&inner);
    let head = text_of(&input);
    let told = input.check_text(&head).unwrap_err().to_string();
    assert!(told.contains("more than once (zstd inside)"), "{told}");
    assert!(told.ends_with("gzip -dc | replayscope -"), "{told}");
    let input = piped(&zstded(b"\xff\xfe{\0"));
    let told = input.check_text(&text_of(&input)).unwrap_err().to_string();
    assert!(
        told.contains("--long=31 | iconv -f UTF-16 -t UTF-8 | replayscope -"),
        "{told}"
    );
}
