"""Widgets that draw several papers at a glance."""
