"""A Slurm of its own, on this machine and without root's help: munged, slurmctld and several slurmd as children of the test.

    with Cluster(folder, nodes=2) as cluster:
        subprocess.run(["sinfo"], env=cluster.environment)

No database, ports that were free a moment ago, and cgroups only if asked for (version 1, see can_use_cgroups). Everything
lives in one folder and ends with the block. kill_node ends a node as a power failure does, with all that runs on it.
"""

import glob
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo", "scontrol"]


def find(program):
    """The path of a program; daemons are in folders that are not on everybody's path."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/bin")


def missing():
    return [program for program in PROGRAMS if not find(program)]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


CONFIGURATION = """
ClusterName=heddle
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/{tracking}
TaskPlugin=task/{tasks}
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters={resources}
MaxArraySize=20001
MaxJobCount=30000
ReturnToService=2
SlurmdTimeout={node_timeout}
SlurmctldTimeout=30
InactiveLimit=0
KillWait=2
MinJobAge=300
OverTimeLimit=0
MessageTimeout=20
JobRequeue=1
DebugFlags=NO_CONF_HASH
{nodes}
PartitionName=main Nodes={names} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
PartitionName=second Nodes={names} MaxTime=INFINITE State=UP
"""

CGROUPS = "/sys/fs/cgroup"
CGROUP_CONFIGURATION = f"""
CgroupPlugin=cgroup/v1
CgroupMountpoint={CGROUPS}
ConstrainRAMSpace=yes
ConstrainSwapSpace=no
ConstrainCores=no
"""


def can_use_cgroups():
    """May we make cgroups of version 1, for memory and to freeze what is to be killed?"""
    for controller in ["memory", "freezer"]:
        folder = f"{CGROUPS}/{controller}/heddle-test-{os.getpid()}"
        try:
            os.mkdir(folder)
            is_one = os.path.exists(folder + "/tasks")
            os.rmdir(folder)
        except OSError:
            return False
        if not is_one:
            return False
    return True


class Cluster:
    def __init__(self, folder, nodes=2, cpus=1, memory=2000, node_timeout=5, cgroups=False):
        self.folder = folder
        # Slurm names the cgroups of a node after it, and other clusters may be on this machine.
        self.names = [f"{'h' + str(os.getpid()) if cgroups else ''}n{i + 1}" for i in range(nodes)]
        self.children = {}
        os.makedirs(os.path.join(folder, "state"), exist_ok=True)
        host = socket.gethostname().split(".")[0]
        ports = free_ports(nodes + 1)
        lines = [
            f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={cpus} RealMemory={memory} State=UNKNOWN"
            for name, port in zip(self.names, ports[1:])
        ]
        self.configuration = os.path.join(folder, "slurm.conf")
        with open(self.configuration, "w") as out:
            out.write(
                CONFIGURATION.format(
                    host=host,
                    user=pwd.getpwuid(os.getuid()).pw_name,
                    port=ports[0],
                    folder=folder,
                    nodes="\n".join(lines),
                    names=",".join(self.names),
                    node_timeout=node_timeout,
                    tracking="cgroup" if cgroups else "linuxproc",
                    tasks="cgroup" if cgroups else "none",
                    resources="CR_Core_Memory" if cgroups else "CR_Core",
                )
            )
        if cgroups:
            with open(os.path.join(folder, "cgroup.conf"), "w") as out:
                out.write(CGROUP_CONFIGURATION)
        self.environment = dict(os.environ, SLURM_CONF=self.configuration)
        self.environment["PATH"] = os.environ.get("PATH", "") + ":/usr/bin:/usr/sbin"

    def impatient(self):
        """An environment in which commands soon give up a controller that does not answer."""
        path = self.path("impatient.conf")
        with open(self.configuration) as usual, open(path, "w") as out:
            out.write(re.sub("MessageTimeout=.*", "MessageTimeout=3", usual.read()))
        return dict(self.environment, SLURM_CONF=path)

    def __enter__(self):
        try:
            self.start_munge()
            self.start_controller()
            for name in self.names:
                self.start_node(name)
            self.wait_until_idle()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, name, words):
        with open(self.path(name + ".out"), "ab") as out:
            self.children[name] = subprocess.Popen(
                words, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
            )

    def start_munge(self):
        key = self.path("munge.key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o400), "wb") as out:
            out.write(os.urandom(128))
        files = {"key-file": key, "socket": self.path("munge.socket"), "pid-file": self.path("munge.pid"),
                 "log-file": self.path("munge.log"), "seed-file": self.path("munge.seed")}
        self.start("munged", [find("munged"), "--foreground", "--force", *(f"--{k}={v}" for k, v in files.items())])
        self.wait_for(lambda: os.path.exists(self.path("munge.socket")), "munged does not start")

    def start_controller(self):
        self.start("slurmctld", [find("slurmctld"), "-D", "-f", self.configuration])
        self.wait_for(lambda: self.run("scontrol", "ping").stdout.find("UP") >= 0, "slurmctld does not start")

    def start_node(self, name):
        os.makedirs(self.path("spool-" + name), exist_ok=True)
        self.start(name, [find("slurmd"), "-D", "-N", name, "-f", self.configuration])

    def kill_controller(self):
        controller = self.children.pop("slurmctld")
        controller.kill()
        controller.wait()

    def kill_node(self, name):
        """The daemon of the node and all that was started on it, at once."""
        daemon = self.children.pop(name)
        victims = [daemon.pid, *self.processes_of(name)]
        for victim in victims:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
        daemon.wait()

    def lose_node(self, name):
        """Kills it and tells the controller, which would notice some seconds later."""
        self.kill_node(name)
        self.run("scontrol", "update", f"nodename={name}", "state=down", "reason=power")

    def processes_of(self, name):
        """All processes with the node's name and our configuration in their environment, which jobs get from slurmd."""
        wanted = {f"SLURMD_NODENAME={name}".encode(), f"SLURM_CONF={self.configuration}".encode()}
        out = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if wanted <= set(file.read().split(b"\0")):
                        out.append(int(pid))
            except OSError:
                continue
        return out

    def run(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60)

    def node_states(self):
        lines = self.run("sinfo", "-h", "-N", "-p", "main", "-o", "%N %t").stdout.splitlines()
        return dict(line.split() for line in lines)

    def wait_until_idle(self):
        self.wait_for(lambda: set(self.node_states().values()) == {"idle"}, "the nodes do not come up")

    def recover(self):
        """Whatever a test has done to the nodes and left in the queue."""
        for name in self.names:
            if name not in self.children:
                self.start_node(name)
        self.run("scancel", "--user=" + pwd.getpwuid(os.getuid()).pw_name)
        for name, state in self.node_states().items():
            if state.startswith(("dr", "down")):
                self.run("scontrol", "update", f"nodename={name}", "state=resume")
        self.wait_until_idle()

    def wait_for(self, condition, complaint, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f"{complaint}; see {self.folder}")
            time.sleep(0.05)

    def end(self):
        """The nodes first, then the controller, then munged; what still runs on them goes with them."""
        for name in self.names:
            if name in self.children:
                self.kill_node(name)
        for name in ["slurmctld", "munged"]:
            child = self.children.pop(name, None)
            if child:
                child.terminate()
                try:
                    child.wait(10)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()
        self.remove_cgroups()

    def remove_cgroups(self):
        """What killed nodes have left."""
        for name in self.names:
            for folder in glob.glob(f"{CGROUPS}/*/slurm_{name}"):
                for place, _, _ in os.walk(folder, topdown=False):
                    try:
                        os.rmdir(place)
                    except OSError:
                        pass
