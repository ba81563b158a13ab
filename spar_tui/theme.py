"""The app's own colours: quiet, with one accent."""

from textual.theme import Theme

NIGHT = Theme(
    name="spar-night",
    primary="#7aa2c9",
    secondary="#8f9fb3",
    accent="#d7a65f",
    warning="#d7a65f",
    error="#d97b74",
    success="#86b384",
    foreground="#d6dae0",
    background="#14171c",
    surface="#14171c",
    panel="#1d2229",
    dark=True,
    variables={
        "block-cursor-background": "#2b3644",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#20262e",
        "block-cursor-blurred-foreground": "#d6dae0",
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": "#1d2229",
        "border": "#7aa2c9",
        "border-blurred": "#363d47",
        "scrollbar": "#363d47",
        "scrollbar-background": "#14171c",
        "scrollbar-corner-color": "#14171c",
    },
)
