"""Fuzz the kernel against direct evaluation: ``python tests/kernel/fuzz.py --examples 20000 --seed 1``."""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from kernel.agreement import many_examples  # noqa: E402  # the path above is what finds it


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--examples", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--show", type=int, default=3, help="how many disagreements to print")
    chosen = options.parse_args()
    shown = []

    def report(kind, error):
        if len(shown) < chosen.show:
            shown.append(error)
            print(f"-- {kind}\n{error}\n", flush=True)

    start = time.perf_counter()
    seen = many_examples(random.Random(chosen.seed), chosen.examples, report)
    wrong = sum(count for (_, outcome), count in seen.items() if outcome == "DISAGREES")
    parts = ", ".join(f"{kind}: {outcome} {count}" for (kind, outcome), count in sorted(seen.items()))
    seconds = time.perf_counter() - start
    print(f"{chosen.examples} examples, seed {chosen.seed}, {wrong} disagreements, {seconds:.0f} s ({parts})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
