"""Lists in a form: a text area with a line for each."""

from typing import Any

from django import forms


class LinesField(forms.CharField):
    """A list, a line for each."""

    def __init__(self, **kwargs: Any) -> None:
        rows = kwargs.pop("rows", 3)
        attrs = {"rows": rows, "spellcheck": "false"}
        super().__init__(required=False, widget=forms.Textarea(attrs=attrs), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        lines = value if isinstance(value, list | tuple) else str(value or "").splitlines()
        return [line for each in lines if (line := str(each).strip())]


class OptionsField(LinesField):
    """Options of an enum, a line for each with its other spellings: “retired: end of life | 停产”. A list where none has any, else a mapping."""

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            spelled = [
                (option, " | ".join(others if isinstance(others, list) else [])) for option, others in value.items()
            ]
            return "\n".join(f"{option}: {others}" if others else option for option, others in spelled)
        return super().prepare_value(value)

    def to_python(self, value: Any) -> Any:
        if isinstance(value, dict):
            return value
        found = dict(map(option_in, super().to_python(value)))
        return found if any(found.values()) else list(found)


def option_in(line: str) -> tuple[str, list[str]]:
    """“retired: end of life | 停产” as an option and its spellings."""
    option, _colon, spellings = line.replace("：", ":").partition(":")
    return option.strip(), [each.strip() for each in spellings.replace("｜", "|").split("|") if each.strip()]
