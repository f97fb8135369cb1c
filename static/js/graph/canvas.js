// A picture of a graph in an element: makePicture(element) gives { cy, add, restyle }. Nodes and edges are what the API calls a picture; colours come from the tokens.

import { colours, onThemeChange } from "./colours.js";

const MANY = 400;

export function makePicture(element, { labels = new Map(), isSmall = false } = {}) {
  const cy = cytoscape({
    container: element, elements: [], style: [], layout: { name: "preset" },
    minZoom: 0.05, maxZoom: 3, boxSelectionEnabled: false, autounselectify: true,
    textureOnViewport: !isSmall, userZoomingEnabled: !isSmall, userPanningEnabled: !isSmall,
  });
  let tokens = colours();
  let dress = "";
  const restyle = () => {
    const isCrowded = cy.nodes().length > MANY;
    const wanted = JSON.stringify([isCrowded, tokens.surface, tokens.ink]);
    if (wanted !== dress) cy.style(styleOf(tokens, isCrowded, isSmall));
    dress = wanted;
  };
  const add = (picture) => {
    const isNew = (each) => cy.getElementById(each.id).empty();
    const nodes = picture.nodes.filter(isNew).map((node) => ({ group: "nodes", data: nodeData(node, tokens) }));
    const edges = picture.edges.filter(isNew).map((edge) => ({ group: "edges", data: edgeData(edge, labels) }));
    cy.add([...nodes, ...edges]);
    restyle();
  };
  onThemeChange(() => {
    tokens = colours();
    cy.batch(() => cy.nodes().forEach((node) => { node.data("colour", colourOf(node.data("class"), tokens)); }));
    restyle();
  });
  restyle();
  new ResizeObserver(() => cy.resize()).observe(element);
  return { cy, add, restyle };
}

// What the style needs stands in the data: values are looked up faster than functions are called, and equal styles are shared.
function nodeData(node, tokens) {
  const size = Math.round(14 + 5 * Math.log2(1 + Math.min(node.support, 200)));
  return { id: node.id, name: node.name, class: node.class, support: node.support, size, colour: colourOf(node.class, tokens) };
}

function edgeData(edge, labels) {
  return { ...edge, label: labels.get(edge.type) ?? edge.type, width: Math.round(2 + Math.min(6, Math.log2(1 + edge.support))) / 2 };
}

function colourOf(name, tokens) {
  return tokens.classes.get(name) ?? tokens.other;
}

function styleOf(tokens, isCrowded, isSmall) {
  return [
    { selector: "node", style: {
      "background-color": "data(colour)", width: "data(size)", height: "data(size)", label: "data(name)",
      color: tokens.ink, "font-family": tokens.font, "font-size": isSmall ? 13 : 12, "min-zoomed-font-size": isCrowded ? 9 : 6,
      "text-valign": "bottom", "text-margin-y": 4, "text-wrap": "ellipsis", "text-max-width": 150,
      "text-background-color": tokens.surface, "text-background-opacity": isCrowded ? 0 : 0.8, "text-background-padding": 1,
    } },
    { selector: "edge", style: {
      width: isCrowded ? 1 : "data(width)", "line-color": isCrowded ? tokens.faint : tokens.line, "line-opacity": isCrowded ? 1 : 0.7,
      "curve-style": isCrowded ? "haystack" : "bezier",
      "target-arrow-shape": isCrowded ? "none" : "triangle", "target-arrow-color": tokens.line, "arrow-scale": 0.9,
      "font-family": tokens.font, "font-size": 10, color: tokens.soft, "min-zoomed-font-size": 8, "text-rotation": "autorotate",
      "text-background-color": tokens.surface, "text-background-opacity": 0.85, "text-background-padding": 2,
    } },
    { selector: isCrowded || isSmall ? "edge.is-near" : "edge", style: { label: "data(label)" } },
    { selector: ".is-out", style: { display: "none" } },
    { selector: ".is-faint", style: { opacity: 0.15, "text-opacity": 0 } },
    { selector: "edge.is-near, edge.is-way", style: { "line-color": tokens.accent, "target-arrow-color": tokens.accent, "line-opacity": 1, color: tokens.ink } },
    { selector: "edge.is-way", style: { width: 4, label: "data(label)" } },
    { selector: "node.is-chosen, node.is-way", style: { "border-width": 3, "border-color": tokens.accent, "font-weight": "bold", "z-index": 10 } },
  ];
}
