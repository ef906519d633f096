//! The report as a page.

use crate::common::{Scratch, node};

fn page(body: &str, code: i32) -> String {
    let scratch = Scratch::new();
    scratch.write("p.lus", node(body));
    scratch.lustral(&["check", "--html", "out.html", "p.lus"]).expect(code);
    std::fs::read_to_string(scratch.path().join("out.html")).unwrap()
}

#[test]
fn the_page_holds_the_verdicts() {
    let body = "  ok = b;\n  --%PROPERTY ok;\n  check \"reflexive\" i = i;\n  check r < 10.5;";
    let page = page(body, 40);
    for text in [
        "<!DOCTYPE html>",
        "2 of 3 properties are falsifiable",
        "<b>2</b> falsifiable",
        "<b>1</b> valid",
        "reflexive",
        "line 6",
        "fails at step 0",
        "k = 1",
        "p.lus",
    ] {
        assert!(page.contains(text), "{text} is missing");
    }
}

#[test]
fn the_page_is_written_with_json_too_and_for_rejected_programs() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node("  ok = true;"));
    scratch.lustral(&["check", "--json", "--html", "a.html", "p.lus"]).expect(0);
    assert!(std::fs::read_to_string(scratch.path().join("a.html")).unwrap().contains("valid"));
    scratch.write("p.lus", node("  ok = 1;"));
    scratch.lustral(&["check", "--html", "b.html", "p.lus"]).expect(3);
    assert!(std::fs::read_to_string(scratch.path().join("b.html")).unwrap().contains("<html"));
}

#[test]
fn hostile_names_stay_text() {
    let name = "</code><script>alert(1)</script><img src=x onerror='alert(2)'>&\u{202e}\u{1b}[2J";
    let page = page(&format!("  ok = b;\n  --%PROPERTY \"{name}\" ok;"), 40);
    assert_eq!(page.matches("<script").count(), 1, "the page's own");
    assert!(!page.contains("<img") && !page.contains("onerror='"));
    assert!(!page.contains('\u{202e}') && !page.contains('\u{1b}'));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}
