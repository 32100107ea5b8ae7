//! zstd (RFC 8878): frames one after another, some of which may be skippable, as seekable files and
//! parallel compressors write them. Frames are told apart here, so that every fault has its place.

use ::zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, get_error_name};

use super::output::Output;
use super::source::Source;
use super::{Fault, Stop, WINDOW_LOG_MAX};

/// The magic number and the byte behind it, which says how long the header is.
const START_BYTES: usize = 5;

/// Decodes all frames.
pub(super) fn decode(source: &mut Source, out: &mut Output) -> Result<(), Stop> {
    let Some(mut context) = DCtx::try_create() else {
        return Err(Stop::damaged("there is no memory to decode it"));
    };
    context
        .set_parameter(DParameter::WindowLogMax(WINDOW_LOG_MAX))
        .map_err(named)?;
    loop {
        let head = source.ahead(START_BYTES, out)?;
        match head {
            [] => return Ok(()),
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => skippable(source, out)?,
            [0x28, 0xb5, 0x2f, 0xfd, descriptor, ..] => {
                let header_bytes = START_BYTES + more_bytes(*descriptor);
                let header = source.ahead(header_bytes, out)?.get(4..);
                let window = header.and_then(window_bytes);
                if let Some(window) = window.filter(|window| *window > 1 << WINDOW_LOG_MAX) {
                    return Err(Stop::Fault(Fault::Window(window)));
                }
                frame(&mut context, source, out)?;
            }
            start if begins_frame(start) => return Err(cut(source)),
            _ => {
                let why = "what follows the last whole frame is not zstd";
                return Err(Stop::damaged(why));
            }
        }
    }
}

/// Whether these few bytes, the last there are, are where a frame begins.
fn begins_frame(start: &[u8]) -> bool {
    let is_skippable = |start: &[u8]| match start {
        [0x50..=0x5f, rest @ ..] => b"\x2a\x4d\x18".starts_with(rest),
        _ => false,
    };
    b"\x28\xb5\x2f\xfd".starts_with(start) || is_skippable(start)
}

/// The data end here.
fn cut(source: &mut Source) -> Stop {
    let all = source.ready().len();
    source.consume(all);
    Stop::Fault(Fault::Cut)
}

/// Passes over a frame that holds no text.
fn skippable(source: &mut Source, out: &mut Output) -> Result<(), Stop> {
    let head = source.ahead(8, out)?;
    let Some(length) = head.get(4..).and_then(<[u8]>::first_chunk::<4>) else {
        return Err(cut(source));
    };
    let length = u64::from(u32::from_le_bytes(*length));
    source.skip(8 + length, out)
}

/// How many bytes behind the descriptor say how large the window is. A slow pipe is not asked for
/// more: a whole frame may be shorter than the longest header.
fn more_bytes(descriptor: u8) -> usize {
    if descriptor & 0x20 == 0 {
        return 1;
    }
    let dictionary = [0, 1, 2, 4].get(usize::from(descriptor & 3));
    let content = [1, 2, 4, 8].get(usize::from(descriptor >> 6));
    dictionary.unwrap_or(&0) + content.unwrap_or(&0)
}

/// How large a window a frame asks for, by its header behind the magic number (RFC 8878, 3.1.1.1).
fn window_bytes(header: &[u8]) -> Option<u64> {
    let (descriptor, rest) = header.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = *rest.first()?;
        let base = 1u64 << (10 + u32::from(window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // A single segment: its window is its content.
    let dictionary_bytes = [0, 1, 2, 4].get(usize::from(descriptor & 3))?;
    let size = rest.get(*dictionary_bytes..)?;
    match descriptor >> 6 {
        0 => Some(u64::from(*size.first()?)),
        1 => Some(u64::from(u16::from_le_bytes(*size.first_chunk()?)) + 256),
        2 => Some(u64::from(u32::from_le_bytes(*size.first_chunk()?))),
        _ => Some(u64::from_le_bytes(*size.first_chunk()?)),
    }
}

/// One frame. Given block by block: a block that is damaged must not take the ones before it along.
fn frame(context: &mut DCtx<'_>, source: &mut Source, out: &mut Output) -> Result<(), Stop> {
    let mut wanted = step(context.init().map_err(named)?);
    let mut was_filled = false;
    loop {
        let ready = if was_filled {
            source.ready()
        } else {
            source.ahead(wanted, out)?
        };
        let had_input = !ready.is_empty();
        let mut input = InBuffer::around(ready.get(..wanted).unwrap_or(ready));
        let room = out.room();
        let room_bytes = room.len();
        let mut output = OutBuffer::around(room);
        let result = context.decompress_stream(&mut output, &mut input);
        let (used, made) = (input.pos(), output.pos());
        let left = result.map_err(named);
        if left.is_ok() {
            source.consume(used);
        }
        out.wrote(made, source.consumed_bytes())?;
        let left = left?;
        if left == 0 {
            return Ok(());
        }
        if used == 0 && made == 0 && !was_filled {
            return Err(if had_input {
                Stop::damaged("its data lead nowhere")
            } else {
                Stop::Fault(Fault::Cut)
            });
        }
        wanted = step(left);
        was_filled = made == room_bytes;
    }
}

/// How much to give next, by zstd's hint, which before a block is the block and the header of the next:
/// that one may not have come yet, and if it is bad the block would be lost with it.
fn step(hint: usize) -> usize {
    const BLOCK_HEADER_BYTES: usize = 3;
    if hint > BLOCK_HEADER_BYTES {
        hint - BLOCK_HEADER_BYTES
    } else {
        hint.max(1)
    }
}

fn named(code: usize) -> Stop {
    let name = get_error_name(code);
    Stop::damaged(format!("zstd says \"{name}\""))
}
