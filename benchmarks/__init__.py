"""The book's algorithms beside the libraries one would otherwise use, timed in one run.

`data` makes the data, `workloads` names them, `contenders` says what a contender is, `ours`
and `peers` hold them, `harness` times one cell in a fresh process, `report` turns
results.json into RESULTS.md. Run it with `python -m benchmarks run`;
`python -m benchmarks -h` lists the commands.
"""
