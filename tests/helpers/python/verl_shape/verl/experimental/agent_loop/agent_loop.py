class AgentLoopWorker:
    """Hands the engine its work: here the job does, while this waits."""

    def __init__(self, work):
        self.work = work

    async def generate_sequences(self, batch):
        self.work()
