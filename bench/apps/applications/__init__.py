"""Real applications from PyPI and npm, with flows that operate everything on their pages."""

from bench.apps.applications.ant import Ant
from bench.apps.applications.django_admin import DjangoAdmin
from bench.apps.applications.editors import Editors
from bench.apps.applications.flatpickr import Flatpickr
from bench.apps.applications.gradio import Gradio
from bench.apps.applications.jquery_ui import JQueryUi
from bench.apps.applications.jupyter import Jupyter
from bench.apps.applications.material import Material
from bench.apps.applications.monaco import Monaco
from bench.apps.applications.selects import Selects
from bench.apps.applications.shoelace import Shoelace
from bench.apps.applications.sortable import Sortable
from bench.apps.applications.streamlit import Streamlit

__all__ = ["APPLICATIONS"]

APPLICATIONS = (
    Jupyter,
    DjangoAdmin,
    Gradio,
    Streamlit,
    Material,
    Ant,
    Shoelace,
    JQueryUi,
    Flatpickr,
    Selects,
    Monaco,
    Editors,
    Sortable,
)
