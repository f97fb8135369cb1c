"""The addresses of asking: pages, and REST under /api/v1/."""

from django.urls import path

from retrieval import api_conversations, library, pages, search_test
from retrieval.api_ask import ask_endpoint
from retrieval.api_search import search_endpoint

urlpatterns = [
    path("", pages.chat, name="chat"),
    path("c/<uuid:conversation_id>/", pages.conversation, name="conversation"),
    path("evidence/<uuid:message_id>/<int:n>/", pages.evidence, name="evidence"),
    path("library/", library.bases, name="library"),
    path("library/<slug:slug>/", library.base, name="library_base"),
    path("search-test/", search_test.search_test, name="search_test"),
    path("api/v1/ask", ask_endpoint, name="api_ask"),
    path("api/v1/search", search_endpoint, name="api_search"),
    path("api/v1/conversations/", api_conversations.ConversationsView.as_view(), name="api_conversations"),
    path("api/v1/conversations/<uuid:id>", api_conversations.ConversationView.as_view(), name="api_conversation"),
    path("api/v1/messages/<uuid:id>", api_conversations.MessageView.as_view(), name="api_message"),
    path(
        "api/v1/messages/by-client/<uuid:client_id>",
        api_conversations.MessageByClientView.as_view(),
        name="api_message_by_client",
    ),
    path("api/v1/messages/<uuid:id>/feedback", api_conversations.FeedbackView.as_view(), name="api_feedback"),
]
