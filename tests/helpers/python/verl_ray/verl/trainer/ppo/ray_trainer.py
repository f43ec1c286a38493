"""The process that drives the others, in the shape of verl's: it calls no vendor, and only it knows the step beforehand."""
from verl.trainer.ppo.reward import extract_reward


def compute_advantage(batch):
    return batch


class RayPPOTrainer:
    def __init__(self, do, steps):
        self.do, self.steps = do, steps

    def _get_gen_batch(self, batch):
        return {**batch, "rm_scores": [0.5]}

    def fit(self):
        self.global_steps = 0
        self.do("update_weights", self.global_steps)
        for self.global_steps in range(1, self.steps + 1):
            batch = self._get_gen_batch({})
            self.do("generate", 100)
            extract_reward(batch)
            self.do("compute_log_prob", {"micro": [1, 2]})
            self.do("infer_batch", {"micro": [3]})
            compute_advantage(batch)
            self.do("train_critic", {"mini": [[1, 1], [1, 1]]})
            self.do("update_actor", {"mini": [[10] * 8] * 4})
            self.do("update_weights", self.global_steps)
