"""The book's algorithms beside the libraries one would otherwise use, timed in one run.

`data` makes the data, `table` says what is measured and who takes part, `jobs` how each
library is asked, `runner` times one cell in a fresh process, `report` turns results.json
into RESULTS.md. `python -m benchmarks -h` lists the commands. Beside them stand `first_fit`
and `answers`, which compares what every learner says before and after a change.
"""
