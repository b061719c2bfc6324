# SPDX-License-Identifier: Apache-2.0
"""
Prints the arguments of `podman run` for a pod with one container, one on each line. podman 4's own `kube play`
ignores hostPID, hostIPC and seccompProfile, and runs probes in a shell.
    pod.py FILE SECCOMP VOLUME [--without FIELD]... [ARGUMENT...]
SECCOMP replaces the kubelet's folder of profiles, and VOLUME the node's folder of the volume `socket`. A FIELD
of the pod's spec is removed; `volumes` removes the volumes. ARGUMENTs replace those of the container.
With --probe NAME, prints the command of a probe instead.
"""
import json
import sys

import yaml

FACTORS = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}
HOST = {"hostNetwork": "network", "hostPID": "pid", "hostIPC": "ipc"}


def options(spec, container, seccomp, volume):
    context = spec["securityContext"] | container["securityContext"]
    profile = context["seccompProfile"]
    yield f"--user={context['runAsUser']}:{context['runAsGroup']}"
    yield f"--security-opt=seccomp={seccomp}/{profile['localhostProfile']}"
    if context["runAsNonRoot"] and context["runAsUser"] == 0:
        raise ValueError("runAsNonRoot, but the user is root")
    if not context["allowPrivilegeEscalation"]:
        yield "--security-opt=no-new-privileges"
    if context["readOnlyRootFilesystem"]:
        yield from ("--read-only", "--read-only-tmpfs=false")
    for capability in context["capabilities"]["drop"]:
        yield f"--cap-drop={capability}"
    for field, name in HOST.items():
        if spec.get(field):
            yield f"--{name}=host"
    limits = container.get("resources", {}).get("limits", {})
    if limits:
        yield f"--cpus={limits['cpu']}"
        yield f"--memory={int(limits['memory'][:-2]) * FACTORS[limits['memory'][-2:]]}"
    folders = {it["name"]: it["hostPath"]["path"] for it in spec.get("volumes", [])}
    for mount in container["volumeMounts"]:
        if mount["name"] in folders:
            source = volume if mount["name"] == "socket" else folders[mount["name"]]
            yield f"--volume={source}:{mount['mountPath']}:{'ro' if mount.get('readOnly') else 'rw'}"
    for variable in container.get("env", []):
        yield f"--env={variable['name']}={variable['value']}"
    if "command" in container:
        yield f"--entrypoint={json.dumps(container['command'])}"


def main(file, seccomp, volume, *rest):
    with open(file, encoding="utf-8") as text:
        spec = yaml.safe_load(text)["spec"]
    [container] = spec["containers"]
    rest = list(rest)
    if rest[:1] == ["--probe"]:
        return container[rest[1]]["exec"]["command"]
    while rest[:1] == ["--without"]:
        del spec[rest[1]]
        rest = rest[2:]
    return [*options(spec, container, seccomp, volume), container["image"], *(rest or container.get("args", []))]


print("\n".join(main(*sys.argv[1:])))
