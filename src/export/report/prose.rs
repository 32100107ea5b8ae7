//! The report in words: one text for Markdown and HTML.

use super::model::{Event, GapCause, Item, Listed, Marked, OpenGroup, Report, Stand, Waiting};
use super::span::{Block, Line};
use crate::text::number::grouped;

/// The whole report.
pub(super) fn blocks(report: &Report) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(
        1,
        Line::new("Incident report: ").value(&report.capture.path),
    )];
    what_was_read(report, &mut blocks);
    blocks.push(Block::Picture);
    totals(report, &mut blocks);
    open_by_kind(report, &mut blocks);
    waits(&report.waiting, &mut blocks);
    gates(report, &mut blocks);
    marks(report, &mut blocks);
    unmarked(report, &mut blocks);
    blocks
}

fn heading(text: &str) -> Block {
    Block::Heading(2, Line::new(text))
}

fn number(count: usize) -> String {
    grouped(count as u64)
}

fn count(count: usize, one: &str, many: &str) -> String {
    let word = if count == 1 { one } else { many };
    format!("{} {word}", number(count))
}

fn left_out<T>(listed: &Listed<T>, blocks: &mut Vec<Block>) {
    let left = listed.total - listed.listed.len();
    if left > 0 {
        let text = format!("{} more are not listed.", number(left));
        blocks.push(Block::Paragraph(Line::new(text)));
    }
}

fn what_was_read(report: &Report, blocks: &mut Vec<Block>) {
    let capture = &report.capture;
    let contract = &report.contract;
    let payload = if report.payload.included {
        "All fields of the records below are shown, payload included.".to_owned()
    } else {
        let masked = grouped(report.payload.masked_fields);
        format!(
            "{masked} further fields of the records below are masked; --include-payload shows them."
        )
    };
    let mut read = vec![
        (
            Line::new(format!(
                "Capture: {} bytes, {} records, {} steps, ",
                grouped(capture.bytes),
                grouped(capture.records.into()),
                grouped(report.steps.into())
            ))
            .own(capture.format.clone()),
            vec![Line::new("sha256 ").value(&capture.sha256)],
        ),
        (
            Line::new("Contract: ")
                .value(&contract.name)
                .own(" for ")
                .value(&contract.consumer)
                .own(format!(", {}", contract.origin)),
            vec![Line::new("sha256 ").value(&contract.sha256)],
        ),
    ];
    if contract.baseline_policy.is_some() {
        let assumed = "Baselines were assumed: every aggregate starts at the first event seen";
        read.push((Line::new(assumed), Vec::new()));
    }
    read.push(case_line(report));
    read.push((Line::new(payload), Vec::new()));
    let made = format!("made {} by replayscope {}", report.made_at, report.tool);
    read.push((Line::new("Report: ").own(made), Vec::new()));
    blocks.extend([heading("What was read"), Block::List(read)]);
}

fn case_line(report: &Report) -> (Line, Vec<Line>) {
    let Some(case) = &report.case else {
        return (
            Line::new("Case file: none, so nothing is marked"),
            Vec::new(),
        );
    };
    let verified = if case.verified {
        "verified against capture and contract; the chain is not signed"
    } else {
        "NOT VERIFIED"
    };
    let entries = count(
        usize::try_from(case.entries).unwrap_or(usize::MAX),
        "entry",
        "entries",
    );
    let line = Line::new("Case file: ")
        .value(&case.path)
        .own(format!(", {entries}, {verified}"));
    let mut below: Vec<Line> = Vec::new();
    if let Some(head) = &case.head {
        below.push(Line::new("head hash ").value(head));
    }
    if !case.marks_count {
        below.push(Line::new("no mark of it closes any evidence"));
    }
    if case.closed {
        below.push(Line::new(
            "the case was closed, and nothing was marked since",
        ));
    }
    let differences = case.differences.iter();
    below.extend(differences.map(|difference| Line::new("differs: ").value(difference)));
    (line, below)
}

fn totals(report: &Report, blocks: &mut Vec<Block>) {
    let evidence = &report.evidence;
    blocks.push(heading("Totals"));
    blocks.push(Block::Paragraph(Line::new(format!(
        "Evidence: {} open ({} of them marked), {} explained by later steps, {} closed by marks.",
        number(evidence.open),
        number(evidence.open_and_marked),
        number(evidence.resolved_by_steps),
        number(evidence.closed_by_marks)
    ))));
    let rows = report.counts.iter();
    let rows = rows.map(|count| vec![count.state.to_owned(), grouped(count.steps.into())]);
    blocks.push(Block::Table(vec!["state", "steps"], rows.collect()));
    if !report.findings.is_empty() {
        let rows = report.findings.iter().map(|finding| {
            vec![
                finding.code.to_owned(),
                finding.severity.to_owned(),
                grouped(finding.raised),
                finding.meaning.to_owned(),
            ]
        });
        let head = vec!["finding", "weight", "raised", "meaning"];
        blocks.push(Block::Table(head, rows.collect()));
    }
}

