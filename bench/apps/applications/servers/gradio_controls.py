"""Further controls of Gradio; what each of them tells the server is kept in a file, line by line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr


def kept(control: str, read: Callable[[Any], Any] = lambda value: value) -> Callable[[Any], None]:
    """What writes down a control's value."""

    def keep(value: Any) -> None:
        with Path("recorded.txt").open("a", encoding="utf-8") as record:
            record.write(json.dumps([control, read(value)]) + "\n")

    return keep


def add_controls() -> None:
    """Put all of them onto the page."""
    gr.Markdown("# Controls")
    for control, component in {
        "textarea": gr.Textbox(label="Notes", lines=3),
        "number": gr.Number(label="Amount", value=3, minimum=0, maximum=9, step=1),
        "multiple": gr.Dropdown(["Tea", "Coffee", "Cocoa"], label="Drinks", multiselect=True),
        "custom": gr.Dropdown(["Red", "Blue"], label="Shade", allow_custom_value=True),
        "slider": gr.Slider(0, 1, value=0.5, step=0.1, label="Share"),
        "checkboxes": gr.CheckboxGroup(["Milk", "Sugar"], label="Extras"),
        "radio": gr.Radio(["Small", "Large"], label="Size"),
        "checkbox": gr.Checkbox(label="Agree"),
        "date": gr.DateTime(label="When", type="string", include_time=False),
        "colour": gr.ColorPicker(label="Paint", value="#ff0000"),
        "code": gr.Code(label="Script", language="python"),
    }.items():
        component.change(kept(control), component)
    file = gr.File(label="Papers")
    file.upload(kept("file", lambda path: Path(path).name), file)
    file.clear(lambda: kept("removed")(value=True))
    button = gr.UploadButton("Attach", file_count="single")
    button.upload(kept("attach", lambda path: Path(path).name), button)
    table = gr.Dataframe([["Tea", 1], ["Coffee", 2]], headers=["Drink", "Price"], interactive=True)
    table.input(kept("table", lambda frame: frame.to_numpy().tolist()[0][0]), table)
    chat = gr.MultimodalTextbox(label="Message", placeholder="Say something")
    chat.submit(kept("chat", lambda said: said["text"]), chat)
    single = gr.Textbox(label="Query", submit_btn=True)
    single.submit(kept("query"), single)
    gr.Examples([["Ask me"]], single)
    single.change(lambda text: text and kept("example")(text), single)
    gr.Button("Save").click(lambda: kept("button")("clicked"))
    gr.ClearButton([single], value="Empty it").click(lambda: kept("clear")("clicked"))
    with gr.Accordion("Help", open=False):
        gr.Button("Inside").click(lambda: kept("accordion")("clicked"))
    with gr.Tabs():
        for name in ("One", "Two"):
            with gr.Tab(f"Part {name}") as tab:
                gr.Markdown(f"All about {name.lower()}.")
            tab.select(lambda name=name: kept("tab")(name))
