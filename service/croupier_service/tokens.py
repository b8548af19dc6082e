"""Tokens: unguessable, and kept only as hashes."""

import re
import secrets
from hashlib import sha256
from hmac import compare_digest

from croupier_service.errors import BadRequest

_SHAPE = re.compile(r"[A-Za-z0-9_-]{22,128}")


def new_token() -> str:
    """A fresh token of 192 bits."""
    return secrets.token_urlsafe(24)


def hash_token(token: str) -> bytes:
    """What is kept of a token; refuses what can be none."""
    if not _SHAPE.fullmatch(token):
        raise BadRequest("a token has 22 to 128 characters of A-Z a-z 0-9 - _; this one does not")
    return sha256(token.encode()).digest()


def same_token(token: str, token_hash: bytes) -> bool:
    """Whether the token is the one that was hashed, in a time that does not tell how close it was."""
    return compare_digest(sha256(token.encode()).digest(), token_hash)
