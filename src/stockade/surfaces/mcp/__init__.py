"""MCP over stdio, a unix socket and streamable HTTP."""
