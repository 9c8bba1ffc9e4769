"""Bytes that no browser sends: as one would that somebody has taken over."""

from __future__ import annotations

_HOST = b"Host: good.test\r\n"


def _get(*lines: bytes, target: bytes = b"http://good.test/") -> bytes:
    return b"GET " + target + b" HTTP/1.1\r\n" + b"".join(lines) + b"\r\n"


def _post(*lines: bytes, body: bytes = b"") -> bytes:
    return b"POST http://good.test/ HTTP/1.1\r\n" + _HOST + b"".join(lines) + b"\r\n" + body


BAD = {
    # What is asked for
    "origin form": _get(_HOST, target=b"/"),
    "asterisk": b"OPTIONS * HTTP/1.1\r\n" + _HOST + b"\r\n",
    "no host in the address": _get(_HOST, target=b"http:///x"),
    "a backslash": _get(_HOST, target=b"http://good.test\\@10.1.1.1/"),
    "a slash as a backslash": _get(_HOST, target=b"http:\\\\10.1.1.1/"),
    "without slashes": _get(_HOST, target=b"http:10.1.1.1/"),
    "one slash": _get(_HOST, target=b"http:/10.1.1.1/"),
    "a fragment": _get(_HOST, target=b"http://good.test/#x"),
    "https": _get(_HOST, target=b"https://good.test/"),
    "ftp": _get(_HOST, target=b"ftp://good.test/"),
    "file": _get(_HOST, target=b"file:///etc/passwd"),
    "not ASCII": _get(_HOST, target="http://１２７.0.0.1/".encode()),
    "a control": _get(_HOST, target=b"http://good.test/\x01"),
    "a tab": _get(_HOST, target=b"http://10.1.1.1\t/"),
    "a port too large": _get(_HOST, target=b"http://good.test:65536/"),
    "an asterisk for a host": _get(_HOST, target=b"http://*.good.test/"),
    "a bad percent": _get(_HOST, target=b"http://good%zz.test/"),
    "a zone": _get(_HOST, target=b"http://[fe80::1%25eth0]/"),
    # The first line
    "two spaces": b"GET  http://good.test/ HTTP/1.1\r\n" + _HOST + b"\r\n",
    "no version": b"GET http://good.test/\r\n" + _HOST + b"\r\n",
    "version 0.9": b"GET http://good.test/ HTTP/0.9\r\n" + _HOST + b"\r\n",
    "version 2": b"GET http://good.test/ HTTP/2.0\r\n" + _HOST + b"\r\n",
    "version 1.0": b"GET http://good.test/ HTTP/1.0\r\n" + _HOST + b"\r\n",
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "an empty line before": b"\r\n" + _get(_HOST),
    "a method with a space": b"GE T http://good.test/ HTTP/1.1\r\n" + _HOST + b"\r\n",
    "a long method": b"G" * 40 + b" http://good.test/ HTTP/1.1\r\n" + _HOST + b"\r\n",
    "TLS to a proxy": b"\x16\x03\x01\x00\x05hello\r\n\r\n",
    "SOCKS": b"\x05\x01\x00\r\n\r\n",
    # Headers
    "no Host": _get(),
    "two Hosts": _get(_HOST, b"Host: 10.1.1.1\r\n"),
    "two Hosts alike": _get(_HOST, _HOST),
    "a Host with a space": _get(b"Host: good.test 10.1.1.1\r\n"),
    "a Host with a comma": _get(b"Host: good.test,10.1.1.1\r\n"),
    "a Host with a slash": _get(b"Host: good.test/x\r\n"),
    "bare LF": b"GET http://good.test/ HTTP/1.1\nHost: good.test\n\n",
    "bare LF within": _get(b"Host: good.test\nX: y\r\n"),
    "bare CR": _get(_HOST, b"X: a\rb\r\n"),
    "NUL": _get(_HOST, b"X: a\0b\r\n"),
    "a space in a name": _get(_HOST, b"X Y: z\r\n"),
    "a space after a name": _get(b"Host : good.test\r\n"),
    "no name": _get(_HOST, b": z\r\n"),
    "no colon": _get(_HOST, b"X\r\n"),
    "a folded line": _get(_HOST, b"X: a\r\n b\r\n"),
    "a first line folded": _get(b" Host: good.test\r\n"),
    "too many": _get(_HOST, *[b"X: y\r\n"] * 200),
    "ten thousand": _get(_HOST, *[b"X: y\r\n"] * 10_000),
    "a long line": _get(_HOST, target=b"http://good.test/" + b"a" * (64 << 10)),
    "a mebibyte": _get(_HOST, b"X: " + b"a" * (1 << 20) + b"\r\n"),
    # Bodies
    "two lengths": _post(b"Content-Length: 1\r\nContent-Length: 2\r\n", body=b"a"),
    "two lengths alike": _post(b"Content-Length: 1\r\nContent-Length: 1\r\n", body=b"a"),
    "a list of lengths": _post(b"Content-Length: 1, 1\r\n", body=b"a"),
    "a negative length": _post(b"Content-Length: -1\r\n"),
    "a signed length": _post(b"Content-Length: +1\r\n", body=b"a"),
    "a length in hex": _post(b"Content-Length: 0x1\r\n", body=b"a"),
    "an endless length": _post(b"Content-Length: " + b"9" * 30 + b"\r\n"),
    "both": _post(b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", body=b"0\r\n\r\n"),
    "an unknown coding": _post(b"Transfer-Encoding: gzip\r\n"),
    "chunked last but one": _post(b"Transfer-Encoding: chunked, identity\r\n"),
    "chunked twice": _post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
    "a coding in disguise": _post(b"Transfer-Encoding: \x0bchunked\r\n"),
}

BAD_CHUNKS = {
    "no size": b"\r\n\r\n",
    "a size in words": b"five\r\nhello\r\n0\r\n\r\n",
    "a signed size": b"+5\r\nhello\r\n0\r\n\r\n",
    "a prefixed size": b"0x5\r\nhello\r\n0\r\n\r\n",
    "too large a size": b"f" * 20 + b"\r\n",
    "too short": b"5\r\nhello!\r\n0\r\n\r\n",
    "bare LF": b"5\nhello\n0\n\n",
    "bare CR": b"5\rhello\r0\r\r",
    "a long extension": b"5;" + b"x" * 8192 + b"\r\nhello\r\n0\r\n\r\n",
    "many extensions": (b"1;" + b"x" * 4000 + b"\r\na\r\n") * 40 + b"0\r\n\r\n",
    "a control in an extension": b"5;a\0\r\nhello\r\n0\r\n\r\n",
    "endless trailers": b"0\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
}

TUNNELS = {  # and the rule that refuses each
    "10.1.1.1:443": "address",
    "127.0.0.1:443": "address",
    "2130706433:443": "address",
    "0x7f.1:80": "address",
    "[::1]:443": "address",
    "[::ffff:10.1.1.1]:443": "address",
    "[64:ff9b::a01:101]:443": "address",
    "169.254.169.254:80": "address",
    "93.184.216.200:443": "address",
    "localhost:443": "name",
    "x.LOCALHOST.:80": "name",
    "metadata.google.internal:80": "name",
    "good.test:22": "port",
    "good.test:25": "port",
    "good.test:3478": "port",
    "good.test:5349": "port",
    "good.test:6379": "port",
    "good.test:2375": "port",
    "good.test:9200": "port",
    "good.test:11211": "port",
    "93.184.216.34:9222": "port",
    "good.test": "syntax",
    "good.test:": "syntax",
    "good.test:0": "syntax",
    "good.test:65536": "syntax",
    "good.test:443:443": "syntax",
    "good.test:+443": "syntax",
    ":443": "syntax",
    "http://good.test:443": "syntax",
    "good.test:443/": "syntax",
    "user@good.test:443": "syntax",
    "good.test%00.evil.test:443": "syntax",
    "::1:443": "syntax",
    "[::1:443": "syntax",
    "[fe80::1%25eth0]:443": "syntax",
    "*.good.test:443": "syntax",
}
