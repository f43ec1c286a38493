"""kept.py - what SIM_COUNTS tells, wherever another place begins: in a file whose name ends in its number, and the place that ends there, as
step.role.occurrence.mini.micro; nothing is -. For of_places.py.
"""
import os
import shutil

NOWHERE = dict.fromkeys(("step", "role", "occurrence", "mini", "micro"))


class Places:
    """Where a trainer is, as its own functions have it."""
    kept, place, called, minis, micros = 0, NOWHERE, {}, -1, -1

    def __str__(self):
        return ".".join("-" if value is None else str(value) for value in self.place.values())

    def enter(self, **place):
        self.kept += 1
        shutil.copyfile(os.environ["SIM_COUNTS"], f"{os.environ['SIM_COUNTS']}.{self.kept:04}.{self}")
        self.place = place

    def stage(self, step, role, function, *arguments):
        key = (step, role)
        self.called[key] = self.called.get(key, -1) + 1
        self.minis = self.micros = -1
        self.enter(**{**NOWHERE, "step": step, "role": role, "occurrence": role and self.called[key]})
        function(*arguments)
        self.enter(**{**NOWHERE, "step": step})

    def mini(self):
        self.minis += 1
        self.enter(**{**self.place, "mini": self.minis})  # a micro-batch goes on until the next one begins

    def micro(self):
        self.micros += 1
        self.enter(**{**self.place, "micro": self.micros})
        return "cuda"
