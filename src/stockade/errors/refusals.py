"""What a caller may not have, does not find, or has to wait for."""

from __future__ import annotations

from stockade.errors.base import Source, StockadeError

__all__ = [
    "AddressDenied",
    "AdmissionRejected",
    "ApprovalDenied",
    "ApprovalNotFound",
    "ApprovalPending",
    "ArtifactNotFound",
    "Busy",
    "CapabilityDisabled",
    "ClipboardRefused",
    "Conflict",
    "DocumentTainted",
    "EgressDenied",
    "FileWithheld",
    "KeyReused",
    "LimitReached",
    "MaskingFailed",
    "Missing",
    "NotConfigured",
    "NotShown",
    "PictureWithheld",
    "ProviderFailed",
    "QuotaExceeded",
    "Refused",
    "RoleRequired",
    "SecretGuessed",
    "SecretRefused",
    "SessionNotFound",
    "TabNotFound",
    "Unauthenticated",
    "UnknownSecret",
    "UnknownTool",
]


class Refused(StockadeError):
    """The caller may not do that."""

    code = "forbidden"
    source: Source = "caller"


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
    source: Source = "stockade"


class ApprovalDenied(Refused):
    """A person said no, or nobody said yes in time."""

    code = "approval_denied"
    source: Source = "stockade"
    default_hint = "Do not repeat it; go on without, or ask the person what they want."


class DocumentTainted(Refused):
    """A secret was filled into the document, and this would show it as it is."""

    code = "document_tainted"
    source: Source = "stockade"
    default_hint = "It is free again once the page has gone on to another document."


class ClipboardRefused(Refused):
    """What is in the clipboard is not for that place."""

    code = "clipboard_refused"


class SecretRefused(Refused):
    """The secret is not for that place."""

    code = "secret_refused"


class SecretGuessed(Refused):
    """Parts of a secret were tried out, so nothing more is shown."""

    code = "secret_guessed"


class ApprovalPending(StockadeError):
    """A person has been asked and has not answered yet."""

    code = "approval_pending"
    retryable = True
    source: Source = "stockade"
    default_hint = "Repeat the same call with `approval` set to this id."


class NotConfigured(StockadeError):
    """It needs something that the operator has not set."""

    code = "not_configured"
    source: Source = "stockade"


class ProviderFailed(StockadeError):
    """A program or service that was asked did not give it."""

    code = "provider_failed"
    source: Source = "stockade"


class MaskingFailed(StockadeError):
    """It could not be made sure that no secret leaves, so nothing does."""

    code = "masking_failed"
    source: Source = "stockade"


class PictureWithheld(MaskingFailed):
    """A picture on which a secret may be seen."""

    code = "picture_withheld"
    retryable = True
    source: Source = "app"
    default_hint = "Try again when the page stands still, or picture a part of it."


class FileWithheld(MaskingFailed):
    """A file that holds a secret which cannot be taken out of it, or may hold one."""

    code = "file_withheld"
    default_hint = "Its content cannot be had while that secret is kept; ask the operator."


class Missing(StockadeError):
    """Nothing of that name is there; what belongs to another looks the same."""

    code = "not_found"
    source: Source = "caller"


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
    source: Source = "caller"


class KeyReused(Conflict):
    """The idempotency key came with another request before."""

    code = "idempotency_key_reused"
    default_hint = "Take a new key for every request that is not a repetition."


class LimitReached(StockadeError):
    """More than is allowed at a time."""

    code = "limit_reached"
    retryable = True
    source: Source = "stockade"


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
