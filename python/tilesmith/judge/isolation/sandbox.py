"""What surrounds the process of a candidate: who it may reach, how much it may use, and who ends it.

`enter` is called by a fresh process before anything of the candidate is loaded. It forks: the caller's own process stays
outside as the *keeper* and never returns, the innermost child returns and becomes the worker.

    judge ── keeper ── guard ── worker        with namespaces: guard is process 1 of a namespace of its own
    judge ── guard ──────────── worker        without ("plain")

The guard counts processes and memory and tells the judge how the worker ended, through a pipe the worker does not have. When
the guard ends, nothing of the worker is left: the kernel empties the namespace; a plain guard kills its descendants, which
cannot leave it because orphans come back to it. Guard and keeper end when the judge does.

With namespaces the worker sees no network, no process but its own, and a file tree of only the system, Python and our packages
(read-only), its own folder and an empty /tmp. It runs under a user id nobody else has, if we are root.

Imports only what Python always has: this runs before the candidate, and before torch.
"""

import ctypes
import json
import os
import random
import resource
import signal
import sys
import time

_libc = ctypes.CDLL(None, use_errno=True)
_NEWNS, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
_SET_PDEATHSIG, _SET_DUMPABLE, _SET_KEEPCAPS, _SET_SUBREAPER, _SET_NO_NEW_PRIVS = 1, 4, 8, 36, 38
_DAC_READ_SEARCH = 1 << 2
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}.get(os.uname().machine)

POLL = 0.05  # seconds between two looks of the guard
GRACE = 0.5  # seconds a worker has between SIGTERM and SIGKILL
WORK, CANDIDATE = "/tmp", "/candidate"  # inside, with namespaces


class Refused(Exception):
    """The system does not allow it."""


def _check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise Refused(f"{what}: {os.strerror(number)}")


def _prctl(option, value):
    _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _mount(source, target, kind, flags, data=None):
    encode = lambda text: None if text is None else os.fsencode(text)
    _check(_libc.mount(encode(source), encode(target), encode(kind), ctypes.c_ulong(flags), encode(data)), f"mount {target}")


def _make_target(path, is_folder):
    if is_folder:
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.lexists(path):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))


def _copy_links(root, path):
    """Makes the symbolic links on the way to a path in the new tree, too: programs ask for it by the name they know."""
    for _ in range(40):  # as far as the kernel follows links
        whole = path.split("/")
        heads = ("/".join(whole[:count]) for count in range(2, len(whole) + 1))
        link = next((head for head in heads if os.path.islink(head)), None)
        if link is None:
            return
        if not os.path.lexists(root + link):
            os.makedirs(os.path.dirname(root + link), exist_ok=True)
            os.symlink(os.readlink(link), root + link)
        path = os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link)) + path[len(link) :])


def _show(root, path, place=None):
    """Makes a path of the old tree visible in the new one, at `place` if given, with everything mounted below it."""
    if place is None:
        _copy_links(root, path)
        if os.path.islink(path) and path.count("/") == 1:  # /bin -> usr/bin, which comes with /usr
            return
    path = os.path.realpath(path)
    if not os.path.exists(path):
        return
    place = place or path
    _make_target(root + place, os.path.isdir(path))
    _mount(path, root + place, None, _BIND | _REC)


def _make_read_only(root, writable):
    """Every mount below root; flags a mount already has are kept, the kernel insists on some of them."""
    with open("/proc/self/mountinfo") as mounts:
        places = [line.split()[4].encode().decode("unicode_escape") for line in mounts]
    for place in places:
        if place.startswith(root + "/") and place not in writable:
            have = os.statvfs(place).f_flag & (_NOSUID | _NODEV | _NOEXEC | 1024 | 2048 | 4096)
            keep = (have & (_NOSUID | _NODEV | _NOEXEC)) | (have & 1024) | (have & 2048) | ((have & 4096) and 1 << 21)
            devices = place.startswith(root + "/dev")
            _mount(None, place, None, _REMOUNT | _BIND | _RDONLY | _NOSUID | (0 if devices else _NODEV) | keep)


