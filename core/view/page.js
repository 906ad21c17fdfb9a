// SPDX-License-Identifier: Apache-2.0
// What a user can do on the page: select links in the scene, the table or the findings; move joints; show and hide.

const FIELD_OF_VIEW = 35;
const CLICK = 5; // pixels that the pointer may move between press and release
const FLIGHT = 350; // milliseconds

const element = (id) => document.getElementById(id);

class Page {
  constructor(scene) {
    this.scene = scene;
    this.chosen = null;
    this.canvas = element("canvas");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.lights();
    this.labels = new Labels(element("labels"), element("leaders"));
    for (const link of scene.links) if (link.listed) this.addLabel(link);
    this.writeLabels();
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.listen();
    this.addSliders();
    this.measure();
    this.home(false);
    this.apply();
  }

  lights() {
    this.scene.root.add(new THREE.HemisphereLight(0xffffff, 0x8088a0, 1.9));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(-0.4, 0.6, 1);
    this.camera.add(sun, sun.target);
    sun.target.position.set(0, 0, -1);
    this.scene.root.add(this.camera);
  }

  // A grid on the ground, below the robot, of squares of 1, 2 or 5 times a power of ten.
  addGrid() {
    const bounds = this.scene.bounds();
    const size = Math.max(bounds.getSize(new THREE.Vector3()).length(), 1e-9) * 2;
    const power = 10 ** Math.floor(Math.log10(size / 10));
    const square = power * [1, 2, 5, 10].find((step) => step * power >= size / 14);
    const count = 2 * Math.ceil(size / square / 2);
    const color = new THREE.Color(getComputedStyle(this.canvas).color);
    const grid = new THREE.GridHelper(count * square, count, color, color);
    grid.rotation.x = Math.PI / 2;
    const middle = bounds.getCenter(new THREE.Vector3());
    grid.position.set(...[middle.x, middle.y].map((value) => Math.round(value / square) * square), bounds.min.z);
    if (this.grid) this.scene.root.remove(this.grid);
    this.grid = grid;
    this.scene.root.add(grid);
    element("scale").textContent = `grid ${Number(square.toPrecision(1))} m`;
  }

  addLabel(link) {
    const row = document.querySelector(`tr[data-link="${link.number}"]`);
    const { published, computed } = this.scene.data.links[link.number];
    const mass = (published || computed)?.mass ?? 0;
    this.labels.add(link.number, link.name, mass, row.dataset.severity, () => this.select(link.number));
  }

  writeLabels() {
    for (const link of this.scene.links.filter((other) => other.listed)) {
      const { mass, planned } = document.querySelector(`tr[data-link="${link.number}"]`).dataset;
      const repaired = this.scene.after && planned;
      this.labels.write(link.number, [repaired || mass, ...this.scene.notesOf(link)], Boolean(repaired));
    }
    this.labels.measure();
  }

  // Show what a repair would write, or what the file says.
  showPlan(after) {
    document.body.dataset.plan = after ? "after" : "before";
    this.scene.after = after;
    this.writeLabels();
    this.apply();
  }

