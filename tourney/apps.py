from django.apps import AppConfig

from tourney.runtime.garbage import collect_less_garbage


class TourneyConfig(AppConfig):
    name = "tourney"
    verbose_name = "Tournament"

    def ready(self) -> None:
        """Have every process of Flagship, a command's too, spend less time on the garbage collector."""
        collect_less_garbage()