fn open_by_kind(report: &Report, blocks: &mut Vec<Block>) {
    blocks.push(heading("Open evidence"));
    if report.open.is_empty() {
        blocks.push(Block::Paragraph(Line::new("Nothing is open.")));
        return;
    }
    let entries = report.open.iter().map(|group| {
        let marked = match group.marked {
            0 => String::new(),
            marked => format!(", {} marked", number(marked)),
        };
        let line = kind_line(Line::new(format!("{} × ", number(group.open))), group)
            .own(format!("{marked}, first at step {}", group.first));
        (line, Vec::new())
    });
    blocks.push(Block::List(entries.collect()));
}

fn kind_line(line: Line, group: &OpenGroup) -> Line {
    line.own(group.name.as_str())
        .maybe(" · ", group.reason.as_deref())
}

fn waits(waiting: &Listed<Waiting>, blocks: &mut Vec<Block>) {
    blocks.push(heading("Aggregates that wait"));
    if waiting.total == 0 {
        blocks.push(Block::Paragraph(Line::new("None waits.")));
        return;
    }
    let entries = waiting.listed.iter();
    let entries = entries.map(|waiting| (waiting_line(waiting), causes(&waiting.gap_causes)));
    blocks.push(Block::List(entries.collect()));
    left_out(waiting, blocks);
}

fn waiting_line(waiting: &Waiting) -> Line {
    let line = Line::default()
        .value(&waiting.aggregate)
        .own(" (")
        .value(&waiting.source)
        .own(") stands at ");
    let line = stand(line, &waiting.stand);
    let Some(version) = waiting.waiting_for else {
        return line.own(", waits for nothing");
    };
    let since = waiting
        .since_record
        .map_or_else(String::new, |record| format!(" since r{record}"));
    line.own(format!(
        ", waits for v{version}, {} deferred{since}",
        number(waiting.deferred)
    ))
}

fn stand(line: Line, stand: &Stand) -> Line {
    let version = stand.version.map(|version| format!("v{version} "));
    match (&stand.state, version) {
        (None, None) => line.own("nothing"),
        (state, version) => {
            let line = line.own(version.unwrap_or_default());
            line.maybe("", state.as_deref())
        }
    }
}

fn causes(causes: &[GapCause]) -> Vec<Line> {
    let lines = causes.iter().map(|cause| {
        let record = cause
            .record
            .map_or_else(String::new, |record| format!(" r{record}"));
        let state = cause
            .state
            .map_or_else(String::new, |state| format!(": {state}"));
        Line::new(format!("missing because {}{record}{state}", cause.cause))
            .maybe(" · ", cause.reason.as_deref())
    });
    lines.collect()
}

fn gates(report: &Report, blocks: &mut Vec<Block>) {
    let Some(action) = &report.gates.action else {
        return;
    };
    blocks.push(heading("Gates that are shut"));
    let shut = &report.gates.shut;
    let open = Line::default().value(action).own(format!(
        ": shut for {}, may go ahead for {}.",
        count(shut.total, "order", "orders"),
        number(report.gates.allowed)
    ));
    blocks.push(Block::Paragraph(open));
    if shut.total > 0 {
        let entries = shut.listed.iter().map(|gate| {
            let line = Line::default().value(&gate.aggregate);
            (
                line.own(format!(": {}", gate.reasons.join(", "))),
                Vec::new(),
            )
        });
        blocks.push(Block::List(entries.collect()));
        left_out(shut, blocks);
    }
}

fn marks(report: &Report, blocks: &mut Vec<Block>) {
    blocks.push(heading("Marks"));
    if report.marks.total == 0 {
        blocks.push(Block::Paragraph(Line::new("Nothing is marked.")));
    }
    for mark in &report.marks.listed {
        mark_blocks(mark, blocks);
    }
    left_out(&report.marks, blocks);
    let remarks = &report.remarks;
    if remarks.total > 0 {
        blocks.push(heading("Remarks in the case file"));
        let entries = remarks.listed.iter().map(|remark| {
            let line = Line::new(format!("{} on ", remark.kind)).value(&remark.about);
            let line = signed(line, &remark.operator, &remark.time);
            (line, note_lines(&remark.note))
        });
        blocks.push(Block::List(entries.collect()));
        left_out(remarks, blocks);
    }
}

fn signed(line: Line, operator: &str, time: &str) -> Line {
    line.own(", by ").value(operator).own(" at ").value(time)
}

/// The operator's words, a line each.
fn note_lines(note: &str) -> Vec<Line> {
    let lines = note.lines().filter(|line| !line.is_empty());
    lines.map(|line| Line::new("note: ").value(line)).collect()
}

