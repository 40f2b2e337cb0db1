"""What must hold of a release: `python -m tools.release [FOLDER]`,
which `make dist` runs on dist/.

The wheel has the package, all of it and nothing else; the sdist has the whole book; the
wheel is installed into an empty environment, with the requirements of the package only, and
tried there.
"""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

import yaml

from tools.book import ROOT, settings

NOT_IN_SDIST = (".github/",)  # of use only in the repository itself
MOST_BYTES = 60_000_000
SEMVER = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"


def tracked(root: Path = ROOT) -> list[str]:
    """The files that git knows."""
    return listed(root, "--cached")


def untracked(root: Path = ROOT) -> list[str]:
    """The files that git would take up: new ones, not those that it ignores."""
    return listed(root, "--others", "--exclude-standard")


def listed(root: Path, *options: str) -> list[str]:
    """What `git ls-files` says, without what is gone."""
    command = ["git", "-c", "core.quotepath=off", "ls-files", *options]
    said = subprocess.run(command, cwd=root, capture_output=True, text=True,
                          encoding="utf-8", check=True).stdout
    return sorted(name for name in said.splitlines() if os.path.lexists(root / name))


def wheel_problems(wheel: Path, files: list[str], new: list[str],
                   root: Path = ROOT) -> list[str]:
    """The wheel holds the files of the package (new ones
    may be among them), and says what settings.ini says."""
    config = settings(root)
    package = config["lib_path"] + "/"
    with zipfile.ZipFile(wheel) as archive:
        names = [n for n in archive.namelist() if not n.endswith("/")]
        notes = f"{config['lib_name']}-{config['version']}.dist-info/"
        head = email.message_from_bytes(archive.read(notes + "METADATA")
                                        if notes + "METADATA" in names else b"")
    inside = {n for n in names if not n.startswith(notes)}
    wanted = {f for f in files if f.startswith(package)}
    problems = [f"{wheel.name}: lacks {n}" for n in sorted(wanted - inside)]
    problems += [f"{wheel.name}: {n} does not belong there" for n in sorted(
        inside - wanted - {f for f in new if f.startswith(package)})]
    if not any(n.startswith(notes) and n.endswith("/LICENSE") for n in names):
        problems.append(f"{wheel.name}: lacks the license")
    said = {"Name": config["lib_name"], "Version": config["version"],
            "Summary": config["description"],
            "Requires-Python": f">={config['min_python']}"}
    problems += [f"{wheel.name}: {key} is {head[key]}, settings.ini says {value}"
                 for key, value in said.items() if head[key] != value]
    # a marker, as settings.ini writes it
    needs = sorted(r.replace(" ", "").replace('"', "'")
                   for r in head.get_all("Requires-Dist", []) if "extra ==" not in r)
    if needs != sorted(config["requirements"].split()):
        problems.append(
            f"{wheel.name}: requires {needs}, settings.ini says {config['requirements']}")
    return problems


def sdist_problems(sdist: Path, files: list[str], new: list[str],
                   root: Path = ROOT) -> list[str]:
    """The sdist holds every file of the repository (new
    ones may be among them), and nothing made on the way."""
    config = settings(root)
    top = f"{config['lib_name']}-{config['version']}/"
    with tarfile.open(sdist) as archive:
        inside = {m.name[len(top):] for m in archive.getmembers()
                  if m.name.startswith(top) and not m.isdir()}
    wanted = {f for f in files if not f.startswith(NOT_IN_SDIST)}
    made = {n for n in inside if n in ("PKG-INFO", "setup.cfg") or ".egg-info/" in n}
    problems = [f"{sdist.name}: lacks {n}" for n in sorted(wanted - inside)]
    problems += [f"{sdist.name}: {n} does not belong there"
                 for n in sorted(inside - wanted - made - set(new))]
    if sdist.stat().st_size > MOST_BYTES:
        problems.append(f"{sdist.name}: {sdist.stat().st_size / 1e6:.0f} MB, more than "
                        f"{MOST_BYTES / 1e6:.0f}")
    return problems


