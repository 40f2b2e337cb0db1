"""`python -m benchmarks run | table`; `one` is what `run` starts."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path

from . import report, runner


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="python -m benchmarks",
                                  description="Ours beside the peers.")
    commands = top.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="measure, and merge into results.json")
    run.add_argument("--only", default="", help="workloads whose name contains this")
    run.add_argument("--quick", action="store_true", help="a smoke run on a few hundred "
                     "rows; stores nothing without --results")
    run.add_argument("--rounds", type=int, default=2, help="fresh processes for each cell")
    run.add_argument("--timeout", type=float, default=150, help="seconds for one process")
    run.add_argument("--results", type=Path,
                     help="another file than benchmarks/results.json")
    commands.add_parser("table", help="render results.json as RESULTS.md")
    one = commands.add_parser("one", help="one cell in this process, as JSON")
    one.add_argument("workload")
    one.add_argument("contender")
    one.add_argument("threads", type=int)
    one.add_argument("--quick", action="store_true")
    return top


def main(arguments: list[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    if options.command == "run":
        path = options.results or (None if options.quick else runner.RESULTS)
        results = runner.run(options.only, options.quick, options.rounds, options.timeout,
                             path, partial(print, flush=True))
        print(report.summary({n: results[n] for n in runner.chosen(options.only)}))
        if path == runner.RESULTS:
            report.write(results)
            print("RESULTS.md is written; the page follows with "
                  "`make run NB=nbs/appendix/benchmarks.ipynb`.")
    elif options.command == "table":
        report.write(runner.load())
    else:
        cell = runner.one(options.workload, options.contender, options.threads,
                          options.quick)
        print(runner.MARK + json.dumps(cell, default=float), flush=True)
        runner.leave()


if __name__ == "__main__":
    main()
