//! Every look is readable, and none is the only carrier of a meaning.

use ratatui::buffer::CellWidth;

use super::*;
use crate::text::Safe;

fn roles() -> impl Iterator<Item = Role> {
    Role::PLAIN.into_iter().chain(Class::ALL.map(Role::Class))
}

/// The colour cube and the grey ramp of a 256-colour terminal, in sRGB.
fn rgb(color: Color) -> [f64; 3] {
    let Color::Indexed(index) = color else {
        panic!("not of the cube: {color:?}");
    };
    assert!(index >= 16, "people remap the first sixteen");
    if index >= 232 {
        return [f64::from(8 + 10 * u16::from(index - 232)); 3];
    }
    let level = |step: u8| {
        if step == 0 {
            0.0
        } else {
            f64::from(55 + 40 * u16::from(step))
        }
    };
    let cube = index - 16;
    [level(cube / 36), level(cube / 6 % 6), level(cube % 6)]
}

/// Relative luminance (WCAG 2.2).
fn luminance(color: [f64; 3]) -> f64 {
    let linear = |channel: f64| {
        let share = channel / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    };
    let [red, green, blue] = color.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_role_is_readable_on_its_background() {
    // Backgrounds as they are in use, not only pure black and white.
    let cases = [
        (
            Palette::Dark,
            [[0.0; 3], [40.0, 42.0, 54.0], rgb(DARK.selected)],
            4.5,
        ),
        (
            Palette::Light,
            [[255.0; 3], [253.0, 246.0, 227.0], rgb(LIGHT.selected)],
            4.5,
        ),
    ];
    for (palette, backgrounds, least) in cases {
        let theme = Theme::new(palette, false);
        for role in roles() {
            let style = theme.style(role);
            let Some(foreground) = style.fg else { continue };
            // Lines need less than letters (WCAG 1.4.11).
            let least = if role == Role::Frame { 3.0 } else { least };
            let own = style.bg.map(|background| [rgb(background); 3]);
            for background in own.unwrap_or(backgrounds) {
                let found = contrast(rgb(foreground), background);
                assert!(
                    found >= least,
                    "{palette:?} {role:?} on {background:?}: {found:.2}"
                );
            }
        }
    }
}

#[test]
fn without_colour_nothing_is_coloured() {
    let theme = Theme::new(Palette::Mono, true);
    for role in roles() {
        let style = theme.style(role);
        assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
    }
    assert_ne!(theme.style(Role::Selection), theme.style(Role::Text));
}

#[test]
fn sixteen_colours_are_the_terminals_own() {
    let theme = Theme::new(Palette::Sixteen, false);
    for role in roles() {
        let style = theme.style(role);
        for color in [style.fg, style.bg].into_iter().flatten() {
            assert!(
                !matches!(color, Color::Indexed(_) | Color::Rgb(..)),
                "{role:?}"
            );
        }
    }
}

#[test]
fn the_environment_chooses() {
    let terminal = Environment {
        term: Some("xterm-256color"),
        ..Environment::default()
    };
    assert_eq!(Palette::choose(terminal), Palette::Dark);
    assert_eq!(
        Palette::choose(Environment {
            colorfgbg: Some("0;15"),
            ..terminal
        }),
        Palette::Light
    );
    assert_eq!(
        Palette::choose(Environment {
            no_color: true,
            ..terminal
        }),
        Palette::Mono
    );
    assert_eq!(
        Palette::choose(Environment {
            term: Some("linux"),
            ..terminal
        }),
        Palette::Sixteen
    );
    let vt100 = Environment {
        term: Some("vt100"),
        ..terminal
    };
    assert_eq!(Palette::choose(vt100), Palette::Mono);
    assert_eq!(Palette::named("light"), Some(Palette::Light));
    assert_eq!(Palette::named("pink"), None);
}

#[test]
fn every_glyph_is_one_cell() {
    for glyphs in [UNICODE, ASCII] {
        let single = [
            glyphs.horizontal,
            glyphs.vertical,
            glyphs.tee_down,
            glyphs.tee_up,
            glyphs.tee_right,
            glyphs.tee_left,
            glyphs.cross,
            glyphs.cursor,
            glyphs.arrow,
            glyphs.folded,
            glyphs.unfolded,
            glyphs.dot,
            glyphs.full,
            glyphs.empty,
        ];
        for glyph in single.into_iter().chain(glyphs.density) {
            let safe = Safe::own(glyph);
            assert!(safe.cells() == 1 && !safe.has_escapes(), "{glyph}");
            assert!(glyphs != ASCII || glyph.is_ascii());
        }
        // In ASCII what is cut has no sign that stands for nothing else, so it has two dots.
        let cut = Safe::own(glyphs.ellipsis);
        assert!(cut.cells() <= 2 && !cut.has_escapes());
    }
}

#[test]
fn safe_text_is_as_wide_as_ratatui_draws_it() {
    for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
        let safe = Safe::value(&character.to_string());
        let drawn: usize = safe
            .units()
            .map(|unit| usize::from(unit.text.cell_width()))
            .sum();
        assert_eq!(safe.cells(), drawn, "{character:?}");
    }
}
