"""Numbers that are given to commands: a wrong one is one sentence and wrong use, whatever the command."""

import argparse
from argparse import ArgumentTypeError

import pytest
from django.apps import apps
from django.core.management import find_commands, load_command_class

from common.commands import whole_number

OURS = ("accounts", "config", "evaluation", "knowledge", "ontology", "retrieval")


def options_of(parser):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from options_of(each)
        else:
            yield action


def all_options():
    for config in apps.get_app_configs():
        if config.name in OURS:
            for name in find_commands(f"{config.path}/management"):
                parser = load_command_class(config.name, name).create_parser("manage.py", name)
                own = [each for each in options_of(parser) if not {"-v", "--verbosity"} & set(each.option_strings)]
                yield from ((name, each) for each in own)


def test_there_are_options_to_look_at():
    assert len({name for name, _option in all_options()}) > 10


def test_no_option_takes_any_number_at_all():
    assert [(name, each.dest) for name, each in all_options() if each.type in (int, float)] == []


@pytest.mark.parametrize("words", ["0", "-3", "11", "1.5", "x", "", "५", "9" * 5000, "一"])
def test_what_is_no_number_of_these_is_told(words):
    with pytest.raises(ArgumentTypeError, match="from 1 to 10") as refused:
        whole_number(1, 10)(words)
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize(("words", "number"), [("1", 1), ("10", 10), ("007", 7)])
def test_a_number_in_its_bounds_is_taken(words, number):
    assert whole_number(1, 10)(words) == number
