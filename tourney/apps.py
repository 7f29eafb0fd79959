import gc

from django.apps import AppConfig

NEW_OBJECTS = 100_000


class TourneyConfig(AppConfig):
    name = "tourney"
    verbose_name = "Tournament"

    def ready(self) -> None:
        """Let the garbage collector look at fewer objects, less often.

        An event is loaded anew for every page: tens of thousands of objects that all go at its end. With
        Python's defaults the collector walks through them again and again while they are made, which is 40 %
        of the time for a thousand players; and through all of Django besides, which never goes.
        """
        gc.freeze()
        gc.set_threshold(NEW_OBJECTS, 20, 20)
