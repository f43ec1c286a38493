class SGLangHttpServer:
    def __init__(self, config, model_config, rollout_mode, workers, replica_rank, node_rank=0):
        self.replica_rank = replica_rank
