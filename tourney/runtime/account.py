"""The account that the data of the embedded PostgreSQL belong to.

PostgreSQL refuses to run as root, so root lends the data to an unprivileged account; others run it as themselves.
"""

import os
import pwd
from pathlib import Path
from typing import TypedDict


class AsAccount(TypedDict, total=False):
    """Arguments of `subprocess` to start a program as the account that the data belong to."""

    cwd: str
    user: int
    group: int
    extra_groups: list[int]


def account_of(data: Path) -> pwd.struct_passwd:
    """The account of this data folder, also before there is one."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    if data.exists() and (owner := data.stat().st_uid) != 0:
        return pwd.getpwuid(owner)
    return pwd.getpwnam("nobody")


def as_account_of(data: Path, programs: Path) -> AsAccount:
    """Arguments of `subprocess` to start one of the `programs` for this folder; both can be reached from then on."""
    if os.geteuid() != 0:
        return {"cwd": "/"}
    open_path_to(data, programs)
    account = account_of(data)
    return {"cwd": "/", "user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def give_to_account_of(data: Path, path: Path) -> None:
    """Let the account of this data folder own what is there."""
    if os.geteuid() == 0:
        account = account_of(data)
        os.chown(path, account.pw_uid, account.pw_gid)


def open_path_to(*targets: Path) -> None:
    """Let other accounts pass through (not list) the folders above `targets`."""
    for target in targets:
        for folder in target.parents:
            if not folder.stat().st_mode & 0o001:
                folder.chmod(folder.stat().st_mode | 0o011)
