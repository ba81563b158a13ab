"""`spar assistant`: what the planner of chat learns from, and what a small one can be trained on."""

from spar_tui.cli.verbs.talk.demonstrations import app, export_training

app.command("export-training")(export_training)
