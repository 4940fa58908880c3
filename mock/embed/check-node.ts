import { explainNode } from './explain-node.ts';

const problem = explainNode(process.versions.node);
if (problem !== undefined) {
  const error = new Error(problem);
  // Where it was thrown is of no interest to anybody.
  error.stack = String(error);
  throw error;
}
