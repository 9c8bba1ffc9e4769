"""Every tool as a method. Written by `make docs`; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from stockade.client.calls.accessibility import AccessibilityCalls
from stockade.client.calls.actions import ActionsCalls
from stockade.client.calls.artifacts import ArtifactsCalls
from stockade.client.calls.audit import AuditCalls
from stockade.client.calls.batch import BatchCalls
from stockade.client.calls.caches import CachesCalls
from stockade.client.calls.canvas import CanvasCalls
from stockade.client.calls.captcha import CaptchaCalls
from stockade.client.calls.configuration import ConfigurationServerCalls
from stockade.client.calls.control import ControlCalls, ControlServerCalls
from stockade.client.calls.cookies import CookiesCalls
from stockade.client.calls.coverage import CoverageCalls
from stockade.client.calls.credentials import CredentialsCalls
from stockade.client.calls.databases import DatabasesCalls
from stockade.client.calls.determinism import DeterminismCalls
from stockade.client.calls.devices import DevicesCalls
from stockade.client.calls.diagnostics import DiagnosticsCalls, DiagnosticsServerCalls
from stockade.client.calls.dialogs import DialogsCalls
from stockade.client.calls.differences import DifferencesCalls, DifferencesServerCalls
from stockade.client.calls.effects import EffectsCalls
from stockade.client.calls.emulation import EmulationCalls
from stockade.client.calls.exports import ExportsCalls
from stockade.client.calls.extensions import ExtensionsCalls
from stockade.client.calls.extract import ExtractCalls
from stockade.client.calls.files import FilesCalls
from stockade.client.calls.flakes import FlakesCalls
from stockade.client.calls.forms import FormsCalls
from stockade.client.calls.har import HarCalls
from stockade.client.calls.heap import HeapCalls
from stockade.client.calls.human import HumanCalls
from stockade.client.calls.keyboard import KeyboardCalls
from stockade.client.calls.names import NamesCalls
from stockade.client.calls.navigation import NavigationCalls
from stockade.client.calls.network import NetworkCalls
from stockade.client.calls.opening import OpeningServerCalls
from stockade.client.calls.permissions import PermissionsCalls
from stockade.client.calls.pickers import PickersCalls
from stockade.client.calls.pictures import PicturesCalls
from stockade.client.calls.plans import PlansCalls
from stockade.client.calls.plugins import PluginsServerCalls
from stockade.client.calls.pointer import PointerCalls
from stockade.client.calls.probes import ProbesCalls
from stockade.client.calls.read import ReadCalls
from stockade.client.calls.recordings import RecordingsCalls
from stockade.client.calls.reports import ReportsCalls, ReportsServerCalls
from stockade.client.calls.routes import RoutesCalls
from stockade.client.calls.sampling import SamplingCalls, SamplingServerCalls
from stockade.client.calls.scripts import ScriptsCalls
from stockade.client.calls.secrets import SecretsCalls
from stockade.client.calls.series import SeriesCalls
from stockade.client.calls.states import StatesCalls, StatesServerCalls
from stockade.client.calls.streams import StreamsCalls
from stockade.client.calls.structure import StructureCalls
from stockade.client.calls.texts import TextsCalls
from stockade.client.calls.touch import TouchCalls
from stockade.client.calls.tracing import TracingCalls
from stockade.client.calls.verify import VerifyCalls, VerifyServerCalls
from stockade.client.calls.video import VideoCalls
from stockade.client.calls.waiting import WaitingCalls
from stockade.client.calls.web_storage import WebStorageCalls
from stockade.client.calls.workers import WorkersCalls

__all__ = ["ServerCalls", "TabCalls"]


class TabCalls(
    ControlCalls,
    NavigationCalls,
    ReadCalls,
    PicturesCalls,
    ActionsCalls,
    FormsCalls,
    SecretsCalls,
    CredentialsCalls,
    CaptchaCalls,
    WaitingCalls,
    DialogsCalls,
    PointerCalls,
    TouchCalls,
    KeyboardCalls,
    FilesCalls,
    StructureCalls,
    ProbesCalls,
    TextsCalls,
    ExtractCalls,
    NamesCalls,
    PlansCalls,
    SamplingCalls,
    EffectsCalls,
    VerifyCalls,
    AccessibilityCalls,
    FlakesCalls,
    RecordingsCalls,
    ReportsCalls,
    HumanCalls,
    ScriptsCalls,
    EmulationCalls,
    PermissionsCalls,
    PickersCalls,
    DeterminismCalls,
    ExtensionsCalls,
    CookiesCalls,
    WebStorageCalls,
    CachesCalls,
    DatabasesCalls,
    StatesCalls,
    NetworkCalls,
    RoutesCalls,
    StreamsCalls,
    WorkersCalls,
    HarCalls,
    SeriesCalls,
    DifferencesCalls,
    VideoCalls,
    ExportsCalls,
    ArtifactsCalls,
    TracingCalls,
    AuditCalls,
    CoverageCalls,
    HeapCalls,
    DevicesCalls,
    CanvasCalls,
    DiagnosticsCalls,
    BatchCalls,
):
    """The tools that work in a session."""


class ServerCalls(
    OpeningServerCalls,
    ControlServerCalls,
    SamplingServerCalls,
    VerifyServerCalls,
    ReportsServerCalls,
    ConfigurationServerCalls,
    StatesServerCalls,
    DifferencesServerCalls,
    PluginsServerCalls,
    DiagnosticsServerCalls,
):
    """The tools that work outside of any."""
