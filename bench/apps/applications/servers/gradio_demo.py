"""A page with the controls of Gradio; it runs in an environment of its own, with the port as argument."""

import sys
from pathlib import Path

import gradio as gr
from gradio_controls import add_controls


def describe(
    name: str,
    drink: str,
    strength: int,
    extras: list[str],
    hot: bool,  # noqa: FBT001 - called by position
    size: str,
) -> str:
    """What the first tab answers."""
    added = " and ".join(extras) or "nothing"
    answer = f"{name}: {size} {'hot' if hot else 'cold'} {drink}, strength {strength}, with {added}"
    Path("answer.txt").write_text(answer, encoding="utf-8")
    return answer


with gr.Blocks(title="Orders") as demo:
    gr.Navbar(visible=False)
    gr.Markdown("# Orders")
    with gr.Tab("Order"):
        name = gr.Textbox(label="Name")
        drink = gr.Dropdown(["Tea", "Coffee", "Cocoa"], label="Drink", value="Tea")
        strength = gr.Slider(0, 10, value=3, step=1, label="Strength")
        extras = gr.CheckboxGroup(["Milk", "Sugar", "Lemon"], label="Extras")
        hot = gr.Checkbox(label="Hot", value=False)
        size = gr.Radio(["Small", "Large"], label="Size", value="Small")
        order = gr.Button("Order")
        answer = gr.Textbox(label="Answer", interactive=False)
        order.click(
            describe, [name, drink, strength, extras, hot, size], answer, api_name="describe"
        )
    with gr.Tab("Count"):
        number = gr.Number(label="Number", value=1)
        double = gr.Button("Double")
        result = gr.Number(label="Result")
        double.click(lambda value: value * 2, number, result)
    with gr.Accordion("Help", open=False):
        gr.Markdown("Fill in the form and press the button.")

with demo.route("Controls", "/controls"):
    gr.Navbar(visible=False)
    add_controls()

demo.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), share=False, quiet=True)
