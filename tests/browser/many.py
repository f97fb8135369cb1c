"""A graph of as many entities as the explorer shows at once, as a program for `manage.py shell`; it is the knowledge base `many`."""

MANY = 2000
# Few names, because each sentence that is new is embedded, and that would take the machine from the tests for minutes.
PLANTED = f"""
from accounts.models import Department
from knowledge.models import KnowledgeBase
from ontology.graphs import source_of
from ontology.models import Entity, Relation
kb = KnowledgeBase.objects.create(slug="many", name="Many", department=Department.objects.first() or Department.objects.create(name="Many"))
graph = source_of(kb.pk).graph
classes = ["Person", "Department", "System", "Process", "Product", "Place"]
made = Entity.objects.bulk_create(Entity(graph=graph, class_name=classes[n % 6], name=f"Thing {{n}}" if n in (1010, 1535) else "Thing", normal_name=f"thing {{n}}", is_confirmed=True, is_sought=True) for n in range({MANY}))
pairs = [(n, (n * 7 + k * k) // (k + 2) % {MANY}) for n in range({MANY}) for k in (0, 1)]
Relation.objects.bulk_create([Relation(graph=graph, source=made[one], type="part_of", target=made[other], is_confirmed=True) for one, other in pairs if one != other], ignore_conflicts=True)
"""
