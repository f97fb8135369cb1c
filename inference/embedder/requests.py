"""What callers of the embedder may send, and how they are told that something is wrong with it (OpenAI's error form)."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request

from inference.types import TextKind

MAX_TEXTS = 2048  # as OpenAI has it
MAX_BODY_BYTES = 32 * 1024 * 1024
Texts = Annotated[list[str], Field(min_length=1, max_length=MAX_TEXTS)]


class Refused(Exception):
    """An error answer; `more` stands beside OpenAI's four fields."""

    def __init__(
        self, status: int, message: str, *, type_: str = "invalid_request_error", code: str | None = None, **more: Any
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = {
            "message": message,
            "type": type_,
            "param": "input" if "index" in more else None,
            "code": code,
            **more,
        }


class EmbeddingRequest(BaseModel):
    """The body of /v1/embeddings. A model's name is accepted and, but for its end `-query`, not looked at: there is one model here."""

    input: str | Texts
    model: str = ""
    encoding_format: Literal["float", "base64"] = "float"
    input_type: TextKind | None = None

    @property
    def texts(self) -> list[str]:
        return [self.input] if isinstance(self.input, str) else self.input

    @property
    def kind(self) -> TextKind:
        return self.input_type or ("query" if self.model.endswith("-query") else "passage")

    def check(self, counts: Sequence[int], window_tokens: int) -> None:
        """Refuse empty texts and those over the window, naming the first."""
        for index, (text, tokens) in enumerate(zip(self.texts, counts, strict=True)):
            if not text.strip():
                raise Refused(400, f"input[{index}] is empty.", code="empty_text", index=index)
            if tokens > window_tokens:
                message = f"input[{index}] has {tokens} tokens, the model reads {window_tokens}."
                raise Refused(400, message, code="text_too_long", index=index, tokens=tokens, window=window_tokens)


class TokenizeRequest(BaseModel):
    """The body of /tokenize."""

    texts: Texts
    input_type: TextKind = "passage"


Body = TypeVar("Body", bound=BaseModel)


async def read_body(request: Request, kind: type[Body]) -> Body:
    """The body, checked. Raises Refused."""
    if int(request.headers.get("content-length") or 0) > MAX_BODY_BYTES:
        raise Refused(413, f"The request is larger than {MAX_BODY_BYTES} bytes.")
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise Refused(400, f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
