"""Is the repository ready to be released, and are the workflows of its forks sound?

What `make dist` does in full is done here in small: the wheel is built without an
environment of its own, its content is checked, and the package is imported from it where no
development package can be. Each check is then broken.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import release, smoke
from tools.book import ROOT, settings


def setuptools() -> int:
    """The major version of setuptools here; 0 for none."""
    try:
        return int(version("setuptools").split(".")[0])
    except PackageNotFoundError:
        return 0


LACKS = ("needs setuptools 77 or newer, which the extra dev installs" if setuptools() < 77
         else "needs git and a clone" if not shutil.which("git")
         or not (ROOT / ".git").exists() else "")
BUILD = pytest.mark.skipif(bool(LACKS), reason=LACKS)

# ------------------------------------ wheel and sdist

@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist of what git knows or would take up,
    and the wheel of what the sdist holds."""
    folder = tmp_path_factory.mktemp("release")
    for name in release.tracked() + release.untracked():
        target = folder / "copy" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target, follow_symlinks=False)
    sdist = build("sdist", folder / "copy", folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    return build("wheel", next((folder / "unpacked").iterdir()), folder), sdist


def build(what: str, source: Path, to: Path) -> Path:
    """A wheel or an sdist, made by the setuptools that is here."""
    script = ("import sys; from setuptools import build_meta; "
              f"print(build_meta.build_{what}(sys.argv[1]))")
    done = subprocess.run([sys.executable, "-c", script, str(to)], cwd=source,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return to / done.stdout.split()[-1]


@pytest.mark.deep
@BUILD
def test_the_wheel_is_the_package(built: tuple[Path, Path]) -> None:
    assert release.wheel_problems(built[0], release.tracked(), release.untracked()) == []


@pytest.mark.deep
@BUILD
def test_the_sdist_is_the_book(built: tuple[Path, Path]) -> None:
    assert release.sdist_problems(built[1], release.tracked(), release.untracked()) == []


@BUILD
def test_an_editable_install_is_a_path_that_type_checkers_follow(tmp_path: Path) -> None:
    """mypy reads the .pth files of an environment, and runs no import hook."""
    source, to = tmp_path / "source", tmp_path / "wheel"
    shutil.copytree(ROOT / "supervised", source / "supervised",
                    ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, source)
    to.mkdir()
    with zipfile.ZipFile(build("editable", source, to)) as wheel:
        paths = [n for n in wheel.namelist() if n.endswith(".pth")]
        said = [wheel.read(n).decode().strip() for n in paths]
    assert [Path(line).resolve() for line in said] == [source.resolve()], said
    assert (source / "supervised" / "py.typed").exists()


BLOCK = """import sys
for name in {blocked!r}: sys.modules[name] = None
sys.path[:0] = [{wheel!r}, {tools!r}]
sys.meta_path[:] = [x for x in sys.meta_path if "editable" not in repr(x)]
import supervised, smoke
assert supervised.__file__.startswith({wheel!r}), supervised.__file__
print(len(smoke.import_all()))
smoke.open_data()
"""


@pytest.mark.deep
@BUILD
def test_the_wheel_works_without_the_developers_packages(built: tuple[Path, Path],
                                                         tmp_path: Path) -> None:
    """Every module imports and the data can be read
    from the unpacked wheel; `make dist` tries more."""
    with zipfile.ZipFile(built[0]) as archive:
        archive.extractall(tmp_path / "wheel")
    script = BLOCK.format(blocked=smoke.DEVELOPMENT, wheel=str(tmp_path / "wheel"),
                          tools=str(ROOT / "tools"))
    env = ({k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
           | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")})
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=env,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    modules = [p for p in (ROOT / "supervised").rglob("*.py") if p.name != "_modidx.py"]
    assert int(done.stdout.splitlines()[0]) == len(modules)


@pytest.mark.deep
@BUILD
def test_what_is_new_is_not_required_and_not_released(built: tuple[Path, Path]) -> None:
    """Notes that lie about do not fail the tests;
    a release takes only what is committed."""
    files = release.tracked() + release.untracked()
    new = "supervised/basics/tables.py"
    rest = [f for f in files if f != new]
    for check, made in zip((release.wheel_problems, release.sdist_problems), built,
                           strict=True):
        assert check(made, rest, [new, "notes.html"]) == []
        assert check(made, rest, []) == [f"{made.name}: {new} does not belong there"]


def test_the_smoke_test_knows_the_estimators() -> None:
    names = {kind.__name__ for kind in smoke.estimators()}
    assert {"MajorityClassifier", "C45Classifier", "TableEncoder",
            "NaiveBayesClassifier"} <= names
    assert not names & {"BaseClassifier", "TableEstimator"}


def rewrite(archive: Path, to: Path,
            change: Callable[[str, bytes], tuple[str, bytes] | None],
            extra: dict[str, bytes]) -> Path:
    """A zip or tar archive with its members changed, some left out, and some more."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as old:
            members = [(n, old.read(n)) for n in old.namelist()]
    else:
        with tarfile.open(archive) as old:
            members = [(m.name, old.extractfile(m).read())
                       for m in old.getmembers() if m.isfile()]  # type: ignore[union-attr]
    members = ([new for name, data in members if (new := change(name, data))]
               + list(extra.items()))
    target = to / archive.name
    if archive.suffix == ".whl":
        with zipfile.ZipFile(target, "w") as new:
            for name, data in members:
                new.writestr(name, data)
    else:
        with tarfile.open(target, "w:gz") as new:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                new.addfile(info, io.BytesIO(data))
    return target


WHEELS: list[
    tuple[Callable[[str, bytes], tuple[str, bytes] | None], dict[str, bytes], str]] = [
        (lambda n, d: None if n == "supervised/py.typed" else (n, d),
         {}, "lacks supervised/py.typed"),
        (lambda n, d: None if n.endswith("zoo.csv.gz") else (n, d),
         {}, "lacks supervised/basics/data/zoo.csv.gz"),
        (lambda n, d: (n, d), {"tests/test_x.py": b""},
         "tests/test_x.py does not belong there"),
        (lambda n, d: (n, d), {"nbs/index.ipynb": b""},
         "nbs/index.ipynb does not belong there"),
        (lambda n, d: None if n.endswith("/LICENSE") else (n, d), {}, "lacks the license"),
        (lambda n, d: (n, d.replace(b"Requires-Dist: numpy>=2.0",
                                    b"Requires-Dist: numpy>=2.0\nRequires-Dist: nbdev")),
         {}, "'nbdev'"),
        (lambda n, d: (n, d.replace(b"\nVersion: ", b"\nVersion: 9")), {}, "Version is 9"),
        (lambda n, d: None if n.endswith("METADATA") else (n, d), {}, "Name is None"),
    ]


@pytest.mark.deep
@BUILD
@pytest.mark.parametrize("change, extra, message", WHEELS, ids=[m for _, _, m in WHEELS])
def test_a_bad_wheel_is_noticed(change: Callable[[str, bytes], tuple[str, bytes] | None],
                                extra: dict[str, bytes], message: str,
                                built: tuple[Path, Path], tmp_path: Path) -> None:
    bad = rewrite(built[0], tmp_path, change, extra)
    problems = release.wheel_problems(bad, release.tracked(), release.untracked())
    assert any(message in p for p in problems), problems


@pytest.mark.deep
@BUILD
def test_a_bad_sdist_is_noticed(built: tuple[Path, Path], tmp_path: Path,
                                monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str, data: bytes) -> tuple[str, bytes] | None:
        return None if name.endswith("nbs/references.bib") else (name, data)

    top = f"{settings()['lib_name']}-{settings()['version']}/"
    bad = rewrite(built[1], tmp_path, without, {top + "nbs/nbdev.yml": b"x"})
    monkeypatch.setattr(release, "MOST_BYTES", 1000)
    problems = release.sdist_problems(bad, release.tracked(), release.untracked())
    assert [p.split(": ")[1].split(",")[0] for p in problems[:2]] == [
        "lacks nbs/references.bib", "nbs/nbdev.yml does not belong there"]
    assert "more than" in problems[2]


# ------------------------------------ citation and changelog


def test_citation_and_changelog_are_in_step() -> None:
    assert release.citation_problems() + release.changelog_problems() == []


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Change a file by a regular expression."""
    def change(root: Path) -> None:
        text = (root / name).read_text(encoding="utf-8")
        changed = re.sub(old, new, text, count=1, flags=re.M)
        assert changed != text
        (root / name).write_text(changed, encoding="utf-8")

    return change


TEXTS: list[tuple[Callable[[Path], None], str]] = [
    (edit("CITATION.cff", r"^version: .*", "version: 9.9.9"), "version is 9.9.9"),
    (edit("CITATION.cff", r"^title: .*\n", ""), "lacks title"),
    (edit("CITATION.cff", r"^license: .*", "license: MIT"), "license is MIT"),
    (edit("CITATION.cff", r"^license:", "licence:"), "licence is no field"),
    (edit("CITATION.cff", r"^abstract: .*", "abstract: Another"), "abstract is Another"),
    (edit("CITATION.cff", r"  - name: .*", "  - name: Somebody"), "authors is"),
    (edit("CITATION.cff", r"^version:", "date-released: 2020-01-31\nversion:"),
     "date-released is 2020-01-31"),
    (edit("CHANGELOG.md", r"^(## \[[\d.]+\] - )unreleased", r"\g<1>2020-01-31"),
     "date-released is None"),
    (edit("CITATION.cff", r"^version: ", "version: ["), "no YAML"),
    (edit("settings.ini", r"^version = .*", "version = 9.9.9"),
     "CHANGELOG.md: begins with"),
    (edit("CHANGELOG.md", r"^(## \[[\d.]+\] - )unreleased", r"\g<1>soon"), "has no line"),
    (edit("CHANGELOG.md", r"\Z", "\n## [99.0.0] - 2020-01-31\n"), "do not fall"),
    (edit("CHANGELOG.md", r"\Z", "\n## [0.0.2] - 2019-01-31\n\n## [0.0.1] - 2020-01-31\n"),
     "do not fall"),
    (edit("CHANGELOG.md", r"\Z", "\n## [0.0.1] - unreleased\n"), "only the version on top"),
    (edit("CHANGELOG.md", r"\Z", "\n## Older\n"), "'Older' is no"),
]


@pytest.mark.parametrize("change, message", TEXTS, ids=[m for _, m in TEXTS])
def test_what_is_out_of_step_is_noticed(change: Callable[[Path], None], message: str,
                                        tmp_path: Path) -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for name in ("CITATION.cff", "settings.ini"):
        shutil.copy(ROOT / name, tmp_path / name)
    # whether the book's own is released or not
    head = f"## [{settings()['version']}] - unreleased"
    (tmp_path / "CHANGELOG.md").write_text(
        re.sub(r"^## \[.*", head, text, count=1, flags=re.M), encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text(
        re.sub(r"^date-released: .*\n", "", citation, flags=re.M), encoding="utf-8")
    assert release.citation_problems(tmp_path) + release.changelog_problems(tmp_path) == []
    change(tmp_path)
    problems = []
    for check in (release.changelog_problems, release.citation_problems):
        try:
            problems += check(tmp_path)
        except ValueError as error:
            problems.append(str(error))
    assert any(message in p for p in problems), problems


# ------------------------------------ the workflows

WORKFLOWS = ROOT / ".github" / "workflows"
MAJORS = {"actions/checkout", "actions/setup-python",
          "actions/setup-node", "actions/upload-pages-artifact",
          "actions/deploy-pages", "quarto-dev/quarto-actions/setup"}


def steps(workflow: dict[Any, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every step with the name of its job."""
    for name, job in workflow["jobs"].items():
        yield from ((name, step) for step in job.get("steps", []))


def workflow_problems(text: str, root: Path = ROOT) -> list[str]:
    """What we ask of a workflow beyond what actionlint does."""
    found = yaml.safe_load(text)
    events = found.get(True, found.get("on"))  # YAML 1.1 takes `on` for a truth value
    problems = [] if isinstance(events, dict) else ["`on` is no list of events"]
    if found.get("permissions") != {"contents": "read"}:
        problems.append("the workflow's own permissions are more than `contents: read`")
    branch = settings(root)["branch"]
    for event in ("push", "pull_request"):
        branches = ((events or {}).get(event) or {}).get("branches", [branch])
        if branches != [branch]:
            problems.append(
                f"{event}: the branch is {branches}, settings.ini says {branch}")
    for name, job in found["jobs"].items():
        problems += [f"{name}: no timeout-minutes"] if "timeout-minutes" not in job else []
        extra = set(job.get("permissions", {}).items()) - {("pages", "write"),
                                                           ("id-token", "write")}
        if extra or ("permissions" in job and "environment" not in job):
            problems.append(f"{name}: permissions that only a deployment needs, or more")
    for name, step in steps(found):
        action = step.get("uses", "")
        if action and not action.startswith(("docker://", "./")):
            where, _, tag = action.partition("@")
            if where not in MAJORS or not re.fullmatch(r"v\d+", tag):
                problems.append(f"{name}: {action}: an action that we know, at a major "
                                "version, is expected")
        if action.startswith("docker://") and not re.search(r":\d+\.\d+\.\d+$", action):
            problems.append(f"{name}: {action}: the version is missing")
        if (action.startswith("actions/checkout")
            and step.get("with", {}).get("persist-credentials") is not False):
            problems.append(f"{name}: the checkout keeps its token")
        if re.search(r"\bgh\b|issues?:|create-|github-script",
                     step.get("run", "") + action):
            problems.append(f"{name}: a step that opens something")
        for target in re.findall(r"\bmake ([a-z][a-z-]*)", step.get("run", "")):
            if not re.search(rf"^{target}:",
                             (root / "Makefile").read_text(encoding="utf-8"), flags=re.M):
                problems.append(f"{name}: make has no target {target}")
        for path in re.findall(r"(?:^|\s)(\.[\w/]+/\w+)\b", step.get("run", "")):
            if not (root / path).exists() and not path.startswith(".venv"):
                problems.append(f"{name}: there is no {path}")
    return problems


def workflow(name: str) -> dict[Any, Any]:
    return yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted(WORKFLOWS.glob("*")), ids=lambda p: p.name)
def test_a_workflow_is_as_we_want_it(path: Path) -> None:
    assert path.suffix == ".yml"
    assert workflow_problems(path.read_text(encoding="utf-8")) == []


def test_every_version_of_python_is_tested_on_every_system() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ours = re.findall(r"Python :: (3\.\d+)\"", pyproject)
    matrix = workflow("test.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == ours and len(ours) >= 3
    assert {x.split("-")[0] for x in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert workflow("test.yml")["jobs"]["test"]["strategy"]["fail-fast"] is False


def test_the_weekly_run_takes_no_pins() -> None:
    text = (WORKFLOWS / "newest.yml").read_text(encoding="utf-8")
    assert list(workflow("newest.yml")[True]) == ["schedule", "workflow_dispatch"]
    commands = [s["run"] for _, s in steps(workflow("newest.yml"))
                if re.search(r"\bmake |\.ci/run", s.get("run", ""))]
    assert (commands and all("PINS=" in line for c in commands
                             for line in c.splitlines() if line.strip()))
    assert "continue-on-error" not in text  # it fails for all to see


def test_the_site_is_deployed_only_when_it_is_sound() -> None:
    found = workflow("docs.yml")
    assert found["jobs"]["deploy"]["needs"] == "build"
    commands = [s.get("run", "") for s in found["jobs"]["build"]["steps"]]
    order = [next(i for i, c in enumerate(commands) if word in c)
             for word in ("make docs", "make site-test STRICT=1")]
    upload = next(i for i, s in enumerate(found["jobs"]["build"]["steps"])
                  if "upload-pages" in s.get("uses", ""))
    assert order == sorted(order) and order[-1] < upload
    assert found["jobs"]["build"]["steps"][upload]["with"]["path"] == settings()["doc_path"]


@pytest.mark.skipif(shutil.which("actionlint") is None,
                    reason="actionlint is not installed")
def test_actionlint() -> None:
    done = subprocess.run(["actionlint", *map(str, WORKFLOWS.glob("*.yml"))],
                          capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


BAD = [
    ("contents: read", "contents: write", "own permissions are more"),
    ("branches: [main]", "branches: [master]", "the branch is ['master']"),
    ("timeout-minutes", "timeout", "no timeout-minutes"),
    ("actions/checkout@v", "actions/checkout@main # v", "at a major version"),
    ("actions/checkout@", "somebody/checkout@", "an action that we know"),
    ("persist-credentials: false", "persist-credentials: true", "keeps its token"),
    ("run: .ci/run", "run: gh issue create", "opens something"),
    ("run: .ci/run", "run: make all", "no target all"),
    ("run: .ci/run", "run: .ci/go", "there is no .ci/go"),
    ("runs-on: ubuntu-latest", "runs-on: ubuntu-latest\n    permissions: {issues: write}",
     "or more"), ("docker://rhysd/actionlint:",
                  "docker://rhysd/actionlint:latest#", "the version is missing"),
]


@pytest.mark.parametrize("old, new, message", BAD, ids=[m for _, _, m in BAD])
def test_a_bad_workflow_is_noticed(old: str, new: str, message: str) -> None:
    text = (WORKFLOWS / "test.yml").read_text(encoding="utf-8")
    assert old in text
    assert any(message in p for p in workflow_problems(text.replace(old, new)))
