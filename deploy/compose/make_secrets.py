"""Makes the secrets of compose.yaml where they are missing; those that are there stay.

Compose mounts a secret with the rights it has outside: so all users can read the files, and only you enter the folder.
"""

import secrets
from pathlib import Path

SECRETS = Path(__file__).resolve().parent / "secrets"


def make(folder: Path) -> list[str]:
    """Writes what is missing; returns the names of it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    password_file = folder / "postgres_password"
    password = password_file.read_text().strip() if password_file.exists() else secrets.token_urlsafe(24)
    wanted = {
        "operator_token": secrets.token_urlsafe(24),
        "postgres_password": password,
        "pg_service": f"[croupier]\npassword={password}",
        "grafana_password": secrets.token_urlsafe(24),
    }
    missing = [name for name in wanted if not (folder / name).exists()]
    for name in missing:
        (folder / name).write_text(wanted[name] + "\n")
        (folder / name).chmod(0o644)
    return missing


if __name__ == "__main__":
    print(f"{SECRETS}: made {', '.join(make(SECRETS)) or 'nothing, all are there'}")
