"""Every address of the server and who may use it. A new address without a line here fails `test_access.py`.

A line is the address as the URL resolver has it, then its calls: method, level, and what a good call sends. `{names}` are rows of `world.World.ids`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

PREFIXES = ("admin/", "accounts/")  # tested by prefix
PEOPLE = ("administrator", "owner", "editor", "viewer", "stranger", "operator", "manager")
KEYS = ("key", "reading key", "idle key")
EVERYBODY = (*PEOPLE, *KEYS, "nobody")


class Level(StrEnum):
    """What one must be. Whoever is less is refused with 403 where they know of the thing, with 404 where they don't."""

    OPEN = "open"
    ANYONE = "signed in, or a key"
    PERSON = "signed in"
    VIEWER = "viewer"
    EDITOR = "editor"
    OWNER = "owner"
    UPLOADER = "who sent the upload"
    ASKER = "who asked"
    HOLDER = "who has the key"
    MAKER = "who makes knowledge bases"
    AUDITOR = "who may see the record"


OWNERS = {"administrator", "owner", "key"}
EDITORS = {*OWNERS, "editor"}
VIEWERS = {*EDITORS, "viewer", "reading key"}

ALLOWED: dict[Level, set[str]] = {
    Level.OPEN: {*EVERYBODY},
    Level.ANYONE: {*PEOPLE, *KEYS},
    Level.PERSON: {*PEOPLE},
    Level.VIEWER: VIEWERS,
    Level.EDITOR: EDITORS,
    Level.OWNER: OWNERS,
    Level.UPLOADER: OWNERS,
    Level.ASKER: {"owner"},
    Level.HOLDER: {"owner"},
    Level.MAKER: {"administrator", "manager"},
    Level.AUDITOR: {"administrator", "owner", "manager"},
}
TOLD: dict[Level, set[str]] = {  # refused with 403, because they know of it, or because there is nothing to know
    Level.PERSON: {*KEYS},
    Level.EDITOR: VIEWERS,
    Level.OWNER: VIEWERS,
    Level.UPLOADER: {"reading key"},
    Level.HOLDER: {*KEYS},
    Level.MAKER: {*EVERYBODY},
}


@dataclass(frozen=True)
class Call:
    """One method of an address. `good` are the answers that count as being let in; `but` says what is different for some."""

    method: str
    level: Level
    body: Any = None
    query: str = ""
    good: Sequence[int] = (200, 201, 202, 204)
    but: Mapping[str, int] = field(default_factory=dict)
    form: bool = False

    @property
    def kind(self) -> str:
        """A text is sent as it is, in lines of JSON."""
        return "application/x-ndjson" if isinstance(self.body, str) else "application/json"

    def expected(self, who: str, *, is_page: bool) -> Sequence[int]:
        """The answers that this caller may get."""
        if who in self.but:
            return (self.but[who],)
        if is_page and who in KEYS and self.level != Level.OPEN:
            return (302,)  # pages know no keys
        if who in ALLOWED[self.level]:
            return self.good
        if who == "nobody":
            return (302,) if is_page else (401,)
        return (403,) if who in TOLD.get(self.level, ()) else (404,)


def get(level: Level, **more: Any) -> Call:
    return Call("GET", level, **more)


def post(level: Level, body: Any = None, **more: Any) -> Call:
    return Call("POST", level, body=body, **more)


def patch(level: Level, body: Any, **more: Any) -> Call:
    return Call("PATCH", level, body=body, **more)


def put(level: Level, body: Any = None, **more: Any) -> Call:
    return Call("PUT", level, body=body, **more)


def delete(level: Level, **more: Any) -> Call:
    return Call("DELETE", level, **more)


DOCUMENTS = {"documents": [{"path": "a.md", "text": "# A"}]}
LINE = '{"document": "manuals/zyntharion.md", "quote": "The Zyntharion stops at 80 °C.", "source": "Zyntharion", "source_class": "System"}'
HIDDEN = {"viewer": 404, "reading key": 404}
SENT_BACK = {"viewer": 302}
QUESTION = {"question": "When does the pump stop?", "knowledge_bases": ["secret"]}

