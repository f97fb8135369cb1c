"""Knowledge bases in the administration: made by administrators and managers, changed by their owners, deleted only by name."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from accounts.models import Department
from common.administration import Question, ServiceAdmin, ServiceForm, action, display, subject_of
from knowledge import policy
from knowledge.admin.members import MembersPage
from knowledge.models import Document, DocumentState, KnowledgeBase, Role
from knowledge.rights import rights_in
from knowledge.selectors.documents import reading_condition
from knowledge.services.bases import kb_create, kb_delete, kb_update
from knowledge.services.purging import purge_start

QUESTIONS = 6
LONGEST_QUESTION = 300


class BaseForm(ServiceForm):
    """The short name is chosen once, because addresses and programs use it."""

    questions_text = forms.CharField(
        label=_("Suggested questions"),
        help_text=_("One a line, at most six. Readers see them before their first question."),
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )
    everyone = forms.ChoiceField(
        label=_("Everyone who is signed in"),
        choices=[("", _("sees nothing until you name members")), (Role.VIEWER.value, _("may read"))],
        required=False,
        widget=UnfoldAdminSelectWidget(),
    )

    class Meta:
        model = KnowledgeBase
        fields = ("name", "slug", "description", "department")
        help_texts = {"slug": _("For addresses and programs; it can't be changed later.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding and "questions_text" in self.fields:
            self.initial["questions_text"] = "\n".join(self.instance.questions)
        if "department" in self.fields and not self.subject.is_administrator:
            self.fields["department"].queryset = Department.objects.filter(  # type: ignore[attr-defined]
                pk__in=self.subject.managed_department_ids
            )

    def clean_questions_text(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["questions_text"].splitlines()]
        questions = [line for line in lines if line]
        if len(questions) > QUESTIONS:
            raise forms.ValidationError(gettext("At most %(count)d questions.") % {"count": QUESTIONS})
        if any(len(line) > LONGEST_QUESTION for line in questions):
            raise forms.ValidationError(
                gettext("A question has at most %(count)d characters.") % {"count": LONGEST_QUESTION}
            )
        return questions

    def write(self) -> KnowledgeBase:
        if self.instance._state.adding:
            return self.made()
        changes = self.changes
        stored: KnowledgeBase = self.stored
        questions = changes.pop("questions_text", stored.questions)
        if questions != stored.questions:
            changes["questions"] = questions
        changes.pop("everyone", None)
        return kb_update(subject=self.subject, kb=stored, changes=changes) if changes else stored

    def made(self) -> KnowledgeBase:
        given = self.cleaned_data
        return kb_create(
            subject=self.subject,
            slug=given["slug"],
            name=given["name"],
            description=given["description"],
            department=given["department"],
            questions=given["questions_text"],
            role_of_everyone=Role(given["everyone"]) if given["everyone"] else None,
        )


@admin.register(KnowledgeBase)
class BaseAdmin(ServiceAdmin):
    """Editors find theirs here, with the ways to its documents."""

    form = BaseForm
    list_display = ("name", "slug", "department", "documents", "failed", "members_link")
    search_fields = ("name", "slug")
    ordering = ("name",)
    actions_detail = ("show_documents", "upload", "members", "model_reading", "empty_bin", "remove")
    members_page = MembersPage()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        rights = rights_in(request)
        return rights.is_editor or self.has_add_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        subject = subject_of(request)
        return bool(subject.is_administrator or subject.managed_department_ids)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return rights_in(request).is_owner
        return policy.role_in(subject_of(request), obj.pk) == Role.OWNER

    def get_queryset(self, request: HttpRequest) -> QuerySet[KnowledgeBase]:
        live = Q(documents__state=DocumentState.LIVE)
        found = policy.visible(KnowledgeBase.objects.all(), subject_of(request), least=Role.EDITOR)
        return found.select_related("department").annotate(document_count=Count("documents", filter=live))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return [(None, {"fields": ("name", "slug", "description", "department", "everyone", "questions_text")})]
        if not self.has_change_permission(request, obj):
            return [(None, {"fields": ("name", "slug", "description", "department")})]
        pays = ("department",) if subject_of(request).is_administrator else ()
        return [(None, {"fields": ("name", "description", *pays, "questions_text")})]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return {"slug": ("name",)} if obj is None else {}

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"department": subject_of(request).department_id}

    @display(description=_("documents"), ordering="document_count")
    def documents(self, obj: Any) -> str:
        return format_html('<a class="ad-link" href="{}">{}</a>', documents_address(kb=obj.slug), obj.document_count)

    @display(description=_("to mend"))
    def failed(self, obj: Any) -> str:
        count = failed_in(obj)
        if not count:
            return "–"
        return format_html(
            '<a class="ad-link" href="{}">{}</a>', documents_address(kb=obj.slug, reading="failed"), count
        )

    @display(description=_("members"))
    def members_link(self, obj: Any) -> str:
        return format_html('<a class="ad-link" href="{}">{}</a>', self.address("members", obj.pk), gettext("Members"))

    def offers(self, request: HttpRequest, obj: Any) -> set[str]:
        owned = {"members", "remove"} if self.has_change_permission(request, obj) else set()
        has_bin = {"empty_bin"} if binned_in(obj).exists() else set()
        return {"show_documents", "upload", "model_reading"} | owned | has_bin

    @action(description=_("Documents"), url_path="documents", icon="description")
    def show_documents(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(documents_address(kb=self.found(request, object_id).slug))

    @action(description=_("Upload"), url_path="upload", icon="upload")
    def upload(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(f"{reverse('knowledge_upload')}?{urlencode({'kb': self.found(request, object_id).slug})}")

    @action(description=_("Members"), url_path="members", icon="group")
    def members(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Who may do what in it."""
        return self.members_page.answer(self, request, self.found(request, object_id))

    @action(description=_("What a model reads"), url_path="model", icon="smart_toy")
    def model_reading(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Its page stands with the ontology's."""
        return redirect("reading_policy", slug=self.found(request, object_id).slug)

    @action(description=_("Empty the bin"), url_path="empty-bin", icon="delete_sweep")
    def empty_bin(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A job that one is taken to."""
        kb = self.found(request, object_id)
        count = binned_in(kb).count()
        text = ngettext(
            "This can't be undone. %(count)d document goes with its versions, original, passages and vectors, and quotations of it are erased.",
            "This can't be undone. %(count)d documents go with their versions, originals, passages and vectors, and quotations of them are erased.",
            count,
        )
        question = Question(
            title=gettext("Empty the bin of “%(name)s”?") % {"name": kb},
            text=text % {"count": count},
            action=_("Delete for good"),
            type_name=kb.slug,
            is_danger=True,
        )

        def deed() -> HttpResponse:
            job = purge_start(subject=subject_of(request), kb=kb, documents=list(binned_in(kb)))
            return redirect("job", job_id=job.pk)

        return self.ask(request, question, deed, back=self.address("change", kb.pk))

    @action(description=_("Delete"), url_path="remove", icon="delete")
    def remove(self, request: HttpRequest, object_id: str) -> HttpResponse:
        kb = self.found(request, object_id)
        question = Question(
            title=gettext("Delete “%(name)s” with all its documents?") % {"name": kb},
            text=gettext(
                "This can't be undone. All %(count)d documents, their versions and originals go, and answers that cite them say that their source was deleted."
            )
            % {"count": kb.document_count},
            action=_("Delete for good"),
            type_name=kb.slug,
            is_danger=True,
        )

        def deed() -> HttpResponse:
            job = kb_delete(subject=subject_of(request), kb=kb)
            word = gettext("“%(name)s” is being deleted.") if job else gettext("“%(name)s” is deleted.")
            messages.success(request, word % {"name": kb.name})
            return redirect(self.address("changelist"))

        return self.ask(request, question, deed, back=self.address("change", kb.pk))


def documents_address(**filters: str) -> str:
    """Of the list of documents, narrowed."""
    return f"{reverse('admin:knowledge_document_changelist')}?{urlencode(filters)}"


def binned_in(kb: KnowledgeBase) -> QuerySet[Document]:
    return kb.documents.filter(state=DocumentState.BINNED)


def failed_in(kb: KnowledgeBase) -> int:
    """Documents whose newest reading failed."""
    return kb.documents.filter(reading_condition("failed"), state=DocumentState.LIVE).count()
