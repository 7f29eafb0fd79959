"""The bus for news by a Redis or Valkey: told by a thread after the commit, heard on a channel."""

import logging
import socket
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Lock

from redis import Redis, RedisError
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

from tourney.runtime.bus import CONNECT, IDLE, INTERVAL, TIMES, Bus, BusLost, EventVersion, news_in

PATIENCE = 0.5  # seconds for a Redis to take what it is told; no page waits for it
ASK_EVERY = 5  # seconds
TOGETHER = 0.01  # seconds; all news of a process within them are one message, however many processes hear it
NAMES = {"TCP_KEEPIDLE": IDLE, "TCP_KEEPINTVL": INTERVAL, "TCP_KEEPCNT": TIMES}
KEEPALIVE = {getattr(socket, name): number for name, number in NAMES.items() if hasattr(socket, name)}  # not on a Mac

logger = logging.getLogger(__name__)


class RedisBus(Bus):
    """A channel of Redis or Valkey. It may lose what it is told, or never be told: so processes ask as well."""

    ask_every = ASK_EVERY

    def __init__(self, url: str) -> None:
        self.url = url
        self._redis = Redis.from_url(
            url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0)
        )
        database = self._redis.get_connection_kwargs().get("db", 0)  # of which channels know nothing
        self.name = f"flagship:{database}:event"
        self._lock = Lock()
        self._waiting: dict[str, int] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="bus")
        self._is_away = False

    def publish(self, slug: str, version: int) -> None:
        """Have a thread tell it, with whatever else waits to be told."""
        with self._lock:
            is_first = not self._waiting
            self._waiting[slug] = max(version, self._waiting.get(slug, 0))  # who commits first may tell last
        if is_first:
            self._thread.submit(self._publish_all)

    def _publish_all(self) -> None:
        time.sleep(TOGETHER)
        with self._lock:
            news, self._waiting = self._waiting, {}
        try:
            self._redis.publish(self.name, " ".join(f"{slug}:{version}" for slug, version in news.items()))
        except RedisError as error:
            if not self._is_away:  # once
                logger.warning("The bus takes no news; open pages hear of it within %s seconds. %s", ASK_EVERY, error)
            self._is_away = True
        else:
            self._is_away = False

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[AsyncIterator[EventVersion]]:
        """What is told from now on. Raises BusLost."""
        redis = AsyncRedis.from_url(
            self.url,
            socket_connect_timeout=CONNECT,
            socket_timeout=None,  # nothing may be told for hours
            socket_keepalive=True,
            socket_keepalive_options=KEEPALIVE,
            decode_responses=True,
            retry=AsyncRetry(NoBackoff(), 0),
        )
        try:
            async with redis, redis.pubsub() as line:
                await line.subscribe(self.name)
                await line.get_message(timeout=CONNECT)  # that it is heard from now on
                yield self._heard(line)
        except (RedisError, OSError) as error:
            raise BusLost(error) from error

    async def _heard(self, line: PubSub) -> AsyncIterator[EventVersion]:
        async for message in line.listen():
            if message["type"] != "message":
                raise BusLost(message["type"])  # "subscribe": the line was lost, and made again
            for news in news_in(message["data"]):
                yield news
