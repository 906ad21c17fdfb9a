# SPDX-License-Identifier: GPL-3.0-or-later
"""SDF 1.12, to which libsdformat brings every older file, as a table: elements, attributes, types, counts and limits.

Made by ``tools/sdf_spec.py`` from the descriptions that libsdformat installs, one line for each of their files. A test
compares it with those inside Drake's library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

TABLE = """
sdf = @version:s! world* model? actor? light?
world = @name:s! audio?( device:s! ) wind?( linear_velocity:v? ) include*( @merge:b? uri:s! name:s? static:b?
 placement_frame:s? model_state? pose? plugin* ) gravity:v! magnetic_field:v! atmosphere! gui? physics+ scene! light*
 frame* joint* model* actor* plugin* road* spherical_coordinates? state* population*
model = @name:s! @canonical_link:s? @placement_frame:s? static:b? self_collide:b? allow_auto_disable:b? include*(
 @merge:b? uri:s! name:s? static:b? placement_frame:s? model_state? pose? plugin* ) model* enable_wind:b? frame* pose?
 link* joint* plugin* gripper* model_state?
actor = @name:s! skin?( filename:s! scale:f? ) animation*( @name:s! filename:s! scale:f? interpolate_x:b? ) script!(
 loop:b? delay_start:f? auto_start:b? trajectory*( @id:i! @type:s! @tension:f? waypoint*( time:f! pose:p! ) ) ) pose?
 link+ joint* plugin*
light = @name:s! @type:s! cast_shadows:b? light_on:b? visualize:b? intensity:f? diffuse:c? specular:c? attenuation?(
 range:f! linear:f? constant:f? quadratic:f? ) direction:v! spot?( inner_angle:f! outer_angle:f! falloff:f! ) pose?
model_state = @name:s! model_state* scale:v? joint_state* frame* pose? link_state*
pose:p = @relative_to:s? @rotation_format:s? @degrees:b?
plugin = @name:s? @filename:s! ...
atmosphere = @type:s! temperature:f? pressure:f? temperature_gradient:f?
gui = @fullscreen:b? camera?( @name:s! view_controller:s? projection_type:s? track_visual?( name:s? min_dist:f?
 max_dist:f? static:b? use_model_frame:b? xyz:v? inherit_yaw:b? ) pose? ) plugin*
physics = @name:s? @default:b? @type:s! max_step_size:f! real_time_factor:f! real_time_update_rate:f! max_contacts:i?
 dart?( solver!( solver_type:s! ) collision_detector:s? ) simbody?( min_step_size:f? accuracy:f?
 max_transient_velocity:f? contact?( stiffness:f? dissipation:f? plastic_coef_restitution:f?
 plastic_impact_velocity:f? static_friction:f? dynamic_friction:f? viscous_friction:f?
 override_impact_capture_velocity:f? override_stiction_transition_velocity:f? ) ) bullet?( solver!( type:s!
 min_step_size:f? iters:i! sor:f! ) constraints!( cfm:f! erp:f! contact_surface_layer:f! split_impulse:b!
 split_impulse_penetration_threshold:f! ) ) ode?( solver!( type:s! min_step_size:f? island_threads:i? iters:i!
 precon_iters:i? sor:f! thread_position_correction:b? use_dynamic_moi_rescaling:b! friction_model:s? ) constraints!(
 cfm:f! erp:f! contact_max_correcting_vel:f! contact_surface_layer:f! ) )
scene = ambient:c! background:c! sky?( time:f? sunrise:f? sunset:f? clouds?( speed:f[0.0,]? direction:f[0.0,3.1456]?
 humidity:f[0,1]? mean_size:f[0,1]? ambient:c? ) cubemap_uri:s? ) shadows:b! fog?( color:c? type:s? start:f[0.0,]?
 end:f[0.0,]? density:f[0.0,]? ) grid:b? origin_visual:b?
