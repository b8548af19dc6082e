"""Page tokens: where a list of sessions goes on."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from croupier_service.errors import BadPageToken


def write_page_token(number: int) -> str:
    """The page with the sessions created before this one."""
    return urlsafe_b64encode(b"before:%d" % number).decode()


def read_page_token(token: str) -> int:
    """The number of the session before which the page starts."""
    try:
        word, _, number = urlsafe_b64decode(token).partition(b":")
        if word == b"before" and number.isdigit() and len(number) < 20:
            return int(number)
    except ValueError:
        pass
    raise BadPageToken("not a page token: use the next_page_token of the page before, or leave it empty")
