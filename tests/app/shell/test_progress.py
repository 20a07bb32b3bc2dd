"""Long work: progress, result, cancel, failure, a closed tab."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from streamlit.testing.v1 import AppTest

from app.engine import Cancel, EngineError, current_user
from app.text import language, using
from app.widgets import progress, sessions


@dataclass(frozen=True)
class Step:
    done: int
    total: int
    eta: float | None = None
    result: object = None


def wait(job: progress.Job) -> progress.Job:
    assert job.finished.wait(10)
    return job


def test_a_job_gives_its_result_and_runs_as_its_visitor():
    seen: dict[str, str] = {}

    def work(cancel: Cancel):
        seen.update(user=current_user(), language=language())
        yield Step(1, 2)
        yield Step(2, 2, result=np.ones(3))

    desk = progress.Desk()
    with using("zh"):
        job = wait(desk.start(("visitor", "k"), 1, work))
    assert job.state == "done" and job.result.sum() == 3
    assert job.item == Step(2, 2), "the last item does not hold the result a second time"
    assert seen == {"user": "visitor", "language": "zh"}
    assert desk.find(("visitor", "k"), 1) is job
    assert desk.find(("visitor", "k"), 2) is None
    assert desk.find(("other", "k"), 1) is None, "nobody gets another's result"


def endless(cancel: Cancel):
    for done in range(10**9):
        cancel.check()
        time.sleep(0.005)
        yield Step(done, 10**9)


def test_cancel_stops_it():
    desk = progress.Desk()
    job = desk.start(("", "k"), 1, endless)
    time.sleep(0.05)
    job.cancel.set()
    assert wait(job).state == "cancelled" and job.result is None


def test_other_work_in_the_same_place_stops_the_old():
    desk = progress.Desk()
    old = desk.start(("v", "k"), 1, endless)
    assert desk.find(("v", "k"), 2) is None
    assert wait(old).state == "cancelled"
    new = desk.start(("v", "k"), 2, endless)
    assert not new.finished.is_set()
    desk.forget("v")
    assert wait(new).state == "cancelled"


def test_work_that_ends_without_a_word_when_told_to_stop_is_cancelled():
    def quiet(cancel: Cancel):
        yield Step(0, 2)
        while not cancel.is_set():
            time.sleep(0.005)

    desk = progress.Desk()
    job = desk.start(("", "k"), 1, quiet)
    job.cancel.set()
    assert wait(job).state == "cancelled"


def test_a_closed_tab_stops_it(monkeypatch):
    here = [True]
    monkeypatch.setattr(sessions, "alive", lambda session: here[0])
    patient = progress.tab_gone
    monkeypatch.setattr(progress, "tab_gone", lambda session: patient(session, grace=0.2))
    job = progress.Desk().start(("v", "k"), 1, endless)
    time.sleep(0.3)
    assert not job.finished.is_set()
    here[0] = False
    start = time.monotonic()
    assert wait(job).state == "cancelled"
    assert 0.1 < time.monotonic() - start < 3


def test_failures_are_kept_for_the_page():
    def known(cancel: Cancel):
        yield Step(0, 1)
        raise EngineError("engine.busy", waiting=3)

    def unknown(cancel: Cancel):
        if not cancel.is_set():
            raise RuntimeError("private")
        yield

    desk = progress.Desk()
    job = wait(desk.start(("", "a"), 1, known))
    assert job.state == "failed" and job.number == ""
    job = wait(desk.start(("", "b"), 1, unknown))
    assert job.state == "failed" and job.number


def test_results_are_bounded_by_bytes():
    desk = progress.Desk(limit=1000)
    for signature in range(5):
        wait(
            desk.start(
                ("", "k"), signature, lambda cancel: iter([Step(1, 1, result=np.zeros(400, np.uint8))])
            )
        )
    kept = [s for s in range(5) if desk.find(("", "k"), s) is not None]
    assert kept == [3, 4]


def test_sessions_that_are_gone_are_forgotten():
    forgotten: list[str] = []
    sessions.on_gone(forgotten.append)
    sessions._gone_since["ghost"] = None
    sessions.sweep(0.0, lambda s: s != "ghost")
    sessions.sweep(sessions.TTL / 2, lambda s: True)  # it came back
    sessions.sweep(sessions.TTL, lambda s: s != "ghost")
    assert "ghost" not in forgotten
    sessions.sweep(2.1 * sessions.TTL, lambda s: s != "ghost")
    assert "ghost" in forgotten
    sessions._callbacks.remove(forgotten.append)


def test_the_sentence_beside_the_bar():
    assert progress.line(None) == (0.0, "Getting ready …")
    assert progress.line(Step(1, 4, 30.0)) == (0.25, "1 of 4 · about 30 s left")
    assert progress.line(Step(1, 4, 600.0))[1] == "1 of 4 · about 10 min left"
    assert progress.line(Step(5, 0))[0] == 0.0
    assert progress.line(Step(9, 4))[0] == 1.0


def page() -> None:
    import time as clock

    import streamlit as st

    from app.widgets.progress import job
    from tests.app.shell.test_progress import Step

    def work(cancel):
        for i in range(1, 6):
            cancel.check()
            clock.sleep(0.15)
            yield Step(i, 5, 1.0, "the result" if i == 5 else None)

    outcome = job("w", st.session_state.get("sig", 0), work, autostart=False, note="some seconds")
    st.markdown(f"state {outcome.state} {outcome.result}")


def state(app: AppTest) -> str:
    assert not app.exception
    return next(m.value for m in app.markdown if m.value.startswith("state"))


def test_a_page_starts_watches_and_shows():
    app = AppTest.from_function(page).run()
    assert state(app) == "state idle None"
    assert app.markdown[0].value == "some seconds"
    app.button(key="w.start").click().run()
    assert state(app) == "state running None"
    assert app.button(key="w.cancel")
    for _ in range(50):
        time.sleep(0.1)
        app.run()
        if state(app) != "state running None":
            break
    assert state(app) == "state done the result"


def test_a_page_cancels_and_starts_again():
    app = AppTest.from_function(page)
    app.session_state["sig"] = "cancelled"
    app.run()
    app.button(key="w.start").click().run()
    app.button(key="w.cancel").click().run()
    for _ in range(50):
        time.sleep(0.1)
        app.run()
        if state(app) != "state running None":
            break
    assert state(app) == "state cancelled None"
    app.button(key="w.again").click().run()
    assert state(app) == "state running None"
