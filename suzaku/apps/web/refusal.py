"""Why the server says no: a code with its values, which the page can say in any language, and the English sentence."""

from typing import Any

# code -> status of a plain request, and the sentence
SENTENCES: dict[str, tuple[int, str]] = {
    "too_many_watchers": (400, "the table has too many watchers"),
    "too_many_windows": (400, "this seat is open in too many windows"),
    "no_seat": (400, "no seat is free at this table"),
    "seated": (400, "you sit already"),
    "not_seated": (400, "sit down first"),
    "names_missing": (400, "somebody has not given a name yet"),
    "has_begun": (400, "the game has begun: names stay as they are"),
    "not_asked": (400, "you are not asked this now"),
    "only_watch": (400, "you only watch"),
    "not_legal": (400, "{name} is not legal now"),
    "cannot_follow": (400, "this discard cannot follow"),
    "no_hints": (400, "this table is played without hints"),
    "nobody_asked": (400, "nobody is asked now"),
    "hint_busy": (400, "the last hint is still being worked out"),
    "hint_failed": (400, "no hint could be worked out"),
    "no_agent": (404, "there is no agent {name!r} here that gives opinions"),
    "no_opponent": (400, "there is no opponent {name!r} here"),
    "server_full": (400, "the server has no room for another table"),
    "too_many_tables": (429, "{most} tables were opened from your address: play on at one of them, or try again later"),
    "upload_busy": (429, "a file from your address is still being read: send one at a time"),
    "uploads_full": (503, "files of others are being read: try again in a moment"),
    "upload_slow": (408, "the file did not arrive within {seconds} seconds"),
    "bad_message": (400, "{reason}"),
    "bad_table": (400, "{reason}"),
    "bad_record": (400, "{reason}"),
    "too_large": (413, "at most {most:,} bytes can be sent"),
    "other_site": (403, "another site may not ask this"),
    "wrong_host": (403, "this server does not answer to the name {host!r}; `suzaku play --allow-host NAME` adds one"),
    "file_busy": (503, "the file of games cannot be read now ({reason})"),
    "still_played": (403, "this game is still being played"),
    "not_owner": (403, "only the page that started this game may delete it"),
    "no_game": (404, "there is no game {id}"),
    "no_round": (404, "the game has no such round"),
    "no_step": (404, "the round has no such step"),
    "no_format": (404, "there is no format {name!r}"),
}


class RefusalError(ValueError):
    """A refusal by its code; the sentence is its text."""

    def __init__(self, code: str, **values: Any) -> None:
        self.code, self.values = code, values
        self.status, sentence = SENTENCES[code]
        super().__init__(sentence.format(**values))

    def message(self) -> dict[str, Any]:
        """The `error` for a page."""
        return {"type": "error", "text": str(self), "code": self.code, "values": self.values}

    def body(self) -> dict[str, Any]:
        """The body of a refused request."""
        return {"detail": str(self), "code": self.code, "values": self.values}


def refusal_of(error: ValueError, code: str) -> RefusalError:
    """The error itself if it is a refusal, otherwise one of this code, which says the reason in English."""
    return error if isinstance(error, RefusalError) else RefusalError(code, reason=str(error))
