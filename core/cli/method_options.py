# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that choose how a mesh is measured, and numbers as options."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable

from ..errors import InertiaError
from ..mesh.methods import METHODS, PARAMETERS, Parameter


def add_scale(parser: ArgumentParser) -> None:
    """Add the option that says what unit a mesh file is in."""
    parser.add_argument(
        "--scale",
        metavar="S",
        type=number(positive),
        help="metres per unit of a mesh file; default 1, or what a COLLADA file states",
    )


def add_method(parser: ArgumentParser) -> None:
    """Add the options that choose a method."""
    parser.add_argument(
        "--method", type=_method, choices=METHODS, help="default exact; voxel where --voxel-size is given"
    )
    for parameter in PARAMETERS:
        needed = "" if parameter.default else f", with --method {_takers(parameter)}"
        text = f"{parameter.description}{needed}"
        parser.add_argument(_option(parameter), metavar="M", type=number(positive), help=text)


def chosen_method(options: Namespace) -> tuple[str, dict[str, float]]:
    """Return the method, and the lengths given for it; conflicting options are a usage error."""
    method = options.method or ("exact" if options.voxel_size is None else "voxel")
    for parameter in PARAMETERS:
        given, taken = getattr(options, parameter.name) is not None, parameter in METHODS[method].parameters
        if parameter.default is None and given != taken:
            options.usage_error(f"{_option(parameter)} and --method {_takers(parameter)} go together")
        if given and not taken:
            options.usage_error(f"{_option(parameter)} goes with --method {_takers(parameter)}, not {method}")
    given_lengths = {own.name: getattr(options, own.name) for own in METHODS[method].parameters}
    return method, {name: value for name, value in given_lengths.items() if value is not None}


def number(checked: Callable[[float], float]) -> Callable[[str], float]:
    """Return a function that parses an option as a number and checks it with `checked`."""

    def read(text: str) -> float:
        try:
            return checked(float(text))
        except ValueError:
            raise ArgumentTypeError(f"'{text}' is not a number") from None
        except InertiaError as error:
            raise ArgumentTypeError(error.message) from None

    return read


def positive(value: float) -> float:
    """Return a number above 0, such as a length; raises InertiaError otherwise."""
    if 0.0 < value < float("inf"):
        return value
    raise InertiaError.of("bad_length", value=value)


def _method(text: str) -> str:
    """Return a method by its name, or by the name in findings: Voxels, Hull."""
    word = text.lower()
    return {method.label.lower(): name for name, method in METHODS.items()}.get(word, word)


def _option(parameter: Parameter) -> str:
    return f"--{parameter.name.replace('_', '-')}"


def _takers(parameter: Parameter) -> str:
    return " or ".join(method.name for method in METHODS.values() if parameter in method.parameters)
