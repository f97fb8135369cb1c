"""GET, POST /ontology/{knowledge base}/import/: entities from a CSV or XLSX file: what each line would do, doing it, and taking a whole import back."""

from collections import Counter
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from common.errors import Conflict, InvalidInput, NotFound
from ontology.labels import class_label
from ontology.pages.skeleton import edited_or_404, subject_of
from ontology.selectors.table_imports import imports_of
from ontology.services.table_import import INVALID, entities_import, entities_import_undo
from ontology.table_rows import FILE_MAX, rows_of

SHOWN = 500


@login_required
@require_http_methods(["GET", "POST"])
def entities_from_table(request: HttpRequest, slug: str) -> HttpResponse:
    """A file is looked at first (`deed=try`); sent again with `deed=apply` its lines are stored."""
    kb, view = edited_or_404(request, slug)
    context: dict[str, Any] = {"kb": kb, "view": view}
    if request.method == "POST":
        file = request.FILES.get("file")
        try:
            if file is None:
                raise InvalidInput(_("Choose a file."))
            rows = rows_of(file.read(FILE_MAX + 1), file.name or "")
            is_trial = request.POST.get("deed") != "apply"
            results = entities_import(
                subject=subject_of(request),
                graph_id=view.graph.pk,
                rows=rows,
                file_name=file.name or "",
                dry_run=is_trial,
            )
        except InvalidInput as error:
            context["fault"] = str(error)
        else:
            counts = Counter(each.status for each in results)
            ordered = sorted(results, key=lambda each: (each.status != INVALID, each.row))
            shown = [
                asdict(each) | {"class_label": class_label(view.skeleton, each.class_name)} for each in ordered[:SHOWN]
            ]
            context |= {"results": shown, "counts": counts, "is_trial": is_trial, "total": len(results)}
    context["imports"] = imports_of(view.graph.pk)
    return render(request, "skeleton/import.html", context)


@login_required
@require_POST
def entities_import_back(request: HttpRequest, slug: str, import_id: UUID) -> HttpResponse:
    """POST /ontology/{knowledge base}/import/{id}/undo"""
    _kb, view = edited_or_404(request, slug)
    try:
        count = entities_import_undo(subject=subject_of(request), graph_id=view.graph.pk, import_id=import_id)
    except NotFound as error:
        raise Http404(str(error)) from None
    except Conflict as error:
        messages.error(request, str(error))
    else:
        said = ngettext("Taken back: %(count)d fact.", "Taken back: %(count)d facts.", count)
        messages.success(request, said % {"count": count})
    return redirect("entities_import", slug=slug)
