// How well an operation fits a gap, and what a profile would say of it.

import { fillRequest, type Request } from './fill-request.ts';
import { type Answer, findPointers } from './find-pointers.ts';
import type { Reading } from './read-name.ts';
import type { Understanding } from './understand-operation.ts';
import type { Resource, Verb } from './vocabulary.ts';
import type { WantedOperation } from './wanted-operations.ts';

export interface Match {
  wanted: WantedOperation;
  known: Understanding;
  /** The higher, the better. */
  score: number;
  value: Record<string, unknown>;
  reasons: readonly string[];
  /** What speaks against it; none where it fits for sure, unless another one fits as well. */
  doubts: readonly string[];
  /** Whether the same call, without its flag, is a publish that succeeds. */
  isByFlag: boolean;
}

interface Weighing {
  wanted: WantedOperation;
  score: number;
  reasons: string[];
  doubts: string[];
}

/** Undefined where nothing speaks for it. */
export function matchOperation(wanted: WantedOperation, known: Understanding): Match | undefined {
  const weighing: Weighing = { wanted, score: 0, reasons: [], doubts: [] };
  weighResource(known, weighing);
  if (weighing.score <= 0) return undefined;
  weighVerb(known, weighing);
  weighWords(known, weighing);
  const isByFlag = weighFailure(known, weighing);
  if (weighing.score < leastScore) return undefined;
  const request = fillRequest(known.operation, wanted, isByFlag ? known.failing?.pointer : undefined);
  const answer = findPointers(known.operation, wanted);
  weighing.doubts.push(...request.problems, ...answer.missing.map(({ reason }) => reason));
  const fit = request.filled.length * 2 - (request.problems.length + answer.missing.length) * 5;
  const { score, reasons, doubts } = weighing;
  return {
    wanted,
    known,
    score: score + fit,
    value: valueOf(known, request, answer),
    reasons,
    doubts: [...new Set(doubts)],
    isByFlag,
  };
}

const leastScore = 25;

function weighResource({ path, id, summary, tags }: Understanding, weighing: Weighing): void {
  const { resource } = weighing.wanted;
  const weigh = (
    reading: Pick<Reading, 'resource'> | undefined,
    [right, wrong]: readonly [number, number],
    what: string,
  ) => {
    if (!reading?.resource) return;
    const isRight = reading.resource === resource;
    const isHolder = reading.resource === 'site' && !isRight;
    weighing.score += isRight ? right : isHolder ? wrong / 3 : wrong;
    if (isRight) weighing.reasons.push(`its ${what} is about ${plurals[resource]}`);
    else if (!isHolder) weighing.doubts.push(`its ${what} is about ${plurals[reading.resource]}`);
  };
  weigh(path, [40, -40], 'path');
  weigh(id, [12, -12], 'name');
  weigh(summary, [12, -12], 'summary');
  if (tags.includes(resource)) weighing.score += 4;
}

const plurals: Readonly<Record<Resource, string>> = {
  site: 'sites',
  content: 'content',
  form: 'forms',
  submission: 'what came by forms',
  comment: 'comments',
  key: 'API keys',
  subscription: 'webhook subscriptions',
  delivery: 'the push log',
  publication: 'publishes',
  ai: 'AI',
};

/** The verbs that a name may have where a gap is about one. */
const accepted: Partial<Record<Verb, readonly Verb[]>> = {
  create: ['create', 'save', 'generate', 'submit'],
  list: ['list', 'read'],
  get: ['get', 'read'],
  update: ['update', 'save'],
};

function weighVerb(known: Understanding, weighing: Weighing): void {
  const { verb, resource } = weighing.wanted;
  const { path, id, summary, shape } = known;
  const fitting = accepted[verb] ?? [verb];
  const isAnyVerb = resource === 'ai';
  const fits = (verbs: readonly Verb[]) => isAnyVerb || verbs.some((one) => fitting.includes(one));
  const weigh = (reading: Reading | undefined, [right, wrong]: readonly [number, number], what: string) => {
    const [said] = reading?.verbs ?? [];
    if (!reading || said === undefined) return;
    const isRight = fits(reading.verbs);
    weighing.score += isRight ? right : wrong;
    if (isRight) weighing.reasons.push(`its ${what} says "${said}"`);
    else weighing.doubts.push(`its ${what} says "${said}"`);
  };
  weigh(path, [25, -45], 'path');
  weigh(id, [10, -14], 'name');
  weigh(summary, [10, -14], 'summary');
  weighShape(shape, { hasVerb: path.verbs.length > 0, known }, weighing);
}

interface Shaped {
  hasVerb: boolean;
  known: Understanding;
}

function weighShape(shape: Verb | undefined, { hasVerb, known }: Shaped, weighing: Weighing): void {
  const { verb, resource } = weighing.wanted;
  const { method } = known.operation;
  const changes = !['list', 'get'].includes(verb);
  if (changes && method === 'GET') {
    weighing.score -= 15;
    weighing.doubts.push('a GET should change nothing');
  }
  if (method === 'DELETE' && verb !== 'delete') weighing.score -= 30;
  if (hasVerb || resource === 'ai') return;
  const isRight = shape === verb;
  const isUninformative = known.path.resource === undefined;
  weighing.score += isRight ? 20 : isUninformative ? -5 : -30;
  if (isRight)
    weighing.reasons.push(
      `it is a ${method} of ${shape === 'get' || shape === 'update' || shape === 'delete' ? 'one' : 'all'}`,
    );
  else if (!isUninformative) weighing.doubts.push(`a ${method} like this is used to ${shape}`);
}

function weighWords({ path, id, summary, operation }: Understanding, weighing: Weighing): void {
  const note = (words: readonly string[] | undefined, cost: number, what: string) => {
    for (const word of words?.slice(0, 3) ?? []) {
      weighing.score -= cost;
      weighing.doubts.push(`its ${what} says "${word}"`);
    }
  };
  const isSilent = path.resource === undefined && path.verbs.length === 0;
  note(path.foreign, isSilent ? 3 : 30, 'path');
  note(path.before, 3, 'path');
  note(id?.foreign, 15, 'name');
  note(summary?.foreign, 15, 'summary');
  if (!operation.isDeprecated) return;
  weighing.score -= 25;
  weighing.doubts.push('it is deprecated');
}

/** Returns whether a flag alone makes it fail. */
function weighFailure({ path, id, summary, failing }: Understanding, weighing: Weighing): boolean {
  const { fails, verb } = weighing.wanted;
  if (verb !== 'publish') return false;
  const isSaid =
    path.fails || (failing ? failing.isRequired : (id?.fails ?? false) || (summary?.fails ?? false));
  const isByFlag = fails && failing !== undefined;
  if (fails !== (isSaid || isByFlag)) weighing.score -= 70;
  if (fails && isSaid) weighing.reasons.push('it speaks of a failure');
  if (isByFlag) weighing.reasons.push(`${failing.pointer} makes it fail`);
  return isByFlag;
}

function valueOf({ operation }: Understanding, request: Request, answer: Answer): Record<string, unknown> {
  const { next, ...pointers } = answer.pointers;
  const isByCursor = request.filled.includes('cursor');
  return {
    method: operation.method,
    path: request.path,
    ...(operation.auth && { auth: operation.auth }),
    ...(request.body && { body: request.body }),
    ...(Object.keys(request.query).length > 0 && { query: request.query }),
    ...(answer.status !== undefined && answer.status !== 200 && { status: answer.status }),
    ...pointers,
    ...(isByCursor && next !== undefined && { next }),
  };
}
