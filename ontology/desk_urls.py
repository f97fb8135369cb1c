"""The addresses of the entity desk and of quarantine."""

from django.urls import path

from ontology.pages import desk, quarantine

urlpatterns = [
    path("desk/", desk.suggestions, name="desk"),
    path("desk/suggestions/<uuid:suggestion_id>/", desk.suggestion, name="desk_suggestion"),
    path("desk/homonyms/", desk.homonyms, name="desk_homonyms"),
    path("desk/entities/", desk.entities, name="desk_entities"),
    path("desk/entities/<uuid:entity_id>/documents", desk.documents, name="desk_documents"),
    path("desk/merged/", desk.merged, name="desk_merged"),
    path("desk/history/", desk.history, name="desk_history"),
    path("quarantine/", quarantine.groups, name="quarantine"),
    path("quarantine/cases", quarantine.cases, name="quarantine_cases"),
    path("quarantine/decisions/", quarantine.decisions, name="quarantine_decisions"),
]
