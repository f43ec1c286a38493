"""The agent loop of 0.9, whose class comes by value to the process that makes one: its module has something else of that name."""
from verl.experimental.agent_loop.agent_loop import AgentLoopWorker


def make():
    class AgentLoopWorkerTQ(AgentLoopWorker):
        async def generate_sequences(self, batch):
            batch.pop("validate", None)
            self.work()
    return AgentLoopWorkerTQ
