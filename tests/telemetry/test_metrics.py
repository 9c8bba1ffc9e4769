"""Metrics."""

from __future__ import annotations

from stockade.telemetry.metrics import Egress, Metrics, State


def lines(metrics: Metrics) -> list[str]:
    return metrics.text().decode().splitlines()


def test_what_is_looked_at_is_looked_at_when_asked_for() -> None:
    metrics = Metrics("1.2.3")
    assert "stockade_sessions 0.0" in lines(metrics)
    metrics.look = lambda: State(sessions=2, tabs=3, browsers=1, launches=7)
    found = lines(metrics)
    assert "stockade_sessions 2.0" in found
    assert "stockade_tabs 3.0" in found
    assert "stockade_browsers 1.0" in found
    assert "stockade_browser_launches_total 7.0" in found
    assert "# TYPE stockade_browser_launches_total counter" in found


def test_what_went_out_and_what_did_not() -> None:
    metrics = Metrics()
    denied = {("address", "page"): 2, ("closed", "browser"): 3}
    metrics.look = lambda: State(egress=Egress(denied, 5, 100, 2000, 1))
    found = lines(metrics)
    assert 'stockade_egress_denied_total{rule="address",traffic="page"} 2.0' in found
    assert 'stockade_egress_denied_total{rule="closed",traffic="browser"} 3.0' in found
    assert "stockade_egress_requests_total 5.0" in found
    assert 'stockade_egress_bytes_total{direction="received"} 2000.0' in found
    assert "stockade_egress_restarts_total 1.0" in found


def test_requests_are_counted_by_route() -> None:
    metrics = Metrics()
    metrics.request("GET", "/v1/keys/{id}", 200, 0.02)
    metrics.request("GET", "/v1/keys/{id}", 200, 0.2)
    found = lines(metrics)
    labels = 'method="GET",route="/v1/keys/{id}",status="200"'
    assert f"stockade_http_requests_total{{{labels}}} 2.0" in found
    assert 'stockade_http_request_seconds_count{route="/v1/keys/{id}"} 2.0' in found


def test_the_server_and_its_process_are_described() -> None:
    found = lines(Metrics("1.2.3"))
    assert 'stockade_build_info{version="1.2.3"} 1.0' in found
    names = {line.split()[0] for line in found if not line.startswith("#")}
    assert {"process_resident_memory_bytes", "stockade_start_time_seconds"} <= names


def test_servers_in_one_process_count_apart() -> None:
    one, other = Metrics(), Metrics()
    one.calls.labels("click", "ok").inc()
    assert any("click" in line for line in lines(one))
    assert not any("click" in line for line in lines(other))


async def test_they_are_read_without_keeping_anybody_waiting() -> None:
    metrics = Metrics()
    metrics.look = lambda: State(sessions=4)
    for number in range(200):
        metrics.seconds.labels(f"tool{number}").observe(0.1)
    said = await metrics.read()
    assert b"stockade_sessions 4.0" in said
    assert said.count(b"stockade_call_seconds_count") == 200
