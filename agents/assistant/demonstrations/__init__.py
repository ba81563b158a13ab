"""Pairs of what a person says and the plan for it: planners are shown them (InteRecAgent §3.3) or trained on them."""