frame = @name:s! @attached_to:s* pose?
joint = @name:s! @type:s! parent:s! child:s! gearbox_ratio:f? gearbox_reference_body:s? thread_pitch:f?
 screw_thread_pitch:f? axis?( xyz:v!( @expressed_in:s? ) dynamics?( damping:f? friction:f? spring_reference:f!
 spring_stiffness:f! ) limit!( lower:f! upper:f! effort:f? velocity:f? stiffness:f? dissipation:f? ) mimic? ) axis2?(
 xyz:v!( @expressed_in:s? ) dynamics?( damping:f? friction:f? spring_reference:f! spring_stiffness:f! ) limit!(
 lower:f? upper:f? effort:f? velocity:f? stiffness:f? dissipation:f? ) mimic? ) physics?( simbody?(
 must_be_loop_joint:b? ) ode?( cfm_damping:b? implicit_spring_damper:b? fudge_factor:f? cfm:f? erp:f? bounce:f?
 max_force:f? velocity:f? limit?( cfm:f! erp:f! ) suspension?( cfm:f! erp:f! ) ) provide_feedback:b? ) pose? sensor*
road = @name:s! width:f! point:v+ material?
spherical_coordinates = surface_model:s! world_frame_orientation:s? latitude_deg:f! longitude_deg:f! elevation:f!
 surface_axis_equatorial:f? surface_axis_polar:f? heading_deg:f!
state = @world_name:s! sim_time:t? wall_time:t? real_time:t? iterations:u! insertions?( model+ light+ joint+ )
 deletions?( name:s+ ) model_state* light_state* joint_state*
population = @name:s! model_count:i! distribution!( type:s! rows:i? cols:i? step:v? ) box? cylinder? pose? model!
link = @name:s! gravity:b? enable_wind:b? self_collide:b? kinematic:b? must_be_base_link:b? velocity_decay?( linear:f?
 angular:f? ) pose? inertial? collision* visual* sensor* projector* audio_sink* audio_source* battery* light*
 particle_emitter*
gripper = @name:s! grasp_check?( detach_steps:i? attach_steps:i? min_contact_count:u? ) gripper_link:s+ palm_link:s!
joint_state = @name:s! angle:f?( @axis:u! ) axis_state?( position:f?( @degrees:b? ) velocity:f?( @degrees:b? )
 acceleration:f?( @degrees:b? ) effort:f? ) axis2_state?( position:f?( @degrees:b? ) velocity:f?( @degrees:b? )
 acceleration:f?( @degrees:b? ) effort:f? )
link_state = @name:s! angular_velocity:v?( @degrees:b? ) linear_velocity:v? velocity:p? angular_acceleration:v?(
 @degrees:b? ) linear_acceleration:v? acceleration:p? torque:v? force:v? wrench:p? collision_state*( @name:s! ) pose?
mimic = @joint:s! @axis:s? multiplier:f! offset:f! reference:f!
sensor = @name:s! @type:s! always_on:b? update_rate:f? visualize:b? topic:s? enable_metrics:b? frame_id:s? pose?
 plugin* air_pressure? air_speed? altimeter? camera? contact? force_torque? gps? imu? lidar? logical_camera?
 magnetometer? navsat? ray? rfidtag? rfid? sonar? transceiver?
material = script?( uri:s+ name:s! ) shader?( @type:s! normal_map:s? ) render_order:e? lighting:b? ambient:c?
 diffuse:c? specular:c? shininess:f? emissive:c? double_sided:b? pbr?( metal?( albedo_map:s? roughness_map:s?
 roughness:s? metalness_map:s? metalness:s? environment_map:s? ambient_occlusion_map:s? normal_map:s?( @type:s? )
 emissive_map:s? light_map:s?( @uv_set:u? ) ) specular?( albedo_map:s? specular_map:s? glossiness_map:s? glossiness:s?
 environment_map:s? ambient_occlusion_map:s? normal_map:s?( @type:s? ) emissive_map:s? light_map:s?( @uv_set:u? ) ) )
light_state = @name:s! pose?
box = size:v!
cylinder = radius:f! length:f!
inertial = @auto:b? mass:f? density:f? auto_inertia_params?(  ) pose:p?( @rotation_format:s? @degrees:b? ) inertia?(
 ixx:f! ixy:f! ixz:f! iyy:f! iyz:f! izz:f! ) fluid_added_mass?( xx:f? xy:f? xz:f? xp:f? xq:f? xr:f? yy:f? yz:f? yp:f?
 yq:f? yr:f? zz:f? zp:f? zq:f? zr:f? pp:f? pq:f? pr:f? qq:f? qr:f? rr:f? )
collision = @name:s! laser_retro:f? max_contacts:i? density:f? auto_inertia_params?(  ) pose? geometry! surface?
visual = @name:s! cast_shadows:b? laser_retro:f? transparency:f? visibility_flags:u? meta?( layer:i? ) pose? material?
 geometry! plugin*
