"""The tournament runner: seats bot processes at the service's tables and rates them.

It starts the service as a program and speaks to it through `croupier_client`; it knows the rules only to
check a tournament file and to verify records.
"""
