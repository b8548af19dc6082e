"""The service: sessions that deal, referee and record games, and the gRPC API in front of them."""

from importlib.metadata import version

__version__ = version("croupier")
