// Where the nodes stand: d3-force in small steps between frames, so that the page stays quick with 2,000 of them. Nodes that have a place keep near it; new ones begin beside
// a neighbour. settle(cy) gives a promise that is kept when they rest; a later call takes over from an earlier one.

// With many, drawing costs more than reckoning: they are drawn anew only now and then on their way.
const FIRST_MS = 250;
const FRAME_MS = 12;
const MANY = 400;
const REDRAW_MS = 700;
const still = matchMedia("(prefers-reduced-motion: reduce)");
let turn = 0;

export async function settle(cy, { centre } = {}) {
  const mine = ++turn;
  const points = cy.nodes().map((node, index) => begun(node, index));
  const byId = new Map(points.map((point) => [point.id, point]));
  const links = cy.edges().map((edge) => ({ source: edge.data("source"), target: edge.data("target") }));
  const isKnown = points.some((point) => point.isPlaced);
  const count = Math.max(1, points.length);
  const motion = d3.forceSimulation(points).stop()
    .alpha(isKnown ? 0.5 : 1).alphaDecay(count > MANY ? 0.06 : 0.03).velocityDecay(0.45)
    .force("link", d3.forceLink(links).id((point) => point.id).distance(80).strength((link) => 0.7 / Math.min(link.source.degree, link.target.degree)))
    .force("charge", d3.forceManyBody().strength(count > MANY ? -110 : -260).theta(1.1).distanceMax(700))
    .force("collide", d3.forceCollide((point) => point.radius + 8).iterations(1))
    .force("x", d3.forceX(0).strength(0.045)).force("y", d3.forceY(0).strength(0.06));
  if (centre && byId.has(centre)) Object.assign(byId.get(centre), { fx: byId.get(centre).x, fy: byId.get(centre).y });
  steps(motion, FIRST_MS);
  place(cy, byId);
  cy.fit(undefined, 40);
  let drawn = performance.now();
  while (motion.alpha() > motion.alphaMin()) {
    await (count > MANY ? aBreath() : nextFrame());
    if (mine !== turn || cy.destroyed()) return;
    steps(motion, count > MANY ? 3 * FRAME_MS : FRAME_MS);
    if (still.matches || (count > MANY && performance.now() - drawn < REDRAW_MS)) continue;
    place(cy, byId);
    drawn = performance.now();
  }
  place(cy, byId);
  cy.fit(undefined, 40);
}

function begun(node, index) {
  const isPlaced = node.scratch("isPlaced") === true;
  const near = isPlaced ? node : node.neighborhood("node").filter((other) => other.scratch("isPlaced") === true)[0];
  const angle = index * 2.4;
  const far = near && !isPlaced ? 60 : isPlaced ? 0 : 14 * Math.sqrt(index + 1);
  const from = near ? near.position() : { x: 0, y: 0 };
  return {
    id: node.id(), isPlaced, degree: Math.max(1, node.degree()), radius: node.data("size") / 2,
    x: from.x + far * Math.cos(angle), y: from.y + far * Math.sin(angle),
  };
}

function steps(motion, budget) {
  const until = performance.now() + budget;
  do motion.tick(); while (performance.now() < until && motion.alpha() > motion.alphaMin());
}

function place(cy, byId) {
  cy.batch(() => cy.nodes().forEach((node) => {
    const point = byId.get(node.id());
    if (!point || node.grabbed()) return;
    node.position({ x: point.x, y: point.y });
    node.scratch("isPlaced", true);
  }));
}

function nextFrame() {
  return new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 100); });
}

function aBreath() {
  return new Promise((resolve) => { setTimeout(resolve, 0); });
}
