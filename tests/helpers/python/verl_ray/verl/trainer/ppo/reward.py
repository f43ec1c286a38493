"""What verl's trainer has of rewards from 0.7 on."""


def extract_reward(batch):
    return batch["rm_scores"]
