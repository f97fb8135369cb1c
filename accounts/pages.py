"""Pages of accounts beyond what allauth brings: choosing a password by a link."""

from uuid import UUID

from django.contrib.auth import login
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounts.links import invitee
from accounts.models import User
from accounts.services.people import user_set_password
from accounts.subjects import subject_of_user


@sensitive_post_parameters()
@never_cache
def welcome(request: HttpRequest, user_id: UUID, token: str) -> HttpResponse:
    """GET and POST /accounts/welcome/{user_id}/{token}/: choose a password, and be signed in."""
    user = invitee(user_id, token)
    if user is None:
        return render(request, "account/invite_accept.html", {"is_expired": True}, status=410)
    form: SetPasswordForm[User] = SetPasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        user_set_password(subject=subject_of_user(user), user=user, password=form.cleaned_data["new_password1"])
        login(request, user, backend="accounts.backends.NameOrEmailBackend")
        return redirect("/")
    is_reset = user.last_login is not None
    return render(request, "account/invite_accept.html", {"form": form, "invitee": user, "is_reset": is_reset})
