"""The one place where ports are bound to the classes that play them."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from django.db import connections
from psycopg.conninfo import make_conninfo

from common.storage import FolderStorage, Storage
from config.conf import server_settings
from config.embedded.addresses import embedder_address, graph_address, llm_address
from inference.conf import inference_settings
from inference.http_embedder import HttpEmbedder
from inference.http_question_embedder import HttpQuestionEmbedder
from inference.matching import MatchingEmbedder, MatchingQuestionEmbedder
from inference.meters import LedgerMeter, QueuedMeter
from inference.openai_engine import OpenAIChatEngine
from inference.ports import Embedder
from inference.types import ModelServer
from knowledge import tools as knowledge_tools_of_process
from knowledge.chunking.types import ChunkSize
from knowledge.conf import knowledge_settings
from knowledge.ingest import WAY_IN
from knowledge.parsing.limits import MIB, ReadLimits
from knowledge.tools import Tools
from knowledge.words.split import WordSplitter
from ontology import extract
from ontology.fact_vectors.keeper import LedgerFactVectors
from ontology.graph import binding as graph_of_process
from ontology.keeper import LedgerFactKeeper
from ontology.model_reading import binding as reader_of_process
from ontology.model_reading import reading as model_reading
from ontology.records import SkeletonRecords
from retrieval import tools as retrieval_tools_of_process
from retrieval.answerers.model import ModelAnswerer
from retrieval.answerers.quoting import QuotingAnswerer
from retrieval.arms.keyword import KeywordArm
from retrieval.arms.vector import VectorArm, active_fingerprint
from retrieval.conf import retrieval_settings
from retrieval.database import Database
from retrieval.services import StoredCitations


def bind() -> None:
    """Tell each package how its tools are made; nothing is made or asked before it is needed."""
    knowledge_tools_of_process.bind(knowledge_tools)
    retrieval_tools_of_process.bind(retrieval_tools)
    graph_of_process.bind(graph_address)
    reader_of_process.bind(model_reader)


@cache
def storage() -> Storage:
    """Originals and pictures lie in the data folder, which web and workers share."""
    return FolderStorage(server_settings().data / "storage")


@cache
def embedders() -> tuple[HttpEmbedder, ...]:
    """The embedder's process, or the server that stands for it; and the one of a model that is to come."""
    return tuple(HttpEmbedder(where, meter=LedgerMeter()) for where in embedder_addresses())


@cache
def embedder() -> Embedder:
    """The one whose vectors are in use."""
    return MatchingEmbedder(embedders())


def embedder_addresses() -> list[Callable[[], ModelServer]]:
    """Where embedders are: an embedded one may move while the server runs."""
    settings = inference_settings()
    if not settings.next_embedding_base_url:
        return [embedder_address]
    key = settings.next_embedding_api_key.get_secret_value()
    coming = ModelServer(settings.next_embedding_base_url.rstrip("/"), key, settings.next_embedding_model)
    return [embedder_address, lambda: coming]


@cache
def words() -> WordSplitter:
    """One dictionary for documents and questions."""
    return WordSplitter()


def knowledge_tools() -> Tools:
    """What documents are read with."""
    settings = knowledge_settings()
    return Tools(
        storage=storage(),
        embedder=embedder(),
        embedders=embedders(),
        splitter=words(),
        way_in=(*WAY_IN, extract),
        afterwards=(model_reading,),
        facts=LedgerFactKeeper(),
        fact_vectors=LedgerFactVectors(),
        citations=StoredCitations(),
        records=SkeletonRecords(),
        limits=ReadLimits(file_bytes=settings.file_mb * MIB, expanded_bytes=settings.unpacked_mb * MIB),
        chunk_size=ChunkSize(settings.chunk_tokens, settings.chunk_max_tokens, settings.chunk_overlap),
    )


def retrieval_tools() -> retrieval_tools_of_process.Tools:
    """What questions are answered with. The model writes while there is an engine; which may begin and end while the server runs."""
    made = quoting_tools()
    if llm_address() is None:
        return made
    model = ModelAnswerer(chat_engine(), words(), made.settings)
    return replace(made, answerers={**made.answerers, "model": model}, closing=(*made.closing, chat_engine().aclose))


@cache
def quoting_tools() -> retrieval_tools_of_process.Tools:
    """All but the model."""
    settings = retrieval_settings()
    database = Database(questions_database_url, limit_s=settings.arm_limit_s, size=settings.question_pool)
    keyword = KeywordArm(database, words())
    embedder_for_questions = MatchingQuestionEmbedder(
        [HttpQuestionEmbedder(where, meter=queued_meter()) for where in embedder_addresses()],
        active_fingerprint=partial(active_fingerprint, database),
    )
    return retrieval_tools_of_process.Tools(
        database=database,
        embedder=embedder_for_questions,
        arms=(VectorArm(database), keyword),
        answerers={"quote": QuotingAnswerer(words(), keyword)},
        limits=retrieval_tools_of_process.limits_from(settings),
        settings=settings,
        closing=(embedder_for_questions.aclose,),
    )


@cache
def chat_engine() -> OpenAIChatEngine:
    """The model that writes, wherever it is at the moment."""
    return OpenAIChatEngine(llm_address, meter=queued_meter())


def model_reader() -> reader_of_process.Reader:
    """The model that reads documents: the one that writes answers."""
    return reader_of_process.Reader(chat_engine(), chat_engine().aclose, queued_meter().flush)


@cache
def queued_meter() -> QueuedMeter:
    """Keeps account of the question path's calls without holding it up."""
    return QueuedMeter()


def questions_database_url() -> str:
    """The database that Django uses, a test's too, for connections of our own."""
    wanted = connections["default"].settings_dict
    parts = {key.lower(): wanted[key] for key in ("HOST", "PORT", "USER", "PASSWORD") if wanted[key]}
    return make_conninfo("", dbname=wanted["NAME"], **parts)
