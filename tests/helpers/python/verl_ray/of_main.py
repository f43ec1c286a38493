"""of_main.py traced|bare: an actor whose class is __main__'s, called here and then in a worker that is traced, or is not. Prints what each says."""
import inspect
import os
import sys
import time

import ray
from device import call


class Actor:
    def __init__(self):
        from device import call
        call(1)

    def work(self, times):
        from device import call
        call(times)
        return "%s in %s" % (inspect.unwrap(type(self).work).__name__, "a traced worker" if "RANKTRACE_STEPS" in os.environ else "a worker without us")

    def pid(self):
        return os.getpid()


call(1)
Actor().work(2)  # from here on it is watched
traced = {name: value for name, value in os.environ.items() if name.startswith("RANKTRACE_") or name == "LD_PRELOAD"}
env = {name: os.environ[name] for name in ("PYTHONPATH", "LIBRARY_OF_TEST")} | (traced if sys.argv[1] == "traced" else {})
ray.init(runtime_env={"env_vars": env}, log_to_driver=False)
actor = ray.remote(Actor).remote()
pid = ray.get(actor.pid.remote())
print(*(ray.get(actor.work.remote(times)) for times in (5, 6)), sep="; ")
try:
    ray.get(actor.__ray_terminate__.remote())
except ray.exceptions.RayActorError:
    pass
while os.path.exists("/proc/%d" % pid):  # what it recorded is collected behind its end
    time.sleep(.01)