def _build_root(config):
    """The tree the worker will see, below config["folder"]/root. Returns its path."""
    root = os.path.realpath(os.path.join(config["folder"], "root"))
    os.mkdir(root)
    _mount("tmpfs", root, "tmpfs", _NOSUID | _NODEV, "mode=755,size=16m")
    for place in ("/dev", "/dev/shm", WORK, "/proc"):
        os.makedirs(root + place, exist_ok=True)
    writable = [root + "/dev/shm", root + WORK]
    for place in writable:
        _mount("tmpfs", place, "tmpfs", _NOSUID | _NODEV, f"mode=1777,size={config['limits']['disk']}")
    for path in config["visible"]:  # some may lie below /tmp
        _show(root, path)
    if config["candidate"]:
        _show(root, config["candidate"], CANDIDATE)
    for name in ("null", "zero", "full", "random", "urandom", *config["devices"]):
        _show(root, "/dev/" + name)
    for path in config["hidden"]:  # the task may lie below something that must be visible
        path = os.path.realpath(path)
        if os.path.isdir(root + path):
            _mount("tmpfs", root + path, "tmpfs", _NOSUID | _NODEV | _RDONLY, "size=4k")
        elif os.path.exists(root + path):
            _mount("/dev/null", root + path, None, _BIND)
    _make_read_only(root, writable)
    return root


def _leave_old_root(root):
    if _PIVOT_ROOT is None:
        raise Refused(f"pivot_root is not known for {os.uname().machine}")
    os.chdir(root)
    _check(_libc.syscall(ctypes.c_long(_PIVOT_ROOT), b".", b"."), "pivot_root")
    _check(_libc.umount2(b".", 2), "umount of the old root")
    _mount(None, "/", None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)
    os.chdir(WORK)


def _separate():
    """New namespaces for what this process forks from now on. Root keeps its user namespace and changes its user later."""
    uid, gid = os.geteuid(), os.getegid()
    flags = _NEWPID | _NEWNET | _NEWIPC | _NEWUTS | (0 if uid == 0 else _NEWUSER)
    _check(_libc.unshare(flags), "unshare")
    if uid != 0:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            try:
                with open("/proc/self/" + name, "w") as file:
                    file.write(text)
            except OSError as error:
                raise Refused(f"{name}: {error}") from None


def _set_capabilities(mask):
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(mask, mask, 0, 0, 0, 0)
    _libc.capset(header, sets)


def _drop_privileges(reads_all):
    """Another user if we are root: limits then bind, files of others are closed, and nobody else can be signalled. reads_all
    keeps the right to read whatever is visible: a task's folder may be its owner's alone."""
    _prctl(_SET_NO_NEW_PRIVS, 1)
    if os.geteuid() == 0:
        _prctl(_SET_KEEPCAPS, 1)
        identity = random.SystemRandom().randrange(1 << 30, 1 << 31)
        for candidate in (identity, 65534):
            try:
                os.setgroups([])
                os.setresgid(candidate, candidate, candidate)
                os.setresuid(candidate, candidate, candidate)
                break
            except OSError:
                continue
        _set_capabilities(_DAC_READ_SEARCH if reads_all else 0)
    else:
        _set_capabilities(0)  # those inside our own user namespace
    _prctl(_SET_DUMPABLE, 1)


def _limit(name, value):
    number = getattr(resource, "RLIMIT_" + name)
    _, hard = resource.getrlimit(number)
    value = int(value) if hard == resource.RLIM_INFINITY else min(int(value), hard)
    resource.setrlimit(number, (value, value))


def _set_limits(limits):
    _limit("CORE", 0)
    _limit("DATA", limits["memory"])
    _limit("FSIZE", limits["memory"])  # results are files, too
    _limit("NOFILE", 1024)
    _limit("CPU", limits["cpu"])


def _resident(pid):
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0


class _Guard:
    """Waits for the worker, looks at what it does meanwhile, and reports how it ended."""

    def __init__(self, worker, limits, status, members):
        self.worker, self.limits, self.status, self.members = worker, limits, status, members
        self.asked_to_end = None

    def report(self, **how):
        try:
            os.write(self.status, json.dumps(how).encode() + b"\n")
        except OSError:
            pass  # the judge is gone

    def end(self, signum, frame):
        if self.asked_to_end is None:
            self.asked_to_end = time.monotonic()
            try:
                os.kill(self.worker, signal.SIGTERM)
            except OSError:
                pass

    def excess(self):
        """Why it must end now, or None."""
        pids = self.members()
        if len(pids) > self.limits["processes"]:
            return {"reason": "processes", "count": len(pids)}
        resident = [_resident(pid) for pid in pids]
        # Forks share what the smallest of them has. Exact shares are in smaps, which blocks while a process forks.
        used = sum(resident) - (len(resident) - 1) * min(resident, default=0)
        if used > self.limits["memory"]:
            return {"reason": "memory", "bytes": used}
        with open("/proc/meminfo") as file:
            facts = dict(line.split(":", 1) for line in file)
        if "MemAvailable" in facts and int(facts["MemAvailable"].split()[0]) * 1024 < (256 << 20):
            return {"reason": "memory", "bytes": used, "system": True}
        return None

    def watch(self, parent):
        while True:
            signal.sigtimedwait([signal.SIGCHLD], POLL)
            while True:
                try:
                    pid, state = os.waitpid(-1, os.WNOHANG)
                except ChildProcessError:
                    return
                if pid == 0:
                    break
                if pid == self.worker:
                    code = os.waitstatus_to_exitcode(state)
                    return self.report(**({"signal": -code} if code < 0 else {"exit": code}))
            if os.getppid() != parent:
                return
            if self.asked_to_end and time.monotonic() > self.asked_to_end + GRACE:
                return self.report(signal=int(signal.SIGKILL))
            if why := self.excess():
                return self.report(**why)


