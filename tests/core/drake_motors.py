# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot with rotors, gears and a joint that follows another; and what Drake makes of such a file."""

from .drake_inertia import listening

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
LIMIT = '<limit lower="-3" upper="3" effort="5" velocity="2"/>'

MOTORS = """<transmission name="{joint}_t"><type>transmission_interface/SimpleTransmission</type>
 <joint name="{joint}"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
 <actuator name="{joint}_m">{inside}</actuator></transmission>"""

URDF = f"""<robot name="gripper" xmlns:drake="http://drake.mit.edu">
<link name="palm">{INERTIAL}</link><link name="finger">{INERTIAL}</link><link name="thumb">{INERTIAL}</link>
<joint name="turn" type="revolute"><origin xyz="0 0 1"/><parent link="palm"/><child link="finger"/>
 <axis xyz="0 1 0"/>{LIMIT}</joint>
<joint name="slide" type="prismatic"><origin xyz="0 1 0"/><parent link="palm"/><child link="thumb"/>
 <axis xyz="1 0 0"/>{LIMIT}<mimic joint="turn" multiplier="-0.5" offset="0.25"/></joint>
{MOTORS.format(joint="turn", inside='<drake:rotor_inertia value="1.25e-05"/><drake:gear_ratio value="101"/>')}
{MOTORS.format(joint="slide", inside='<drake:rotor_inertia value="0.0002"/>')}</robot>"""

SDF = """<sdf version="1.11" xmlns:drake="http://drake.mit.edu"><model name="gripper">
<link name="palm"/><link name="finger"><pose>0 0 1 0 0 0</pose></link><link name="thumb"/>
<joint name="turn" type="revolute"><parent>palm</parent><child>finger</child><axis><xyz>0 1 0</xyz></axis>
 <drake:rotor_inertia>1.25e-05</drake:rotor_inertia><drake:gear_ratio>101</drake:gear_ratio></joint>
<joint name="slide" type="prismatic"><parent>palm</parent><child>thumb</child><axis><xyz>1 0 0</xyz></axis>
 <drake:rotor_inertia>0.0002</drake:rotor_inertia><drake:mimic joint="turn" multiplier="-0.5" offset="0.25"/></joint>
</model></sdf>"""


def motors(path):
    """Return the rotor's inertia and the gear's ratio of each joint with an actuator, as Drake reads them."""
    from pydrake.multibody.tree import JointActuatorIndex

    plant = _plant(path)
    actuators = [plant.get_joint_actuator(JointActuatorIndex(number)) for number in range(plant.num_actuators())]
    return {one.joint().name(): (one.default_rotor_inertia(), one.default_gear_ratio()) for one in actuators}


def followed(path):
    """Return the positions of ``turn`` and ``slide`` a second after ``turn`` got a speed."""
    from pydrake.systems.analysis import Simulator

    plant = _plant(path)
    assert plant.num_constraints() == 1
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, 0.0])
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    turn, slide = (plant.GetJointByName(name) for name in ("turn", "slide"))
    turn.set_angle(context, 0.0)
    turn.set_angular_rate(context, 1.0)
    simulator.AdvanceTo(1.0)
    return turn.get_angle(context), slide.get_translation(context)


def _plant(path):
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant

    plant = MultibodyPlant(0.01)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)  # only it has joints that follow
    with listening():
        Parser(plant).AddModels(str(path))
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("palm"))
    plant.Finalize()
    return plant
