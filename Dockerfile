# Two stages: one builds the executable, the other runs it. Package lists come from scripts/setup alone.
FROM swift:6.3.1-bookworm AS build
WORKDIR /src
COPY scripts/setup scripts/build scripts/
RUN scripts/setup build && rm -rf /var/lib/apt/lists/*
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
RUN mkdir /out && cp "$(scripts/build)/interviewkit" /out/

FROM debian:bookworm-slim
WORKDIR /opt/interviewkit
COPY scripts/setup scripts/
RUN scripts/setup run && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin interviewkit \
  && install -d -o interviewkit -g interviewkit /data
COPY --from=build /out/interviewkit /usr/local/bin/
COPY Config Config
COPY Examples/kits Examples/kits
USER interviewkit
# While there are no tokens the service is open and listens on loopback only: run the container with --network host, or name
# the first token in INTERVIEWKIT_BOOTSTRAP_TOKEN_FILE and a host to bind in INTERVIEWKIT_HOST.
ENV INTERVIEWKIT_PORT=8080 INTERVIEWKIT_DATA=/data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s \
  CMD curl -fsS "http://127.0.0.1:${INTERVIEWKIT_PORT}/healthz" >/dev/null || exit 1
CMD ["interviewkit", "serve"]
