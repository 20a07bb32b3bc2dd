"""The link restores a view; the session keeps it; a bad link is no error."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.text import t, using

ROOT = Path(__file__).parents[3]
LATER = (ast.FunctionDef, ast.ClassDef)
ASKED_AT_ONCE = {"graph", "weights"}  # by every run of a page that has them
ASKING = {"digit_input", "graph_input", "image_input"}  # the same of all that these name


def page() -> None:
    import streamlit as st

    from app.widgets import state

    model = state.Param("model", "x2", allowed=("x2", "x4"))
    strength = state.Param("mask", 1.0, parse=state.parse_number(0, 1), format=state.format_number)
    pick = state.Param("pick", None, parse=state.parse_pick, format=state.format_pick)
    state.enter("first" if st.toggle("page", value=True, key="which") else "second")
    st.selectbox("model", ("x2", "x4"), **state.bind(model))
    st.slider("mask", 0.0, 1.0, step=0.25, **state.bind(strength))
    if st.button("pick"):
        state.put(pick, (3, 4))
    st.markdown(f"{state.get(model)} {state.get(strength)} {state.get(pick)}")


def start(**query: str) -> AppTest:
    app = AppTest.from_function(page)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def shown(app: AppTest) -> str:
    assert not app.exception
    return app.markdown[0].value


def test_defaults_leave_the_address_alone():
    app = start()
    assert shown(app) == "x2 1.0 None"
    assert dict(app.query_params) == {}


def test_a_link_restores_the_view():
    app = start(model="x4", mask="0.25", pick="10,20")
    assert shown(app) == "x4 0.25 (10, 20)"
    assert app.selectbox[0].value == "x4"
    assert app.slider[0].value == 0.25


def test_a_bad_link_falls_back():
    for bad in ("", "x3", "☃", "x" * 10_000, "1e999", "nan"):
        app = start(model=bad, mask=bad, pick=bad or "1,2,3")
        assert shown(app) == "x2 1.0 None"


def told() -> None:
    """A page as the entry point runs it, with a choice whose values depend on another one."""
    import streamlit as st

    from app.widgets import state
    from app.widgets.guard import guard
    from app.widgets.refused import say_refused

    net = state.Param("net", "a", allowed=("a", "b"))
    layer = state.Param("layer", "")
    seed = state.Param("seed", 3, state.parse_whole(0, 2**31), str)
    heat = state.Param("heat", 0.5, state.parse_number(0, 1), state.format_number)
    state.enter(st.session_state.get("page", "first"))
    with guard():
        st.selectbox("net", ("a", "b"), **state.bind(net))
        st.number_input("seed", 0, 2**31, **state.bind(seed))
        layers = {"a": ("", "conv1", "conv2"), "b": ("", *(f"block{i}" for i in range(20)))}[state.get(net)]
        st.markdown(f"{state.get(net)} {state.get(layer, layers)} {state.get(seed)} {state.get(heat)}")
    say_refused()


def visit(**query: str) -> AppTest:
    app = AppTest.from_function(told)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def said(app: AppTest) -> str:
    assert not app.exception and len(app.info) <= 1
    return app.info[0].value.replace("\\", "") if app.info else ""


@pytest.mark.parametrize("code", ["en", "zh"])
def test_what_a_link_cannot_have_is_said(code: str) -> None:
    app = visit(lang=code, net="c", layer="*conv9*", seed="-1", heat="nan")
    assert shown(app) == "a  3 0.5"
    with using(code):
        assert said(app).split("  \n") == [
            t("link.choice", name="net", value="c", choices="a, b"),
            t("link.whole", name="seed", value="-1", least=0, most=2**31),
            t("link.choice", name="layer", value="*conv9*", choices="conv1, conv2"),
            t("link.number", name="heat", value="nan", least=0, most=1),
            t("link.left_out"),
        ]
    assert "\\*conv9\\*" in app.info[0].value, "it is text, not Markdown"
    app = visit(net="b", layer="x" * 5000)
    assert said(app).startswith(t("link.unreadable", name="layer", value="x" * 40)), (
        "many choices are not counted up"
    )


def test_what_a_link_can_have_is_not_spoken_of() -> None:
    for query in ({}, {"net": "b", "layer": "block3", "seed": "2147483648", "heat": "1", "utm_source": "x"}):
        assert said(visit(**query)) == ""


def test_a_choice_that_no_longer_fits_is_not_the_link_s_fault() -> None:
    app = visit(layer="conv2")
    app.selectbox[0].set_value("b").run()
    assert shown(app) == "b  3 0.5" and said(app) == ""


def test_the_sentence_stays_until_that_is_chosen_or_the_page_is_left() -> None:
    app = visit(seed="x", heat="7")
    app.selectbox[0].set_value("b").run()
    assert "seed = x" in said(app) and "heat = 7" in said(app)
    app.number_input[0].set_value(4).run()
    assert "seed = x" not in said(app) and "heat = 7" in said(app)
    app.query_params["heat"] = "0.25"
    app.run()
    assert shown(app) == "b  4 0.25" and said(app) == ""
    app = visit(seed="x")
    app.session_state["page"] = "second"
    app.query_params.clear()
    app.run()
    assert said(app) == ""


def test_a_widget_writes_the_address():
    app = start(model="x4")
    app.slider[0].set_value(0.5).run()
    assert shown(app) == "x4 0.5 None"
    assert app.query_params["mask"] == "0.5"
    app.selectbox[0].set_value("x2").run()
    assert shown(app) == "x2 0.5 None"
    assert "model" not in app.query_params


def test_the_session_wins_over_an_address_that_is_one_click_old():
    app = start(mask="0.25")
    app.slider[0].set_value(0.5).run()
    app.query_params["mask"] = "0.25"
    app.run()
    assert shown(app) == "x2 0.5 None"
    assert app.query_params["mask"] == "0.5"


def test_back_in_the_browser_restores_the_whole_earlier_view(monkeypatch):
    """Otherwise the page would write its address anew, and Back would never leave it."""
    app = start()
    app.slider[0].set_value(0.5).run()
    app.selectbox[0].set_value("x4").run()
    assert shown(app) == "x4 0.5 None"
    with monkeypatch.context() as context:
        context.setattr("app.widgets.state._went_back", lambda: True)
        del app.query_params["model"]
        app.run()
        assert shown(app) == "x2 0.5 None" and app.selectbox[0].value == "x2"
        assert app.query_params["mask"] in ("0.5", ["0.5"]) and "model" not in app.query_params
        app.query_params.clear()
        app.run()
        assert shown(app) == "x2 1.0 None" and dict(app.query_params) == {}
    app.selectbox[0].set_value("x4").run()
    assert shown(app) == "x4 1.0 None"


def test_a_new_link_in_the_same_session_wins():
    app = start(mask="0.25")
    app.query_params["mask"] = "0.75"
    app.run()
    assert shown(app) == "x2 0.75 None"


def test_pages_keep_their_own_choices():
    app = start(model="x4")
    app.button[0].click().run()
    assert shown(app) == "x4 1.0 (3, 4)"
    app.query_params.clear()  # what Streamlit does when the page is switched
    app.toggle[0].set_value(False).run()
    assert shown(app) == "x2 1.0 None"
    app.query_params.clear()
    app.toggle[0].set_value(True).run()
    assert shown(app) == "x4 1.0 (3, 4)"
    assert app.query_params["pick"] == "3,4"


def settling() -> None:
    import streamlit as st

    from app.widgets import state
    from app.widgets.guard import guard

    first, second = state.Param("first", ""), state.Param("second", "")
    with guard():
        state.put(first, "a")
        state.put(second, "b")
        state.put(second, "c")
        st.markdown(str(dict(st.query_params)))
    st.markdown(str(sorted(st.query_params.to_dict().items())))


def test_a_page_that_settles_writes_its_address_once():
    app = AppTest.from_function(settling)
    app.query_params["lang"] = "en"
    app.run()
    assert not app.exception
    assert app.markdown[0].value == "{'lang': 'en'}"
    assert app.markdown[1].value == "[('first', 'a'), ('lang', 'en'), ('second', 'c')]"


def late() -> None:
    """A page that shows its second choice only when it is told to, and may stop before its end."""
    import streamlit as st

    from app.widgets import state

    mode, file = state.Param("mode", "own", allowed=("own", "sample")), state.Param("file", "")
    state.known("result")
    state.enter("late")
    with state.one_address(st.session_state.get("part", False)):
        st.selectbox("mode", ("own", "sample"), **state.bind(mode))
        if state.get(mode) == "own":
            st.markdown(f"file {state.get(file)}")
        else:
            state.set_aside(file)
        if st.session_state.get("stop"):
            st.stop()


def test_what_no_choice_is_called_by_goes_out_of_the_address():
    app = AppTest.from_function(late)
    link = {"mode": "sample", "result": "7", "utm_source": "x", "embed": "true", "lang": "zh"}
    for name, value in link.items():
        app.query_params[name] = value
    app.session_state["stop"] = True
    app.run()
    assert "utm_source" in app.query_params, "a page that stopped may not have asked for all that it reads"
    app.session_state["stop"], app.session_state["part"] = False, True
    app.run()
    assert "utm_source" in app.query_params, "and a fragment reads little"
    app.session_state["part"] = False
    app.run()
    assert not app.exception and set(app.query_params) - {"embed"} == {"mode", "result", "lang"}


def test_going_back_writes_no_address(monkeypatch):
    """An address written then would throw the visitor forward again."""
    monkeypatch.setattr("app.widgets.state._went_back", lambda: True)
    app = AppTest.from_function(late)
    link = {"mode": "sample", "file": "a", "utm_source": "x"}
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception and set(app.query_params) == set(link)


def test_a_choice_that_nothing_reads_waits_in_the_session():
    app = AppTest.from_function(late)
    app.query_params["file"] = "a"
    app.run()
    assert app.markdown[0].value == "file a" and set(app.query_params) == {"file"}
    app.selectbox[0].set_value("sample").run()
    assert set(app.query_params) == {"mode"}
    app.selectbox[0].set_value("own").run()
    assert app.markdown[0].value == "file a" and set(app.query_params) == {"file"}


def test_choices_that_are_made_late_are_known_early():
    """A link may name a choice that a page asks for only when its work is done."""
    late = []
    for path in sorted([*(ROOT / "pages").rglob("*.py"), *(ROOT / "app").rglob("*.py")]):
        tree = ast.parse(path.read_text("utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        early = {id(call) for part in tree.body if not isinstance(part, LATER) for call in ast.walk(part)}
        knows = [call for call in calls if ast.unparse(call.func).endswith("known") and id(call) in early]
        said = {arg.value for call in knows for arg in call.args if isinstance(arg, ast.Constant)}
        for call in calls:
            if ast.unparse(call.func).endswith("Param") and id(call) not in early and call.args:
                name = call.args[0]
                told = name.value in said | ASKED_AT_ONCE if isinstance(name, ast.Constant) else knows
                if not told and path.stem not in ASKING:
                    late.append((str(path.relative_to(ROOT)), ast.unparse(name)))
    assert late == []


def hasty() -> None:
    """A page of two choices, of which a fragment asks for the second only."""
    import streamlit as st

    from app.widgets import state

    left, right = (state.Param(name, "x", allowed=("x", "y")) for name in ("left", "right"))
    state.enter("hasty")
    part = st.session_state.get("part", False)
    with state.one_address(part):
        for param in (right,) if part else (left, right):
            st.selectbox(param.name, ("x", "y"), **state.bind(param))


def test_a_fragment_does_not_write_an_older_address_back():
    """Pressed fast, the second choice comes with the address from before the first one's run."""
    app = AppTest.from_function(hasty)
    app.query_params["left"] = "y"
    app.run()
    app.selectbox[0].set_value("x").run()
    assert dict(app.query_params) == {}
    app.query_params["left"] = "y"
    app.session_state["part"] = True
    app.selectbox[1].set_value("y").run()
    assert not app.exception and dict(app.query_params) == {"right": "y"}


def test_a_new_widget_is_told_its_value_in_the_run_that_follows_at_once_too(monkeypatch):
    """What the first run sent may never arrive: the browser must not then report a slider's lowest value."""
    app = start(mask="0.5")
    assert app.slider[0].proto.set_value and app.slider[0].value == 0.5
    app.run()
    assert app.slider[0].proto.set_value and app.slider[0].value == 0.5
    app.slider[0].set_value(0.75).run()
    assert shown(app) == "x2 0.75 None"
    monkeypatch.setattr("app.widgets.state.SURELY", 0.0)
    app.run()
    assert [slider.proto.set_value for slider in app.slider] == [False]
    assert shown(app) == "x2 0.75 None"
