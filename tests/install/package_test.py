#!/usr/bin/python3
"""Makes the Debian packages of a build tree and looks at what they hold. Whether they can be installed on a bare system
and removed again is tried by hand (docs/install.md): it takes minutes and the network.

usage: package_test.py BUILD SOURCE FOLDER
"""

import pathlib
import subprocess
import sys

build, source, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def fields(package):
    return dict(line.split(": ", 1) for line in run("dpkg-deb", "-f", package).splitlines() if line[0] != " ")


def contents(package):
    lines = [line.split(maxsplit=5) for line in run("dpkg-deb", "-c", package).splitlines()]
    assert all(line[1] == "root/root" for line in lines), "files belong to root"
    return {line[5].split(" -> ")[0].lstrip(".") for line in lines}


made = [pathlib.Path(line) for line in
        run(source / "tools/package", "deb", "--tree", build, folder).splitlines()]
program = next(package for package in made if package.name.startswith("heddle_"))
control, files = fields(program), contents(program)
for needed in ("libc6", "libz3-4", "libstdc++6", "libgmp10", "libclang-cpp", "libc6-dev", "libclang-common-"):
    assert needed in control["Depends"], (needed, control["Depends"])
assert control["Package"] == "heddle" and control["Version"].startswith("0."), control
for file in ("/usr/bin/heddle", "/usr/lib/heddle/heddle_z3.so", "/usr/lib/libheddle.so.1", "/usr/include/heddle/heddle.h",
             "/usr/share/man/man1/heddle-verify.1.gz", "/usr/share/bash-completion/completions/heddle",
             "/usr/share/zsh/vendor-completions/_heddle", "/usr/share/fish/vendor_completions.d/heddle.fish",
             "/usr/share/doc/heddle/docs/tutorial.md", "/usr/share/doc/heddle/copyright",
             "/usr/share/doc/heddle/changelog.gz",
             "/usr/lib/cmake/heddle/heddle-config.cmake", "/usr/lib/pkgconfig/heddle.pc"):
    assert file in files, file
assert not any("python" in file for file in files if "/doc/" not in file), "Python is a package of its own"

module = next(package for package in made if package.name.startswith("python3-heddle_"))
control, files = fields(module), contents(module)
assert f"heddle (= {control['Version']})" in control["Depends"], control["Depends"]
assert "python3 (>= 3." in control["Depends"], control["Depends"]
for file in ("__init__.py", "py.typed", "_heddle.pyi"):
    assert f"/usr/lib/python3/dist-packages/heddle/{file}" in files, file
print(f"{program.name} and {module.name} hold what they should")
