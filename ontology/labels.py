"""Words of a skeleton in the reader's language."""

from django.utils.translation import get_language

from ontology.types import AttributeType, CompiledSkeleton, EntityClass, Labels, RelationType


def word(labels: Labels, name: str) -> str:
    """In the reader's language, else in any, else the name itself."""
    return word_in("zh" if (get_language() or "").startswith("zh") else "en", labels, name)


def word_in(language: str, labels: Labels, name: str) -> str:
    """In this language, else in any, else the name itself."""
    return labels.get(language) or next(iter(labels.values()), "") or name


def labelled(declared: EntityClass | RelationType | AttributeType | None, name: str) -> str:
    """What people call it; the name itself where the skeleton does not have it (any more)."""
    return word(declared.labels, name) if declared else name


def class_label(skeleton: CompiledSkeleton, name: str) -> str:
    """What people call the class of that name."""
    return labelled(skeleton.classes.get(name), name)


def labelled_inverse(declared: RelationType | None, name: str) -> str:
    """The relation as it reads from its target; the plain label with an arrow where nobody wrote one."""
    if declared and declared.inverse:
        return word(declared.inverse, name)
    return f"← {labelled(declared, name)}"
