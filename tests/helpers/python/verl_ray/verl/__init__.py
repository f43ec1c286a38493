"""verl's command as it runs on a Ray cluster; its workers are those of ../../verl_shape."""
import os

__path__.append(os.path.join(os.path.dirname(__file__), "../../verl_shape/verl"))
