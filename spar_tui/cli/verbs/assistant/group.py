"""`spar assistant`: what the assistant's planner is shown, and what a small one can be trained on."""

import typer

from spar_tui.cli.verbs.assistant import demonstrations, training

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def assistant() -> None:
    """What the assistant's planner is shown, and what a small one can be trained on."""


app.command("demonstrations")(demonstrations.demonstrations)
app.command("export-training")(training.export_training)
