"""``phoropter study``: people as respondents. One module a command; each imports its work only when it runs."""

from __future__ import annotations

import typer

from tui.cli.study import (
    amend,
    check,
    deal,
    exclude,
    grade,
    monitor,
    new,
    people,
    plan,
    report,
    simulate,
    sit,
    withdraw,
)

study_app = typer.Typer(help="People as respondents: set a study up, hold it, report it.", no_args_is_help=True)


@study_app.callback()
def study() -> None:
    """People as respondents: set a study up, hold it, report it."""


study_app.command("new")(new.new)
study_app.command("check")(check.check)
study_app.command("amend")(amend.amend)
study_app.command("sit")(sit.sit)
study_app.command("grade")(grade.grade)
study_app.command("monitor")(monitor.monitor)
study_app.command("people")(people.people)
study_app.command("deal")(deal.deal)
study_app.command("simulate")(simulate.simulate)
study_app.command("plan")(plan.plan)
study_app.command("report")(report.report)
study_app.command("exclude")(exclude.exclude)
study_app.command("withdraw")(withdraw.withdraw)
