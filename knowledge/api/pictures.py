"""REST for the pictures inside documents."""

from uuid import UUID

from django.http import FileResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.types import Subject
from common.api import ApiView, Pages
from common.errors import NotFound
from knowledge.api.bases import PAGING
from knowledge.models import StoredPicture
from knowledge.selectors.documents import version_for
from knowledge.sending import send_picture


class PictureOutput(serializers.ModelSerializer[StoredPicture]):
    """A picture; `start` and `end` say where in the version's text it stands."""

    class Meta:
        model = StoredPicture
        fields = ("id", "version", "media_type", "caption", "start", "end", "page")


class PicturePages(Pages):
    """In reading order."""

    ordering = ("start", "id")  # type: ignore[assignment]


class PicturesView(ApiView):
    """/api/v1/versions/{id}/pictures/"""

    @extend_schema(operation_id="pictures", parameters=PAGING, responses=PictureOutput(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """The pictures of a version."""
        found = StoredPicture.objects.filter(version=version_for(self.subject, id))
        return PicturePages().paged(found, self, PictureOutput)


class PictureView(ApiView):
    """/api/v1/pictures/{id}"""

    @extend_schema(operation_id="picture", responses={200: OpenApiTypes.BINARY})
    def get(self, request: Request, id: UUID) -> FileResponse:
        """Its bytes."""
        return send_picture(picture_for(self.subject, id))


def picture_for(subject: Subject, id: UUID) -> StoredPicture:
    """Raises NotFound, also for a picture of a document that the subject may not see."""
    picture = StoredPicture.objects.filter(pk=id).first()
    try:
        version_for(subject, picture.version_id if picture else id)
    except NotFound:
        picture = None
    if picture is None:
        raise NotFound(_("There is no such picture, or you may not see it."))
    return picture
