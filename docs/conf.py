"""How the pages are built: ``docs/build.sh``."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

project = "derivations"
author = "the authors of derivations"
extensions = ["myst_parser", "pages"]
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"
html_theme = "furo"
html_title = "derivations"
html_static_path = ["_static", "_build/generated"]
html_css_files = ["derivations.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
_FONTS = '-apple-system, "Segoe UI", Roboto, Helvetica, Arial, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei"'
html_theme_options = {"light_css_variables": {"font-stack": f"{_FONTS}, sans-serif"}}
exclude_patterns = ["_build", "_ext", "_static", "examples"]
templates_path: list[str] = []
# Each page gets the figures and verdicts of this build.
(HERE / "_build" / "generated").mkdir(parents=True, exist_ok=True)
