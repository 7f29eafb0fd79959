"""`make fresh`: discard what this installation keeps under `VAR_DIR`, after asking."""

import shutil
import sys

from tourney.runtime import embedded
from tourney.serving import serve

OURS = (
    "postgres*",
    "test-postgres*",
    "static",
    "metrics",
    "secret-key",
    "organizer-password",
    "csp-reports.log*",
    "run.lock",
)


def main() -> int:
    """Ask, stop the database and delete; 1 if the answer was no or the server runs."""
    folder = embedded.var_dir()
    print(f"This deletes every store, event, player and password in {folder}. You can't undo this.")
    if (folder / "backups").exists():
        print(f"Backups stay in {folder / 'backups'}. Delete them yourself if nobody may read them.")
    if not embedded.is_used():
        print("The database at DATABASE_URL stays as it is.")
    if not agreed("Delete everything? [y/N] "):
        print("Nothing deleted.")
        return 1
    try:
        with serve.only_server_of_this_folder("make fresh"):
            embedded.stop()
            delete()
    except (serve.CannotRun, embedded.DatabaseDidNotStart) as error:
        print(f"Nothing deleted. {error}", file=sys.stderr)
        return 1
    print("Everything is deleted. make run starts from scratch.")
    return 0


def agreed(question: str) -> bool:
    """Whether the question was answered with yes; without a terminal it was not."""
    try:
        return input(question).strip().lower() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        print()
        return False


def delete() -> None:
    """Delete what we made and nothing else: `VAR_DIR` may be a folder that holds other things too."""
    folder = embedded.var_dir()
    for path in {found for pattern in OURS for found in folder.glob(pattern)}:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    if not any(folder.iterdir()):
        folder.rmdir()


if __name__ == "__main__":
    sys.exit(main())
