//! The terminal that the other tests drive, itself driven with a shell: were it wrong, every test
//! that looks at the real program through it would be too.

mod support;

use support::keys::Key;
use support::terminal::{Setup, Terminal};

/// A shell with a script, ready to be driven.
fn script(text: &str) -> Terminal {
    Setup::command(&["sh", "-c", text]).start()
}

/// What a full-screen program does to the terminal.
const TAKE: &str =
    r"saved=$(stty -g); stty raw -echo; printf '\033[?1049h\033[?25l\033[?2004h\033[?1004hin'; ";
/// And how it gives it back.
const GIVE: &str = r#"printf '\033[?1004l\033[?2004l\033[?25h\033[?1049l'; stty "$saved"; "#;

#[test]
fn what_is_typed_arrives_and_what_comes_out_is_seen() {
    let mut terminal = script("read -r word; echo \"got <$word>\"; read -r word; exit 7");
    terminal.send("Заказ");
    terminal.press(Key::Enter);
    terminal.wait_for_text("got <Заказ>");
    terminal.press(Key::Enter);
    terminal.wait_exit().assert_clean(7);
}

#[test]
fn keys_are_sent_as_a_terminal_sends_them() {
    let mut terminal =
        script("stty raw -echo; printf ready; dd bs=1 count=9 2>/dev/null | od -An -c");
    terminal.wait_for_text("ready");
    for key in [Key::Up, Key::Ctrl('d'), Key::Esc, Key::Tab, Key::F(2)] {
        terminal.press(key);
    }
    terminal.wait_for_text(r"033   [   A 004 033  \t 033   O   Q");
    terminal.wait_exit();
}

#[test]
fn the_size_is_as_asked_and_changes_are_heard() {
    let text = "trap 'stty size; exit 0' WINCH; stty size; while :; do read -r _; done";
    let mut terminal = Setup::command(&["sh", "-c", text]).size(120, 36).start();
    terminal.wait_for_text("36 120");
    terminal.resize(40, 10);
    terminal.wait_for_text("10 40");
    assert_eq!(terminal.screen().size(), (10, 40));
    terminal.wait_exit().assert_clean(0);
}

#[test]
fn keys_come_from_the_terminal_while_data_is_piped_in() {
    let text = "test -t 0 && echo no-pipe; wc -c; read -r word < /dev/tty; echo \"key <$word>\"";
    let mut terminal = Setup::command(&["sh", "-c", text])
        .piped("x".repeat(100_000).as_bytes())
        .start();
    let screen = terminal.wait_for_text("100000");
    assert!(!screen.contents().contains("no-pipe"));
    terminal.send("q\n");
    terminal.wait_for_text("key <q>");
    terminal.wait_exit().assert_clean(0);
}

#[test]
fn a_terminal_given_back_is_told_from_one_that_is_not() {
    let mut terminal = script(&format!("{TAKE} dd bs=1 count=1 2>/dev/null; {GIVE}"));
    terminal.wait_for(
        |screen| screen.alternate_screen() && screen.hide_cursor(),
        "take",
    );
    terminal.press(Key::Char('q'));
    terminal.wait_exit().assert_clean(0);

    let ended = script(TAKE).wait_exit();
    assert_ne!(ended.terminal.before, ended.terminal.after);
    let expected = [
        "alternate screen",
        "hidden cursor",
        "bracketed paste",
        "?1004 true",
        "?1049 true",
        "?2004 true",
        "?25 false",
    ];
    assert_eq!(ended.terminal.left_on, expected);
}

#[test]
fn a_signal_reaches_the_program_alone() {
    let mut terminal =
        script("trap 'echo heard; exit 3' TERM; echo ready; while :; do read -r _; done");
    terminal.wait_for_text("ready");
    terminal.signal("TERM");
    terminal.press(Key::Enter);
    terminal.wait_for_text("heard");
    terminal.wait_exit().assert_clean(3);

    let mut terminal = Setup::command(&["cat"]).start();
    terminal.pid();
    terminal.signal("KILL");
    assert_eq!(terminal.wait_exit().code, 128 + 9);
}

#[test]
fn a_suspended_program_comes_back() {
    let mut terminal = script(&format!(
        "{TAKE} {GIVE} kill -s STOP $$; printf 'back again'; read -r _"
    ));
    terminal.wait_for_text("suspended");
    terminal.state_of_terminal().assert_unchanged();
    terminal.press(Key::Enter);
    terminal.wait_for_text("back again");
    terminal.press(Key::Enter);
    terminal.wait_exit().assert_clean(0);
}

#[test]
fn a_terminal_that_vanishes_ends_the_program() {
    let mut terminal = script("echo ready; cat; echo never");
    terminal.wait_for_text("ready");
    let program = terminal.vanish();
    terminal.wait_gone(program);
}

#[test]
fn the_program_has_a_home_of_its_own() {
    let mut terminal = script("echo \"$HOME\" > \"$HOME/told\"; echo \"$TERM $LANG [$NO_COLOR]\"");
    terminal.wait_for_text("xterm-256color C.UTF-8 []");
    terminal.wait_exit().assert_clean(0);
    assert!(terminal.home().join("told").exists());
}
