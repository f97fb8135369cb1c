"""The rows of who is asking. Roles inside a knowledge base are `knowledge.Membership`; what a key may read is `knowledge.KeyGrant`."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from common.ids import uuid7
from common.models import LedgerRow


class Department(LedgerRow):
    """Pays for asking (home department of a user) and for indexing (department of a knowledge base)."""

    name = models.CharField(_("name"), max_length=200, unique=True)

    class Meta:
        verbose_name = _("department")
        verbose_name_plural = _("departments")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class UserAccounts(BaseUserManager["User"]):
    """Finds people by the name they sign in with."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username__iexact=username)

    def create_superuser(self, username: str, password: str | None = None, **fields: Any) -> "User":
        """For `createsuperuser` only; people are made by `accounts.services.people`."""
        user = self.model(username=username, is_administrator=True, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(LedgerRow, AbstractBaseUser):
    """A person. `is_active = False` ends their sessions and keys."""

    username = models.CharField(_("user name"), max_length=150, unique=True)
    full_name = models.CharField(_("full name"), max_length=200, blank=True)
    email = models.EmailField(_("e-mail address"), blank=True)
    department = models.ForeignKey(
        Department, models.PROTECT, null=True, blank=True, related_name="members", verbose_name=_("home department")
    )
    managed_departments: Any = models.ManyToManyField(
        Department, blank=True, related_name="managers", verbose_name=_("manages the departments")
    )
    is_active = models.BooleanField(_("active"), default=True)
    is_administrator = models.BooleanField(_("administrator"), default=False)
    is_operator = models.BooleanField(_("operator"), default=False)
    language = models.CharField(_("language"), max_length=10, blank=True)

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    objects = UserAccounts()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ("username",)
        constraints = (
            models.UniqueConstraint(Lower("username"), name="user_username_ci"),
            models.UniqueConstraint(Lower("email"), name="user_email_ci", condition=~models.Q(email="")),
        )

    def __str__(self) -> str:
        return self.full_name or self.username

    @property
    def is_superuser(self) -> bool:
        return self.is_administrator and self.is_active

    @property
    def is_staff(self) -> bool:
        return self.is_superuser

    def has_perm(self, perm: str, obj: object = None) -> bool:
        return self.is_superuser

    def has_perms(self, perm_list: Any, obj: object = None) -> bool:
        return self.is_superuser

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_superuser

    def get_full_name(self) -> str:
        return str(self)


class Scope(models.TextChoices):
    """What an API key may do."""

    READ = "read", _("read documents and search")
    ASK = "ask", _("ask questions")
    WRITE = "write", _("add and change documents")
    MANAGE = "manage", _("manage knowledge bases")


class ApiKey(LedgerRow):
    """A program's way in. The secret is shown once and kept as a hash; `prefix` is for recognition."""

    name = models.CharField(_("name"), max_length=200)
    owner = models.ForeignKey(User, models.CASCADE, related_name="keys", verbose_name=_("owner"))
    department = models.ForeignKey(Department, models.PROTECT, related_name="keys", verbose_name=_("department"))
    prefix = models.CharField(_("prefix"), max_length=16, unique=True)
    secret_hash = models.CharField(max_length=128, editable=False)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope.choices), verbose_name=_("scopes"))
    reads_all = models.BooleanField(_("reads all that its owner may read"), default=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class AuditEvent(models.Model):
    """One change: who, what, before, after. Plain ids, because the record outlives what it is about. Rows are only ever added."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)
    user_id = models.UUIDField(null=True)
    key_id = models.UUIDField(null=True)
    actor = models.CharField(_("who"), max_length=300)
    action = models.CharField(_("what"), max_length=100, db_index=True)
    target_type = models.CharField(_("kind"), max_length=50)
    target_id = models.UUIDField(null=True, db_index=True)
    target = models.CharField(_("on what"), max_length=500)
    kb_id = models.UUIDField(null=True, db_index=True)
    department_id = models.UUIDField(null=True, db_index=True)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor}: {self.action} {self.target}"
