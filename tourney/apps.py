from django.apps import AppConfig
from django.conf import settings

from tourney.runtime import error_reports
from tourney.runtime.garbage import collect_less_garbage
from tourney.runtime.language import speak_as_django


class TourneyConfig(AppConfig):
    name = "tourney"
    verbose_name = "Tournament"

    def ready(self) -> None:
        """Have every process, a command's too, tell webhooks and devices what is recorded.

        It also tells failures where that is wanted, spends less on the garbage collector, and speaks as Django does.
        """
        from tourney.sharing.actions import push, webhooks

        if settings.SENTRY_DSN:
            error_reports.start(settings.SENTRY_DSN)
        webhooks.listen()
        push.listen()
        collect_less_garbage()
        speak_as_django()
