"""How Sphinx builds the site: `make docs`. Nothing here needs a network."""

from pathlib import Path
from tempfile import mkdtemp

from levelsmith import __version__
from levelsmith.files import write_files
from levelsmith.publish.playground import playground
from levelsmith.publish.site import Look

project = "levelsmith"
author = "The levelsmith developers"
copyright = f"2026, {author}"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
default_role = "code"  # docstrings write `name`, as Markdown does

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True

# The playground is a page of the site: play/index.html.
site = Path(mkdtemp(prefix="levelsmith-docs-"))
write_files({site / "play" / name: data for name, data in playground(Look()).items()})
html_extra_path = [str(site)]

html_theme = "furo"
html_title = f"levelsmith {__version__}"
html_static_path = ["_static"]
html_css_files = ["levelsmith.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d4890", "color-brand-content": "#1d4890"},
    "dark_css_variables": {"color-brand-primary": "#5b9df6", "color-brand-content": "#5b9df6"},
}
