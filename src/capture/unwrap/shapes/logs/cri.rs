//! Log files of the CRI (containerd, CRI-O), as they lie in `/var/log/pods`: `TIME stdout F line`, or
//! `P` for a piece that goes on in the stream's next line. CRI-O writes the time with a numeric offset
//! (Kubernetes' `logs.go`). The framing joins the pieces into one record.

use super::super::super::super::pieces;
use super::super::super::around::{Around, Clock};
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{Wrapper, block, is_block};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "cri",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    pieces::of_record(text.as_bytes())
        .next()
        .is_some_and(|(_, piece)| piece.cutter == pieces::Cutter::Cri)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if is_block(layer.text, Wrapper::Cri) {
        return block(layer, around);
    }
    let bytes = layer.text.as_bytes();
    let Some((time, ..)) = pieces::cri_head(bytes) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    around.received_as(time, Clock::Timestamp);
    let mut found = pieces::of_record(bytes);
    let alone = found.next().filter(|(_, piece)| piece.is_last);
    if let Some((_, piece)) = alone {
        return Inner::Bytes(piece.text);
    }
    let Some((joined, is_whole)) = pieces::joined_cri(bytes) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    let joined = layer.arena.alloc_slice_copy(&joined);
    let is_value = std::str::from_utf8(joined).is_ok_and(pieces::is_value);
    if is_whole || is_value {
        return Inner::Bytes(joined);
    }
    around
        .remarks
        .push("the line lies in pieces (P), and the last one (F) does not follow: it is missing, or above it in a file that is newest first (tac turns it around)");
    Inner::Nothing(reason::PAYLOAD_TRUNCATED)
}
