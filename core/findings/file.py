# SPDX-License-Identifier: GPL-3.0-or-later
"""Files: paths, mesh files, and the text of XML before anything in it is understood."""

from __future__ import annotations

from .entry import Area, Entry

FILE = Area(
    "Files",
    "Paths, mesh files, and the text of XML before anything in it is understood.",
    (
        Entry(
            "file_read",
            "File not readable",
            ("error",),
            "The file does not exist, is no regular file, or may not be read.",
            "Check the path and its permissions.",
        ),
        Entry(
            "unreadable_file",
            "Mesh file not readable",
            ("error",),
            "The mesh file does not exist, or its content is not what its format demands.",
            "Check the path, or export the file anew.",
        ),
        Entry(
            "file_too_large",
            "File too large",
            ("error",),
            "The file, or what it holds, is above the limit that protects the machine's memory.",
            "Split the file.",
        ),
        Entry(
            "bad_mesh_file",
            "Broken mesh file",
            ("error",),
            "The content is not what its format demands, or it ends too early.",
            "Export it anew.",
        ),
        Entry(
            "unknown_format",
            "Unknown mesh format",
            ("error",),
            "The file's ending is that of no mesh format read here.",
            "Export it as STL, OBJ or another of those named.",
        ),
        Entry(
            "no_trimesh",
            "Reader not installed",
            ("error",),
            "Reading this format needs the library trimesh, which is not installed.",
            "Install trimesh, or convert the file to STL or OBJ.",
        ),
        Entry(
            "no_submesh",
            "No such submesh",
            ("error",),
            "The mesh file has no submesh of the name given.",
            "Choose one of those named.",
        ),
        Entry(
            "reader_warning",
            "Doubtful mesh file",
            ("warning",),
            "The mesh file could be read, but a part of it looks missing or wrong.",
            "Look whether all of it is there.",
        ),
        Entry(
            "stated_unit",
            "Unit of the file",
            ("warning",),
            "The file says that its unit is not the metre, but its numbers are taken as metres.",
            "Give the metres per unit with --scale.",
        ),
        Entry(
            "uri_refused",
            "Path refused",
            ("error",),
            "A path leads outside of the folders that may be read, or would have to be fetched from a network,"
            " which is never done.",
            "Copy the file below the model, or give its folder with --path.",
        ),
        Entry(
            "uri_lookup",
            "File not found",
            ("error",),
            "The file that a URI names is in none of the folders known. A simulator would not load the model.",
            "Correct the URI, or give the folder that holds the file with --path.",
        ),
        Entry(
            "bad_xml",
            "Not XML",
            ("error",),
            "The text breaks a rule of XML that simulators insist on, so that they read nothing.",
            "Repair the file at the line named.",
        ),
        Entry(
            "bad_encoding",
            "Unknown encoding",
            ("error",),
            "The characters of the file are not in an encoding that can be read.",
            "Save it as UTF-8.",
        ),
        Entry(
            "utf16",
            "UTF-16",
            ("warning",),
            "The file is in UTF-16, which simulators do not read.",
            "Save it as UTF-8.",
        ),
        Entry(
            "loose_xml",
            "Loose XML",
            ("warning",),
            "The text is not quite as XML demands. Simulators read it all the same, and so it is read here; other"
            " programs may refuse it.",
            "Correct what the message names.",
        ),
        Entry(
            "text_cut",
            "Text cut short",
            ("warning",),
            "Only the text up to the first comment or element inside a value counts, for simulators as here.",
            "Write it as one text without comments.",
        ),
        Entry(
            "undeclared_prefix",
            "Prefix not declared",
            ("info",),
            "A prefix such as gz: is used without a declaration. Simulators do not mind; other XML tools do.",
            "Declare the prefix at the root element.",
        ),
        Entry(
            "doctype",
            "DOCTYPE",
            ("error",),
            "A DOCTYPE is not allowed: it can make a small file swell without end.",
            "Remove it; SDF has no use for one.",
        ),
        Entry(
            "too_deep",
            "Nested too deeply",
            ("error",),
            "Elements, models or includes are nested deeper than the limit.",
            "Nest fewer.",
        ),
        Entry(
            "too_many_elements",
            "Too many elements",
            ("error",),
            "The file has more elements than the limit.",
            "Split the file.",
        ),
        Entry(
            "too_many_attributes",
            "Too many attributes",
            ("error",),
            "An element has more attributes than the limit.",
            "Remove some.",
        ),
        Entry(
            "xacro",
            "Xacro file",
            ("error",),
            "It is a xacro file, whose macros are not expanded here.",
            "Expand it: xacro FILE > robot.urdf",
        ),
        Entry(
            "bad_urdf",
            "No URDF robot",
            ("error",),
            "libsdformat reads no robot from this URDF file.",
            "Correct what the message names.",
        ),
        Entry(
            "massless_link",
            "Link left out",
            ("warning",),
            "libsdformat leaves out a URDF link without mass that no fixed joint lumps, with all that hangs on it.",
            "Give it a mass, or fix it to its parent.",
        ),
    ),
)
