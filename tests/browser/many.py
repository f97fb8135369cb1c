"""A graph of many entities, as a program for `manage.py shell`; it is the knowledge base `many`."""

MANY = 2000  # as many as the explorer shows at once


def names_of_a_way(count: int = MANY) -> tuple[str, str]:
    """Two entities of it that a relation connects."""
    start = count // 2 + 10
    return f"Thing {start}", f"Thing {start * 7 // 2 % count}"


def planted(count: int = MANY) -> str:
    """Few names, because each sentence that is new is embedded, and that would take the machine from the tests for minutes; statistics at once, because without them the queries for communities take as long."""
    return f"""
from accounts.models import Department
from django.db import connection
from knowledge.models import KnowledgeBase
from ontology.graphs import source_of
from ontology.models import Entity, Relation
kb = KnowledgeBase.objects.create(slug="many", name="Many", department=Department.objects.first() or Department.objects.create(name="Many"))
graph = source_of(kb.pk).graph
classes = ["Person", "Department", "System", "Process", "Product", "Place"]
names = [f"Thing {{n}}" for n in range({count})]
made = Entity.objects.bulk_create(Entity(graph=graph, class_name=classes[n % 6], name=name if name in {names_of_a_way(count)} else "Thing", normal_name=name.lower(), is_confirmed=True, is_sought=True) for n, name in enumerate(names))
pairs = [(n, (n * 7 + k * k) // (k + 2) % {count}) for n in range({count}) for k in (0, 1)]
Relation.objects.bulk_create([Relation(graph=graph, source=made[one], type="part_of", target=made[other], is_confirmed=True) for one, other in pairs if one != other], ignore_conflicts=True)
connection.cursor().execute("ANALYZE ontology_entity, ontology_relation")
"""
