"""Every error Stockade raises on purpose.

StockadeError
├── InvalidArgument          the caller's input cannot be used
├── DeadlineExceeded         the call ran out of time
│   └── CpuLimit             while its jail waited for the processor
├── EngineError              the browser, not the caller
│   ├── LaunchFailed         the browser did not start
│   ├── BrowserGone          the browser process has ended
│   ├── TabClosed            the tab (or frame) no longer exists
│   ├── TabCrashed           the tab's renderer died
│   │   ├── MemoryLimit      its jail had no memory left
│   │   └── TasksLimit       its jail could start no more processes
│   ├── NavigationRace       the document changed under the call
│   ├── NavigationFailed     the page could not be reached
│   ├── DialogOpen           a JavaScript dialog holds the page
│   ├── PageAsked            the page asked for what a person decides
│   ├── ScriptFailed         evaluated code threw
│   ├── ContentGone          the browser no longer keeps what was asked for
│   ├── DownloadFailed       a download ended without a file
│   │   └── DiskLimit        it did not fit into its jail
│   ├── Unsupported          this engine cannot do that
│   ├── ProtocolFault        the browser refused a command
│   └── OpenFilesLimit       its browser could open no more files
├── TargetError              the element that was asked for
│   ├── StaleRef             gone, or of another document
│   ├── TargetChanged        no longer what was shown
│   ├── TargetNotFound       nothing matches
│   ├── TargetAmbiguous      more than one matches
│   └── NotActionable        there, but input would not reach it
├── Refused                  the caller may not
│   ├── Unauthenticated      no token, or none that is valid
│   ├── CapabilityDisabled   the switch the tool stands behind is off
│   ├── NotShown             the tool is in a toolset this client was not given
│   ├── RoleRequired         for operators or admins only
│   ├── AddressDenied        the policy does not let a page go there
│   ├── EgressDenied         the way out was closed to a request
│   ├── ApprovalDenied       a person said no, or nobody said yes in time
│   ├── DocumentTainted      a secret was filled in there, and this would show it as it is
│   ├── ClipboardRefused     what was copied is not for that place
│   ├── SecretRefused        the secret is not for that place
│   └── SecretGuessed        parts of a secret were tried out
├── ApprovalPending          a person has been asked and has not answered yet
├── NotConfigured            it needs something that the operator has not set
├── ProviderFailed           a program or service that was asked did not give it
├── MaskingFailed            it could not be made sure that no secret leaves
│   ├── PictureWithheld      a secret on the page cannot be kept out of a picture of it
│   └── FileWithheld         a secret in a file cannot be taken out of it
├── Missing                  nothing of that name is there, or it is another's
│   ├── UnknownTool
│   ├── UnknownSecret
│   ├── ApprovalNotFound
│   ├── SessionNotFound
│   │   └── LifeLimit        its jail was unused, or has lasted, as long as it may
│   ├── TabNotFound
│   └── ArtifactNotFound
├── Conflict                 the name is taken
│   └── KeyReused            an idempotency key that was sent with another request before
├── LimitReached             more than is allowed at a time
│   ├── Busy                 the queue did not move in time
│   ├── AdmissionRejected    the machine has no room for more at this moment
│   ├── QuotaExceeded        a count or size has reached its maximum
│   └── JailsLimit           no more jails may be made
├── BadRequest               not HTTP as this server takes it
│   ├── WrongHost            meant for another server
│   ├── MethodNotAllowed     not at this address
│   ├── RequestTooSlow       it did not arrive in time
│   ├── RequestTooLarge      more than a request may hold
│   ├── HeadersTooLarge      more than its head may hold
│   ├── WrongMediaType       not JSON
│   ├── NotAcceptable        the answer is of no kind that the client reads
│   └── RangeNotSatisfiable  the part that was asked for lies beyond the end
├── Stopping                 the server ends
├── SetupError               the server cannot run as it is set up
│   ├── BadSetting
│   ├── WorkspaceInUse
│   └── StoreFailed
└── InternalError            a fault of ours; the log has the rest
"""