projector = @name:s! texture:s! fov:f? near_clip:f? far_clip:f? visibility_flags:u? pose? plugin*
audio_sink =
audio_source = uri:s! pitch:f? gain:f? contact?( collision:s+ ) loop:b? pose?
battery = @name:s! voltage:f!
particle_emitter = @name:s! @type:s! emitting:b? duration:f? size:v? particle_size:v? lifetime:f? rate:f[0.0,]?
 min_velocity:f[0.0,]? max_velocity:f[0.0,]? scale_rate:f[0.0,]? color_start:c? color_end:c? color_range_image:s?
 topic:s? particle_scatter_ratio:e? pose? material?
air_pressure = reference_altitude:f? pressure?( noise? )
air_speed = pressure?( noise? )
altimeter = vertical_position?( noise? ) vertical_velocity?( noise? )
camera = @name:s? triggered:b? camera_info_topic:s? trigger_topic:s? horizontal_fov:f[0.001,6.283186]! image!(
 width:i! height:i! format:s? anti_aliasing:i? ) clip!( near:f[0.0,]! far:f[0.1,]! ) save?( @enabled:b! path:s! )
 depth_camera?( output:s! clip?( near:f[0.0,]? far:f[0.1,]? ) ) segmentation_type:s? box_type:s? noise?( type:s!
 mean:f? stddev:f? ) distortion?( k1:f? k2:f? k3:f? p1:f? p2:f? center:w? ) lens?( type:s! scale_to_hfov:b!
 custom_function?( c1:f? c2:f? c3:f? f:f? fun:s! ) cutoff_angle:f[0.0,3.141592653]? env_texture_size:i[4,2048]?
 intrinsics?( fx:f! fy:f! cx:f! cy:f! s:f! ) projection?( p_fx:f? p_fy:f? p_cx:f? p_cy:f? tx:f? ty:f? ) )
 visibility_mask:u? optical_frame_id:s? pose?
contact = collision:s! topic:s!
force_torque = frame:s? measure_direction:s? force?( x?( noise? ) y?( noise? ) z?( noise? ) ) torque?( x?( noise? )
 y?( noise? ) z?( noise? ) )
gps = position_sensing?( horizontal?( noise? ) vertical?( noise? ) ) velocity_sensing?( horizontal?( noise? )
 vertical?( noise? ) )
imu = orientation_reference_frame?( localization:s! custom_rpy:v?( @parent_frame:s? ) grav_dir_x:v?( @parent_frame:s?
 ) ) angular_velocity?( x?( noise? ) y?( noise? ) z?( noise? ) ) linear_acceleration?( x?( noise? ) y?( noise? ) z?(
 noise? ) ) enable_orientation:b?
lidar = scan!( horizontal!( samples:u! resolution:f! min_angle:f! max_angle:f! ) vertical?( samples:u! resolution:f?
 min_angle:f! max_angle:f! ) ) range!( min:f! max:f! resolution:f? ) noise?( type:s! mean:f? stddev:f? )
 visibility_mask:u?
logical_camera = near:f! far:f! aspect_ratio:f! horizontal_fov:f!
magnetometer = x?( noise? ) y?( noise? ) z?( noise? )
navsat = position_sensing?( horizontal?( noise? ) vertical?( noise? ) ) velocity_sensing?( horizontal?( noise? )
 vertical?( noise? ) )
ray = scan!( horizontal!( samples:u! resolution:f! min_angle:f! max_angle:f! ) vertical?( samples:u! resolution:f?
 min_angle:f! max_angle:f! ) ) range!( min:f! max:f! resolution:f? ) noise?( type:s! mean:f? stddev:f? )
 visibility_mask:u?