def citation_problems(root: Path = ROOT) -> list[str]:
    """CITATION.cff is what the format asks for,
    and in step with settings.ini and CHANGELOG.md."""
    path, config = root / "CITATION.cff", settings(root)
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        return [f"CITATION.cff: no YAML: {error}"]
    if not isinstance(found, dict):
        return ["CITATION.cff: not a list of fields"]
    needed = {"cff-version", "message", "title", "authors"}
    known = needed | {"type", "abstract", "version", "date-released",
                      "license", "keywords", "doi", "references",
                      "preferred-citation", "url", "identifiers", "contact", "commit"}
    problems = [f"lacks {name}" for name in sorted(needed - set(found))]
    problems += [f"{name} is no field of the format that we use"
                 for name in sorted(set(found) - known)]
    said = {"cff-version": "1.2.0", "version": config["version"],
            "abstract": config["description"],
            "keywords": config["keywords"].split(), "authors": [{"name": config["author"]}],
            "license": {"apache2": "Apache-2.0"}.get(config["license"])}
    problems += [f"{name} is {found.get(name)}, settings.ini says {value}"
                 for name, value in said.items() if name in found and found[name] != value]
    date = str(found["date-released"]) if "date-released" in found else None
    _, released = newest_change(root)
    if date != released:
        problems.append(f"date-released is {date}, CHANGELOG.md says {released}")
    return [f"CITATION.cff: {x}" for x in problems]


def newest_change(root: Path = ROOT) -> tuple[str, str | None]:
    """The version on top of CHANGELOG.md, and its date; None while it is unreleased."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[({SEMVER})\] - (unreleased|\d{{4}}-\d{{2}}-\d{{2}})$", text,
                      flags=re.M)
    if not found:
        raise ValueError("CHANGELOG.md has no line `## [1.2.3] - 2030-01-31`, or with "
                         "`unreleased` for the date")
    return found[1], None if found[2] == "unreleased" else found[2]


def changelog_problems(root: Path = ROOT) -> list[str]:
    """The changelog begins with the version of settings.ini;
    versions and dates fall from the top."""
    try:
        version, _ = newest_change(root)
    except ValueError as error:
        return [str(error)]
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (.*)$", text, flags=re.M)
    parts = [re.fullmatch(rf"\[({SEMVER})\] - (unreleased|\d{{4}}-\d{{2}}-\d{{2}})", h)
             for h in heads]
    problems = [f"CHANGELOG.md: {h!r} is no `[version] - date`"
                for h, p in zip(heads, parts, strict=True) if not p]
    good = [p for p in parts if p]
    numbers = [tuple(int(x) for x in re.findall(r"\d+", p[1])[:3]) for p in good]
    dates = [p[2] for p in good]
    if (numbers != sorted(set(numbers), reverse=True)
        or dates[1:] != sorted(dates[1:], reverse=True)):
        problems.append("CHANGELOG.md: the versions do not fall from the top")
    if "unreleased" in dates[1:]:
        problems.append("CHANGELOG.md: only the version on top can be unreleased")
    said = settings(root)["version"]
    if version != said:
        problems.append(f"CHANGELOG.md: begins with {version}, settings.ini says {said}")
    return problems


def try_wheel(wheel: Path, pins: list[str]) -> None:
    """Install the wheel into an empty environment and run `tools/smoke.py` there."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
                     / "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                   *pins, str(wheel)]
        subprocess.run(install, check=True)
        subprocess.run([python, "-I", str(ROOT / "tools" / "smoke.py")], check=True,
                       cwd=folder)


def main(arguments: list[str]) -> int:
    """Check the only wheel and the only sdist of a folder; options of pip may follow it."""
    folder = Path(arguments[0] if arguments else ROOT / "dist")
    wheels, sdists = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    if len(wheels) != 1 or len(sdists) != 1:
        print(f"{folder}: one wheel and one sdist are expected; there are {len(wheels)} "
              f"and {len(sdists)}")
        return 1
    files = tracked()  # what is not committed is not released
    problems = wheel_problems(wheels[0], files, []) + sdist_problems(sdists[0], files, [])
    problems += citation_problems() + changelog_problems()
    if problems:
        print("\n".join(problems))
        return 1
    try_wheel(wheels[0].resolve(), arguments[1:])
    print(f"Ready: {wheels[0].name}, {sdists[0].name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
