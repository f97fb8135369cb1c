"""The ASGI application that uvicorn serves."""

import os

from django.core.asgi import get_asgi_application

from config.conf import server_settings
from config.guard import ExposureGuard
from config.sub_path import SubPath

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = ExposureGuard(SubPath(get_asgi_application(), server_settings().sub_path))
