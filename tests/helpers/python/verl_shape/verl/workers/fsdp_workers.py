"""What verl 0.6 has of training workers whose rollout is an agent loop's."""
from device import call


class ActorRolloutRefWorker:
    def __init__(self, role="actor"):
        self._is_actor = role == "actor"

    def load_checkpoint(self, local_path, hdfs_path=None, del_local_after_load=False):
        call(1)

    def compute_ref_log_prob(self, data):
        call(data)

    def update_actor(self, data):
        call(data)


class CriticWorker:
    def load_checkpoint(self, local_path, hdfs_path=None, del_local_after_load=True):
        call(1)

    def compute_values(self, data):
        call(data)

    def update_critic(self, data):
        call(data)
