#!/bin/sh
# Makes a virtual environment with trainers of PyPI, without PyTorch: trainers.sh DIR. Says nothing unless it fails; one at a time (DIR.lock).
set -eu
. "$(dirname "$0")/fetch.sh"

# With --no-deps: each of the first four would bring a PyTorch of its own with it, and CUDA, which are 3 GB.
packages="accelerate==1.15.0 annotated-doc==0.0.7 annotated-types==0.8.0 anyio==4.16.0 certifi==2026.10.18 charset-normalizer==3.5.2
	click==8.5.1 datasets==5.2.0 dill==0.4.1 filelock==4.2.12 fsspec==2026.9.0 h11==0.16.0 hf-xet==1.8.0 httpcore2==2.16.2
	httpx2==2.16.2 huggingface_hub==2.4.0 idna==3.20 Jinja2==3.1.6 markdown-it-py==4.3.0 MarkupSafe==3.0.4 mdurl==0.1.2 mpmath==1.3.0
	multiprocess==0.70.19 networkx==3.6.1 numpy==2.4.6 packaging==26.3 pandas==3.1.1 psutil==7.2.2 pyarrow==26.0.1 pydantic==2.14.3
	pydantic_core==2.50.4 Pygments==2.21.0 python-dateutil==4.0.0 PyYAML==6.0.3 regex==2026.11.15 requests==2.34.2 rich==15.0.0
	safetensors==0.8.0 setuptools==65.5.0 shellingham==1.5.4 six==1.17.0 sympy==1.14.0 tokenizers==0.23.3 tqdm==4.70.1
	transformers==5.23.0 trl==1.16.0 truststore==0.10.5 typer==0.29.2 typing_extensions==4.16.0 typing-inspection==0.4.5
	tzdata==2026.6 urllib3==2.8.0 xxhash==4.1.0"
# shellcheck disable=SC2086,SC2154 # a list of words
install() { sh "$(dirname "$0")/install.sh" "$dir" --no-deps $packages; }
fetched "$1" "$packages" install
