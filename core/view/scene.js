// SPDX-License-Identifier: Apache-2.0
// The scene of a page: links that joints move, their meshes, and what is drawn of their inertials. Metres, z up.
// All poses are exact: a frame is one matrix of doubles, never a sum of small steps.

const SEGMENTS = 48;
const THINNEST = 1e-3; // the least semi-axis drawn, relative to the largest
const COLORS = { published: 0xff8f2e, computed: 0x4ab8f0, alike: 0x9d7cf0, planned: 0x2fbf71 };
const CROWD = 16; // links from which on marks are drawn softly, so that the robot is seen
const LARGEST = Math.sqrt(5) / 2; // semi-axis of two masses at the ends of a rod, relative to its length

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

// An arrow of length 1 along x.
function arrow() {
  const outline = [[0, 0.025], [0.7, 0.025], [0.7, 0.09], [1, 0]];
  const points = [];
  for (let side = 0; side < 12; side++) {
    const at = ([along, radius], turn) => [along, radius * Math.cos((Math.PI * turn) / 6), radius * Math.sin((Math.PI * turn) / 6)];
    for (let place = 0; place < 3; place++) {
      const [a, b, c, d] = [at(outline[place], side), at(outline[place + 1], side), at(outline[place + 1], side + 1), at(outline[place], side + 1)];
      points.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  }
  return linesOf(points);
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
    this.shapes.arrow = arrow();
    this.after = false; // whether the plan of a repair is shown
    this.materials = { link: new THREE.MeshLambertMaterial({ color: 0xa8adb5, flatShading: true, side: THREE.DoubleSide }) };
    for (const [kind, color] of Object.entries(COLORS)) {
      const overlaid = { color, depthTest: false, transparent: true };
      for (const [strength, fill, line] of [["strong", 0.22, 1], ["soft", 0.07, 0.3]]) {
        this.materials[kind + strength] = {
          fill: new THREE.MeshBasicMaterial({ ...overlaid, opacity: fill, depthWrite: false }),
          line: new THREE.LineBasicMaterial({ ...overlaid, opacity: line }),
          ball: new THREE.MeshBasicMaterial({ ...overlaid, opacity: (1 + line) / 2, side: THREE.DoubleSide }),
        };
      }
    }
    this.geometries = data.meshes.map(geometryOf);
    this.links = data.links.map((link, number) => this.linkOf(link, number));
    this.joints = this.movable();
    this.positions = new Map(); // by the number of a joint: one position, or two
    this.root.updateMatrixWorld(true);
    this.findAbsurd();
    this.highlight(null);
    this.move();
  }

  linkOf(link, number) {
    const pose = matrixOf(link.pose);
    const group = framed(link.name, pose);
    const shown = { number, name: link.name, listed: link.listed, group, pose, marks: {}, parts: { visuals: [], collisions: [] } };
    for (const kind of ["visuals", "collisions"]) {
      for (const part of link[kind]) shown.parts[kind].push(this.partOf(part, kind, number, group));
    }
    for (const kind of ["published", "computed", "planned"]) {
      if (!link[kind] || (link.alike && kind === "computed")) continue;
      shown.marks[kind] = this.markOf(link[kind], link.alike && kind === "published" ? "alike" : kind, number, group);
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
    const { fill, line, ball } = this.materials[`${kind}strong`];
    const drawn = { kind, frame: mark, size: 0, ellipsoid: [], box: [], axes: [], centre: new THREE.Mesh(this.shapes.ball, ball) };
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

  // Move a joint to a position [rad or m]; `which` is 1 for the second axis of a universal joint, 0 to 2 for x, y, z of
  // a ball.
  setJoint(number, position, which = 0) {
    const positions = this.positions.get(number) || [0, 0, 0];
    positions[which] = position;
    this.positions.set(number, positions);
    this.move();
  }

  // A joint that mimics another one follows it.
  positionsOf(number) {
    const follows = this.data.joints[number].follows;
    if (!follows) return this.positions.get(number) || [0, 0, 0];
    const [leader, multiplier, offset] = follows;
    return [multiplier * this.positionsOf(leader)[0] + offset, 0, 0];
  }

  move() {
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
    const positions = this.positionsOf(joint.number);
    if (joint.kind === "fixed" || !positions.some(Boolean)) return null;
    if (joint.kind === "ball") {
      const about = [0, 1, 2].map((axis) => new THREE.Matrix4().makeRotationAxis(new THREE.Vector3().setComponent(axis, 1), positions[axis]));
      return about[2].multiply(about[1]).multiply(about[0]); // as roll, pitch and yaw in a file
    }
    const [first, second] = positions;
    const axis = new THREE.Vector3(...joint.axis).normalize();
    if (joint.kind === "prismatic") return new THREE.Matrix4().makeTranslation(...axis.multiplyScalar(first));
    const turn = new THREE.Matrix4().makeRotationAxis(axis, first);
    if (joint.kind === "screw") turn.setPosition(axis.clone().multiplyScalar((first / (2 * Math.PI)) * joint.pitch));
    if (joint.kind === "universal") {
      turn.multiply(new THREE.Matrix4().makeRotationAxis(new THREE.Vector3(...joint.axis2).normalize(), second));
    }
    return turn;
  }

  // The box in the world around a link's meshes; empty without any.
  meshesOf(link) {
    const bounds = new THREE.Box3();
    for (const part of link.parts.visuals.length ? link.parts.visuals : link.parts.collisions) bounds.expandByObject(part);
    return bounds;
  }

  // The box in the world around a link: its meshes and a centre that is near; without meshes its inertial or origin.
  boundsOf(link) {
    const bounds = this.meshesOf(link);
    const mark = this.markOfLink(link);
    if (!mark?.far) return bounds.isEmpty() ? this.around(mark, link) : bounds.expandByPoint(this.centreOf(link));
    return bounds.isEmpty() ? bounds.expandByPoint(link.group.getWorldPosition(new THREE.Vector3())) : bounds;
  }

  around(mark, link) {
    return new THREE.Box3().expandByPoint(this.centreOf(link)).expandByScalar(mark && !mark.huge ? mark.size : 0);
  }

  bounds() {
    const all = new THREE.Box3();
    for (const link of this.links) if (link.listed) all.union(this.boundsOf(link));
    return all;
  }

  // A centre far from its link, and a shape that no body in its link can have and that is as large as the robot, would
  // fill the scene: they become an arrow at the link, and a note in its label.
  findAbsurd() {
    const boxes = this.links.map((link) => this.meshesOf(link));
    const origins = this.links.map((link) => link.group.getWorldPosition(new THREE.Vector3()));
    const all = boxes.reduce((whole, box) => whole.union(box), new THREE.Box3().setFromPoints(origins));
    const length = (box) => (box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length());
    const robot = length(all) || Infinity;
    this.least = Number.isFinite(robot) ? robot / 20 : 1e-6; // a smaller part is seen with what is around it
    for (const [number, link] of this.links.entries()) {
      const origin = boxes[number].isEmpty() ? origins[number] : boxes[number].getCenter(new THREE.Vector3());
      for (const mark of Object.values(link.marks)) {
        const centre = mark.frame.getWorldPosition(new THREE.Vector3());
        mark.away = centre.distanceTo(origin);
        mark.far = mark.away > robot / 2 + length(boxes[number]) / 2;
        mark.huge = mark.size > (boxes[number].isEmpty() ? robot : Math.max(LARGEST * length(boxes[number]), robot / 2));
        if (mark.far) this.addArrow(link, mark, origin, centre, robot / 6);
      }
    }
  }

  addArrow(link, mark, from, to, length) {
    const local = link.group.matrixWorld.clone().invert();
    const along = to.clone().sub(from).transformDirection(local);
    const across = new THREE.Vector3(1, 0, 0);
    if (Math.abs(along.x) > 0.7) across.set(0, 1, 0);
    const over = along.clone().cross(across).normalize();
    mark.arrow = new THREE.Mesh(this.shapes.arrow, this.materials[`${mark.kind}strong`].ball);
    mark.arrow.matrixAutoUpdate = false;
    mark.arrow.matrix.makeBasis(along, over, along.clone().cross(over)).scale(new THREE.Vector3(length, length, length));
    mark.arrow.matrix.setPosition(from.clone().applyMatrix4(local));
    mark.arrow.renderOrder = 4;
    mark.arrow.userData.link = link.number;
    link.group.add(mark.arrow);
  }

  // What is not drawn of a link, in words.
  notesOf(link) {
    const mark = this.markOfLink(link);
    const rounded = (length) => Number(length.toPrecision(2));
    const notes = mark?.far ? [`→ centre of mass ${rounded(mark.away)} m away`] : [];
    return mark?.huge ? [...notes, `ellipsoid of ${rounded(2 * mark.size)} m not drawn`] : notes;
  }

  // What a simulator uses: after a repair the new inertial.
  markOfLink(link) {
    return (this.after && link.marks.planned) || link.marks.published || link.marks.computed;
  }

  centreOf(link) {
    return (this.markOfLink(link)?.frame || link.group).getWorldPosition(new THREE.Vector3());
  }

  // Show or hide: `shown` has visuals, collisions, published, computed, axes, and solid (ellipsoid, box or none).
  show(shown) {
    for (const link of this.links) {
      for (const part of link.parts.visuals) part.visible = shown.visuals;
      const stand = shown.visuals && !link.parts.visuals.length; // for a link without visuals
      for (const part of link.parts.collisions) part.visible = shown.collisions || stand;
      const replaced = this.after && link.marks.planned;
      for (const [kind, mark] of Object.entries(link.marks)) {
        const old = replaced && kind !== "planned"; // of these only the outlines of the file's
        const wanted = { planned: this.after, published: shown.published || (mark.kind === "alike" && shown.computed), computed: shown.computed && !old };
        mark.frame.visible = wanted[kind] && !mark.far;
        if (mark.arrow) mark.arrow.visible = wanted[kind] && !old;
        for (const solid of ["ellipsoid", "box"]) {
          const [fill, lines] = mark[solid];
          if (fill) fill.visible = shown.solid === solid && !mark.huge && !old;
          if (lines) lines.visible = shown.solid === solid && !mark.huge;
        }
        for (const axes of mark.axes) axes.visible = shown.axes && !mark.huge && !old;
      }
    }
  }

  highlight(chosen) {
    for (const link of this.links) {
      for (const part of [...link.parts.visuals, ...link.parts.collisions]) {
        part.material.emissive.set(link.number === chosen ? 0x3a5f9a : 0x000000);
      }
      const soft = chosen === null ? this.links.length >= CROWD : link.number !== chosen;
      for (const mark of Object.values(link.marks)) {
        mark.soft = soft;
        const { fill, line, ball } = this.materials[mark.kind + (soft ? "soft" : "strong")];
        for (const [filled, lines] of [mark.ellipsoid, mark.box]) if (filled) [filled.material, lines.material] = [fill, line];
        for (const axes of mark.axes) axes.material = line;
        mark.centre.material = ball;
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
    return this.markOfLink(link)?.far ? this.boundsOf(link).getCenter(new THREE.Vector3()) : this.centreOf(link);
  }
}
