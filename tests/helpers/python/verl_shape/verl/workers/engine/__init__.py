from .base import BaseEngine
from .fsdp import FSDPEngine, FSDPEngineWithLMHead

__all__ = ["BaseEngine", "FSDPEngine", "FSDPEngineWithLMHead"]
