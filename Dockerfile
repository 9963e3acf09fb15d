# docker build -t tilesmith . && docker run --rm -v "$PWD:/work" tilesmith prof kernel.py
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git python3 python3-dev python3-venv g++
COPY . /src
RUN cd /src && ./dev wheel --python /usr/bin/python3 -o /dist

FROM python:3.11-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY --from=build /dist /dist
RUN pip install --no-cache-dir /dist/*.whl && rm -r /dist
WORKDIR /work
ENTRYPOINT ["tilesmith"]