from __future__ import annotations

from stockade.errors.base import (
    DeadlineExceeded,
    InvalidArgument,
    StockadeError,
)
from stockade.errors.engine import (
    BrowserGone,
    ContentGone,
    DialogOpen,
    DownloadFailed,
    EngineError,
    LaunchFailed,
    NavigationFailed,
    NavigationRace,
    NotActionable,
    PageAsked,
    ProtocolFault,
    ScriptFailed,
    StaleRef,
    TabClosed,
    TabCrashed,
    TargetAmbiguous,
    TargetChanged,
    TargetError,
    TargetNotFound,
    Unsupported,
)
from stockade.errors.jails import (
    CpuLimit,
    DiskLimit,
    JailsLimit,
    LifeLimit,
    MemoryLimit,
    OpenFilesLimit,
    TasksLimit,
)
from stockade.errors.refusals import (
    AddressDenied,
    AdmissionRejected,
    ApprovalDenied,
    ApprovalNotFound,
    ApprovalPending,
    ArtifactNotFound,
    Busy,
    CapabilityDisabled,
    ClipboardRefused,
    Conflict,
    DocumentTainted,
    EgressDenied,
    FileWithheld,
    KeyReused,
    LimitReached,
    MaskingFailed,
    Missing,
    NotConfigured,
    NotShown,
    PictureWithheld,
    ProviderFailed,
    QuotaExceeded,
    Refused,
    RoleRequired,
    SecretGuessed,
    SecretRefused,
    SessionNotFound,
    TabNotFound,
    Unauthenticated,
    UnknownSecret,
    UnknownTool,
)
from stockade.errors.requests import (
    BadRequest,
    HeadersTooLarge,
    MethodNotAllowed,
    NotAcceptable,
    RangeNotSatisfiable,
    RequestTooLarge,
    RequestTooSlow,
    WrongHost,
    WrongMediaType,
)
from stockade.errors.setup import (
    BadSetting,
    InternalError,
    SetupError,
    Stopping,
    StoreFailed,
    WorkspaceInUse,
)

__all__ = [
    "AddressDenied",
    "AdmissionRejected",
    "ApprovalDenied",
    "ApprovalNotFound",
    "ApprovalPending",
    "ArtifactNotFound",
    "BadRequest",
    "BadSetting",
    "BrowserGone",
    "Busy",
    "CapabilityDisabled",
    "ClipboardRefused",
    "Conflict",
    "ContentGone",
    "CpuLimit",
    "DeadlineExceeded",
    "DialogOpen",
    "DiskLimit",
    "DocumentTainted",
    "DownloadFailed",
    "EgressDenied",
    "EngineError",
    "FileWithheld",
    "HeadersTooLarge",
    "InternalError",
    "InvalidArgument",
    "JailsLimit",
    "KeyReused",
    "LaunchFailed",
    "LifeLimit",
    "LimitReached",
    "MaskingFailed",
    "MemoryLimit",
    "MethodNotAllowed",
    "Missing",
    "NavigationFailed",
    "NavigationRace",
    "NotAcceptable",
    "NotActionable",
    "NotConfigured",
    "NotShown",
    "OpenFilesLimit",
    "PageAsked",
    "PictureWithheld",
    "ProtocolFault",
    "ProviderFailed",
    "QuotaExceeded",
    "RangeNotSatisfiable",
    "Refused",
    "RequestTooLarge",
    "RequestTooSlow",
    "RoleRequired",
    "ScriptFailed",
    "SecretGuessed",
    "SecretRefused",
    "SessionNotFound",
    "SetupError",
    "StaleRef",
    "StockadeError",
    "Stopping",
    "StoreFailed",
    "TabClosed",
    "TabCrashed",
    "TabNotFound",
    "TargetAmbiguous",
    "TargetChanged",
    "TargetError",
    "TargetNotFound",
    "TasksLimit",
    "Unauthenticated",
    "UnknownSecret",
    "UnknownTool",
    "Unsupported",
    "WorkspaceInUse",
    "WrongHost",
    "WrongMediaType",
]
