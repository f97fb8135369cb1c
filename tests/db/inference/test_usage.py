"""What model calls cost is written down, at once or by a thread of its own, and never lost at an ordinary end."""

import subprocess
import sys
from uuid import uuid4

import pytest
from django.db import connection

from inference.conf import InferenceSettings
from inference.meters import LedgerMeter, QueuedMeter
from inference.models import UsageRecord
from inference.services import cost_micros
from inference.types import Charge, Purpose, TokenCount, Usage

CHARGE = Charge(Purpose.ASK, department_id=uuid4(), user_id=uuid4(), kb_id=uuid4(), conversation_id=uuid4())
CALL = Usage(CHARGE, "chat", "small", TokenCount(1200, 300), duration_ms=80)


@pytest.mark.django_db
def test_a_call_is_written_with_everybody_it_belongs_to():
    LedgerMeter().record(CALL)

    row = UsageRecord.objects.get()
    assert (row.purpose, row.model, row.outcome) == ("ask", "small", "done")
    assert (row.prompt_tokens, row.completion_tokens, row.duration_ms) == (1200, 300, 80)
    assert (row.department_id, row.user_id, row.kb_id) == (CHARGE.department_id, CHARGE.user_id, CHARGE.kb_id)
    assert (row.conversation_id, row.key_id, row.document_id) == (CHARGE.conversation_id, None, None)


@pytest.mark.parametrize(("task", "micros"), [("chat", 1200 * 2 + 300 * 8), ("embed", 1200 * 1)])
def test_a_call_costs_what_the_settings_say(task, micros):
    prices = InferenceSettings(EMBEDDING_PRICE=0.001, LLM_PROMPT_PRICE=0.002, LLM_COMPLETION_PRICE=0.008)

    assert cost_micros(Usage(CHARGE, task, "small", TokenCount(1200, 300), 0), prices) == micros


@pytest.mark.django_db(transaction=True)
def test_the_queued_meter_writes_every_call_without_keeping_the_caller_waiting():
    meter = QueuedMeter()

    for _ in range(50):
        meter.record(CALL)
    meter.flush()

    assert UsageRecord.objects.count() == 50


@pytest.mark.django_db(transaction=True)
def test_a_process_that_ends_has_written_its_calls(tmp_path):
    program = tmp_path / "ends.py"
    program.write_text(
        "import django; django.setup()\n"
        "from inference.meters import QueuedMeter\n"
        "from tests.db.inference.test_usage import CALL\n"
        "meter = QueuedMeter()\n"
        "for _ in range(20): meter.record(CALL)\n"
    )
    database = connection.settings_dict
    url = f"postgresql://{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    environment = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": url,
        "PYTHONPATH": ".",
        "TRELLIS_DATA_DIR": str(tmp_path),
    }

    subprocess.run([sys.executable, str(program)], env=environment, check=True, timeout=240)

    assert UsageRecord.objects.count() == 20
