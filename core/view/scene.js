// SPDX-License-Identifier: Apache-2.0
// The scene of a page: links that joints move, their meshes, and what is drawn of their inertials. Metres, z up.
// All poses are exact: a frame is one matrix of doubles, never a sum of small steps.

const SEGMENTS = 48;
const THINNEST = 1e-3; // the least semi-axis drawn, relative to the largest
const COLORS = { published: 0xff8f2e, computed: 0x4ab8f0 };

function matrixOf(numbers) {
  return new THREE.Matrix4().set(...numbers);
}

function decoded(text, Type) {
  return new Type(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

function geometryOf(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(decoded(mesh.positions, Float32Array), 3));
  const Indices = mesh.wide ? Uint32Array : Uint16Array;
  geometry.setIndex(new THREE.BufferAttribute(decoded(mesh.triangles, Indices), 1));
  return geometry;
}

function framed(name, matrix) {
  const group = new THREE.Group();
  group.name = name;
  group.matrixAutoUpdate = false;
  group.matrix.copy(matrix);
  return group;
}

// The outlines of a unit ball: a circle about each axis.
function circles() {
  const points = [];
  for (let axis = 0; axis < 3; axis++) {
    for (let step = 0; step < SEGMENTS; step++) {
      for (const angle of [step, step + 1]) {
        const point = [0, 0, 0];
        point[(axis + 1) % 3] = Math.cos((2 * Math.PI * angle) / SEGMENTS);
        point[(axis + 2) % 3] = Math.sin((2 * Math.PI * angle) / SEGMENTS);
        points.push(...point);
      }
    }
  }
  return linesOf(points);
}

function linesOf(points) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
  return geometry;
}

class RobotScene {
  constructor(data) {
    this.data = data;
    this.root = new THREE.Scene();
    this.shapes = {
      ball: new THREE.SphereGeometry(1, 32, 20),
      rings: circles(),
      box: new THREE.BoxGeometry(1, 1, 1),
      cross: linesOf([-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1]),
    };
    this.shapes.edges = new THREE.EdgesGeometry(this.shapes.box);
    this.materials = { link: new THREE.MeshLambertMaterial({ color: 0xa8adb5, flatShading: true, side: THREE.DoubleSide }) };
    for (const [kind, color] of Object.entries(COLORS)) {
      const overlaid = { color, depthTest: false, transparent: true };
      this.materials[kind] = {
        fill: new THREE.MeshBasicMaterial({ ...overlaid, opacity: 0.22, depthWrite: false }),
        line: new THREE.LineBasicMaterial(overlaid),
        ball: new THREE.MeshBasicMaterial(overlaid),
      };
    }
    this.geometries = data.meshes.map(geometryOf);
    this.links = data.links.map((link, number) => this.linkOf(link, number));
    this.joints = this.movable();
    this.positions = new Map(); // by the number of a joint: one position, or two
    this.root.updateMatrixWorld(true);
    this.measureReach();
  }

  linkOf(link, number) {
    const pose = matrixOf(link.pose);
    const group = framed(link.name, pose);
    const shown = { number, name: link.name, listed: link.listed, group, pose, marks: {}, parts: { visuals: [], collisions: [] } };
    for (const kind of ["visuals", "collisions"]) {
      for (const part of link[kind]) shown.parts[kind].push(this.partOf(part, kind, number, group));
    }
    for (const kind of ["published", "computed"]) {
      if (link[kind]) shown.marks[kind] = this.markOf(link[kind], kind, number, group);
    }
    this.root.add(group);
    return shown;
  }

