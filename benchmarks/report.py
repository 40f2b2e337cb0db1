"""results.json as tables: the ratios of ours first, then every workload."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"

HEAD = """# Benchmarks

Ours beside the libraries that do the same work, measured in one run by `make bench`.
Every cell (workload, contender, threads) runs in fresh processes: the data are built from a seed
and put into the contender's own container, untimed; one warm-up; then the median of three to five
repeats of fit, and of predict on the hold-out, pooled over several rounds (forth and back, so that
a machine that slows down favors nobody). Calls of less than 20 ms are repeated and averaged; a
repeat that had to wait for a processor is done again, within limits.
A ratio is our time by that of the fastest peer: 0.5 is half the time. Differences of less than a
quarter are noise on a shared machine and called a tie. What the package compiles has been compiled
before, as by `make test`; `python -m benchmarks.first_fit` measures the first fit. *both* adds fit and predict, the fair
reading where one of them is postponed to the other, as in nearest neighbors. The verdict is on
*both* where there is one: *less accurate* stands where the fastest peer is right on more than half
a point of the hold-out more than ours, whatever the times.
"""  # noqa: E501
NOISE = 1.25  # a ratio up to this, or down to one by it, is a tie
HALF_A_POINT = 0.005  # of accuracy


def seconds(value: float | None) -> str:
    """A time with the unit that suits it."""
    if value is None:
        return ""
    if value < 1e-3:
        return f"{value * 1e6:.3g} µs"
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def ratio_text(value: float | None) -> str:
    """Two digits; the large ones are shown to be large."""
    return "" if value is None else f"{value:.2g}" if value < 10 else f"{value:.0f}"


def cost(cell: dict[str, Any], what: str) -> float | None:
    """Seconds of fit, predict, or both."""
    if what == "both":
        fit, predict = cell.get("fit_s"), cell.get("predict_s")
        return fit + predict if fit is not None and predict is not None else None
    return cell.get(f"{what}_s")


def rivals(cell: dict[str, Any], cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The peers that one of ours is compared with: the same job, no more threads."""
    return [c for c in cells if not c["ours"] and c["status"] == "ok" and c["threads"]
            <= cell["threads"] and re.search(cell["against"], c["contender"])]


def compare(cell: dict[str, Any], cells: list[dict[str, Any]],
            what: str) -> dict[str, Any] | None:
    """The fastest rival in fit, predict or both, and our ratio to it."""
    mine = cost(cell, what)
    timed = [(s, c) for c in rivals(cell, cells) if (s := cost(c, what)) is not None]
    if mine is None or not timed:
        return None
    theirs, fastest = min(timed, key=lambda pair: pair[0])
    return {"ratio": mine / theirs, "peer": fastest["contender"], "seconds": theirs,
            "accuracy": fastest.get("accuracy")}


def verdict(row: dict[str, Any]) -> str:
    """Faster, a tie or slower than the fastest peer; but first, as accurate."""
    found = row["both_ratio"] or row["fit_ratio"]
    if not found:
        return ""
    mine, theirs = row.get("accuracy"), found["accuracy"]
    if mine and theirs and mine < theirs - HALF_A_POINT:
        return "less accurate"
    return ("faster" if found["ratio"] < 1 / NOISE
            else "slower" if found["ratio"] > NOISE else "tie")


def ratios(results: dict[str, Any]) -> list[dict[str, Any]]:
    """One row for each cell of ours that was measured."""
    rows = []
    for workload, result in results.items():
        for cell in result["cells"]:
            if not cell["ours"] or cell["status"] != "ok":
                continue
            row: dict[str, Any] = {"workload": workload, **cell}
            for what in ("fit", "predict", "both"):
                row[f"{what}_ratio"] = compare(cell, result["cells"], what)
            known = [c["accuracy"] for c in rivals(cell, result["cells"])
                     if "accuracy" in c]
            row["best_accuracy"] = max(known, default=None)
            rows.append(row)
    return rows


def table(head: list[str], body: list[list[Any]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(str(x).replace("|", "\\|") for x in row) + " |"
                     for row in lines)


def of(found: dict[str, Any] | None) -> str:
    return ratio_text(found["ratio"]) if found else ""


def memory_text(cell: dict[str, Any]) -> str:
    """Peak memory by the size of the result: fit / predict."""
    passes = cell.get("memory", {})
    return " / ".join(f"{passes[w]['traced']:.2f}"
                      for w in ("fit", "predict") if w in passes)


def summary(results: dict[str, Any]) -> str:
    """The table of our ratios."""
    head = ["workload", "ours", "t", "fit", "fit ratio",
            "predict", "predict ratio", "both ratio",
            "fastest peer (fit, predict)", "accuracy", "best peer's", "memory", "verdict"]
    body = []
    for row in ratios(results):
        names = [found["peer"] for what in ("fit", "predict")
                 if (found := row[f"{what}_ratio"])]
        body.append([
            row["workload"], row["contender"], row["threads"], seconds(row["fit_s"]),
            of(row["fit_ratio"]), seconds(row.get("predict_s")), of(row["predict_ratio"]),
            of(row["both_ratio"]), "; ".join(dict.fromkeys(names)), row.get("accuracy", ""),
            "" if row["best_accuracy"] is None else row["best_accuracy"], memory_text(row),
            verdict(row)])
    return table(head, body) if body else "None of ours takes part yet."


def facts(values: dict[str, Any]) -> str:
    """`rows 100, classes 2`"""
    return ", ".join(f"{k} {v}" for k, v in values.items())


def workload_table(cells: list[dict[str, Any]]) -> str:
    """Every cell of a workload, the fastest fit first, those without a time last."""
    measured = sorted((c for c in cells if c["status"] == "ok"), key=lambda c: c["fit_s"])
    body = []
    for c in measured:
        cold = "" if c["fit_runs"] else " (one cold run)"
        name = f"**{c['contender']}**" if c["ours"] else c["contender"]
        body.append([
            name, c["threads"], seconds(c["fit_s"]) + cold, seconds(c["fit_first_s"]),
            seconds(c.get("predict_s")), c.get("accuracy", ""),
            facts(c.get("model", {})), c.get("peak_mb", ""), memory_text(c)])
    for c in cells:
        if c["status"] != "ok":
            body.append([c["contender"], c["threads"], c["status"], "", "", "",
                         c["reason"], "", ""])
    head = ["contender", "t", "fit", "first fit", "predict",
            "accuracy", "model", "peak MB", "memory"]
    return table(head, body)


def machines(results: dict[str, Any]) -> str:
    """The machine and versions, once for all workloads measured alike."""
    groups: dict[str, list[str]] = {}
    for name, result in results.items():
        m = result["machine"]
        text = (f"Python {m['python']} on {m['system']}, {m['cores']} cores; "
                f"{facts(m['libraries'])}")
        groups.setdefault(text, []).append(name)
    if len(groups) == 1:
        return "".join(groups) + "."
    return "\n".join(f"- {text}: {', '.join(names)}." for text, names in groups.items())


def render(results: dict[str, Any]) -> str:
    """RESULTS.md."""
    parts = [HEAD.strip(), machines(results),
             "## Ours against the fastest peer", summary(results),
             "Memory is the peak of fit / of predict by the size of what they return "
             "(tracemalloc); t is the number of threads."]
    for name, result in results.items():
        parts += [f"## {name}", facts(result["data"]), workload_table(result["cells"])]
    return "\n\n".join(p for p in parts if p) + "\n"


def write(results: dict[str, Any], path: Path = RESULTS) -> None:
    """Render into RESULTS.md."""
    path.write_text(render(results), encoding="utf-8", newline="\n")
