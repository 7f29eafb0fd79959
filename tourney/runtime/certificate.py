"""The certificate with which the server itself speaks HTTPS: `TLS_CERT` and `TLS_KEY`, files as PEM."""

import os
import ssl
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

SOON = timedelta(days=14)


class CertificateIsWrong(Exception):
    """No server can speak HTTPS with it; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Its files, the names that it is valid for (and addresses, last), and until when."""

    file: Path
    key: Path
    names: tuple[str, ...]
    until: datetime

    def site(self, port: int) -> str:
        """The address that people type. Raises CertificateIsWrong."""
        names = [name for name in self.names if "*" not in name]
        if not names:
            example = self.names[0].replace("*", "flagship") if self.names else "flagship.example"
            raise CertificateIsWrong(
                f"The certificate in TLS_CERT is for {' and '.join(self.names) or 'no name'}.\n"
                f"Say which address people type, such as PUBLIC_URL=https://{example}:{port}"
            )
        host = f"[{names[0]}]" if ":" in names[0] else names[0]
        return f"https://{host}" if port == 443 else f"https://{host}:{port}"

    def ending(self, now: datetime) -> str:
        """What people should know of its end; nothing while that is far away."""
        if self.until > now + SOON:
            return ""
        day = self.until.date().isoformat()
        return f"ends on {day}: renew it" if self.until > now else f"ended on {day}: browsers warn until it is renewed"


def own_certificate() -> Certificate | None:
    """The one that the environment names; None if it names none. Raises CertificateIsWrong."""
    named = [os.environ.get(variable, "") for variable in ("TLS_CERT", "TLS_KEY")]
    if not any(named):
        return None
    if not all(named):
        raise CertificateIsWrong("TLS_CERT and TLS_KEY go together: set both, or neither.")
    # Not resolved: what renews a certificate may lead a link to other files.
    file, key = (Path(name).expanduser().absolute() for name in named)
    for variable, path in (("TLS_CERT", file), ("TLS_KEY", key)):
        try:
            path.read_bytes()
        except OSError as error:
            raise CertificateIsWrong(f"{variable}={path} can’t be read: {error.strerror}.") from None
    return _read(file, key)


def _read(file: Path, key: Path) -> Certificate:
    from cryptography import x509  # half as much memory as all of us: only who speaks HTTPS needs it

    try:
        first = x509.load_pem_x509_certificates(file.read_bytes())[0]
    except ValueError:
        raise CertificateIsWrong(
            f"TLS_CERT={file} has no certificate. It has to be a PEM file, with its chain."
        ) from None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file, key, password=_no_password)
    except (ssl.SSLError, ValueError):
        raise CertificateIsWrong(
            f"TLS_KEY={key} isn’t the key of the certificate in TLS_CERT. It has to be a PEM file without a password."
        ) from None
    try:
        told = first.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return Certificate(file, key, (), first.not_valid_after_utc)
    names = told.get_values_for_type(x509.DNSName)
    addresses = [str(address) for address in told.get_values_for_type(x509.IPAddress)]
    return Certificate(file, key, (*names, *addresses), first.not_valid_after_utc)


def _no_password() -> str:
    """Asked for the password of a key; without this OpenSSL would ask at the terminal."""
    raise ValueError
