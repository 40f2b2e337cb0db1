"""`python -m benchmarks list | run | table | map | peers | scale | one`."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path

from . import harness, report


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="python -m benchmarks",
                                  description="Ours beside the peers.")
    commands = top.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="workloads and who takes part in them")
    run = commands.add_parser("run", help="measure, and merge into results.json")
    for command in (listing, run):
        command.add_argument("--only", default="", metavar="PART",
                             help="workloads whose name contains PART")
        command.add_argument("--all", action="store_true",
                             help="also the workloads that none of ours enters yet")
    run.add_argument(
        "--quick", action="store_true",
        help="a smoke run on a few hundred rows; stores nothing without --results")
    run.add_argument("--rounds", type=int, default=2, help="fresh processes for each cell")
    run.add_argument("--timeout", type=float, default=150, help="seconds for one process")
    run.add_argument("--results", type=Path,
                     help="another file than benchmarks/results.json")
    commands.add_parser("table", help="render results.json as RESULTS.md")
    whole = commands.add_parser("map", help="every classifier on every real table")
    whole.add_argument("--check", action="store_true",
                       help="compute some tables again, and compare with what is stored")
    whole.add_argument("--only", default="", metavar="PART",
                       help="tables whose name contains PART; stores nothing")
    commands.add_parser("peers", help="the programs in WEKA and Orange that a page shows")
    scale = commands.add_parser("scale", help="what grows how, and ten million rows")
    scale.add_argument("--only", default="", metavar="PART",
                       help="sections whose name contains PART: growth, memory, "
                            "threads, large")
    one = commands.add_parser("one",
                              help="one cell in this process, as JSON (run starts these)")
    one.add_argument("workload")
    one.add_argument("contender")
    one.add_argument("threads", type=int)
    one.add_argument("--quick", action="store_true")
    return top


def main(arguments: list[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    if options.command == "list":
        for name, workload in harness.chosen(options.only, options.all):
            for entrant in harness.entrants(name, workload.family):
                who = "ours" if entrant.ours else "peer"
                print(f"{name:22s} {who} {entrant.name:50s} threads {entrant.threads}")
    elif options.command == "run":
        path = options.results or (None if options.quick else harness.RESULTS)
        results = harness.run(options.only, options.all, options.quick, options.rounds,
                              options.timeout, path, partial(print, flush=True))
        print(report.summary(results))
        if path == harness.RESULTS:
            report.write(results)
            print("RESULTS.md is written; the page follows with "
                  "`make run NB=nbs/appendix/benchmarks.ipynb`.")
    elif options.command == "table":
        report.write(harness.load())
    elif options.command == "map":
        from . import method_map  # it imports every chapter

        say = partial(print, flush=True)
        if options.check:
            wrong = method_map.differing(say)
            raise SystemExit("\n".join(wrong) or None)
        found = method_map.computed(options.only, say)
        if not options.only:
            method_map.write(found)
    elif options.command == "peers":
        from . import side_by_side

        side_by_side.write(side_by_side.computed(partial(print, flush=True)))
    elif options.command == "scale":
        from . import scale

        scale.measure(options.only, partial(print, flush=True))
    else:
        cell = harness.one(options.workload, options.contender, options.threads,
                           options.quick)
        print(harness.MARK + json.dumps(cell, default=float), flush=True)
        harness.leave()


if __name__ == "__main__":
    main()
