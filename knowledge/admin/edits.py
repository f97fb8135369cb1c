"""Forms that change documents: one document whole, or many at once."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSingleDateWidget,
    UnfoldAdminTextInputWidget,
)

from accounts.models import User
from common.administration import ServiceForm
from knowledge.admin.members import person_called
from knowledge.models import Document
from knowledge.services.documents import BulkEdit, document_edit


def words_in(text: str) -> list[str]:
    """Tags as they are written: apart by commas, Chinese ones too, or lines."""
    for mark in ("，", "、", "\n"):
        text = text.replace(mark, ",")
    return [word.strip() for word in text.split(",") if word.strip()]


class PersonField(forms.CharField):
    """A person by the name they sign in with; None when empty."""

    def clean(self, value: Any) -> User | None:
        name = super().clean(value)
        if not name:
            return None
        found = person_called(name)
        if found is None:
            raise forms.ValidationError(gettext("There is nobody of this name who is active."))
        return found


class DocumentForm(ServiceForm):
    """What an editor may set by hand; it wins over what files say of themselves."""

    tags_text = forms.CharField(
        label=_("Tags"), help_text=_("Apart by commas."), required=False, widget=UnfoldAdminTextInputWidget()
    )
    owner_name = PersonField(
        label=_("Responsible person"),
        help_text=_("The name they sign in with."),
        required=False,
        widget=UnfoldAdminTextInputWidget(),
    )

    class Meta:
        model = Document
        fields = ("title", "path", "source_url", "effective_on", "expires_on")
        help_texts = {
            "path": _("Folder and name. Citations and addresses stay right when it changes."),
            "expires_on": _("After this day it is in no answer and no search."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["tags_text"] = ", ".join(self.instance.tags)
        self.initial["owner_name"] = self.instance.owner.username if self.instance.owner else ""

    def write(self) -> Document:
        changes = self.changes
        if "tags_text" in changes:
            changes["tags"] = words_in(changes.pop("tags_text"))
        if "owner_name" in changes:
            changes["owner"] = changes.pop("owner_name")
        stored: Document = self.stored
        return document_edit(subject=self.subject, document=stored, changes=changes) if changes else stored


class BulkForm(forms.Form):
    """What is left empty stays as it is; a date or person is taken away by its check box."""

    add_tags = forms.CharField(
        label=_("Add tags"), help_text=_("Apart by commas."), required=False, widget=UnfoldAdminTextInputWidget()
    )
    remove_tags = forms.CharField(label=_("Remove tags"), required=False, widget=UnfoldAdminTextInputWidget())
    folder = forms.CharField(
        label=_("Move to the folder"),
        help_text=_("A single / means the top."),
        required=False,
        max_length=800,
        widget=UnfoldAdminTextInputWidget(),
    )
    owner = PersonField(
        label=_("Responsible person"),
        help_text=_("The name they sign in with."),
        required=False,
        widget=UnfoldAdminTextInputWidget(),
    )
    effective_on = forms.DateField(label=_("Effective from"), required=False, widget=UnfoldAdminSingleDateWidget())
    expires_on = forms.DateField(label=_("Expires after"), required=False, widget=UnfoldAdminSingleDateWidget())
    clear = forms.MultipleChoiceField(
        label=_("Take away"),
        choices=[
            ("owner", _("the responsible person")),
            ("effective_on", _("the date from which it is effective")),
            ("expires_on", _("the date of expiry")),
        ],
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and not any(given.values()):
            raise forms.ValidationError(gettext("Say what is to change."))
        return given

    def change(self) -> BulkEdit:
        """As the service takes it."""
        given = self.cleaned_data
        fields: dict[str, Any] = {name: "" if name != "owner" else None for name in given["clear"]}
        if given["owner"]:
            fields["owner"] = given["owner"]
        for name in ("effective_on", "expires_on"):
            if given[name]:
                fields[name] = given[name]
        return BulkEdit(
            fields=fields,
            folder=given["folder"].strip("/ ") if given["folder"] else None,
            add_tags=words_in(given["add_tags"]),
            remove_tags=words_in(given["remove_tags"]),
        )
