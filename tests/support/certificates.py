"""Certificates made by ourselves, as files, for sites of this computer."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from ssl import SSLContext, create_default_context

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class OwnCertificate:
    file: Path
    key: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"TLS_CERT": str(self.file), "TLS_KEY": str(self.key)}

    def trusted(self) -> SSLContext:
        """What a browser has that trusts this one and no other."""
        return create_default_context(cafile=str(self.file))


def make_certificate(folder: Path, *names: str, until: datetime | None = None) -> OwnCertificate:
    """A new one for these names and addresses, in place of one that is there."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Flagship of a test")])
    builder = (
        x509.CertificateBuilder(called, called, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=400))
        .not_valid_after(until or now + timedelta(days=90))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName([name_of(name) for name in names]), critical=False)
    made = OwnCertificate(folder / "fullchain.pem", folder / "privkey.pem")
    folder.mkdir(parents=True, exist_ok=True)
    made.file.write_bytes(builder.sign(key, SHA256()).public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    made.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, *form))
    return made


def name_of(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