API: dict[str, Sequence[Call]] = {
    "me": [get(Level.ANYONE)],
    "departments/": [get(Level.ANYONE)],
    "departments/<uuid:id>": [get(Level.ANYONE)],
    "keys/": [get(Level.PERSON), post(Level.PERSON, {"name": "k", "scopes": ["read"]})],
    "keys/<uuid:id>": [get(Level.HOLDER), delete(Level.HOLDER)],
    "keys/<uuid:id>/grants/": [get(Level.HOLDER)],
    "keys/<uuid:id>/grants/<slug:slug>": [put(Level.HOLDER), delete(Level.HOLDER)],
    "usage": [get(Level.ANYONE)],
    "audit/": [get(Level.ANYONE)],
    "audit.csv": [get(Level.ANYONE)],
    "schema/": [get(Level.ANYONE)],
    "knowledge-bases/": [get(Level.ANYONE), post(Level.MAKER, {"slug": "another"})],
    "knowledge-bases/<slug:slug>/": [
        get(Level.VIEWER),
        patch(Level.OWNER, {"description": "x"}),
        delete(Level.OWNER),
    ],
    "knowledge-bases/<slug:slug>/members/": [get(Level.OWNER), put(Level.OWNER, {"user": "stan", "role": "viewer"})],
    "knowledge-bases/<slug:slug>/members/<uuid:id>": [delete(Level.OWNER)],
    "knowledge-bases/<slug:slug>/documents/": [get(Level.VIEWER), post(Level.EDITOR, DOCUMENTS)],
    "knowledge-bases/<slug:slug>/documents/edit": [
        post(Level.EDITOR, {"documents": ["{document}"], "add_tags": ["x"]})
    ],
    "knowledge-bases/<slug:slug>/uploads/": [post(Level.EDITOR, DOCUMENTS)],
    "knowledge-bases/<slug:slug>/reread": [post(Level.EDITOR, {"force": True})],
    "knowledge-bases/<slug:slug>/bin/empty": [post(Level.EDITOR, {})],
    "uploads/<uuid:id>": [get(Level.UPLOADER), delete(Level.UPLOADER)],
    "uploads/<uuid:id>/commit": [post(Level.UPLOADER)],
    "documents/": [get(Level.ANYONE), get(Level.ANYONE, query="state=binned")],
    "documents/<uuid:id>/": [get(Level.VIEWER), patch(Level.EDITOR, {"title": "x"})],
    "documents/<uuid:id>/versions/<int:number>/changes": [get(Level.VIEWER), get(Level.VIEWER, query="page=2")],
    "documents/<uuid:id>/bin": [post(Level.EDITOR)],
    "documents/<uuid:id>/restore": [post(Level.EDITOR)],
    "versions/<uuid:id>/text": [get(Level.VIEWER)],
    "versions/<uuid:id>/original": [get(Level.VIEWER)],
    "versions/<uuid:id>/chunks/": [get(Level.VIEWER)],
    "versions/<uuid:id>/pictures/": [get(Level.VIEWER)],
    "versions/<uuid:id>/reading": [get(Level.VIEWER)],
    "versions/<uuid:id>/reading/retry": [post(Level.EDITOR, {})],
    "versions/<uuid:id>/reading/cancel": [post(Level.EDITOR)],
    "pictures/<uuid:id>": [get(Level.VIEWER)],
    "chunks/<uuid:id>": [get(Level.VIEWER), patch(Level.EDITOR, {"is_disabled": True})],
    "jobs/": [get(Level.ANYONE)],
    "jobs/<uuid:id>": [get(Level.EDITOR, but=HIDDEN)],
    "jobs/<uuid:id>/cancel": [post(Level.EDITOR, but=HIDDEN)],
    "notices/": [get(Level.ANYONE), post(Level.ANYONE)],
    "graphs/": [get(Level.ANYONE)],
    "graphs/<uuid:id>/": [get(Level.VIEWER)],
    "graphs/<uuid:id>/skeleton": [get(Level.VIEWER)],
    "graphs/<uuid:id>/picture": [get(Level.VIEWER), get(Level.VIEWER, query="limit=2&class=System&relation=uses")],
    "graphs/<uuid:id>/communities": [get(Level.VIEWER), get(Level.VIEWER, query="level=1&limit=3")],
    "graphs/<uuid:id>/path": [get(Level.VIEWER, query="source={entity}&target={other}")],
    "graphs/<uuid:id>/entities/": [
        get(Level.VIEWER),
        get(Level.VIEWER, query="q=zyntharion&state=found&min_support=1"),
        get(Level.EDITOR, query="state=rejected"),
        post(Level.EDITOR, {"name": "Vexilon", "class": "System"}),
    ],
    "graphs/<uuid:id>/relations/": [get(Level.VIEWER, query="type=uses&entity={entity}")],
    "graph/import": [post(Level.EDITOR, LINE, query="kb=secret&dry_run=true")],
    "entities/<uuid:id>/": [get(Level.VIEWER), patch(Level.EDITOR, {"name": "Zyntharion IV", "revision": 1})],
    "entities/<uuid:id>/evidence/": [get(Level.VIEWER)],
    "entities/<uuid:id>/neighbours": [get(Level.VIEWER)],
    "entities/<uuid:id>/export": [get(Level.VIEWER), get(Level.VIEWER, query="kind=markdown")],
    "entities/<uuid:id>/confirm": [post(Level.EDITOR, {"revision": 1})],
    "entities/<uuid:id>/reject": [post(Level.EDITOR, {"revision": 1})],
    "entities/<uuid:id>/leave": [post(Level.EDITOR, {"revision": 1})],
    "entities/<uuid:id>/merge": [
        post(Level.EDITOR, {"others": ["{other}"], "preview": True}),
        post(Level.EDITOR, {"others": ["{other}"], "revisions": {"{other}": 1}}),
    ],
    "entities/<uuid:id>/unmerge": [post(Level.EDITOR, {"revision": 1}, good=(409,))],
    "entities/<uuid:id>/keep-apart": [
        post(Level.EDITOR, {"other": "{other}", "revision": 1}),
        Call("DELETE", Level.EDITOR, body={"other": "{other}"}),
    ],
    "entities/<uuid:id>/attributes/": [post(Level.EDITOR, {"name": "purpose", "value": "Spins", "revision": 1})],
    "entities/<uuid:id>/relations/": [post(Level.EDITOR, {"type": "part_of", "target": "{other}", "revision": 1})],
    "entities/<uuid:id>/split": [post(Level.EDITOR, {"documents": ["{document}"], "revision": 1}, good=(400,))],
    "entities/<uuid:id>/keep-whole": [post(Level.EDITOR)],
    "graphs/<uuid:id>/suggestions/": [get(Level.EDITOR), get(Level.EDITOR, query="state=later&class=System")],
    "graphs/<uuid:id>/splits/": [get(Level.EDITOR)],
    "graphs/<uuid:id>/merges/": [get(Level.EDITOR)],
    "graphs/<uuid:id>/judgements": [
        post(Level.EDITOR, {"judgements": [{"entity": "{entity}", "state": "confirmed", "revision": 1}]}),
        post(Level.EDITOR, {"judgements": [{"entity": "{entity}", "state": "rejected"}], "preview": True}),
    ],
    "suggestions/<uuid:id>/decide": [
        post(Level.EDITOR, {"decision": "later"}),
        post(Level.EDITOR, {"decision": "merge", "into": "{entity}", "revisions": {"{other}": 1}}),
        post(Level.EDITOR, {"decision": "different"}),
    ],
    "graphs/<uuid:id>/quarantine/": [get(Level.EDITOR)],
    "graphs/<uuid:id>/quarantine/cases/": [get(Level.EDITOR, query="reason=unknown_class&about=Zyntharion+class")],
    "graphs/<uuid:id>/quarantine/decide": [
        post(Level.EDITOR, {"reason": "unknown_class", "about": "Zyntharion class", "action": "ignore"}),
        post(
            Level.EDITOR, {"reason": "unknown_class", "about": "Zyntharion class", "action": "map", "becomes": "System"}
        ),
    ],
    "graphs/<uuid:id>/quarantine/rules/": [get(Level.EDITOR)],
    "quarantine-rules/<uuid:id>": [delete(Level.EDITOR)],
    "quarantine/<uuid:id>/dismiss": [post(Level.EDITOR), delete(Level.EDITOR, good=(409,))],
    "quarantine/<uuid:id>/means": [post(Level.EDITOR, {"entity": "{entity}"}, good=(400,))],
    "quarantine/<uuid:id>/proposal": [get(Level.EDITOR)],
    "attributes/<uuid:id>/judge": [post(Level.EDITOR, {"is_right": False, "revision": 1})],
    "attributes/<uuid:id>/evidence/": [get(Level.VIEWER)],
    "relations/<uuid:id>/judge": [post(Level.EDITOR, {"is_right": False, "revision": 1})],
    "relations/<uuid:id>/evidence/": [get(Level.VIEWER)],
    "ask": [post(Level.VIEWER, QUESTION, but={"reading key": 403})],
    "search": [post(Level.VIEWER, QUESTION)],
    "conversations/": [get(Level.ANYONE)],
    "conversations/<uuid:id>": [get(Level.ASKER), patch(Level.ASKER, {"title": "x"}), delete(Level.ASKER)],
    "messages/<uuid:id>": [get(Level.ASKER)],
    "messages/by-client/<uuid:client_id>": [get(Level.ASKER)],
    "messages/<uuid:id>/feedback": [post(Level.ASKER, {"value": 1})],
}

