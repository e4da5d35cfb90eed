"""Check many seeds of the known statements: a true one must never be refuted, a false one should be each time.

Run ``python tests/numerics/soundness.py --seeds 100``. Prints each surprise and the counts; exits 1 if a true statement
was refuted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from known_statements import FALSE, TRUE

from numerics import check_step, evidence
from numerics.checking import Instruments


def main() -> int:
    """Run the seeds and report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    expected = {"agrees": TRUE, "refutes": FALSE}
    counts: Counter[tuple[str, str]] = Counter()
    tools = Instruments(seconds=2)
    for seed in range(options.first, options.first + options.seeds):
        for wanted, cases in expected.items():
            for case in cases:
                checks = check_step(case.givens, case.left, case.relation, case.right, seed=seed, instruments=tools)
                found = evidence(checks, 1)
                counts[wanted, found] += 1
                if found != wanted:
                    print(f"seed {seed}, {case.name}: {found}, expected {wanted}", flush=True)
    for (wanted, found), count in sorted(counts.items()):
        print(f"expected {wanted}, found {found}: {count}")
    return 1 if counts["agrees", "refutes"] else 0


if __name__ == "__main__":
    sys.exit(main())
