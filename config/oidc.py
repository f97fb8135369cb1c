"""Sign-in services by OpenID Connect, from the server's settings, in the form that allauth reads."""

from typing import Any

from config.conf import ServerSettings


def sign_in_services(server: ServerSettings) -> dict[str, Any]:
    """allauth's SOCIALACCOUNT_PROVIDERS: one service when `OIDC_URL` is given, else none."""
    if not server.oidc_url:
        return {}
    app = {
        "provider_id": "oidc",
        "name": server.oidc_name or "OpenID Connect",
        "client_id": server.oidc_client_id,
        "secret": server.oidc_client_secret.get_secret_value(),
        "settings": {"server_url": server.oidc_url},
    }
    return {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}}