PAGES: dict[str, Sequence[Call]] = {
    "": [get(Level.PERSON)],
    "c/<uuid:conversation_id>/": [get(Level.ASKER)],
    "evidence/<uuid:message_id>/<int:n>/": [get(Level.ASKER)],
    "library/": [get(Level.PERSON, good=(200, 302))],
    "library/<slug:slug>/": [get(Level.VIEWER), get(Level.VIEWER, query="q=Zyntharion")],
    "search-test/": [
        get(Level.EDITOR, but={"viewer": 404}),
        get(Level.EDITOR, query="q=pump&kb=secret", but={"viewer": 404}),
    ],
    "documents/<uuid:document_id>/": [get(Level.VIEWER)],
    "documents/<uuid:document_id>/changes/": [get(Level.VIEWER), get(Level.VIEWER, query="version=1&facts=2")],
    "documents/<uuid:document_id>/original": [get(Level.VIEWER)],
    "documents/<uuid:document_id>/versions/<int:number>/retry": [post(Level.EDITOR, good=(302,), but=SENT_BACK)],
    "documents/<uuid:document_id>/versions/<int:number>/cancel": [post(Level.EDITOR, good=(302,), but=SENT_BACK)],
    "pictures/<uuid:picture_id>": [get(Level.VIEWER)],
    "graph/": [get(Level.PERSON), get(Level.VIEWER, query="kb=secret")],
    "graph/communities/": [get(Level.PERSON), get(Level.VIEWER, query="kb=secret&page=2")],
    **{
        path: [get(Level.EDITOR, query="kb=secret", but={"viewer": 404})]
        for path in ("desk/", "desk/homonyms/", "desk/entities/", "desk/merged/", "desk/history/", "quarantine/")
    },
    "desk/suggestions/<uuid:suggestion_id>/": [
        get(Level.EDITOR, query="since=2020-01-01T00:00:00%2B00:00", but={"viewer": 404})
    ],
    "desk/entities/<uuid:entity_id>/documents": [get(Level.EDITOR, but={"viewer": 404})],
    "quarantine/cases": [
        get(Level.EDITOR, query="kb=secret&reason=unknown_class&about=Zyntharion+class", but={"viewer": 404})
    ],
    "quarantine/decisions/": [get(Level.EDITOR, query="kb=secret", but={"viewer": 404})],
    "entities/": [get(Level.PERSON), get(Level.VIEWER, query="kb=secret&q=zyntharion")],
    "entities/<uuid:entity_id>/": [get(Level.VIEWER)],
    "entities/<uuid:entity_id>/mentions": [get(Level.VIEWER, query="after=01900000-0000-7000-8000-000000000000")],
    "entities/<uuid:entity_id>/card": [get(Level.VIEWER)],
    "relations/<uuid:relation_id>/card": [get(Level.VIEWER)],
    "ontology/<slug:slug>/": [get(Level.VIEWER)],
    "ontology/<slug:slug>/ontology.yaml": [get(Level.VIEWER)],
    "ontology/<slug:slug>/edit/": [get(Level.EDITOR)],
    # Without a text there is nothing to use: what counts is who is let in to be told so.
    **{
        f"ontology/<slug:slug>/edit/{deed}": [post(Level.EDITOR, good=(200, 302, 400, 404, 409, 422))]
        for deed in ("draft", "check", "part", "change", "try", "apply")
    },
    "ontology/<slug:slug>/propose/": [get(Level.EDITOR)],
    "ontology/<slug:slug>/model/": [
        get(Level.EDITOR),
        post(Level.OWNER, {"policy": "off"}, form=True, good=(302,)),
    ],
    "ontology/<slug:slug>/import/": [get(Level.EDITOR)],
    "ontology/<slug:slug>/import/<uuid:import_id>/undo": [post(Level.EDITOR, good=(302, 404, 409))],
    "notices/": [get(Level.PERSON), post(Level.PERSON)],
    "account/keys/": [get(Level.PERSON), post(Level.PERSON, {"name": "k", "scopes": "read"}, form=True)],
    "account/keys/<uuid:key_id>/revoke": [post(Level.HOLDER, good=(302,))],
    "account/keys/<uuid:key_id>/grants": [post(Level.HOLDER, {"bases": "secret"}, form=True, good=(302,))],
    "audit/": [get(Level.AUDITOR)],
    "audit/events.csv": [get(Level.AUDITOR)],
    "upload/": [
        get(Level.EDITOR, but={"viewer": 403, "stranger": 403, "operator": 403, "manager": 403}),
        get(Level.EDITOR, query="kb=secret", but={"viewer": 403, "stranger": 403, "operator": 403, "manager": 403}),
    ],
    "upload/<uuid:upload_id>/": [get(Level.UPLOADER), post(Level.UPLOADER, good=(302,))],
    "upload/<uuid:upload_id>/discard": [post(Level.UPLOADER, good=(302,))],
    "jobs/": [get(Level.EDITOR, but={"viewer": 404})],
    "jobs/<uuid:job_id>/": [get(Level.EDITOR, but={"viewer": 404})],
    "jobs/<uuid:job_id>/retry": [post(Level.EDITOR, good=(302,), but={"viewer": 404})],
    "jobs/<uuid:job_id>/cancel": [post(Level.EDITOR, good=(302,), but={"viewer": 404})],
    "api/docs/": [get(Level.PERSON)],
    "i18n/setlang/": [post(Level.OPEN, {"language": "en"}, form=True, good=(302,))],
    "health/live": [get(Level.OPEN)],
    "health/ready": [get(Level.OPEN, good=(200, 503))],
}