  listen() {
    for (const row of document.querySelectorAll("[data-link]")) {
      row.addEventListener("click", () => this.select(Number(row.dataset.link), true));
    }
    for (const input of document.querySelectorAll("#shown input")) input.addEventListener("change", () => this.apply());
    for (const input of document.querySelectorAll("#repair input")) {
      input.addEventListener("change", () => this.showPlan(input.value === "after"));
    }
    element("home").addEventListener("click", () => this.home(true));
    new ResizeObserver(() => { this.measure(); this.render(); }).observe(element("view"));
    let pressed = null;
    this.canvas.addEventListener("pointerdown", (event) => (pressed = event));
    this.canvas.addEventListener("pointerup", (event) => {
      const still = pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) <= CLICK;
      if (still && event.button === 0) this.select(this.linkAt(event.clientX, event.clientY));
      pressed = null;
    });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.select(null); });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const zooms = { "+": 0.8, "=": 0.8, "-": 1.25 };
    const offset = this.camera.position.clone().sub(this.controls.target);
    if (turns[event.key]) {
      const [around, over] = turns[event.key].map((step) => (step * Math.PI) / 18);
      const distance = offset.length();
      const tilt = Math.min(Math.max(Math.acos(offset.z / distance) + over, 0.02), Math.PI - 0.02);
      const turn = Math.atan2(offset.y, offset.x) + around;
      offset.set(Math.sin(tilt) * Math.cos(turn), Math.sin(tilt) * Math.sin(turn), Math.cos(tilt)).multiplyScalar(distance);
    } else if (zooms[event.key]) offset.multiplyScalar(zooms[event.key]);
    else if (event.key === "Home") return this.home(true);
    else return;
    event.preventDefault();
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.draw();
  }

  linkAt(x, y) {
    const area = this.canvas.getBoundingClientRect();
    const pointer = new THREE.Vector2(((x - area.left) / area.width) * 2 - 1, 1 - ((y - area.top) / area.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(pointer, this.camera);
    const [hit] = ray.intersectObjects(this.scene.pickable(), false);
    return hit ? hit.object.userData.link : null;
  }

  select(number, fly = false) {
    this.chosen = number;
    this.scene.highlight(number);
    for (const row of document.querySelectorAll("tr[data-link]")) {
      const chosen = Number(row.dataset.link) === number;
      row.classList.toggle("chosen", chosen);
      row.querySelector("button").setAttribute("aria-pressed", String(chosen));
      if (chosen && !fly) row.scrollIntoView({ block: "nearest" });
    }
    for (const item of document.querySelectorAll("#findings [data-link], #engines [data-link]")) {
      item.classList.toggle("chosen", Number(item.dataset.link) === number);
    }
    for (const details of document.querySelectorAll(".numbers")) details.hidden = details.dataset.of !== String(number);
    element("hint").hidden = number !== null;
    if (fly && number !== null) this.flyTo(this.scene.boundsOf(this.scene.links[number]), true, 2.6);
    this.draw();
  }

  home(animated) {
    if (!animated) this.camera.position.set(1.1, -1.5, 0.8);
    this.flyTo(this.scene.bounds(), animated, 1.25);
  }

  // Look at a box from the same direction, from so far away that it fills the view `1 / room` of the way.
  flyTo(bounds, animated, room) {
    const target = bounds.isEmpty() ? new THREE.Vector3() : bounds.getCenter(new THREE.Vector3());
    const radius = bounds.isEmpty() ? 1 : Math.max(bounds.getSize(new THREE.Vector3()).length() / 2, this.scene.least);
    const half = Math.atan(Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * Math.min(this.camera.aspect, 1));
    const away = this.camera.position.clone().sub(this.controls.target).setLength((room * radius) / Math.sin(half));
    const goal = { target, position: target.clone().add(away) };
    const from = { target: this.controls.target.clone(), position: this.camera.position.clone() };
    this.flight = null;
    if (!animated || matchMedia("(prefers-reduced-motion: reduce)").matches) return this.look(from, goal, 1);
    const flight = (this.flight = {});
    const begun = performance.now();
    const step = (now) => {
      if (this.flight !== flight) return;
      const part = Math.min(Math.max((now - begun) / FLIGHT, 0), 1);
      this.look(from, goal, part * part * (3 - 2 * part));
      if (part < 1) requestAnimationFrame(step);
      else this.flight = null;
    };
    requestAnimationFrame(step);
  }

  look(from, goal, part) {
    this.controls.target.lerpVectors(from.target, goal.target, part);
    this.camera.position.lerpVectors(from.position, goal.position, part);
    this.controls.update();
    this.draw();
  }

  addSliders() {
    for (const row of document.querySelectorAll("#joints [data-joint]")) {
      const input = row.querySelector("input");
      input?.addEventListener("input", () => {
        this.scene.setJoint(Number(row.dataset.joint), Number(input.value), Number(row.dataset.which));
        this.showPositions();
        this.draw();
      });
    }
    this.showPositions();
    element("zero")?.addEventListener("click", () => {
      for (const input of document.querySelectorAll("#joints input")) {
        input.value = 0;
        input.dispatchEvent(new Event("input"));
      }
    });
  }

  showPositions() {
    for (const row of document.querySelectorAll("#joints [data-joint]")) {
      const position = this.scene.positionsOf(Number(row.dataset.joint))[Number(row.dataset.which)];
      const degrees = ((position * 180) / Math.PI).toFixed(0);
      row.querySelector("output").textContent = row.dataset.unit === "m" ? `${position.toFixed(3)} m` : `${degrees}°`;
    }
  }

  apply() {
    const shown = { solid: document.querySelector("#shown input[name=solid]:checked").value };
    for (const input of document.querySelectorAll("#shown input[type=checkbox]")) shown[input.name] = input.checked;
    this.labelled = shown.labels;
    this.scene.show(shown);
    this.addGrid();
    this.renderer.setClearColor(new THREE.Color(getComputedStyle(element("view")).backgroundColor));
    this.draw();
  }

  measure() {
    const { clientWidth: width, clientHeight: height } = element("view");
    this.area = { width, height, top: element("shown").offsetHeight };
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
  }

  draw() {
    if (!this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.render(); });
  }

  render() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 100;
    this.camera.far = distance * 100;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const place = new THREE.Vector3();
    const pixel = (2 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360)) / Math.max(this.area.height, 1);
    for (const link of this.scene.links) {
      for (const mark of Object.values(link.marks)) {
        const away = this.camera.position.distanceTo(mark.frame.getWorldPosition(place));
        mark.centre.scale.setScalar((link.number === this.chosen ? 6 : mark.soft ? 2.5 : 4.5) * pixel * away);
      }
    }
    this.renderer.render(this.scene.root, this.camera);
    this.placeLabels();
  }

  placeLabels() {
    const points = this.scene.links.map((link) => this.pixelOf(this.scene.anchorOf(link)));
    const hidden = this.labelled ? this.labels.place(points, this.area, this.chosen) : 0;
    if (!this.labelled) this.labels.hideAll();
    element("hidden").textContent = hidden ? `· ${hidden} label${hidden === 1 ? "" : "s"} not shown` : "";
  }

  pixelOf(point) {
    const seen = point.project(this.camera);
    if (seen.z > 1 || seen.z < -1) return null;
    return [((seen.x + 1) / 2) * this.area.width, ((1 - seen.y) / 2) * this.area.height];
  }
}

function followTheme(changed) {
  const button = element("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const set = (dark) => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    button.textContent = dark ? "Light" : "Dark";
    changed();
  };
  button.addEventListener("click", () => set(document.documentElement.dataset.theme !== "dark"));
  system.addEventListener("change", () => set(system.matches));
  set(system.matches);
}

// A button beside each command, which copies it, or selects it where a browser allows no more.
function addCopyButtons() {
  for (const command of document.querySelectorAll("code.command")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
    button.addEventListener("click", async (event) => {
      event.stopPropagation();
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(command);
      }
    });
    command.after(button);
  }
}

function start() {
  addCopyButtons();
  let page = null;
  followTheme(() => page?.apply());
  const data = JSON.parse(element("data").textContent);
  try {
    page = new Page(new RobotScene(data));
  } catch (error) {
    element("view").classList.add("failed");
    element("failure").textContent = `The 3D view did not start: ${error.message}. The tables show the same numbers.`;
    console.error(error);
  }
  window.sdfInertia = page;
}

start();
