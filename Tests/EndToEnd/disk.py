# The disk that fails when it is told to, as the suites of faults use it: disk.c, compiled when it is first needed.

import functools
import mmap
import os
import shutil
import struct
import subprocess
import tempfile

SOUND, SYNC_FAILS, SYNC_LOSES, WRITE_FAILS, FULL, POWER_CUT = range(6)
DATABASE, LOG = 1, 2
LAYOUT = struct.Struct("<IIIIQ")


@functools.cache
def library():
    """The path of the compiled shim; the folder goes with the process."""
    folder = tempfile.TemporaryDirectory(prefix="interviewkit-disk-")
    path = os.path.join(folder.name, "disk.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "disk.c")
    compiler = next(name for name in ("cc", "clang", "gcc") if shutil.which(name))
    subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True)
    return path, folder


class Disk:
    """One server's disk."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile(prefix="interviewkit-disk-")
        self.file.truncate(LAYOUT.size)
        self.map = mmap.mmap(self.file.fileno(), LAYOUT.size)

    @property
    def environment(self):
        return {"LD_PRELOAD": library()[0], "INTERVIEWKIT_DISK": self.file.name}

    def set(self, mode, files=DATABASE | LOG, countdown=0, seed=1):
        # The mode last: the server looks at it while this is written.
        self.map[4:24] = LAYOUT.pack(0, files, countdown, self.strikes, seed)[4:]
        self.map[0:4] = struct.pack("<I", mode)

    @property
    def strikes(self):
        return LAYOUT.unpack(self.map[:])[3]
