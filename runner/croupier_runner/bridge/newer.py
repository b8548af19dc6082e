"""A bridge as it may be one day: says what today's bots do not know, so that one can see whether they mind."""

import orjson

from croupier_runner.bridge.child import Child
from croupier_runner.bridge.lines import line
from croupier_runner.bridge.mapping import Json

_KEY = "added_later"


class NewerSpeech:
    """Speaks to a bot with a key more in every object, and with lines of a type that nobody knows yet."""

    def __init__(self, child: Child) -> None:
        self._child = child

    def say(self, text: bytes) -> None:
        """Sends the line, and another one that the bot has to ignore."""
        self._child.say(line(type=_KEY, session="none", seat=0, decision=1, legal_count=1, legal=["none"]))
        self._child.say(orjson.dumps(_with_more(orjson.loads(text)), option=orjson.OPT_APPEND_NEWLINE))


def _with_more(value: Json) -> Json:
    """The value with a key more at the end of each of its objects: the order of the others is promised."""
    if isinstance(value, dict):
        more: dict[str, Json] = {_KEY: {"text": 'a "quoted" one, and { [', "list": [1, None, True]}}
        return {key: _with_more(each) for key, each in value.items()} | more
    return [_with_more(each) for each in value] if isinstance(value, list) else value
