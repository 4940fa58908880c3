// The Aho-Corasick algorithm: finds many words in one pass whose time does not depend on the number of words.

export const root = 0;

export interface Automaton {
  /** Adds a word and returns the nodes of its prefixes. */
  addWord(units: ArrayLike<number>): number[];
  mark(node: number): void;
  /** The node after one more unit: the longest suffix of the text that is a prefix of a word. */
  step(node: number, unit: number): number;
  /** The node of the next shorter such suffix; finally the root. */
  shorter(node: number): number;
  /** The node itself or the longest marked shorter suffix; the root if there is none. */
  marked(node: number): number;
  depth(node: number): number;
}

const unitRange = 0x10000;

interface Trie {
  children: Map<number, number>;
  /** The children of the root by unit, separate because they are read most. 0 for none. */
  first: Int32Array;
  parents: number[];
  units: number[];
  depths: number[];
  isMarked: boolean[];
}

interface Links {
  shorter: number[];
  marked: number[];
}

export function createAutomaton(): Automaton {
  const trie: Trie = {
    children: new Map(),
    first: new Int32Array(unitRange),
    parents: [root],
    units: [-1],
    depths: [0],
    isMarked: [false],
  };
  let made: Links | undefined;
  const links = () => {
    made ??= linkNodes(trie);
    return made;
  };
  return {
    addWord: (units) => {
      made = undefined;
      return addWord(trie, units);
    },
    mark: (node) => {
      made = undefined;
      trie.isMarked[node] = true;
    },
    step: (node, unit) => step(trie, { node, unit }, links().shorter),
    shorter: (node) => links().shorter[node] ?? root,
    marked: (node) => links().marked[node] ?? root,
    depth: (node) => trie.depths[node] ?? 0,
  };
}

function addWord(trie: Trie, units: ArrayLike<number>): number[] {
  const nodes: number[] = [];
  let node = root;
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] ?? 0;
    node = childOf(trie, node, unit) ?? addChild(trie, node, unit);
    nodes.push(node);
  }
  return nodes;
}

function childOf({ first, children }: Trie, node: number, unit: number): number | undefined {
  return node === root ? first[unit] || undefined : children.get(node * unitRange + unit);
}

function addChild(trie: Trie, node: number, unit: number): number {
  const child = trie.parents.push(node) - 1;
  trie.units.push(unit);
  trie.depths.push((trie.depths[node] ?? 0) + 1);
  trie.isMarked.push(false);
  if (node === root) trie.first[unit] = child;
  else trie.children.set(node * unitRange + unit, child);
  return child;
}

/** No word contains a negative unit. */
function step(
  trie: Trie,
  { node, unit }: { node: number; unit: number },
  shorter: readonly number[],
): number {
  if (unit < 0) return root;
  for (let from = node; ; from = shorter[from] ?? root) {
    const next = childOf(trie, from, unit);
    if (next !== undefined) return next;
    if (from === root) return root;
  }
}

/** Visits nodes by depth, because each link depends on the links of shorter nodes. */
function linkNodes(trie: Trie): Links {
  const { parents, units, isMarked } = trie;
  const links: Links = { shorter: parents.map(() => root), marked: parents.map(() => root) };
  for (const node of nodesByDepth(trie)) {
    const parent = parents[node] ?? root;
    const unit = units[node] ?? 0;
    const shorter =
      parent === root ? root : step(trie, { node: links.shorter[parent] ?? root, unit }, links.shorter);
    links.shorter[node] = shorter;
    links.marked[node] = isMarked[node] ? node : (links.marked[shorter] ?? root);
  }
  return links;
}

function nodesByDepth({ depths }: Trie): number[] {
  const levels: number[][] = [];
  for (const [node, depth] of depths.entries()) {
    levels[depth] ??= [];
    levels[depth].push(node);
  }
  return levels.slice(1).flat();
}
