# SPDX-License-Identifier: GPL-3.0-or-later
"""Small SDF files as texts, and what is found in them."""

from core.document.document import Document
from core.formats.sdf.read import read_document


def model(contents="", version="1.11", attributes=""):
    """Return a file with one model."""
    return f"<sdf version='{version}'{attributes}><model name='m'>{contents}</model></sdf>"


def read(text, **options):
    return read_document(Document.parse(text.encode(), "model.sdf"), **options)


def codes_of(findings):
    return [(finding.severity, finding.code) for finding in findings]


def errors_of(file):
    return [finding for finding in file.findings if finding.severity == "error"]