  partOf(part, kind, number, group) {
    const mesh = new THREE.Mesh(this.geometries[part.mesh], this.materialOf(part, kind));
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrixOf(part.placed));
    mesh.userData.link = number;
    if (kind === "collisions") mesh.renderOrder = 1;
    group.add(mesh);
    return mesh;
  }

  materialOf(part, kind) {
    if (kind === "collisions") {
      const glass = { color: 0x5fbf78, transparent: true, opacity: 0.4, depthWrite: false };
      return new THREE.MeshLambertMaterial({ ...glass, flatShading: true, side: THREE.DoubleSide });
    }
    const material = this.materials.link.clone();
    if (part.color) {
      material.color.setRGB(part.color[0], part.color[1], part.color[2]);
      if (part.color[3] < 1) Object.assign(material, { transparent: true, opacity: Math.max(part.color[3], 0.15) });
    }
    return material;
  }

  // A frame at the centre of mass along the principal axes, with the uniform solids of this mass and these moments.
  markOf(inertial, kind, number, group) {
    const [x, y, z] = inertial.axes.map((axis) => new THREE.Vector3(...axis));
    const frame = new THREE.Matrix4().makeBasis(x, y, z);
    frame.setPosition(...inertial.com);
    const mark = framed(kind, frame);
    const { fill, line, ball } = this.materials[kind];
    const drawn = { frame: mark, ellipsoid: [], box: [], axes: [], centre: new THREE.Mesh(this.shapes.ball, ball) };
    drawn.centre.renderOrder = 4;
    drawn.centre.userData.link = number;
    mark.add(drawn.centre);
    if (inertial.ellipsoid) {
      const radii = this.thick(inertial.ellipsoid);
      drawn.ellipsoid = [this.scaled(new THREE.Mesh(this.shapes.ball, fill), radii, 2), this.scaled(new THREE.LineSegments(this.shapes.rings, line), radii, 3)];
      const sides = this.thick(inertial.box);
      drawn.box = [this.scaled(new THREE.Mesh(this.shapes.box, fill), sides, 2), this.scaled(new THREE.LineSegments(this.shapes.edges, line), sides, 3)];
      drawn.axes = [this.scaled(new THREE.LineSegments(this.shapes.cross, line), radii.map((radius) => 1.15 * radius), 3)];
      drawn.size = Math.max(...radii);
    }
    for (const one of [...drawn.ellipsoid, ...drawn.box, ...drawn.axes]) {
      one.userData.link = number;
      mark.add(one);
    }
    group.add(mark);
    return drawn;
  }

  thick(sizes) {
    const least = THINNEST * Math.max(...sizes, 1e-9);
    return sizes.map((size) => Math.max(size, least));
  }

  scaled(object, sizes, order) {
    object.matrixAutoUpdate = false;
    object.matrix.makeScale(...sizes);
    object.renderOrder = order;
    return object;
  }

  // The joints of the tree, parents first, each with its frame in the world when all joints are at 0.
  movable() {
    const own = new Map();
    for (const [number, joint] of this.data.joints.entries()) {
      if (!own.has(joint.child)) own.set(joint.child, number);
    }
    const ordered = [];
    const seen = new Set();
    const visit = (link) => {
      if (link === null || seen.has(link)) return;
      seen.add(link);
      const number = own.get(link);
      if (number === undefined) return;
      const joint = this.data.joints[number];
      visit(joint.parent);
      const frame = this.links[link].pose.clone().multiply(matrixOf(joint.pose));
      ordered.push({ ...joint, number, frame, back: frame.clone().invert() });
    };
    this.links.forEach((_, number) => visit(number));
    return ordered;
  }

  // Move a joint to a position [rad or m]; `which` is 1 for the second axis of a universal joint.
  setJoint(number, position, which = 0) {
    const positions = this.positions.get(number) || [0, 0];
    positions[which] = position;
    this.positions.set(number, positions);
    const shifts = new Map();
    for (const joint of this.joints) {
      const before = shifts.get(joint.parent);
      const own = this.motion(joint);
      const shift = own ? joint.frame.clone().multiply(own).multiply(joint.back) : before;
      if (own && before) shift.premultiply(before);
      if (shift) shifts.set(joint.child, shift);
    }
    for (const link of this.links) {
      link.group.matrix.copy(link.pose);
      const shift = shifts.get(link.number);
      if (shift) link.group.matrix.premultiply(shift);
    }
    this.root.updateMatrixWorld(true);
  }

  motion(joint) {
    const [first, second] = this.positions.get(joint.number) || [0, 0];
    if ((first === 0 && second === 0) || joint.kind === "fixed" || joint.kind === "ball") return null;
    const axis = new THREE.Vector3(...joint.axis).normalize();
    if (joint.kind === "prismatic") return new THREE.Matrix4().makeTranslation(...axis.multiplyScalar(first));
    const turn = new THREE.Matrix4().makeRotationAxis(axis, first);
    if (joint.kind === "screw") turn.setPosition(axis.clone().multiplyScalar((first / (2 * Math.PI)) * joint.pitch));
    if (joint.kind === "universal") {
      turn.multiply(new THREE.Matrix4().makeRotationAxis(new THREE.Vector3(...joint.axis2).normalize(), second));
    }
    return turn;
  }

  // The box in the world around a link: its meshes, or without any its inertial or origin, and a centre that is near.
  boundsOf(link) {
    const bounds = new THREE.Box3();
    const parts = link.parts.visuals.length ? link.parts.visuals : link.parts.collisions;
    for (const part of parts) bounds.expandByObject(part);
    if (parts.length) return this.isNear(link) ? bounds.expandByPoint(this.centreOf(link)) : bounds;
    bounds.expandByPoint(this.centreOf(link));
    return bounds.expandByScalar(Math.min(this.markOfLink(link)?.size || 0, this.reach));
  }

  bounds() {
    const all = new THREE.Box3();
    for (const link of this.links) if (link.listed) all.union(this.boundsOf(link));
    return all;
  }

  // Twice the diagonal of the robot's meshes: a centre of mass farther away is a mistake, and would leave them tiny.
  measureReach() {
    const meshes = new THREE.Box3();
    for (const link of this.links) for (const part of [...link.parts.visuals, ...link.parts.collisions]) meshes.expandByObject(part);
    this.reach = meshes.isEmpty() ? Infinity : 2 * meshes.getSize(new THREE.Vector3()).length();
  }

  markOfLink(link) {
    return link.marks.published || link.marks.computed;
  }

  centreOf(link) {
    return (this.markOfLink(link)?.frame || link.group).getWorldPosition(new THREE.Vector3());
  }

  isNear(link) {
    return this.centreOf(link).distanceTo(link.group.getWorldPosition(new THREE.Vector3())) <= this.reach;
  }

  // Show or hide: `shown` has visuals, collisions, published, computed, axes, and solid (ellipsoid, box or none).
  show(shown) {
    for (const link of this.links) {
      for (const part of link.parts.visuals) part.visible = shown.visuals;
      const stand = shown.visuals && !link.parts.visuals.length; // for a link without visuals
      for (const part of link.parts.collisions) part.visible = shown.collisions || stand;
      for (const [kind, mark] of Object.entries(link.marks)) {
        mark.frame.visible = shown[kind];
        for (const solid of ["ellipsoid", "box"]) {
          const [fill, lines] = mark[solid];
          if (fill) fill.visible = shown.solid === solid && mark.size < this.reach / 2; // a larger one would tint all
          if (lines) lines.visible = shown.solid === solid;
        }
        for (const one of mark.axes) one.visible = shown.axes;
      }
    }
  }

  highlight(chosen) {
    for (const link of this.links) {
      for (const part of [...link.parts.visuals, ...link.parts.collisions]) {
        part.material.emissive.set(link.number === chosen ? 0x3a5f9a : 0x000000);
      }
    }
  }

  // What a ray from the camera may hit.
  pickable() {
    const found = [];
    this.root.traverseVisible((object) => {
      if (object.isMesh && object.userData.link !== undefined) found.push(object);
    });
    return found;
  }

  // The point that a link's label leads to.
  anchorOf(link) {
    return this.isNear(link) ? this.centreOf(link) : this.boundsOf(link).getCenter(new THREE.Vector3());
  }
}
