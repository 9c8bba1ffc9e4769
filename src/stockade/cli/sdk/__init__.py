"""The SDK's methods, written from the tools."""
