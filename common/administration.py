"""What the pages of the administration share: forms that write through services, lists that show only what the subject may see, and questions before a deed.

Nothing here saves or deletes a row by itself. A service's refusal becomes an error of the form or a message.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, cast
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.db import models, transaction
from django.forms import Form, ModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from unfold import decorators
from unfold.admin import ModelAdmin

from common.errors import TrellisError

Words = str | Promise
Method = TypeVar("Method", bound=Callable[..., Any])


def action(*, description: Words, url_path: str, icon: str = "") -> Callable[[Method], Method]:
    """A button above a row's page or a list; django-unfold's, with types that hold."""
    return cast(Any, decorators.action)(description=description, url_path=url_path, icon=icon or None)  # type: ignore[no-any-return]


def display(
    *,
    description: Words,
    ordering: str | None = None,
    boolean: bool | None = None,
    label: bool | dict[str, str] | None = None,
) -> Callable[[Method], Method]:
    """A column; django-unfold's, with types that hold."""
    made = cast(Any, decorators.display)
    return made(description=description, ordering=ordering, boolean=boolean, label=label)  # type: ignore[no-any-return]


def subject_of(request: HttpRequest) -> Any:
    """Who looks at the page (`accounts.types.Subject`)."""
    return request.subject  # type: ignore[attr-defined]


def row_id(text: str | None) -> UUID | None:
    """What a request says is an id, as one; None for anything else."""
    try:
        return UUID(text or "")
    except ValueError:
        return None


@contextmanager
def telling(request: HttpRequest) -> Iterator[None]:
    """A refusal inside is told to the person instead of raised."""
    try:
        yield
    except TrellisError as error:
        messages.error(request, str(error))


class ServiceForm(ModelForm):  # type: ignore[type-arg]
    """Its `write` calls a service with what was entered and gives the row; `stored` is the row as it was before."""

    subject: Any = None

    def write(self) -> models.Model:
        raise NotImplementedError

    @property
    def stored(self) -> Any:
        return type(self.instance)._default_manager.get(pk=self.instance.pk)

    @property
    def changes(self) -> dict[str, Any]:
        """Only the fields that were changed."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name in self.cleaned_data}

    def _post_clean(self) -> None:
        if self.errors:
            return
        try:
            with transaction.atomic():
                self.instance = self.write()
        except TrellisError as error:
            field = error.extra.get("field")
            self.add_error(field if field in self.fields else None, str(error))

    def save(self, commit: bool = True) -> Any:
        self.save_m2m = lambda: None  # type: ignore[method-assign]
        return self.instance


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before a deed: `type_name` must be typed first when it can't be undone."""

    title: Words
    text: Words
    action: Words
    type_name: str = ""
    is_danger: bool = False
    rows: Sequence[Any] = ()


class ServiceAdmin(ModelAdmin):
    """Sees nothing and may nothing until a subclass says so."""

    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    list_filter_sheet = False
    list_filter_submit = True
    save_as = False
    actions_list: Any = ()
    actions_detail: Any = ()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"subject": subject_of(request)})

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Without the buttons that add and change related rows in a window of their own."""
        field: Any = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The form has written already."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing is left to save."""

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> None:  # type: ignore[override]
        """The services keep the record."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> None:  # type: ignore[override]
        """The services keep the record."""

    def offers(self, request: HttpRequest, obj: Any) -> set[str]:
        """The names of the `actions_detail` that make sense for this row and this person."""
        return set(self.actions_detail)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        obj = self.get_object(request, str(object_id))
        offered = self.offers(request, obj) if obj is not None else set()
        prefix = f"{self.opts.app_label}_{self.opts.model_name}_"
        return [each for each in self._get_base_actions_detail() if each.action_name.removeprefix(prefix) in offered]

    def found(self, request: HttpRequest, object_id: str) -> Any:
        """The row, when the person may see it. Raises Http404."""
        obj = self.get_object(request, object_id)
        if obj is None or not self.has_view_permission(request, obj):
            raise Http404(_("There is no such thing, or you may not see it."))
        return obj

    def page(self, request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        """A page of ours inside the administration."""
        request.current_app = self.admin_site.name
        whole = {**self.admin_site.each_context(request), "opts": None, **context}
        return render(request, template, whole, status=status)

    def address(self, name: str, *args: Any) -> str:
        """Of a page of this model: "changelist", "change", …"""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{name}", args=args)

    def ask(
        self,
        request: HttpRequest,
        question: Question,
        deed: Callable[[], HttpResponse | None],
        *,
        back: str,
        form: Form | None = None,
    ) -> HttpResponse:
        """GET asks, POST does; then goes to where the deed says, else back. Refusals are told."""
        typed = request.POST.get("confirm", "").strip()
        is_sure = request.method == "POST" and (not question.type_name or typed == question.type_name)
        if is_sure and (form is None or form.is_valid()):
            answer = None
            with telling(request):
                answer = deed()
            return answer or redirect(back)
        context = {
            "title": question.title,
            "question": question,
            "form": form,
            "back": back,
            "is_mistyped": request.method == "POST" and not is_sure,
        }
        return self.page(request, "admin/confirm.html", context)
