# Vitrine in a container. By default the slim installation: ONNX Runtime on the CPU, no torch.
#
#   docker build -t vitrine .
#   docker run --rm -p 8501:8501 -v vitrine:/cache vitrine
#
# With CUDA (needs the NVIDIA container toolkit; torch brings the CUDA libraries with it):
#
#   docker build -t vitrine:cuda --build-arg REQUIREMENTS=requirements.txt .
#   docker run --rm --gpus all -p 8501:8501 -v vitrine:/cache vitrine:cuda
FROM python:3.12-slim

ARG REQUIREMENTS=requirements-slim.txt
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 VITRINE_CACHE=/cache

WORKDIR /vitrine
COPY requirements*.txt ./
RUN pip install --no-cache-dir -r "$REQUIREMENTS"

COPY .streamlit .streamlit
COPY app app
COPY pages pages
COPY models models

RUN useradd --create-home vitrine && mkdir /cache && chown vitrine /cache
USER vitrine
VOLUME /cache
EXPOSE 8501
HEALTHCHECK --start-period=30s --interval=30s --timeout=5s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["python", "-m", "streamlit", "run", "app/main.py", "--server.address=0.0.0.0", "--server.port=8501"]