rfidtag =
rfid =
sonar = geometry:s? min:f! max:f! radius:f?
transceiver = essid:s? frequency:f? min_frequency:f? max_frequency:f? gain:f! power:f! sensitivity:f?
geometry = empty?(  ) box? capsule? cone? cylinder? ellipsoid? heightmap? image? mesh? plane? polyline? sphere?
surface = bounce?( restitution_coefficient:f[0.0,1.0]? threshold:f? ) friction?( torsional?( coefficient:f[0.0,]?
 use_patch_radius:b? patch_radius:f[0.0,]? surface_radius:f[0.0,]? ode?( slip:f? ) ) ode?( mu:f[0.0,]? mu2:f[0.0,]?
 fdir1:v? slip1:f? slip2:f? ) bullet?( friction:f[0.0,]? friction2:f[0.0,]? fdir1:v? rolling_friction:f? ) ) contact?(
 collide_without_contact:b? collide_without_contact_bitmask:u? collide_bitmask:u? category_bitmask:u?
 poissons_ratio:f? elastic_modulus:f? ode?( soft_cfm:f? soft_erp:f? kp:f? kd:f? max_vel:f? min_depth:f? ) bullet?(
 soft_cfm:f? soft_erp:f? kp:f? kd:f? split_impulse:b! split_impulse_penetration_threshold:f! ) ) soft_contact?( dart?(
 bone_attachment:f! stiffness:f! damping:f! flesh_mass_fraction:f! ) )
noise = @type:s! mean:f? stddev:f[0.0,]? bias_mean:f? bias_stddev:f[0.0,]? dynamic_bias_stddev:f[0.0,]?
 dynamic_bias_correlation_time:f? precision:f?
capsule = radius:f! length:f!
cone = radius:f! length:f!
ellipsoid = radii:v!
heightmap = uri:s! size:v? pos:v? texture*( size:f! diffuse:s! normal:s! ) blend*( min_height:f! fade_dist:f! )
 use_terrain_paging:b? sampling:u?
image = uri:s! scale:f! threshold:i! height:f! granularity:i!
mesh = @optimization:s? convex_decomposition?( max_convex_hulls:u? voxel_resolution:u? ) uri:s! submesh?( name:s!
 center:b? ) scale:v?
plane = normal:v! size:w!
polyline = point:w+ height:f!
sphere = radius:f!
"""
"""Attributes (``@name``), elements described in place (their content in parentheses), then those that have a line.

Types, after a colon: f double, e float, i int, u unsigned int, b boolean, s text, v three numbers, w two numbers,
c colour, p pose, t time; in brackets the limits of a number. Counts: ! exactly one, ? at most one, * any, + at least
one. Three dots stand for elements of any kind, which nobody looks into.
"""


@dataclass(frozen=True)
class Slot:
    """An attribute or a child: its type (empty for a mere parent), how many there are, and between which limits."""

    kind: str
    count: str
    low: float
    high: float
    structure: Structure

    @property
    def required(self) -> bool:
        """Whether it may not be empty, and as an attribute not be missing."""
        return self.count == "!"


@dataclass
class Structure:
    """What an element may hold; `free` where anything may stand in it."""

    kind: str = ""
    attributes: dict[str, Slot] = field(default_factory=dict)
    children: dict[str, Slot] = field(default_factory=dict)
    free: bool = False

    @cached_property
    def required(self) -> list[str]:
        """The attributes that it must have."""
        return [name for name, slot in self.attributes.items() if slot.required]


_WORD = re.compile(r"(@?)(\w+)(?::(\w))?(?:\[([^,]*),([^\]]*)\])?([!?*+])(\()?")


def _read(table: str) -> dict[str, Structure]:
    lines = [line.partition(" =") for line in table.strip().replace("\n ", " ").splitlines()]
    heads = [head.partition(":") for head, _, _ in lines]
    known = {name: Structure(kind) for name, _, kind in heads}
    for (name, _, _), (_, _, content) in zip(heads, lines, strict=True):
        _fill(known[name], iter(content.split()), known)
    return known


def _fill(structure: Structure, words: Iterator[str], known: dict[str, Structure]) -> None:
    for word in words:
        if word == ")":
            return
        if word == "...":
            structure.free = True
            continue
        match = _WORD.fullmatch(word)
        assert match is not None, word
        attribute, name, kind, low, high, count, opened = match.groups()
        own = known[name] if not (attribute or kind or opened) else Structure(kind or "")
        if opened:
            _fill(own, words, known)
        slot = Slot(own.kind, count, float(low or -inf), float(high or inf), own)
        (structure.attributes if attribute else structure.children)[name] = slot


def slot_of(kind: str, count: str = "?", structure: Structure | None = None) -> Slot:
    """Return a slot without limits."""
    return Slot(kind, count, -inf, inf, structure or Structure(kind))


_LINES = _read(TABLE)

DESCRIBED = frozenset(_LINES)
"""Elements that have a description of their own."""

ROOT = slot_of("", "!", _LINES["sdf"])
"""The place of ``<sdf>``, and by its children that of every element."""
