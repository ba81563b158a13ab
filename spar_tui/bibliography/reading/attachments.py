"""Where an entry's files lie, as JabRef, Zotero and Mendeley write it."""

import re


def attached_files(value: str) -> list[str]:
    r"""The paths in `path`, `description:path:type`, or several of these with semicolons between; PDFs go first.

    Colons and semicolons of a path are escaped (`C\:\\papers`), and Mendeley leaves out its first slash.
    """
    if not value:
        return []
    paths: list[str] = []
    for attachment in re.split(r"(?<!\\);", value.replace(r"$\backslash$", "\\").strip()):
        parts = [re.sub(r"\\([:;\\_%&#{}])", r"\1", part) for part in re.split(r"(?<!\\):(?!\\\\|//)", attachment)]
        path = parts[-2] if len(parts) >= 3 else parts[0]
        if len(parts) == 3 and not parts[0] and re.match(r"(?:home|Users|mnt|media|Volumes)/", path):
            path = f"/{path}"
        if len(parts) == 4:
            path = ":".join(parts[1:3])  # a drive's colon that was not escaped
        paths.append(path.strip())
    found = [path for path in paths if path and not path.startswith(("http://", "https://"))]
    return sorted(found, key=lambda path: not path.lower().endswith(".pdf"))
