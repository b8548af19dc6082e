"""Comes to the service a second time, as somebody else: with a token that it has made up."""

import asyncio
import sys

from croupier_client import CroupierError, run_async


def seated_as_another(turn):
    print("seated as another", flush=True)
    return 0


async def pretend():
    try:
        await run_async(seated_as_another, token="somebody-elses-token-1234")
    except CroupierError as error:
        print(f"turned away: {error}", file=sys.stderr, flush=True)


async def main():
    pretending = asyncio.create_task(pretend())
    await run_async(lambda turn: 0, view=False, legal="count", events=False)
    pretending.cancel()


asyncio.run(main())
