//! gzip (RFC 1952): members one after another, each with its header, deflate data, checksum and
//! length. The container is read here, so that every fault has its place in the file.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::output::Output;
use super::source::Source;
use super::{Fault, Stop};

/// Header flags, RFC 1952 section 2.3.1.
const HEADER_SUM: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

/// Decodes all members. Zeros may follow the last, as tapes and block devices leave them.
pub(super) fn decode(source: &mut Source, out: &mut Output) -> Result<(), Stop> {
    let mut inflate = Decompress::new(false);
    loop {
        let began = source.consumed_bytes();
        header(source, out)?;
        inflate.reset(false);
        let (sum, length) = body(&mut inflate, source, out)?;
        trailer(began, sum, length, source, out)?;
        if !another(source, out)? {
            return Ok(());
        }
    }
}

/// Whether a member follows.
fn another(source: &mut Source, out: &mut Output) -> Result<bool, Stop> {
    match source.ahead(2, out)? {
        [] => return Ok(false),
        [0x1f, 0x8b, ..] => return Ok(true),
        [0x1f] => return Err(Stop::Fault(Fault::Cut)),
        _ => {}
    }
    loop {
        let ready = source.ahead(1, out)?;
        let zeros = ready.iter().take_while(|byte| **byte == 0).count();
        let is_all = zeros == ready.len();
        source.consume(zeros);
        match (zeros, is_all) {
            (0, true) => return Ok(false),
            (_, true) => {}
            (_, false) => {
                let why = "what follows the last whole member is not gzip";
                return Err(Stop::damaged(why));
            }
        }
    }
}

/// The header, whose checksum is compared where it has one.
struct Header<'a> {
    source: &'a mut Source,
    out: &'a mut Output,
    sum: Crc,
}

impl Header<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let ready = self.source.ahead(N, self.out)?;
        let bytes: Option<[u8; N]> = ready.get(..N).and_then(|bytes| bytes.try_into().ok());
        let taken = ready.len().min(N);
        if let Some(bytes) = &bytes {
            self.sum.update(bytes);
        }
        self.source.consume(taken);
        bytes.ok_or(Stop::Fault(Fault::Cut))
    }

    /// A text that ends with NUL.
    fn text(&mut self) -> Result<(), Stop> {
        while self.take::<1>()? != [0] {}
        Ok(())
    }
}

fn header(source: &mut Source, out: &mut Output) -> Result<(), Stop> {
    let sum = Crc::new();
    let mut header = Header { source, out, sum };
    let [_, _, method, flags, ..] = header.take::<10>()?;
    if method != 8 {
        let why = format!("its compression method is {method}, which is not defined");
        return Err(Stop::damaged(why));
    }
    if flags & RESERVED != 0 {
        return Err(Stop::damaged("its header has flags that are not defined"));
    }
    if flags & EXTRA != 0 {
        for _ in 0..u16::from_le_bytes(header.take()?) {
            header.take::<1>()?;
        }
    }
    if flags & NAME != 0 {
        header.text()?;
    }
    if flags & COMMENT != 0 {
        header.text()?;
    }
    if flags & HEADER_SUM != 0 {
        let computed = header.sum.sum() & 0xffff;
        if u32::from(u16::from_le_bytes(header.take()?)) != computed {
            return Err(Stop::damaged("the checksum of a header does not hold"));
        }
    }
    Ok(())
}

/// The deflate data; answers their checksum and length.
fn body(
    inflate: &mut Decompress,
    source: &mut Source,
    out: &mut Output,
) -> Result<(u32, u32), Stop> {
    let mut sum = Crc::new();
    let mut was_filled = false;
    loop {
        // A filled block may have left text behind, which must not wait for more input.
        let input = if was_filled {
            source.ready()
        } else {
            source.ahead(1, out)?
        };
        let had_input = !input.is_empty();
        let (in_before, out_before) = (inflate.total_in(), inflate.total_out());
        let room = out.room();
        let result = inflate.decompress(input, room, FlushDecompress::None);
        let used = usize::try_from(inflate.total_in() - in_before).unwrap_or(usize::MAX);
        let made = usize::try_from(inflate.total_out() - out_before).unwrap_or(usize::MAX);
        let text = room.get(..made).unwrap_or_default();
        sum.update(text);
        let made_all = made == room.len();
        source.consume(used);
        out.wrote(made, source.consumed_bytes())?;
        match result {
            Ok(Status::StreamEnd) => return Ok((sum.sum(), sum.amount())),
            Ok(Status::Ok | Status::BufError) if used > 0 || made > 0 || was_filled => {}
            Ok(_) if !had_input => return Err(Stop::Fault(Fault::Cut)),
            Ok(_) => return Err(Stop::damaged("its deflate data lead nowhere")),
            Err(error) => {
                let why = error.message().unwrap_or("its deflate data are invalid");
                return Err(Stop::damaged(why));
            }
        }
        was_filled = made_all;
    }
}

/// Checksum and length at the end of the member that began there.
fn trailer(
    began: u64,
    sum: u32,
    length: u32,
    source: &mut Source,
    out: &mut Output,
) -> Result<(), Stop> {
    let ready = source.ahead(8, out)?;
    let Some(told) = ready.first_chunk::<8>() else {
        let all = ready.len();
        source.consume(all);
        return Err(Stop::Fault(Fault::Cut));
    };
    if u64::from_le_bytes(*told) != u64::from(length) << 32 | u64::from(sum) {
        let why = format!(
            "the checksum of the member that begins at byte {began} does not hold, so that any byte \
             of its text may be wrong"
        );
        return Err(Stop::damaged(why));
    }
    source.consume(8);
    Ok(())
}
