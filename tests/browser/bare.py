"""A page of bare Streamlit with the widgets that we use: what axe finds here is Streamlit's own, not ours."""

import numpy as np
import streamlit as st


def first() -> None:
    st.title("Bare")
    st.header("Widgets")
    st.subheader("Of all kinds")
    st.caption("A caption")
    st.markdown("Text with a [link](https://example.org/) and `code`.")
    st.latex(r"y=\underbrace{a\cdot b}_{w_1x_1}" + r"+\underbrace{a\cdot b}_{w_1x_1}" * 20)
    st.code("x = 1")
    st.selectbox("Select", ("a", "b"))
    st.slider("Slider", 0, 10)
    st.select_slider("Choice", ("a", "b", "c"))
    st.segmented_control("Segments", ("a", "b"), default="a")
    st.pills("Pills", ("a", "b"), default="a")
    st.radio("Radio", ("a", "b"))
    st.toggle("Toggle", help="Help")
    st.checkbox("Check")
    st.number_input("Number", 0, 10)
    st.text_input("Text", help="Help")
    st.file_uploader("File", help="Help")
    st.button("Button")
    st.button("First", type="primary")
    st.download_button("Download", b"x", "x.txt", help="Help")
    st.progress(0.4, text="Progress")
    st.metric("Metric", 3, 1)
    st.image(np.zeros((8, 8, 3), np.uint8), alt="A picture")
    st.dataframe({"a": [1, 2]})
    st.table({"a": [1, 2]})
    for each in (st.info, st.warning, st.error, st.success):
        each("A sentence")
    with st.expander("More", expanded=True):
        st.markdown("inside")
    for tab in st.tabs(("One", "Two")):
        tab.markdown("inside")
    for column in st.columns(2):
        column.container(border=True).markdown("inside")
    with st.popover("Popover"):
        st.markdown("inside")
    st.bar_chart({"a": [1, 2]})
    with st.sidebar:
        st.segmented_control("Side", ("a", "b"), default="a", label_visibility="collapsed")
        st.caption("A caption")


def second() -> None:
    st.title("Second")


page = st.navigation({"": [st.Page(first, default=True)], "Group": [st.Page(second)]})
page.run()
