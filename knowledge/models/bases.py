"""Knowledge bases, and who may do what in them."""

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiKey, Department, User
from common.models import LedgerRow


class KnowledgeBase(LedgerRow):
    """A shelf of documents with one department that pays for reading them. `corpus_version` grows once for each change a reader could notice."""

    slug = models.CharField(
        _("short name"),
        max_length=80,
        unique=True,
        validators=[RegexValidator(r"^[a-z0-9][a-z0-9-]*\Z", _("Use small letters, digits and hyphens."))],
    )
    name = models.CharField(_("name"), max_length=200)
    description = models.TextField(_("description"), blank=True)
    department = models.ForeignKey(
        Department, models.PROTECT, related_name="knowledge_bases", verbose_name=_("department that pays")
    )
    corpus_version = models.PositiveBigIntegerField(_("corpus version"), default=1)
    questions = models.JSONField(_("suggested questions"), default=list, blank=True)
    is_deleting = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("knowledge base")
        verbose_name_plural = _("knowledge bases")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """In growing order of what they may do."""

    VIEWER = "viewer", _("viewer")
    EDITOR = "editor", _("editor")
    OWNER = "owner", _("owner")


class Membership(LedgerRow):
    """A role in a knowledge base, granted to one person, one department, or (both empty) everyone who is signed in."""

    kb = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="memberships", verbose_name=_("knowledge base"))
    user = models.ForeignKey(User, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("person"))
    department = models.ForeignKey(
        Department, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("department")
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.VIEWER)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(user=None) | models.Q(department=None), name="membership_of_one_kind"
            ),
            models.UniqueConstraint("kb", "user", "department", nulls_distinct=False, name="one_role_each"),
        )

    def __str__(self) -> str:
        return f"{self.user or self.department or _('everyone')}: {self.get_role_display()}"


class KeyGrant(LedgerRow):
    """A knowledge base that an API key may reach, at most in its owner's role."""

    kb = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="key_grants", verbose_name=_("knowledge base"))
    key = models.ForeignKey(ApiKey, models.CASCADE, related_name="grants", verbose_name=_("API key"))

    class Meta:
        verbose_name = _("grant to a key")
        verbose_name_plural = _("grants to keys")
        constraints = (models.UniqueConstraint(fields=("kb", "key"), name="one_grant_each"),)

    def __str__(self) -> str:
        return f"{self.key} → {self.kb}"