def _everybody():
    """Processes of this namespace, but not ourselves."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]


def descendants(root):
    """Process ids below root."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    parents.setdefault(int(file.read().rpartition(")")[2].split()[1]), []).append(int(name))
            except (OSError, IndexError, ValueError):
                continue
    found, todo = [], [root]
    while todo:
        below = parents.get(todo.pop(), [])
        found += below
        todo += below
    return found


def _guard(worker, config, status, members, parent):
    guard = _Guard(worker, config["limits"], status, members)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -10)  # to have its turn among a thousand processes that want to run
    except OSError:
        pass
    signal.signal(signal.SIGTERM, guard.end)
    guard.watch(parent)


def _fork_worker(config, keep):
    """In the worker: None. In the guard: the worker's process id."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])  # the guard waits for it
    guard = os.getpid()
    pid = os.fork()
    if pid == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        _prctl(_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() not in (guard, 0):
            os._exit(0)
        for fd in keep:
            os.close(fd)
        _set_limits(config["limits"])
        return None
    return pid


def _keep(pid, parent):
    """The keeper: ends the guard when told, or when the judge is gone; ends with the guard."""

    def forward(signum, frame):
        os.kill(pid, signal.SIGTERM)

    signal.signal(signal.SIGTERM, forward)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    while True:
        if os.waitpid(pid, os.WNOHANG)[0]:
            os._exit(0)
        if os.getppid() != parent:
            os.kill(pid, signal.SIGKILL)
        signal.sigtimedwait([signal.SIGCHLD], POLL)


def _enter_namespaces(config, status, parent):
    _separate()
    pid = os.fork()
    if pid:
        os.close(status)
        _keep(pid, parent)
    _prctl(_SET_PDEATHSIG, signal.SIGKILL)
    # Only now: pivot_root moves everybody in the namespace.
    _check(_libc.unshare(_NEWNS), "unshare")
    _mount(None, "/", None, _REC | _PRIVATE)
    root = _build_root(config)
    _mount("proc", root + "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    _leave_old_root(root)
    worker = _fork_worker(config, [status])
    if worker is not None:
        _guard(worker, config, status, _everybody, os.getppid())
        os._exit(0)
    # Threads count, too. Only the guard's own count has a message; this keeps a bomb small until the guard sees it.
    _limit("NPROC", config["limits"]["processes"] + config["limits"]["threads"])
    _drop_privileges(config["reads_all"])
    return {"processes": True, "network": True, "files": True}


def _enter_plain(config, status, parent):
    _prctl(_SET_SUBREAPER, 1)
    network = False
    if os.geteuid() == 0:
        network = _libc.unshare(_NEWNET) == 0
    worker = _fork_worker(config, [status])
    if worker is not None:
        guard = os.getpid()
        _guard(worker, config, status, lambda: descendants(guard), parent)
        _kill_descendants(guard)
        os._exit(0)
    os.chdir(config["folder"])
    _prctl(_SET_NO_NEW_PRIVS, 1)
    return {"processes": False, "network": network, "files": False}


def _kill_descendants(guard):
    """Until there are none: orphans come back to the guard, which is their reaper."""
    while below := descendants(guard):
        for pid in below:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


def enter(config, status, parent):
    """Returns, in the worker, what it is kept from: {"processes", "network", "files"}. Raises Refused. When `parent` is no longer
    the parent of the calling process, everything ends.

    config: {"level": "namespaces"|"plain", "folder": private, "candidate": folder that becomes CANDIDATE or None,
    "visible": paths, "hidden": paths, "devices": names in /dev, "reads_all": see _drop_privileges,
    "limits": {"memory", "disk" (bytes), "processes", "threads", "cpu" (seconds)}}.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        return (_enter_namespaces if config["level"] == "namespaces" else _enter_plain)(config, status, parent)
    except OSError as error:
        raise Refused(str(error)) from None


def why_no_namespaces():
    """What the system says against namespaces for workers; empty if it allows them."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            _separate()
            text = ""
        except (Refused, OSError) as error:
            text = str(error) or "refused"
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        text = answer.read().decode(errors="replace")
    os.waitpid(pid, 0)
    return text
