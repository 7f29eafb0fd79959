# Flagship with a PostgreSQL of its own beside it: see docker-compose.yml and docs/operating.md.
ARG BASE=python:3.13-slim
FROM ${BASE}

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    VAR_DIR=/var/lib/flagship \
    STATIC_ROOT=/srv/flagship-static

RUN useradd --system --home-dir /var/lib/flagship --create-home --shell /usr/sbin/nologin flagship

WORKDIR /srv/flagship
COPY requirements.lock ./
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes --no-deps -r requirements.lock

COPY manage.py pyproject.toml ./
COPY scoring ./scoring
COPY fleets ./fleets
COPY tourney ./tourney
COPY templates ./templates
COPY static ./static
COPY locale ./locale
COPY docs/guide ./docs/guide
COPY docs/rules.md ./docs/rules.md
RUN SECRET_KEY=only-for-this-step DATABASE_URL=postgresql://unused/unused python manage.py collectstatic --no-input

USER flagship
VOLUME /var/lib/flagship
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, sys; from tourney.serving.serve import answers; sys.exit(not answers('127.0.0.1', int(os.environ.get('PORT') or 8000)))"]
CMD ["python", "-m", "tourney.serving.run"]
