#!/usr/bin/env bash
# Builds the pages into docs/_build/html. Needs the extra: pip install -e '.[docs]'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
python -m sphinx -W --keep-going -E -a -b html . _build/html "$@"
