"""Knowledge bases and their members in the administration."""

from knowledge.models import KnowledgeBase, Membership, Role
from tests.factories import make_department


def test_a_knowledge_base_is_made_with_its_questions_and_for_everyone(browse):
    fields = {
        "name": "Plant",
        "slug": "plant",
        "description": "",
        "department": make_department("Service").pk,
        "everyone": "viewer",
        "questions_text": "When?\r\n\r\nWhere? ",
    }
    browse("administrator").post("/admin/knowledge/knowledgebase/add/", fields)
    kb = KnowledgeBase.objects.get(slug="plant")

    assert kb.questions == ["When?", "Where?"]
    assert Membership.objects.filter(kb=kb, user=None, department=None, role=Role.VIEWER).exists()


def test_a_short_name_that_is_taken_is_an_error_of_its_field(browse, kb):
    fields = {"name": "P", "slug": "pumps", "department": kb.department_id}
    answer = browse("administrator").post("/admin/knowledge/knowledgebase/add/", fields)

    assert "slug" in answer.context["adminform"].form.errors


def test_an_owner_changes_it_and_an_editor_only_looks(browse, kb):
    address = f"/admin/knowledge/knowledgebase/{kb.pk}/change/"
    refused = browse("editor").post(address, {"name": "Other"})
    shown = browse("editor").get(address)
    browse("owner").post(address, {"name": "Other pumps", "description": "", "questions_text": ""})
    kb.refresh_from_db()

    assert refused.status_code == 403
    assert shown.status_code == 200
    assert kb.name == "Other pumps"


def test_an_owner_gives_changes_and_takes_roles(browse, kb, people):
    owner, address = browse("owner"), f"/admin/knowledge/knowledgebase/{kb.pk}/members/"
    owner.post(address, {"add": "1", "whom": "person", "person": "STAN", "role": "viewer"})
    member = Membership.objects.get(kb=kb, user=people["stranger"])
    owner.post(address, {"change": "1", "member": member.pk, "role": "editor"})
    member.refresh_from_db()
    changed = member.role
    owner.post(address, {"remove": "1", "member": member.pk})
    owner.post(address, {"add": "1", "whom": "everyone", "role": "viewer"})

    assert changed == Role.EDITOR
    assert not Membership.objects.filter(pk=member.pk).exists()
    assert Membership.objects.filter(kb=kb, user=None, department=None).exists()


def test_a_name_that_nobody_has_is_told(browse, kb):
    address = f"/admin/knowledge/knowledgebase/{kb.pk}/members/"
    answer = browse("owner").post(address, {"add": "1", "whom": "person", "person": "nobody", "role": "viewer"})

    assert "There is nobody of this name" in answer.content.decode()


def test_an_editor_can_not_give_roles(browse, kb):
    before = Membership.objects.count()
    address = f"/admin/knowledge/knowledgebase/{kb.pk}/members/"
    browse("editor").post(address, {"add": "1", "whom": "everyone", "role": "owner"})

    assert Membership.objects.count() == before


def test_it_is_deleted_only_by_its_short_name(browse, kb):
    owner, address = browse("owner"), f"/admin/knowledge/knowledgebase/{kb.pk}/remove/"
    owner.post(address, {"confirm": "Pumps"})
    is_there = KnowledgeBase.objects.filter(pk=kb.pk).exists()
    owner.post(address, {"confirm": "pumps"})

    assert is_there
    assert not KnowledgeBase.objects.filter(pk=kb.pk).exists()


def test_its_page_leads_to_what_a_model_reads(browse, kb):
    answer = browse("owner").get(f"/admin/knowledge/knowledgebase/{kb.pk}/model/")

    assert answer["Location"] == "/ontology/pumps/model/"
    assert (
        "What a model reads" in browse("owner").get(f"/admin/knowledge/knowledgebase/{kb.pk}/change/").content.decode()
    )
