//! Keys under a Russian layout: the letter that stands on the same key of a Latin one. A person who
//! just wrote a note in Russian need not switch to step on.

use super::chord::Chord;

/// ЙЦУКЕН and QWERTY, key by key.
const KEYS: [(char, char); 66] = [
    ('й', 'q'),
    ('ц', 'w'),
    ('у', 'e'),
    ('к', 'r'),
    ('е', 't'),
    ('н', 'y'),
    ('г', 'u'),
    ('ш', 'i'),
    ('щ', 'o'),
    ('з', 'p'),
    ('х', '['),
    ('ъ', ']'),
    ('ф', 'a'),
    ('ы', 's'),
    ('в', 'd'),
    ('а', 'f'),
    ('п', 'g'),
    ('р', 'h'),
    ('о', 'j'),
    ('л', 'k'),
    ('д', 'l'),
    ('ж', ';'),
    ('э', '\''),
    ('я', 'z'),
    ('ч', 'x'),
    ('с', 'c'),
    ('м', 'v'),
    ('и', 'b'),
    ('т', 'n'),
    ('ь', 'm'),
    ('б', ','),
    ('ю', '.'),
    ('ё', '`'),
    ('Й', 'Q'),
    ('Ц', 'W'),
    ('У', 'E'),
    ('К', 'R'),
    ('Е', 'T'),
    ('Н', 'Y'),
    ('Г', 'U'),
    ('Ш', 'I'),
    ('Щ', 'O'),
    ('З', 'P'),
    ('Х', '{'),
    ('Ъ', '}'),
    ('Ф', 'A'),
    ('Ы', 'S'),
    ('В', 'D'),
    ('А', 'F'),
    ('П', 'G'),
    ('Р', 'H'),
    ('О', 'J'),
    ('Л', 'K'),
    ('Д', 'L'),
    ('Ж', ':'),
    ('Э', '"'),
    ('Я', 'Z'),
    ('Ч', 'X'),
    ('С', 'C'),
    ('М', 'V'),
    ('И', 'B'),
    ('Т', 'N'),
    ('Ь', 'M'),
    ('Б', '<'),
    ('Ю', '>'),
    ('Ё', '~'),
];

/// The chord on the same key of a Latin layout; a chord that is on one already stays.
pub fn by_position(chord: Chord) -> Chord {
    let latin = |typed: char| KEYS.iter().find(|(cyrillic, _)| *cyrillic == typed);
    match chord {
        Chord::Char(typed) => latin(typed).map_or(chord, |(_, latin)| Chord::Char(*latin)),
        Chord::Ctrl(typed) => latin(typed).map_or(chord, |(_, latin)| Chord::Ctrl(*latin)),
        Chord::Enter
        | Chord::Esc
        | Chord::Tab
        | Chord::ShiftTab
        | Chord::Up
        | Chord::Down
        | Chord::Left
        | Chord::Right
        | Chord::Home
        | Chord::End
        | Chord::PageUp
        | Chord::PageDown
        | Chord::F(_) => chord,
    }
}