fn mark_blocks(mark: &Marked, blocks: &mut Vec<Block>) {
    let title = Line::new(format!("Entry {}: ", mark.entry));
    let title = match (&mark.item, &mark.missing, &mark.about) {
        (Some(item), _, _) => item_title(title, item),
        (None, Some(missing), _) => title
            .own(format!("v{} of ", missing.version))
            .value(&missing.aggregate.aggregate)
            .own(", which is missing"),
        (None, None, about) => title.value(about.as_deref().unwrap_or_default()),
    };
    blocks.push(Block::Heading(3, title));
    let closing = if mark.closes {
        " (closed)"
    } else {
        " (not closed by it)"
    };
    let line = signed(
        Line::new(mark.label).own(closing),
        &mark.operator,
        &mark.time,
    );
    let mut entries = vec![(line, note_lines(&mark.note))];
    if let Some(marked_as) = &mark.marked_as {
        let line = Line::new("marked when it was ").value(marked_as);
        entries.push((line, Vec::new()));
    }
    let stale = mark.stale.iter();
    entries.extend(stale.map(|why| (Line::new(format!("stale: {why}")), Vec::new())));
    if let Some(item) = &mark.item {
        entries.extend(item_lines(item));
    }
    if let Some(missing) = &mark.missing {
        let aggregate = &missing.aggregate;
        entries.push((waiting_line(aggregate), causes(&aggregate.gap_causes)));
    }
    blocks.push(Block::List(entries));
}

fn unmarked(report: &Report, blocks: &mut Vec<Block>) {
    let groups = report.open.iter().filter(|group| group.unmarked.total > 0);
    let mut groups = groups.peekable();
    if groups.peek().is_none() {
        return;
    }
    blocks.push(heading("Open evidence that nobody has marked"));
    for group in groups {
        let title = kind_line(Line::default(), group);
        blocks.push(Block::Heading(3, title));
        let entries = group.unmarked.listed.iter().map(|item| {
            let lines = item_lines(item).into_iter();
            let below = lines.flat_map(|(line, below)| std::iter::once(line).chain(below));
            (item_title(Line::default(), item), below.collect())
        });
        blocks.push(Block::List(entries.collect()));
        left_out(&group.unmarked, blocks);
    }
}

fn item_title(line: Line, item: &Item) -> Line {
    let line = line.own(format!(
        "r{} {}, step {}: ",
        item.record, item.kind, item.step
    ));
    line.own(item.name.as_str())
        .maybe(" · ", item.reason.as_deref())
}

fn item_lines(item: &Item) -> Vec<(Line, Vec<Line>)> {
    let mut lines = vec![(event_line(item), Vec::new())];
    let change = stand(Line::new("before "), &item.before).own(", after ");
    lines.push((stand(change, &item.after), Vec::new()));
    for finding in &item.findings {
        let record = finding
            .record
            .map_or_else(String::new, |record| format!(" r{record}"));
        let line = Line::new(format!("finding: {}{record}", finding.code));
        lines.push((line, Vec::new()));
    }
    if let Some(first) = item.first {
        lines.push((Line::new(format!("first: r{first}")), Vec::new()));
    }
    if let Some(version) = item.waiting_for {
        let line = Line::new(format!("still waits for v{version}"));
        lines.push((line, causes(&item.gap_causes)));
    }
    let fields = item.payload.iter();
    lines.extend(fields.map(|field| {
        let line = Line::new("field ").value(&field.pointer);
        (line.own(" = ").value(&field.value), Vec::new())
    }));
    let more = [
        (
            item.masked_fields,
            "further field masked",
            "further fields masked",
        ),
        (item.payload_left_out, "more field", "more fields"),
    ];
    for (many, one_word, words) in more.iter().filter(|(many, ..)| *many > 0) {
        lines.push((Line::new(count(*many, one_word, words)), Vec::new()));
    }
    lines
}

fn event_line(item: &Item) -> Line {
    let event: &Event = &item.event;
    let line = Line::new(format!("line {}", item.line))
        .maybe(" of ", item.file.as_deref())
        .maybe(", id ", event.id.as_deref())
        .maybe(", source ", event.source.as_deref())
        .maybe(", type ", event.event_type.as_deref())
        .maybe(", subject ", event.subject.as_deref())
        .maybe(", aggregate ", event.aggregate.as_deref());
    let version = event.version.map(|version| format!(" v{version}"));
    let schema = event
        .schema_version
        .map(|schema| format!(", schema {schema}"));
    line.own(version.unwrap_or_default())
        .own(schema.unwrap_or_default())
        .maybe(", time ", event.time.as_deref())
        .maybe(", received ", event.received_at.as_deref())
        .maybe(", refused for ", event.refused_for.as_deref())
}
