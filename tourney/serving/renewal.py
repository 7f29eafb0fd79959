"""A certificate that is renewed on the disk is used without a restart of the server, and without anybody's doing."""

import threading
from collections.abc import Callable
from hashlib import sha256
from typing import Self

from tourney.runtime.certificate import Certificate, CertificateIsWrong, own_certificate

SECONDS_BETWEEN_LOOKS = 10


class Renewals:
    """A context manager: inside it `reload` is called after each change of the files that fit each other then.

    Without a certificate it does nothing.
    """

    def __init__(self, reload: Callable[[], object], say: Callable[[str], None]) -> None:
        self.certificate, self.reload, self.say = own_certificate(), reload, say
        self._seen = digest_of(self.certificate) if self.certificate else b""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look_now_and_then, daemon=True)

    def __enter__(self) -> Self:
        if self.certificate:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    def _look_now_and_then(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LOOKS):
            self.look()

    def look(self) -> None:
        """Look once. Files of which one was not written yet are looked at again."""
        if self.certificate and (found := digest_of(self.certificate)) != self._seen:
            self._seen = found
            try:
                own_certificate()
            except CertificateIsWrong as error:
                self.say(f"The server keeps its certificate: the files have changed, and don’t fit. {error}")
            else:
                self.say("The certificate was renewed.")
                self.reload()


def digest_of(certificate: Certificate) -> bytes:
    """Another one for each state of the files; one that is away just now counts as empty."""
    digest = sha256()
    for path in (certificate.file, certificate.key):
        try:
            digest.update(sha256(path.read_bytes()).digest())
        except OSError:
            digest.update(b"away")
    return digest.digest()
