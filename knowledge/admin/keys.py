"""API keys in the administration: of all people for administrators, of their departments' people for managers. The text of a key is shown once."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from accounts.admin.departments import managed, manages
from accounts.models import ApiKey, Scope, User
from accounts.services.keys import key_create, key_revoke
from common.administration import Question, ServiceAdmin, ServiceForm, action, display, subject_of
from knowledge.models import KnowledgeBase
from knowledge.selectors.bases import bases_for
from knowledge.services.grants import grants_replace


class KeyForm(ServiceForm):
    """Of an existing key only its knowledge bases can be changed."""

    scopes = forms.MultipleChoiceField(
        label=_("Scopes"), choices=Scope.choices, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    bases = forms.ModelMultipleChoiceField(
        KnowledgeBase.objects.none(),
        label=_("Knowledge bases"),
        help_text=_("The key reaches these, at most in its owner's role. Without any it reads nothing."),
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )

    class Meta:
        model = ApiKey
        fields = ("name", "owner", "department", "reads_all", "expires_at")
        help_texts = {
            "owner": _("The key acts for this person, and never may more than they."),
            "department": _("It pays for what the key asks; the owner's own when left empty."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "bases" in self.fields:
            self.fields["bases"].queryset = bases_for(self.subject)  # type: ignore[attr-defined]
            if not self.instance._state.adding:
                self.initial["bases"] = list(KnowledgeBase.objects.filter(key_grants__key=self.instance))
        if "department" in self.fields:
            self.fields["department"].required = False
            self.fields["department"].queryset = managed(self.subject)  # type: ignore[attr-defined]
        if "owner" in self.fields:
            people = User.objects.filter(is_active=True)
            if not self.subject.is_administrator:
                people = people.filter(department__in=managed(self.subject))
            self.fields["owner"].queryset = people  # type: ignore[attr-defined]

    def write(self) -> ApiKey:
        given = self.cleaned_data
        if self.instance._state.adding:
            made = key_create(
                subject=self.subject,
                owner=given["owner"],
                name=given["name"],
                scopes=given["scopes"],
                department=given["department"],
                reads_all=given["reads_all"],
                expires_at=given["expires_at"],
            )
            key = made.key
            key.text = made.text  # type: ignore[attr-defined]
        else:
            key = self.stored
        grants_replace(subject=self.subject, key=key, bases=given["bases"])
        return key


class KeyStateFilter(admin.SimpleListFilter):
    """Whether a key still works."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("works", _("works")), ("expired", _("expired")), ("revoked", _("revoked"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> QuerySet[ApiKey]:
        expired = {"expires_at__isnull": False, "expires_at__lte": timezone.now()}
        match self.value():
            case "works":
                return queryset.filter(revoked_at=None).exclude(**expired)
            case "expired":
                return queryset.filter(revoked_at=None, **expired)
            case "revoked":
                return queryset.filter(revoked_at__isnull=False)
            case _:
                return queryset


@admin.register(ApiKey)
class KeyAdmin(ServiceAdmin):
    """Programs' ways in."""

    form = KeyForm
    list_display = ("name", "start", "owner", "department", "allowed", "state", "last_used_at")
    list_filter = (KeyStateFilter, "department")
    search_fields = ("name", "prefix", "owner__username", "owner__full_name")
    ordering = ("-created_at",)
    readonly_fields = ("start", "allowed", "state", "created_at", "last_used_at", "revoked_at")
    actions_detail = ("revoke",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return manages(subject_of(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return manages(subject_of(request))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return manages(subject_of(request)) and (obj is None or obj.revoked_at is None)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        subject = subject_of(request)
        found = ApiKey.objects.select_related("owner", "department")
        return found if subject.is_administrator else found.filter(department__in=managed(subject))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            fields = ("name", "owner", "department", "scopes", "reads_all", "bases", "expires_at")
            return [(None, {"fields": fields})]
        facts = ("name", "start", "owner", "department", "allowed", "reads_all", "expires_at", "state")
        record = (_("Record"), {"fields": ("created_at", "last_used_at", "revoked_at")})
        if not self.has_change_permission(request, obj):
            return [(None, {"fields": facts}), record]
        return [(None, {"fields": facts}), (_("Reaches"), {"fields": ("bases",)}), record]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return ()
        return ("name", "owner", "department", "reads_all", "expires_at", *self.readonly_fields)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """What is chosen once is not asked for again."""
        form = super().get_form(request, obj, change=change, **kwargs)
        if obj is not None:
            form.base_fields.pop("scopes", None)
        return form

    @display(description=_("begins with"))
    def start(self, obj: ApiKey) -> str:
        return f"trl_{obj.prefix}_…"

    @display(description=_("may"))
    def allowed(self, obj: ApiKey) -> str:
        return ", ".join(str(Scope(scope).label) for scope in obj.scopes if scope in Scope.values)

    @display(
        description=_("state"),
        label={"works": "success", "expired": "warning", "revoked": "danger"},
    )
    def state(self, obj: ApiKey) -> tuple[str, Any]:
        if obj.revoked_at:
            return "revoked", _("revoked")
        if obj.expires_at and obj.expires_at <= timezone.now():
            return "expired", _("expired")
        return "works", _("works")

    def offers(self, request: HttpRequest, obj: Any) -> set[str]:
        return {"revoke"} if self.has_change_permission(request, obj) else set()

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> HttpResponse:
        """The only page that shows the key."""
        answer = self.page(
            request,
            "admin/key.html",
            {"title": gettext("The new key"), "key": obj, "text": obj.text, "back": self.address("changelist")},
        )
        answer["Cache-Control"] = "no-store"
        return answer

    @action(description=_("Revoke"), url_path="revoke", icon="key_off")
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        key = self.found(request, object_id)
        question = Question(
            title=gettext("Revoke the key “%(name)s”?") % {"name": key.name},
            text=_("Programs that use it are refused at once. This can't be undone; a new key can be made."),
            action=_("Revoke"),
            is_danger=True,
        )

        def deed() -> None:
            key_revoke(subject=subject_of(request), key=key)
            messages.success(request, gettext("The key “%(name)s” is revoked.") % {"name": key.name})

        return self.ask(request, question, deed, back=self.address("change", key.pk))
