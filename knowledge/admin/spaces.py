"""Embedding spaces in the administration: what there is, and the switch to another one. They are fitted and filled by `manage.py space`."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from common.administration import Question, ServiceAdmin, action, display, subject_of
from inference.models import EmbeddingSpace, SpaceState
from knowledge.rights import rights_in
from knowledge.spaces import activate_space


@admin.register(EmbeddingSpace)
class SpaceAdmin(ServiceAdmin):
    """Operators look, administrators switch."""

    list_display = ("name", "state_label", "raw_dims", "dims", "kept", "fitted_on", "vector_count", "activated_at")
    fields = ("number", "model", "state_label", "raw_dims", "dims", "kept", "fitted_on", "vector_count", "activated_at")
    readonly_fields = fields
    ordering = ("number",)
    actions_detail = ("activate",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return rights_in(request).sees_engines

    @display(description=_("space"), ordering="number")
    def name(self, obj: EmbeddingSpace) -> str:
        return f"#{obj.number} {obj.model}"

    @display(
        description=_("state"),
        ordering="state",
        label={"active": "success", "ready": "info", "filling": "warning", "retired": ""},
    )
    def state_label(self, obj: EmbeddingSpace) -> tuple[str, Any]:
        return obj.state, obj.get_state_display()

    @display(description=_("variance kept"), ordering="variance")
    def kept(self, obj: EmbeddingSpace) -> str:
        return f"{obj.variance:.1%}"

    @display(description=_("vectors"))
    def vector_count(self, obj: EmbeddingSpace) -> int:
        return obj.vectors.count()

    def offers(self, request: HttpRequest, obj: Any) -> set[str]:
        may = subject_of(request).is_administrator and obj.state in (SpaceState.READY, SpaceState.RETIRED)
        return {"activate"} if may else set()

    @action(description=_("Activate"), url_path="activate", icon="swap_horiz")
    def activate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        space = self.found(request, object_id)
        question = Question(
            title=gettext("Compare questions in the space %(name)s from now on?") % {"name": space},
            text=_(
                "The order of what is found may change for everyone. The space in use now stays and can be activated again."
            ),
            action=_("Activate"),
        )

        def deed() -> None:
            activate_space(subject=subject_of(request), space=space)
            messages.success(request, gettext("The space %(name)s is in use.") % {"name": space})

        return self.ask(request, question, deed, back=self.address("change", space.pk))
