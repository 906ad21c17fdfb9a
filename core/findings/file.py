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
            "bad_baseline",
            "Baseline not readable",
            ("error",),
            "The file of findings that are known cannot be read, or is nothing that check wrote.",
            "Write it anew: the output of sdf-inertia check --format json, from the same folder.",
        ),
        Entry(
            "bad_density_map",
            "Density map not readable",
            ("error",),
            "A map of densities cannot be read, or a row of it says nothing that a body can have.",
            "Write it as CSV or JSON with match and one of density, material and mass; see docs/batch.md.",
        ),
        Entry(
            "ambiguous_category",
            "Several categories fit",
            ("error",),
            "The words of a name fit several categories of a map of densities that say different things.",
            "Give it a row of its own.",
        ),
        Entry(
            "gltf_axes",
            "Axes of a glTF",
            ("error",),
            "A glTF has y up, SDFormat has z up: Drake turns such a visual, Gazebo takes it as it stands. An inertia"
            " computed from it would be right in one of them only.",
            "Convert the visual to OBJ, or give the link a collision.",
        ),
        Entry(
            "mass_unknown",
            "Mass not known",
            ("error", "warning"),
            "An inertial is to be computed anew, and neither a mass that can be kept nor a density is known.",
            "Weigh the link, or give the density of its material.",
        ),
        Entry(
            "not_imported",
            "Not brought over",
            ("warning", "info"),
            "Something of the file has no counterpart here, such as a sensor, a plugin, or a mesh in a format that"
            " cannot be read, and is left out. The original file keeps it.",
            "For a mesh, convert it to OBJ, STL or GLB beside the original. Write Back changes only inertials.",
        ),
        Entry(
            "source_changed",
            "File changed meanwhile",
            ("error",),
            "The file that is to be written was edited, or removed, after it was read. Nothing is written, so that the"
            " edit is not lost.",
            "Run the command again. In Blender, import the file again and accept the computed inertias there.",
        ),
        Entry(
            "cannot_keep",
            "Not kept from the old file",
            ("warning",),
            "A file was replaced, and the new one could not keep all that the old one had besides its content: owner,"
            " group, permissions, ACL or extended attributes. Or the old one has other names (hard links), which still"
            " have the old content.",
            "Set them again with chown, chmod, setfacl or setfattr; link the other names again with ln -f.",
        ),
        Entry(
            "accepted_twice",
            "Two objects for one link",
            ("error",),
            "A robot was imported twice, or a link duplicated, and the inertia of both objects was accepted for one"
            " link of the file.",
            "Untick one of the two.",
        ),
        Entry(
            "nested_model",
            "Model in a model",
            ("error",),
            "A model holds other models, which are not brought over.",
            "Give the inner model a file of its own.",
        ),
        Entry(
            "unknown_link",
            "No such link",
            ("error",),
            "The file that is to be written back has no link of that name.",
            "Import the file anew.",
        ),
        Entry(
            "included_inertial",
            "Inertial of an included file",
            ("error",),
            "The link's inertial stands in a file that this one includes, and that is not changed.",
            "Import that file.",
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
            ("warning", "info"),
            "The file says that its unit is not the metre. That of a COLLADA file is applied, as simulators do; the"
            " numbers of other formats are taken as metres.",
            "Give the metres per unit with --scale, where the stated unit is not meant.",
        ),
        Entry(
            "unit_name",
            "Unit by another name",
            ("warning",),
            "The unit of a COLLADA file has the name of one length and the value of another. Simulators apply the"
            " value.",
            "Correct the file, or give the mesh a scale.",
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
            "massless_lump",
            "Links of mass 0 fixed together",
            ("error",),
            "A link without mass is fixed to another one without mass. libsdformat makes one link of them, divides by"
            " their mass for the centre, and reads nothing of the robot.",
            "Give one of them a mass, or remove its <inertial>.",
        ),
        Entry(
            "massless_link",
            "Moving link without mass",
            ("warning",),
            "A link moves and has no mass. Gazebo leaves such a link of a URDF out, with all that hangs on it.",
            "Give it a mass, or fix it to its parent.",
        ),
        Entry(
            "no_inertials",
            "Robot without inertials",
            ("warning",),
            "No link of the file has an inertial, as in robots made for planning only. Each engine takes other numbers"
            " instead, or leaves the robot out.",
            "Compute them: repair, with a density.",
        ),
        Entry(
            "unread_format",
            "Format not read",
            ("error",),
            "The file is a robot or an assembly in a format that is not read.",
            "Convert it to URDF or SDF.",
        ),
    ),
)
