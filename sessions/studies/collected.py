"""What only the store knows of a reporting checklist's items: sizes, exclusions, durations, agreement, versions."""

from __future__ import annotations

from collections import Counter
from statistics import median

from core.cells import ALL
from core.moments import utc
from core.study.checklist import Filled, filled
from sessions.store import Store
from sessions.studies.doings import away_ms
from sessions.studies.reading import sessions_of
from sessions.studies.reporting import StudyReport


def checklist(store: Store, report: StudyReport) -> tuple[Filled, ...]:
    """The checklist of arXiv 2506.13776, filled in as far as the study's file and the store can."""
    return filled(report.found.record.study, collected(store, report))


def collected(store: Store, report: StudyReport) -> dict[str, str]:
    """By the checklist's keys; an empty text where there is nothing to say yet."""
    if not report.found.sessions:
        return {}
    return {
        "size": _size(report),
        "excluded": _excluded(store, report),
        "durations": _durations(store, report),
        "pilot": _pilot(store, report),
        "dates": _dates(report),
        "uncertainty": _uncertainty(report),
        "aggregation": _aggregation(report),
        "agreement": _agreement(report),
        "missing": _missing(report),
        "versions": _versions(report),
    }


def _count(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


def _size(report: StudyReport) -> str:
    done = report.completion
    return (
        f"{_count(done.people, 'person', 'people')}, {_count(len(report.found.kept), 'session')} that count,"
        f" {_count(done.valid, 'answer')} to {_count(done.items, 'item')}; exactly {done.raters} each:"
        f" {_count(done.complete, 'item')}, fewer: {done.short}, more: {done.over}"
    )


def _excluded(store: Store, report: StudyReport) -> str:
    rules = Counter(each.rule or "by hand" for session in report.excluded for each in session.exclusions)
    told = ", ".join(f"{rule} {count}" for rule, count in rules.items())
    withdrew = store.reader().execute("SELECT count(*) FROM participants WHERE withdrawn IS NOT NULL").fetchone()[0]
    left = report.completion.states.get("left", 0)
    return (
        f"{_count(len(report.excluded), 'session')} excluded{f' ({told})' if told else ''}; {left} stopped early;"
        f" {_count(withdrew, 'person', 'people')} withdrew (of all studies in this store)"
    )


def _durations(store: Store, report: StudyReport) -> str:
    items = [f"{row.step}: {row.median:.1f} s (from {row.q05:.1f} to {row.q95:.1f})" for row in report.times
             if row.measure == "final"]  # fmt: skip
    away = away_ms(store, report.found.kept)
    lengths = [s.ended - s.created - away.get(s.id, 0) for s in report.found.kept if s.ended is not None]
    sessions = f"; sessions: median {median(lengths) / 60_000:.1f} minutes" if lengths else ""
    return f"median per answer, 5% and 95% quantiles: {', '.join(items)}{sessions}" if items else ""


def _pilot(store: Store, report: StudyReport) -> str:
    pilots = sessions_of(store, [record.id for record in report.found.records], ("pilot",))
    return f"{_count(len(pilots), 'pilot session')}, never counted" if pilots else "no pilot in this store"


def _dates(report: StudyReport) -> str:
    sessions = report.found.sessions
    first, last = min(s.created for s in sessions), max(s.ended or s.created for s in sessions)
    by = ", ".join(sorted({s.experimenter for s in sessions if s.experimenter})) or "nobody named"
    at = ", ".join(sorted({s.station for s in sessions if s.station})) or "no station named"
    return f"{utc(first, exact=True)} to {utc(last, exact=True)}; by {by}; at {at}"


def _uncertainty(report: StudyReport) -> str:
    names = ", ".join(dict.fromkeys(cell.interval for cell in report.cells))
    return f"95% intervals: {names}; several people as one: over items" if names else ""


def _aggregation(report: StudyReport) -> str:
    rules = ", ".join(dict.fromkeys(cell.group for cell in report.together))
    return f"single answers, and apart from them: {rules}" if rules else "single answers alone (one person an item)"


def _agreement(report: StudyReport) -> str:
    told = []
    for row in report.agreement:
        value = "undefined" if row.alpha.value is None else f"{row.alpha.value:.3f}"
        told.append(f"{' '.join(filter(None, (row.condition, row.step, row.property)))} {value}")
    return f"Krippendorff's alpha (nominal): {', '.join(told)}" if told else ""


def _missing(report: StudyReport) -> str:
    whole = [cell for cell in report.cells if cell.property == ALL]
    unread, failed = sum(cell.unparsed for cell in whole), sum(cell.failed for cell in whole)
    return (
        f"{unread} empty, timed-out or unreadable answers count as wrong;"
        f" {failed} later steps that were not asked any more are left out"
    )


def _versions(report: StudyReport) -> str:
    return "; ".join(
        f"version {each.version} {each.digest[:12]}, {_count(each.sessions, 'session')}"
        + (f", amended: {each.reason}" if each.reason else "")
        for each in report.versions
    )