ROUTES: dict[str, Sequence[Call]] = {**PAGES, **{f"api/v1/{address}": calls for address, calls in API.items()}}

ROWS = {  # which row of the world stands for a converter, by the beginning of the address
    "api/v1/departments/": {"id": "department"},
    "api/v1/keys/": {"id": "key"},
    "api/v1/knowledge-bases/": {"id": "member"},
    "api/v1/uploads/": {"id": "upload"},
    "api/v1/documents/": {"id": "document"},
    "api/v1/versions/": {"id": "version"},
    "api/v1/pictures/": {"id": "picture"},
    "api/v1/chunks/": {"id": "chunk"},
    "api/v1/jobs/": {"id": "job"},
    "api/v1/conversations/": {"id": "conversation"},
    "api/v1/messages/by-client/": {"client_id": "client"},
    "api/v1/messages/": {"id": "message"},
    "api/v1/graphs/": {"id": "graph"},
    "api/v1/entities/": {"id": "entity"},
    "api/v1/relations/": {"id": "relation"},
    "api/v1/attributes/": {"id": "value"},
    "api/v1/suggestions/": {"id": "suggestion"},
    "api/v1/quarantine/": {"id": "case"},
    "api/v1/quarantine-rules/": {"id": "rule"},
    "entities/": {"entity_id": "entity"},
    "desk/suggestions/": {"suggestion_id": "suggestion"},
    "desk/entities/": {"entity_id": "entity"},
    "relations/": {"relation_id": "relation"},
    "ontology/": {"import_id": "entity"},
    "c/": {"conversation_id": "conversation"},
    "evidence/": {"message_id": "message"},
    "documents/": {"document_id": "document"},
    "pictures/": {"picture_id": "picture"},
    "account/keys/": {"key_id": "key"},
    "upload/": {"upload_id": "upload"},
    "jobs/": {"job_id": "job"},
}
