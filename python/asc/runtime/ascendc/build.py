"""Compiling a user's Ascend C into a library for the model, once.

The compiler is the host's: `CXX`, else the first of clang++, g++ and c++ on PATH. A precompiled header keeps the headers'
cost out of each compile; the first one makes it beside its own work. Libraries are kept in the cache folder under a key of
source, compiler, options and headers; an entry lists every other file the compile read, and is used while all of them are
unchanged.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading

import _tilesmith

from .errors import AscendCError
from .explain import Explanation
from .launches import as_it_is, find_launches, for_any_compiler
from .source import KernelSource, find_kernels, instances, needs_preprocessor, own_lines, user_files
from .threads import compiler_options, has_threads


# A kernel's own code computes addresses and calls the Machine: more optimisation would only make compiling longer.
CXX_FLAGS = ["-std=c++17", "-O1", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fvisibility=hidden",
             "-Wno-attributes", "-Wno-unknown-pragmas", "-DASCENDC_CPU_DEBUG=1", "-D__CCE_KT_TEST__=1"]


def include_folder():
    """Where kernel_operator.h and its companions are."""
    return os.path.join(os.path.dirname(os.path.abspath(_tilesmith.__file__)), "tilesmith_include")


def _digest(*parts):
    sha = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        sha.update(len(data).to_bytes(8, "little") + data)
    return sha.hexdigest()


def _file_digest(path):
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def tiling_header(path, text):
    """The header with the tiling struct of a custom operator's kernel, where the project keeps it for the host's side; or None.

    The vendor's build puts the struct before the kernel, which reads it by GET_TILING_DATA and includes nothing.
    """
    if b"GET_TILING_DATA" not in text or re.search(rb'REGISTER_TILING|^[ \t]*#[ \t]*include[ \t]*"[^"\n]*tiling', text, re.MULTILINE):
        return None
    folder, name = os.path.split(os.path.splitext(path)[0])
    for place in (folder, os.path.join(os.path.dirname(folder), "op_host")):
        header = os.path.join(place, f"{name}_tiling.h")
        if os.path.isfile(header):
            return header
    return None


def _instance_help(template):
    return (f"'{template.name}' is a template; name an instance of it, as in kernels=[\"{template.example()}\"] "
            f"(on the command line: --kernel '{template.example()}')")


def find_compiler(name=None):
    """(path, text of --version) of the compiler to use."""
    wanted = [name] if name else [os.environ["CXX"]] if os.environ.get("CXX") else ["clang++", "g++", "c++"]
    for candidate in wanted:
        path = shutil.which(candidate)
        if path:
            version = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60)
            if version.returncode == 0:
                return path, version.stdout
    raise AscendCError(f"no C++ compiler was found (looked for {', '.join(wanted)}); install g++ or clang, or set CXX")


def _headers_digest():
    """One value for all headers of ours."""
    root = include_folder()
    if not os.path.isdir(root):
        raise AscendCError(f"the Ascend C headers are missing from this installation (no folder '{root}')")
    parts = []
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            parts += [os.path.relpath(path, root), _file_digest(path)]
    return _digest(*parts)


def _run(command, place):
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=place)
    except OSError as error:
        raise AscendCError(f"the compiler cannot be started: {error}") from None
    return done.returncode, done.stderr + done.stdout


def _publish(staging, final):
    """One rename makes an entry visible; another process may have been first with the same."""
    try:
        os.rename(staging, final)
    except OSError:
        if not os.path.isdir(final):
            raise
        shutil.rmtree(staging, ignore_errors=True)


class Builder:
    """Builds libraries with one compiler and keeps them in `folder`."""

    def __init__(self, compiler=None, options=(), folder=None):
        self.compiler, version = find_compiler(compiler)
        self.is_clang = "clang" in version
        self.options = [str(option) for option in options]
        self.folder = folder or os.path.join(_tilesmith.cache_folder(), "ascendc")
        self.identity = _digest(self.compiler, version, _headers_digest(), *CXX_FLAGS, *self.options)
        self._one_precompiled = threading.Lock()

    def _flags(self):
        return [*CXX_FLAGS, f"-I{include_folder()}", f"-I{os.path.join(include_folder(), 'ascendc')}", *self.options]

    def _staging(self):
        try:
            os.makedirs(self.folder, exist_ok=True)
            return tempfile.mkdtemp(prefix=".staging-", dir=self.folder)
        except OSError:  # a cache that cannot be written: build elsewhere, keep nothing
            return tempfile.mkdtemp(prefix="tilesmith-")

    def _precompiled(self):
        """The header whose precompiled form lies beside it."""
        return os.path.join(self.folder, f"pch-{self.identity[:32]}", "precompiled.h")

    def _precompile(self):
        """Makes it; without it compiles only take longer.

        It is compiled where it stays: compilers write its path into the result, and want it unchanged.
        """
        header = self._precompiled()
        with contextlib.suppress(OSError, AscendCError):
            os.makedirs(os.path.dirname(header), exist_ok=True)
            with contextlib.suppress(FileExistsError), open(header, "x") as file:
                file.write("#include <kernel_operator.h>\n")
            unfinished = f"{header}.{os.getpid()}-{threading.get_ident()}"
            status, _ = _run([self.compiler, *self._flags(), "-x", "c++-header", header, "-o", unfinished], os.path.dirname(header))
            if status == 0:
                os.rename(unfinished, header + ".gch")

    def build(self, path, kernels=None):
        """(library file, kernels as KernelSource) of a source file."""
        path = os.path.abspath(path)
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError as error:
            raise AscendCError(f"'{path}' cannot be read: {error.strerror}") from None
        if any(character in path for character in '"\\\n'):
            raise AscendCError(f"the path {path!r} cannot be written into an #include; rename the file")
        key = _digest(self.identity, path, text, "all" if kernels is None else "these", *(kernels or ()))[:32]
        final = os.path.join(self.folder, key)
        if self._is_current(final):
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
                library = os.path.join(final, "kernels.so")
                os.utime(library)
                with open(os.path.join(final, "kernels.json")) as file:
                    return library, [KernelSource(each["name"], tuple(each["parameters"]), each["type"]) for each in json.load(file)]
        found, templates = self._find(path, text.decode(errors="replace"))
        wanted = found if kernels is None else self._choose(path, found, templates, kernels)
        if not wanted:
            raise AscendCError(f"'{path}' defines no kernel" + (
                f" by itself: {_instance_help(next(iter(templates.values())))}" if templates
                else '; a kernel is a function marked extern "C" __global__ __aicore__'))
        if (threads := next((kernel for kernel in wanted if kernel.plain), None)) and has_threads(user_files(path, self.options)):
            raise AscendCError(f"'{threads.name}' is a kernel of threads; only a host program says how many: "
                               f"{threads.name}<<<blocks, threads, 0, stream>>>(...) (tilesmith run --host)")
        return self._compile(path, wanted, final, tiling_header(path, text)), wanted

    def build_text(self, text, kernels=None):
        """The same of a source that is no file. It is written into the folder, where messages and debuggers find it."""
        name = f"{_digest(text)[:32]}.cpp"
        for folder in (os.path.join(self.folder, "sources"), tempfile.gettempdir()):
            path = os.path.join(folder, name)
            try:
                os.makedirs(folder, exist_ok=True)
                if not os.path.exists(path):
                    unfinished = f"{path}.{os.getpid()}-{threading.get_ident()}"
                    with open(unfinished, "w") as file:
                        file.write(text)
                    os.rename(unfinished, path)
                return self.build(path, kernels)
            except OSError as error:
                problem = error
        raise AscendCError(f"'{path}' cannot be written: {problem.strerror}")

    def _find(self, path, text):
        """The kernels of a source and its templates. One that the preprocessor cannot read is left to the compiler's own message."""
        headers = os.path.join(include_folder(), "ascendc")
        if needs_preprocessor(text, lambda name: os.path.exists(os.path.join(headers, name))):
            command = [self.compiler, *self._flags(), "-DTILESMITH_FIND_KERNELS", "-E", "-x", "c++", path]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=os.path.dirname(path))
            if done.returncode == 0:
                ours, system = os.path.realpath(include_folder()), ("/usr/", "<")
                text = own_lines(done.stdout, lambda name: name == path or not (
                    name.startswith(system) or os.path.realpath(name).startswith(ours)))
        found, templates = find_kernels(text)
        return [*found, *instances(text, templates, find_launches(text) if templates else [])], templates

    def build_program(self, sources):
        """An executable of host sources that launch their kernels themselves (ICPU_RUN_KF)."""
        sources = [os.path.abspath(source) for source in sources]
        for source in sources:
            if not os.path.isfile(source):
                raise AscendCError(f"'{source}' cannot be read: No such file or directory")
        key = _digest(self.identity, "program", *sources, *map(_file_digest, sources))[:32]
        final = os.path.join(self.folder, key)
        # The compiler lists what it read for one source only; with several, an include may have changed unseen.
        if len(sources) == 1 and self._is_current(final, "program"):
            return os.path.join(final, "program")
        libraries = os.path.join(os.path.dirname(include_folder()), "tilesmith_lib")
        flags = [*self._flags(), f"-L{libraries}", f"-Wl,-rpath,{libraries}"]
        folders = [option for source in sources for option in ("-iquote", os.path.dirname(source))]
        options, libraries_too = self._thread_options(sources)
        return self._make(final, "program", sources[0], lambda staging: [
            *flags, *options, *folders, "-x", "c++", *(self._readable(source, staging) for source in sources), "-ltilesmith_cpu", "-lpthread",
            *libraries_too])

    def _thread_options(self, sources):
        texts = [user_files(source, self.options) for source in sources]
        return compiler_options(self.is_clang) if any(map(has_threads, texts)) else ([], [])

    @staticmethod
    def _choose(path, found, templates, kernels):
        by_name = {kernel.name: kernel for kernel in found}
        chosen = []
        for name in kernels:
            template = templates.get(name.partition("<")[0].rpartition("::")[2].strip())
            if name in by_name:
                chosen.append(by_name[name])
            elif "<" in name and template:
                chosen.append(template.instance(name))
            elif template:
                raise AscendCError(f"'{path}' defines no kernel '{name}' by itself: {_instance_help(template)}")
            else:
                instantiated = {each.partition("<")[0].rpartition("::")[2] for each in by_name}
                known = ", ".join([*by_name, *(each.example() for each in templates.values() if each.name not in instantiated)]) or "none"
                raise AscendCError(f"'{path}' defines no kernel '{name}'; it defines {known}")
        return chosen

    @staticmethod
    def _is_current(folder, product="kernels.so"):
        try:
            with open(os.path.join(folder, "reads.json")) as file:
                reads = json.load(file)
            return os.path.exists(os.path.join(folder, product)) and all(_file_digest(path) == digest for path, digest in reads)
        except (OSError, ValueError, TypeError):
            return False

    def _compile(self, path, kernels, final, tiling):
        def command(staging):
            wrapper = os.path.join(staging, "library.cpp")
            self._write_wrapper(wrapper, [*([tiling] if tiling else []), self._readable(path, staging)], kernels)
            with open(os.path.join(staging, "kernels.json"), "w") as file:
                json.dump([vars(kernel) for kernel in kernels], file)
            return [*self._flags(), *options, "-iquote", os.path.dirname(path), "-shared", wrapper, *libraries]

        options, libraries = self._thread_options([path])
        if options:  # the precompiled header is not compiled so
            return self._make(final, "kernels.so", path, command)
        header = self._precompiled()
        if not os.path.exists(header + ".gch"):
            with self._one_precompiled:  # who comes second waits for the first one's
                if not os.path.exists(header + ".gch"):
                    beside = threading.Thread(target=self._precompile)
                    beside.start()
                    try:
                        return self._make(final, "kernels.so", path, command)
                    finally:
                        beside.join()
        return self._make(final, "kernels.so", path, command, ["-include", header])

    def _readable(self, path, staging):
        """The source, or a copy of it without what only the vendor's compiler reads. Where files it includes need that, too, all of them
        are copied, as far from each other as they are, so that they find each other."""
        texts = user_files(path, self.options)
        changed = for_any_compiler(texts)
        if not changed:
            return path
        copies = {path: texts[path]} if set(changed) == {path} else texts
        for file in copies:
            copy = os.path.join(staging, "copies", file.lstrip(os.sep))
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with open(copy, "w", encoding="utf-8", errors="surrogateescape", newline="") as out:
                out.write(changed.get(file) or as_it_is(file, texts[file]))
        return os.path.join(staging, "copies", path.lstrip(os.sep))

    @staticmethod
    def _write_wrapper(wrapper, paths, kernels):
        with open(wrapper, "w") as file:
            file.write("#define TILESMITH_KERNELS_ONLY 1\n")
            file.writelines(f'#include "{path}"\n' for path in [*paths, "tilesmith/kernel.h"])
            file.write("TILESMITH_LIBRARY(\n")
            file.write(",\n".join(
                f'tilesmith::libraryKernel<tilesmith::kernelAt({kernel.address()}), {kernel.workspace()}>("{kernel.name}", {kernel.type or -1})'
                for kernel in kernels))
            file.write(")\n")

    def _make(self, final, product, path, command, shortcut=()):
        """Compiles into a folder of our own and publishes it; returns the product's path."""
        staging = self._staging()
        library, depends = os.path.join(staging, product), os.path.join(staging, "reads.d")
        rest = [*command(staging), "-MMD", "-MF", depends, "-o", library]
        status, output = _run([self.compiler, *shortcut, *rest], os.path.dirname(path))
        if status != 0 and shortcut:  # the precompiled header may be what is wrong
            status, output = _run([self.compiler, *rest], os.path.dirname(path))
        if status != 0:
            unlimited = ["-ferror-limit=0"] if self.is_clang else []
            again = [self.compiler, *(word for word in rest if word != "-shared"), *unlimited, "-fsyntax-only"]
            try:
                text = Explanation(path, staging, include_folder(), lambda *more: _run([*again, *more], os.path.dirname(path))[1]).of(output)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
            raise AscendCError(text or f"'{path}' does not compile with {os.path.basename(self.compiler)}")
        reads = [(file, _file_digest(file)) for file in self._user_files(depends, staging)]
        with open(os.path.join(staging, "reads.json"), "w") as file:
            json.dump(reads, file)
        if not staging.startswith(self.folder):
            return library
        if os.path.isdir(final):  # an entry whose files have changed, or a damaged one
            shutil.rmtree(final, ignore_errors=True)
        _publish(staging, final)
        return os.path.join(final, product)

    @staticmethod
    def _user_files(depends, staging):
        """Files the compile read besides system headers, the wrapper and our own headers."""
        try:
            with open(depends) as file:
                text = file.read().split(":", 1)[1].replace("\\\n", " ")
        except (OSError, IndexError):
            return []
        copies = os.path.join(staging, "copies")  # stand for the files they are of
        names = [name.replace("\0", " ").removeprefix(copies) for name in text.replace("\\ ", "\0").split()]
        ours = os.path.realpath(include_folder())
        return sorted({os.path.abspath(name) for name in names
                       if not name.startswith(staging) and not os.path.realpath(name).startswith(ours)})
