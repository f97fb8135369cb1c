"""The fields of the forms by which the parts of a skeleton are edited: what each says, where it stands below its part, and what of it is certainly wrong. Everything else is judged by the checker."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import InvalidInput
from ontology.editing.changes import usable
from ontology.editing.places import Path
from ontology.pages.line_fields import LinesField, OptionsField
from ontology.types import ValueType

LABEL_MAX, DESCRIPTION_MAX = 200, 2000
TYPES = (
    (ValueType.TEXT.value, gettext_lazy("text")),
    (ValueType.INTEGER.value, gettext_lazy("whole number")),
    (ValueType.NUMBER.value, gettext_lazy("decimal number")),
    (ValueType.BOOLEAN.value, gettext_lazy("yes or no")),
    (ValueType.DATE.value, gettext_lazy("date")),
    (ValueType.ENUM.value, gettext_lazy("one of several options")),
    (ValueType.REFERENCE.value, gettext_lazy("a reference to a class")),
)
SAID_WITHOUT_WORDS = {"type": ValueType.TEXT.value}
"""Values that a skeleton has where nothing is written."""


class PartForm(forms.Form):
    """One form over one part. Only what a person has changed in it is written: each field carries what it was shown with."""

    places: ClassVar[Mapping[str, Path]] = {}

    def __init__(self, data: Any = None, *, declared: Any = None, names: Sequence[str] = (), name: str = "") -> None:
        shown = {field: below(declared, place) for field, place in self.places.items()}
        super().__init__(
            data, initial={**SAID_WITHOUT_WORDS, **without_nothing(shown), "name": name}, auto_id="part-%s"
        )
        for field in self.fields.values():
            field.show_hidden_initial = bool(name)
        self.offer(names)

    def offer(self, names: Sequence[str]) -> None:
        """Choices among classes."""

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        try:
            usable(name)
        except InvalidInput as error:
            raise forms.ValidationError(str(error)) from None
        return name

    def written(self) -> dict[Path, Any]:
        """What was changed, by its place below the part; None for what is to go."""
        return {
            self.places[field]: value_of(field, self.cleaned_data[field])
            for field in self.changed_data
            if field in self.places
        }


class WordsForm(PartForm):
    """What every part has: a name, and words for people in both languages."""

    places: ClassVar[Mapping[str, Path]] = {
        "en": ("labels", "en"),
        "zh": ("labels", "zh"),
        "description_en": ("description", "en"),
        "description_zh": ("description", "zh"),
    }
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        help_text=gettext_lazy("What is written in the text and kept with every fact."),
    )
    en = forms.CharField(label=gettext_lazy("English label"), max_length=LABEL_MAX, required=False)
    zh = forms.CharField(label=gettext_lazy("Chinese label"), max_length=LABEL_MAX, required=False)
    description_en = forms.CharField(
        label=gettext_lazy("English description"),
        max_length=DESCRIPTION_MAX,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    description_zh = forms.CharField(
        label=gettext_lazy("Chinese description"),
        max_length=DESCRIPTION_MAX,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class ClassForm(WordsForm):
    """A class in words."""

    places: ClassVar[Mapping[str, Path]] = {**WordsForm.places, "subject": ("subject",)}
    subject = forms.BooleanField(label=gettext_lazy("A document is one of these, unless more is known"), required=False)


class RulesForm(PartForm):
    """How the entities of a class are found without a model."""

    places: ClassVar[Mapping[str, Path]] = {
        name: ("rules", name)
        for name in (
            "patterns",
            "suffixes",
            "stop_names",
            "columns",
            "also_named_in",
            "record_headings",
            "self_names",
            "as_written",
            "alias_in_brackets",
        )
    }
    patterns = LinesField(
        label=gettext_lazy("Forms of names"),
        help_text=gettext_lazy("Regular expressions for whole names: P-\\d{2,3}[A-Z]?"),
    )
    suffixes = LinesField(label=gettext_lazy("What names end in"), help_text=gettext_lazy("“Department”, “有限公司”"))
    stop_names = LinesField(
        label=gettext_lazy("What looks like a name and is none"), help_text=gettext_lazy("“Our Company”, “本公司”")
    )
    columns = LinesField(
        label=gettext_lazy("Table columns that hold them"),
        help_text=gettext_lazy("The name and the labels are among them."),
    )
    also_named_in = LinesField(label=gettext_lazy("Table columns with another name of them"))
    record_headings = LinesField(
        label=gettext_lazy("Headings that begin a record"), help_text=gettext_lazy("Regular expressions: ^Fault E-\\d+")
    )
    self_names = LinesField(
        label=gettext_lazy("What a document of this class calls itself"),
        help_text=gettext_lazy("“This policy”, “本制度”"),
    )
    as_written = forms.BooleanField(label=gettext_lazy("Small letters are another word than the name"), required=False)
    alias_in_brackets = forms.BooleanField(
        label=gettext_lazy("A name of the other script in brackets is another name"), required=False
    )


class AttributeForm(WordsForm):
    """An attribute of a class or a relation."""

    places: ClassVar[Mapping[str, Path]] = {
        **{name: (name,) for name in ("type", "unit", "options", "to", "keys")},
        **WordsForm.places,
    }
    type = forms.ChoiceField(label=gettext_lazy("Type"), choices=TYPES)
    unit = forms.CharField(
        label=gettext_lazy("Unit"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("Of a number."),
        widget=forms.TextInput(attrs={"list": "units"}),
    )
    to = forms.ChoiceField(label=gettext_lazy("Refers to"), required=False, help_text=gettext_lazy("Of a reference."))
    options = OptionsField(
        label=gettext_lazy("Options"),
        help_text=gettext_lazy("Of an enum, a line for each, with other spellings: retired: end of life | 停产"),
    )
    keys = LinesField(
        label=gettext_lazy("Columns and keys that mean it"),
        help_text=gettext_lazy("A line for each; the name and the labels are among them."),
    )
    field_order = ("name", "type", "unit", "to", "options", "keys", *WordsForm.places)

    def offer(self, names: Sequence[str]) -> None:
        was = self.initial.get("to")
        named = [*names, *([was] if was and was not in names else [])]
        self.fields["to"].choices = [("", "–"), *((each, each) for each in named)]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        kind = given.get("type")
        if kind == ValueType.ENUM and not given.get("options"):
            self.add_error("options", _("Write the options, a line for each."))
        if kind == ValueType.REFERENCE and not given.get("to"):
            self.add_error("to", _("Choose the class."))
        return given


class RelationForm(WordsForm):
    """A relation in words, and what it joins."""

    places: ClassVar[Mapping[str, Path]] = {
        "sources": ("from",),
        "targets": ("to",),
        **WordsForm.places,
        "inverse_en": ("inverse", "en"),
        "inverse_zh": ("inverse", "zh"),
    }
    sources = forms.MultipleChoiceField(label=gettext_lazy("Leads from"), widget=forms.CheckboxSelectMultiple)
    targets = forms.MultipleChoiceField(label=gettext_lazy("Leads to"), widget=forms.CheckboxSelectMultiple)
    inverse_en = forms.CharField(
        label=gettext_lazy("English label the other way round"), max_length=LABEL_MAX, required=False
    )
    inverse_zh = forms.CharField(
        label=gettext_lazy("Chinese label the other way round"), max_length=LABEL_MAX, required=False
    )
    field_order = (
        "name",
        "sources",
        "targets",
        "en",
        "zh",
        "inverse_en",
        "inverse_zh",
        "description_en",
        "description_zh",
    )

    def offer(self, names: Sequence[str]) -> None:
        for end in ("sources", "targets"):
            was = self.initial.get(end) or []
            was = was if isinstance(was, list) else [was]
            self.initial[end] = was
            named = [*names, *(each for each in was if each not in names)]
            self.fields[end].choices = [(each, each) for each in named]  # type: ignore[attr-defined]


class PhrasesForm(PartForm):
    """How a relation is found without a model."""

    places: ClassVar[Mapping[str, Path]] = {name: (name,) for name in ("phrases", "columns", "inverse_columns")}
    phrases = LinesField(
        label=gettext_lazy("Sentences that say it"),
        rows=6,
        help_text=gettext_lazy("A line for each: {source} (is|are) supplied by [the ]{target}"),
    )
    columns = LinesField(
        label=gettext_lazy("Table columns with its target"), help_text=gettext_lazy("“Supplier” in a table of pumps.")
    )
    inverse_columns = LinesField(
        label=gettext_lazy("Table columns with its source"), help_text=gettext_lazy("“Owner” in a table of systems.")
    )


def below(declared: Any, place: Path) -> Any:
    """What stands at a place below a part; None where nothing of the kind does."""
    for step in place:
        declared = declared.get(step) if isinstance(declared, dict) else None
    return declared


def without_nothing(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Flags as flags."""
    flags = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    return {
        field: flags.get(str(value).lower(), value)
        if field in ("subject", "as_written", "alias_in_brackets")
        else value
        for field, value in shown.items()
        if value is not None
    }


def value_of(field: str, cleaned: Any) -> Any:
    """As it is written in a skeleton: None where nothing needs to be."""
    value = " ".join(cleaned.split()) if isinstance(cleaned, str) else cleaned
    return None if not value or value == SAID_WITHOUT_WORDS.get(field) else value
