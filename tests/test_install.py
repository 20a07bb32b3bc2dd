"""What app/install.py decides, without installing anything."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from app import install


@pytest.mark.parametrize(
    ("system", "gpu", "cpu_build", "purpose", "source"),
    [
        ("Linux", True, False, "start", "index"),
        ("Linux", True, True, "test", "index"),
        ("Darwin", False, False, "start", "index"),
        ("Linux", False, True, "start", "cpu"),
        ("Linux", False, True, "test", "cpu"),
        ("Linux", False, False, "start", "none"),
        ("Linux", False, False, "test", "index"),
    ],
)
def test_torch_source(system, gpu, cpu_build, purpose, source):
    assert install.torch_source(system, gpu, cpu_build, purpose) == source


def test_a_plan_with_cuda_libraries_is_seen():
    def plan(*names: str) -> str:
        return json.dumps({"install": [{"metadata": {"name": name}} for name in names]})

    assert install.wants_cuda(plan("torch", "nvidia-cublas"))
    assert not install.wants_cuda(plan("torch", "sympy"))
    with pytest.raises(ValueError):
        install.wants_cuda("")


def test_what_is_asked_of_pytorch_s_index():
    assert [line.split(">")[0] for line in install.torch_packages("start")] == ["torch"]
    assert [line.split(">")[0] for line in install.torch_packages("test")] == ["torch", "torchvision"]


DIGESTS = {"slim": "a", "full": "b", "test": "c"}


@pytest.mark.parametrize(
    ("stamp", "purpose", "slim", "installed"),
    [
        ({}, "start", False, False),
        ({"full": "b", "torch": "cpu"}, "start", False, True),
        ({"full": "old", "torch": "cpu"}, "start", False, False),
        ({"test": "c", "torch": "index"}, "start", False, True),
        ({"full": "b", "torch": "cpu"}, "test", False, False),
        ({"slim": "a", "torch": "none"}, "start", False, True),  # was found to be all that can be had
        ({"slim": "a", "torch": "none"}, "start", True, True),
        ({"slim": "a", "torch": "cpu"}, "start", False, False),
        ({"full": "b", "torch": "cpu"}, "start", True, True),
    ],
)
def test_a_second_start_installs_nothing(stamp, purpose, slim, installed):
    assert install.is_installed(stamp, purpose, DIGESTS, slim) is installed


def test_digests_follow_the_files():
    found = install.digests()
    assert set(found) == set(install.REQUIREMENTS)
    assert len(set(found.values())) == 3


@pytest.mark.parametrize(
    ("found", "distribution", "can_apt", "plan"),
    [
        ("/usr/bin/chromium", "debian", True, "there"),
        (None, "debian", True, "apt"),
        (None, "debian", False, "playwright"),
        (None, "ubuntu", True, "playwright"),
        (None, "", False, "playwright"),
    ],
)
def test_browser_plan(found, distribution, can_apt, plan):
    assert install.browser_plan(found, distribution, can_apt) == plan


@pytest.mark.parametrize(
    ("root", "apt", "sudo", "prefix"),
    [
        (True, True, False, []),
        (False, True, True, ["sudo"]),
        (False, True, False, None),
        (True, False, True, None),
    ],
)
def test_apt_prefix(root, apt, sudo, prefix):
    assert install.apt_prefix(root, apt, sudo) == prefix


def test_it_runs_on_a_bare_python():
    """No package beyond the standard library, not even Vitrine's own."""
    code = [sys.executable, "-I", "-S", "app/install.py", "--help"]
    done = subprocess.run(code, cwd=install.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "start" in done.stdout
