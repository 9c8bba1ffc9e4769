"""Every error Stockade raises on purpose.

StockadeError
├── InvalidArgument          the caller's input cannot be used
├── DeadlineExceeded         the call ran out of time
├── EngineError              the browser, not the caller
│   ├── LaunchFailed         the browser did not start
│   ├── BrowserGone          the browser process has ended
│   ├── TabClosed            the tab (or frame) no longer exists
│   ├── TabCrashed           the tab's renderer died
│   ├── NavigationRace       the document changed under the call
│   ├── NavigationFailed     the page could not be reached
│   ├── DialogOpen           a JavaScript dialog holds the page
│   ├── PageAsked            the page asked for what a person decides
│   ├── ScriptFailed         evaluated code threw
│   ├── ContentGone          the browser no longer keeps what was asked for
│   ├── DownloadFailed       a download ended without a file
│   ├── Unsupported          this engine cannot do that
│   └── ProtocolFault        the browser refused a command
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
│   └── SecretRefused        the secret is not for that place
├── ApprovalPending          a person has been asked and has not answered yet
├── NotConfigured            it needs something that the operator has not set
├── ProviderFailed           a program or service that was asked did not give it
├── MaskingFailed            it could not be made sure that no secret leaves
│   └── PictureWithheld      a secret on the page cannot be kept out of a picture of it
├── Missing                  nothing of that name is there, or it is another's
│   ├── UnknownTool
│   ├── UnknownSecret
│   ├── ApprovalNotFound
│   ├── SessionNotFound
│   ├── TabNotFound
│   └── ArtifactNotFound
├── Conflict                 the name is taken
│   └── KeyReused            an idempotency key that was sent with another request before
├── LimitReached             more than is allowed at a time
│   ├── Busy                 the queue did not move in time
│   ├── AdmissionRejected    the machine has no room for more at this moment
│   └── QuotaExceeded        a count or size has reached its maximum
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

from typing import Any, ClassVar


class StockadeError(Exception):
    """Base of the tree: a stable code, a message, what to do, and facts for programs."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False
    default_hint: ClassVar[str] = ""

    def __init__(self, message: str, *, hint: str = "", **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint: str = hint or self.default_hint
        self.details = details

    def as_dict(self) -> dict[str, Any]:
        """The one shape in which every surface shows an error."""
        shown: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "retryable": self.retryable,
        }
        if self.hint:
            shown["hint"] = self.hint
        if self.details:
            shown["details"] = self.details
        return shown


class InvalidArgument(StockadeError):
    """The caller's input cannot be used; the message says which part."""

    code = "invalid_argument"


class DeadlineExceeded(StockadeError):
    """The call did not finish within its deadline."""

    code = "timeout"
    retryable = True
    default_hint = "Look at the page before you repeat the call: it may have taken effect."


class EngineError(StockadeError):
    """Something on the browser's side."""

    code = "engine_error"


class LaunchFailed(EngineError):
    """The browser did not start."""

    code = "browser_launch_failed"
    retryable = True


class BrowserGone(EngineError):
    """The browser process has ended."""

    code = "browser_gone"
    retryable = True
    default_hint = "Open the session again; what the page held in memory is lost."


class TabClosed(EngineError):
    """The tab, frame or worker no longer exists."""

    code = "tab_closed"
    default_hint = "Open a new tab, or list the tabs that are left."


class TabCrashed(EngineError):
    """The tab's renderer process died."""

    code = "page_crashed"
    retryable = True
    default_hint = "Navigate again, or open a new tab."


class NavigationRace(EngineError):
    """The document was replaced while the call was under way."""

    code = "navigation_race"
    retryable = True
    default_hint = "Take a snapshot of the new document and go on from there."


class NavigationFailed(EngineError):
    """The address could not be loaded."""

    code = "navigation_failed"


class DialogOpen(EngineError):
    """A JavaScript dialog holds the page until it is answered."""

    code = "dialog_open"
    default_hint = "Answer the dialog first."


class PageAsked(EngineError):
    """The page asked for what a person decides, and the policy dealt with it; told once."""

    code = "page_asked"
    retryable = True


class ScriptFailed(EngineError):
    """Code evaluated in the page threw."""

    code = "script_failed"


class ContentGone(EngineError):
    """The browser no longer keeps what was asked for: a body of a past document, most often."""

    code = "content_gone"
    default_hint = "Read a body before the page goes on, or make the request again."


class DownloadFailed(EngineError):
    """A download ended without a file; `reason` says how."""

    code = "download_failed"


class Unsupported(EngineError):
    """This engine or this browser cannot do what was asked."""

    code = "unsupported"


class ProtocolFault(EngineError):
    """The browser refused a command for a reason that has no error of its own."""

    code = "engine_error"


class TargetError(StockadeError):
    """The element that was asked for cannot be acted on."""

    code = "target_error"


class StaleRef(TargetError):
    """The element is gone, or belonged to a document that is."""

    code = "stale_ref"
    default_hint = "Take a new snapshot; refs are never given to another element."


class TargetChanged(TargetError):
    """The element is there, but no longer what the caller was shown."""

    code = "target_changed"
    retryable = True
    default_hint = "If the present description is what you want, repeat the call."


class TargetNotFound(TargetError):
    """Nothing on the page matches."""

    code = "not_found"


class TargetAmbiguous(TargetError):
    """More than one element matches; none was chosen."""

    code = "ambiguous"
    default_hint = "Use the ref of one of the candidates."


