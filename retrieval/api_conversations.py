"""REST for conversations, their messages and what readers think of answers. Everybody sees their own."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, Pages
from retrieval import selectors, services
from retrieval.models import Conversation, Message
from retrieval.shown import done_shown, message_shown
from retrieval.types import jsonable


class ConversationOutput(serializers.ModelSerializer[Conversation]):
    """A conversation in a list."""

    class Meta:
        model = Conversation
        fields = ("id", "title", "kb_slugs", "created_at", "updated_at")


class RenameInput(serializers.Serializer[Any]):
    """A new title."""

    title = serializers.CharField(max_length=200)


class FeedbackInput(serializers.Serializer[Any]):
    """What a reader thinks: 1, -1, or 0 to take it back."""

    value = serializers.ChoiceField([1, 0, -1])
    reason = serializers.ChoiceField(sorted(services.REASONS), required=False, allow_blank=True, default="")
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=2000)


class ConversationPages(Pages):
    """Last talked in first."""

    ordering = ("-updated_at", "-id")  # type: ignore[assignment]


class ConversationsView(ApiView):
    """GET /api/v1/conversations/"""

    @extend_schema(
        operation_id="conversations",
        parameters=[OpenApiParameter("q", str), OpenApiParameter("cursor", str), OpenApiParameter("limit", int)],
        responses=ConversationOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        """Your conversations; `q` searches titles and what was asked."""
        pages = ConversationPages()
        found = selectors.conversations_for(self.subject, words=request.query_params.get("q", "").strip())
        page = pages.paginate_queryset(found, request, view=self)
        return pages.get_paginated_response(ConversationOutput(page, many=True).data)


class ConversationView(ApiView):
    """GET, PATCH, DELETE /api/v1/conversations/{id}"""

    @extend_schema(operation_id="conversation", responses=dict)
    def get(self, request: Request, id: UUID) -> Response:
        """A conversation with its messages, oldest first."""
        conversation = selectors.conversation_for(self.subject, id)
        messages = selectors.messages_for(self.subject).filter(conversation=conversation)
        shown = [jsonable(message_shown(self.subject, message)) for message in messages]
        return Response({**ConversationOutput(conversation).data, "messages": shown})

    @extend_schema(operation_id="conversation_rename", request=RenameInput, responses=ConversationOutput)
    def patch(self, request: Request, id: UUID) -> Response:
        """Give it another title."""
        conversation = selectors.conversation_for(self.subject, id)
        given = RenameInput(data=request.data)
        given.is_valid(raise_exception=True)
        renamed = services.conversation_rename(
            subject=self.subject, conversation=conversation, title=given.validated_data["title"]
        )
        return Response(ConversationOutput(renamed).data)

    @extend_schema(operation_id="conversation_delete", responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:
        """Delete it with all that was said in it."""
        services.conversation_delete(subject=self.subject, conversation=selectors.conversation_for(self.subject, id))
        return Response(status=204)


class MessageView(ApiView):
    """GET /api/v1/messages/{id}"""

    @extend_schema(operation_id="message", parameters=[OpenApiParameter("page", bool)], responses=dict)
    def get(self, request: Request, id: UUID) -> Response:
        """An answer as the event `done` has it, and its `state`: working, done, stopped, failed."""
        return answer_of(self, selectors.message_for(self.subject, id))


class MessageByClientView(ApiView):
    """GET /api/v1/messages/by-client/{client_id}"""

    @extend_schema(operation_id="message_by_client", parameters=[OpenApiParameter("page", bool)], responses=dict)
    def get(self, request: Request, client_id: UUID) -> Response:
        """The answer to what was asked under this id; for a page that lost its connection."""
        return answer_of(self, selectors.answer_by_client(self.subject, client_id))


class FeedbackView(ApiView):
    """POST /api/v1/messages/{id}/feedback"""

    @extend_schema(operation_id="feedback", request=FeedbackInput, responses=FeedbackInput)
    def post(self, request: Request, id: UUID) -> Response:
        """Say what you think of an answer."""
        message = selectors.message_for(self.subject, id)
        given = FeedbackInput(data=request.data)
        given.is_valid(raise_exception=True)
        services.feedback_give(subject=self.subject, message=message, **given.validated_data)
        return Response(given.validated_data)


def answer_of(view: ApiView, message: Message) -> Response:
    """The answer, with the finished article for the page when it asks for it."""
    if message.role == "user":
        return Response(jsonable(message_shown(view.subject, message)))
    page = view.request._request if view.request.query_params.get("page") else None
    return Response(jsonable(done_shown(view.subject, message, page)))
