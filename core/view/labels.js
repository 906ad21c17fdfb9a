// SPDX-License-Identifier: Apache-2.0
// Places labels next to their points so that none covers another; one without room is hidden. First come the selected
// link, errors, warnings, and large masses.

const DISTANCES = [16, 34, 60, 95, 140];
const DIRECTIONS = [[1, -1], [1, 1], [-1, -1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0]];
const GAP = 4;
const POINT = 5;
const ROOM = 36000; // square pixels for each label: more of them would hide the robot
const LEAST = 8;

class Labels {
  constructor(layer, lines) {
    this.layer = layer;
    this.lines = lines;
    this.labels = [];
  }

  add(number, name, mass, severity, onclick) {
    const box = document.createElement("button");
    box.className = "label";
    box.tabIndex = -1; // the table has the same links for the keyboard
    box.type = "button";
    box.addEventListener("click", onclick);
    this.layer.append(box);
    const leader = document.createElementNS("http://www.w3.org/2000/svg", "line");
    this.lines.append(leader);
    this.labels.push({ number, name, severity: severity || "none", box, leader, mass, width: 0, height: 0, last: null, rank: { error: 1, warning: 2 }[severity] ?? 3 });
  }

  // Write the name of a link and lines below it.
  write(number, lines, planned) {
    const label = this.labels.find((other) => other.number === number);
    label.box.dataset.severity = planned ? "planned" : label.severity;
    const title = ({ error: "✖ ", warning: "⚠ ", planned: "→ " }[label.box.dataset.severity] ?? "") + label.name;
    const texts = [["strong", title], ...lines.map((line) => ["span", line])];
    label.box.replaceChildren(...texts.map(([tag, textContent]) => Object.assign(document.createElement(tag), { textContent })));
    label.box.hidden = false;
  }

  // Measure all labels after some were written: one after the other would lay the page out for each.
  measure() {
    for (const label of this.labels) [label.width, label.height] = [label.box.offsetWidth, label.box.offsetHeight];
  }

  // Place labels for points [px] by their numbers; null for a point behind the camera.
  place(points, area, chosen) {
    const order = [...this.labels].sort((a, b) => (b.number === chosen) - (a.number === chosen) || a.rank - b.rank || b.mass - a.mass || a.number - b.number);
    const most = Math.max(LEAST, Math.floor((area.width * (area.height - area.top)) / ROOM));
    const dots = this.labels.map((label) => points[label.number]).filter(Boolean);
    const avoided = dots.map(([x, y]) => [x - POINT, y - POINT, x + POINT, y + POINT]);
    const taken = [];
    let hidden = 0;
    for (const label of order) {
      const point = points[label.number];
      const visible = point && point[0] >= 0 && point[1] >= 0 && point[0] <= area.width && point[1] <= area.height;
      const place = visible && taken.length < most ? this.free(label, point, area, taken, avoided) : null;
      if (visible && !place) hidden += 1;
      label.last = place && place.choice;
      this.draw(label, point, place, label.number === chosen);
      if (place) taken.push(place.box);
    }
    return hidden;
  }

  free(label, [x, y], area, taken, avoided) {
    const choices = DISTANCES.flatMap((distance) => DIRECTIONS.map((direction) => [distance, direction]));
    if (label.last) choices.unshift(label.last); // a label moves only if it must
    for (const obstacles of [[...taken, ...avoided], taken]) {
      for (const choice of choices) {
        const [distance, [dx, dy]] = choice;
        const left = x + dx * distance + (dx < 0 ? -label.width : dx > 0 ? 0 : -label.width / 2);
        const top = y + dy * distance * (dx ? 0.6 : 1) + (dy < 0 ? -label.height : dy > 0 ? 0 : -label.height / 2);
        const box = [left, top, left + label.width, top + label.height];
        const inside = left >= GAP && top >= area.top + GAP && box[2] <= area.width - GAP && box[3] <= area.height - GAP;
        if (inside && !obstacles.some((other) => overlap(box, other))) return { box, choice };
      }
    }
    return null;
  }

  draw(label, point, place, chosen) {
    label.box.hidden = !place;
    label.leader.style.display = place ? "" : "none";
    label.box.classList.toggle("chosen", chosen);
    if (!place) return;
    const [left, top, right, bottom] = place.box;
    label.box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    const ends = { x1: point[0], y1: point[1], x2: clamped(point[0], left, right), y2: clamped(point[1], top, bottom) };
    for (const [name, value] of Object.entries(ends)) label.leader.setAttribute(name, value.toFixed(1));
  }

  hideAll() {
    for (const label of this.labels) this.draw(label, null, null, false);
  }
}

function overlap(a, b) {
  return a[0] < b[2] + GAP && b[0] < a[2] + GAP && a[1] < b[3] + GAP && b[1] < a[3] + GAP;
}

function clamped(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
