"""Django's settings. What an operator may choose comes from `config.conf`; this file only arranges it."""

from datetime import timedelta
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from common.logs import logging_config
from config.conf import server_settings
from config.databases import django_database
from config.embedded.addresses import database_url, redis_url, secret_key
from config.oidc import sign_in_services
from config.unfold import UNFOLD as UNFOLD

BASE_DIR = Path(__file__).resolve().parent.parent
SERVER = server_settings()

DEBUG = SERVER.debug
SECRET_KEY = secret_key()
ALLOWED_HOSTS = SERVER.allowed_hosts
CSRF_TRUSTED_ORIGINS = SERVER.trusted_origins
FORCE_SCRIPT_NAME = SERVER.sub_path or None
USE_X_FORWARDED_HOST = bool(SERVER.public_url)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SERVER.public_url else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SERVER.is_https
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "config.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "axes",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "common",
    "accounts",
    "inference",
    "knowledge",
    "ontology",
    "retrieval",
    "evaluation",
    "config",
]

MIDDLEWARE = [
    "common.requests.RequestIdMiddleware",
    "common.clean.CleanRequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.subjects.SubjectMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.refusals.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.page",
            ],
        },
    },
]

# One pool a process; see the budget of connections in config.conf. Streams use a pool of their own.
DATABASES = {"default": django_database(database_url(), pool_size=SERVER.database_pool)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "accounts.backends.NameOrEmailBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = int(timedelta(days=7).total_seconds())
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/" if not SERVER.sub_path else f"{SERVER.sub_path}/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "accounts.adapters.ClosedAccountAdapter"
SOCIALACCOUNT_ADAPTER = "accounts.adapters.InvitedOnlySocialAdapter"
SOCIALACCOUNT_LOGIN_ON_GET = True  # browsers refuse to follow a form to the provider's address under our form-action
SOCIALACCOUNT_PROVIDERS = sign_in_services(SERVER)
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = False  # django-axes guards the sign-in
ACCOUNT_USER_MODEL_USERNAME_FIELD = "username"
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_RESET_ON_SUCCESS = True
AXES_USERNAME_CALLABLE = "accounts.guessing.name_tried"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = SERVER.time_zone
USE_TZ = True

STATIC_URL = f"{SERVER.sub_path}/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = SERVER.data / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_MANIFEST_STRICT = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 2000
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
FILE_UPLOAD_TEMP_DIR = None

CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
FORMS_URLFIELD_ASSUME_HTTPS = True

CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": [f"{SERVER.sub_path}/admin/"],
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.KeyAuthentication",
        "accounts.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.authentication.HasSubject"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "common.bodies.JsonParser",
    ],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "common.api.answer_error",
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_PAGINATION_CLASS": "common.api.Pages",
    "PAGE_SIZE": 50,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Trellis",
    "DESCRIPTION": "Documents in, cited answers out.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {"RoleEnum": "knowledge.models.Role"},
    "SERVE_PERMISSIONS": ["accounts.authentication.HasSubject"],
}

CELERY_BROKER_URL = redis_url()
LOGGING = logging_config(SERVER.data / "log", level=SERVER.log_level)
TEST_RUNNER = "django.test.runner.DiscoverRunner"
