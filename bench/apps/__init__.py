"""Whole tasks on pages that others wrote: MiniWoB++ and real applications, beside Playwright MCP."""
