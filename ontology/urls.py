"""The addresses of pages for what is known."""

from django.urls import path

from ontology.pages import (
    changes,
    communities,
    entities,
    entity,
    explorer,
    proposing,
    reading_policy,
    skeleton,
    skeleton_editing,
    table_import,
)

urlpatterns = [
    path("documents/<uuid:document_id>/changes/", changes.changes, name="document_changes"),
    path("graph/", explorer.explorer, name="graph"),
    path("graph/communities/", communities.communities, name="communities"),
    path("entities/", entities.entities, name="entities"),
    path("entities/<uuid:entity_id>/", entity.entity, name="entity"),
    path("entities/<uuid:entity_id>/mentions", entity.mentions, name="entity_mentions"),
    path("entities/<uuid:entity_id>/card", explorer.entity_card, name="entity_card"),
    path("relations/<uuid:relation_id>/card", explorer.relation_card, name="relation_card"),
    path("ontology/<slug:slug>/", skeleton.skeleton, name="skeleton"),
    path("ontology/<slug:slug>/ontology.yaml", skeleton.skeleton_file, name="skeleton_file"),
    path("ontology/<slug:slug>/edit/", skeleton_editing.skeleton_edit, name="skeleton_edit"),
    path("ontology/<slug:slug>/edit/draft", skeleton_editing.skeleton_draft, name="skeleton_draft"),
    path("ontology/<slug:slug>/edit/check", skeleton_editing.skeleton_check, name="skeleton_check"),
    path("ontology/<slug:slug>/edit/part", skeleton_editing.skeleton_part, name="skeleton_part"),
    path("ontology/<slug:slug>/edit/change", skeleton_editing.skeleton_change, name="skeleton_change"),
    path("ontology/<slug:slug>/edit/try", skeleton_editing.skeleton_try, name="skeleton_try"),
    path("ontology/<slug:slug>/edit/apply", skeleton_editing.skeleton_use, name="skeleton_use"),
    path("ontology/<slug:slug>/propose/", proposing.skeleton_propose, name="skeleton_propose"),
    path("ontology/<slug:slug>/model/", reading_policy.reading_policy, name="reading_policy"),
    path("ontology/<slug:slug>/import/", table_import.entities_from_table, name="entities_import"),
    path(
        "ontology/<slug:slug>/import/<uuid:import_id>/undo",
        table_import.entities_import_back,
        name="entities_import_undo",
    ),
]
