"""Wiring: settings, urls, asgi, celery, the one place that binds ports, and the engines from wheels."""
