"""Control groups: how much of the machine a jail may take, and a hold on all that runs in it."""

from stockade.jails.cgroups.dialects import Events, Limits
from stockade.jails.cgroups.group import Group
from stockade.jails.cgroups.groups import Groups

__all__ = ["Events", "Group", "Groups", "Limits"]