class NotActionable(TargetError):
    """The element is there, but input would not reach it; `details` names what is in the way."""

    code = "not_actionable"
    retryable = True


class Refused(StockadeError):
    """The caller may not do that."""

    code = "forbidden"


class Unauthenticated(Refused):
    """No token came with the call, or none that is valid."""

    code = "unauthenticated"
    default_hint = "Send a valid token as `Authorization: Bearer ...`."


class CapabilityDisabled(Refused):
    """The switch that the tool stands behind is off."""

    code = "capability_disabled"


class NotShown(Refused):
    """The tool belongs to a toolset that this client was not given."""

    code = "tool_not_enabled"


class RoleRequired(Refused):
    """Only an operator or admin may."""

    code = "role_required"


class AddressDenied(Refused):
    """The policy does not let a page go there."""

    code = "address_denied"


class EgressDenied(Refused):
    """The way out was closed to a request; `rule` says by what, the hint what would open it."""

    code = "egress_denied"


class ApprovalDenied(Refused):
    """A person said no, or nobody said yes in time."""

    code = "approval_denied"
    default_hint = "Do not repeat it; go on without, or ask the person what they want."


class DocumentTainted(Refused):
    """A secret was filled into the document, and this would show it as it is."""

    code = "document_tainted"
    default_hint = "It is free again once the page has gone on to another document."


class SecretRefused(Refused):
    """The secret is not for that place."""

    code = "secret_refused"


class ApprovalPending(StockadeError):
    """A person has been asked and has not answered yet."""

    code = "approval_pending"
    retryable = True
    default_hint = "Repeat the same call with `approval` set to this id."


class NotConfigured(StockadeError):
    """It needs something that the operator has not set."""

    code = "not_configured"


class ProviderFailed(StockadeError):
    """A program or service that was asked did not give it."""

    code = "provider_failed"


class MaskingFailed(StockadeError):
    """It could not be made sure that no secret leaves, so nothing does."""

    code = "masking_failed"


class PictureWithheld(MaskingFailed):
    """A picture on which a secret may be seen."""

    code = "picture_withheld"
    retryable = True
    default_hint = "Try again when the page stands still, or picture a part of it."


class Missing(StockadeError):
    """Nothing of that name is there; what belongs to another looks the same."""

    code = "not_found"


class UnknownTool(Missing):
    """There is no such tool."""

    code = "unknown_tool"


class UnknownSecret(Missing):
    """No secret of that name is registered here."""

    code = "unknown_secret"


class ApprovalNotFound(Missing):
    """There is no such question, or it is over."""

    code = "approval_not_found"


class SessionNotFound(Missing):
    """There is no such session."""

    code = "session_not_found"


class TabNotFound(Missing):
    """The session has no such tab."""

    code = "tab_not_found"
    default_hint = "List the tabs that are open."


class ArtifactNotFound(Missing):
    """The session keeps no such file."""

    code = "artifact_not_found"


class Conflict(StockadeError):
    """The name is taken."""

    code = "conflict"


class KeyReused(Conflict):
    """The idempotency key came with another request before."""

    code = "idempotency_key_reused"
    default_hint = "Take a new key for every request that is not a repetition."


class LimitReached(StockadeError):
    """More than is allowed at a time."""

    code = "limit_reached"
    retryable = True


class Busy(LimitReached):
    """The queue did not move in time."""

    code = "busy"
    default_hint = "Wait for the calls under way, then repeat this one."


class AdmissionRejected(LimitReached):
    """The machine has no room for one more browser, session or tab."""

    code = "admission_rejected"
    retryable = True


class QuotaExceeded(LimitReached):
    """A count or a size has reached its maximum."""

    code = "quota_exceeded"
    retryable = False


class BadRequest(StockadeError):
    """The request is not HTTP as this server takes it."""

    code = "bad_request"


class WrongHost(BadRequest):
    """The request was meant for another server, or came by a name that is not ours."""

    code = "wrong_host"


class MethodNotAllowed(BadRequest):
    """There is something at this address, but not for this method."""

    code = "method_not_allowed"


class RequestTooSlow(BadRequest):
    """The request did not arrive in time."""

    code = "request_too_slow"
    retryable = True


class RequestTooLarge(BadRequest):
    """The request holds more than one may."""

    code = "request_too_large"


class HeadersTooLarge(BadRequest):
    """The head of the request holds more than one may."""

    code = "headers_too_large"


class WrongMediaType(BadRequest):
    """The body is not of a kind that is read here."""

    code = "wrong_media_type"
    default_hint = "Send JSON, with `Content-Type: application/json`."


class NotAcceptable(BadRequest):
    """The answer would be of a kind that the request says its client does not read."""

    code = "not_acceptable"


class RangeNotSatisfiable(BadRequest):
    """The part of a file that was asked for lies beyond its end."""

    code = "range_not_satisfiable"


class Stopping(StockadeError):
    """The server ends, and the call with it."""

    code = "stopping"
    retryable = True
    default_hint = "Repeat the call when the server is back."


class SetupError(StockadeError):
    """The server cannot run as it is set up."""

    code = "setup_error"


class BadSetting(SetupError):
    """A setting cannot be used; the message names it."""

    code = "bad_setting"


class WorkspaceInUse(SetupError):
    """Another server holds the workspace."""

    code = "workspace_in_use"


class StoreFailed(SetupError):
    """The database cannot be reached or does not fit."""

    code = "store_failed"


class InternalError(StockadeError):
    """A fault of ours; the log of that call id has the rest."""

    code = "internal_error"
