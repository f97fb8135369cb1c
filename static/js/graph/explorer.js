// The graph explorer: what is asked of the server, what is shown, and what a click does. The picture, the list beside it and the panel are files of their own.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";
import "./filters.js";
import "./picker.js";
import { makePicture } from "./canvas.js";
import { settle } from "./settle.js";
import { closeCard, showCard } from "./panel.js";
import { showList, markInList } from "./shown-list.js";

const AROUND = 40;
const page = document.getElementById("content");
const graph = page.dataset.graph;
const state = page.querySelector("[data-state]");
const labels = new Map([...page.querySelectorAll("input[name=relation]")].map((box) => [box.value, box.dataset.label]));
const { cy, add } = makePicture(page.querySelector("[data-canvas]"), { labels });
const ticked = (name) => [...page.querySelectorAll(`input[name=${name}]`)].filter((box) => box.checked).map((box) => box.value);
let isCut = false;

async function load(path) {
  state.textContent = say("loading");
  const begun = performance.now();
  try {
    const picture = await call("GET", path);
    performance.measure("graph-fetched", { start: begun });
    return picture;
  } catch (fault) {
    toast(fault.message, "error");
    return { nodes: [], edges: [], is_cut: false };
  } finally {
    state.textContent = "";
  }
}

async function begin() {
  const begun = performance.now();
  cy.elements().remove();
  const picture = await load(`api/v1/graphs/${graph}/picture?limit=${page.querySelector("[data-amount]").value}`);
  isCut = picture.is_cut;
  await put(picture);
  performance.measure("graph-settled", { start: begun });
}

async function put(picture, options = {}) {
  const begun = performance.now();
  add(picture);
  filter();
  const resting = settle(cy, options);
  performance.measure("graph-laid-out", { start: begun });
  tell();
  await resting;
}

async function expand(id) {
  const picture = await load(`api/v1/entities/${id}/neighbours?limit=${AROUND}`);
  await put(picture, { centre: id });
}

function filter() {
  const classes = new Set(ticked("class"));
  const relations = new Set(ticked("relation"));
  cy.batch(() => {
    cy.nodes().filter((node) => node.hasClass("is-out") === classes.has(node.data("class"))).toggleClass("is-out");
    cy.edges().filter((edge) => edge.hasClass("is-out") === relations.has(edge.data("type"))).toggleClass("is-out");
  });
}

function tell() {
  const nodes = cy.nodes().not(".is-out");
  state.textContent = say(isCut ? "shown_part" : "shown_all", { nodes: nodes.length, edges: cy.edges().not(".is-out").filter((edge) => !edge.connectedNodes(".is-out").length).length });
  showList(nodes, choose);
}

function choose(id) {
  const element = cy.getElementById(id);
  if (element.empty()) return;
  cy.batch(() => {
    cy.elements().removeClass("is-chosen is-near is-way");
    element.addClass("is-chosen");
    element.connectedEdges?.().addClass("is-near");
  });
  markInList(id);
  if (element.isEdge()) element.addClass("is-near");
  else cy.animate({ center: { eles: element } }, { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200 });
  showCard(`${element.isEdge() ? "relations" : "entities"}/${id}/card`);
}

async function open(id) {
  if (cy.getElementById(id).empty()) await expand(id);
  choose(id);
}

async function findWay(form) {
  const [source, target] = form.querySelectorAll("entity-picker");
  const told = form.querySelector(".explorer-way");
  if (!source.value || !target.value) {
    told.textContent = say("choose_two");
    return;
  }
  const way = await load(`api/v1/graphs/${graph}/path?source=${source.value}&target=${target.value}`);
  if (!way.found) {
    told.textContent = say("no_way");
    return;
  }
  told.textContent = way.nodes.map((node, place) => (place ? ` — ${labels.get(way.edges[place - 1].type) ?? way.edges[place - 1].type} — ` : "") + node.name).join("");
  await put(way);
  cy.batch(() => {
    cy.elements().removeClass("is-chosen is-near is-way");
    for (const each of [...way.nodes, ...way.edges]) cy.getElementById(each.id).addClass("is-way");
  });
  cy.animate({ fit: { eles: cy.elements(".is-way"), padding: 60 } }, { duration: 200 });
}

cy.on("tap", "node, edge", (event) => choose(event.target.id()));
cy.on("dbltap", "node", (event) => expand(event.target.id()));
cy.on("tap", (event) => { if (event.target === cy) { cy.elements().removeClass("is-chosen is-near is-way"); closeCard(); } });

page.addEventListener("change", (event) => {
  if (event.target.matches("input[name=class], input[name=relation]")) { filter(); tell(); }
  if (event.target.matches("[data-amount]")) begin();
});
page.addEventListener("picked", (event) => { if (event.target.dataset.for === "find") { open(event.detail.id); event.target.clear(); } });
page.addEventListener("click", (event) => {
  const expands = event.target.closest("[data-expands]");
  if (expands) expand(expands.dataset.expands);
  if (event.target.closest("[data-fits]")) cy.animate({ fit: { padding: 40 } }, { duration: 200 });
  if (event.target.closest("[data-begins]")) begin();
});
page.querySelector("[data-path-form]").addEventListener("submit", (event) => { event.preventDefault(); findWay(event.target); });

if (matchMedia("(max-width: 44rem)").matches) page.querySelector("[data-amount]").selectedIndex = 0;
await begin();
if (page.dataset.entity) open(page.dataset.entity);
