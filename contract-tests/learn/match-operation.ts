// An operation that may be the one of a gap, and what a profile would say of it.

import { type Answer, findPointers } from './answer/find-pointers.ts';
import { sayDemand } from './doubts/usual-demands.ts';
import { fillRequest, type Request } from './request/fill-request.ts';
import type { Understanding } from './understand-operation.ts';
import type { WantedOperation } from './wanted-operations.ts';
import { type Weight, weighOperation } from './weigh-operation.ts';

export interface Match extends Weight {
  wanted: WantedOperation;
  known: Understanding;
  value: Record<string, unknown>;
}

/** Undefined where too little speaks for it. */
export function matchOperation(wanted: WantedOperation, known: Understanding): Match | undefined {
  const weight = weighOperation(wanted, known);
  if (!weight) return undefined;
  const request = fillRequest(known.operation, wanted, known.failing);
  const answer = findPointers(known, wanted);
  const demands = (known.operation.demands ?? []).map(sayDemand);
  const doubts = [
    ...weight.doubts,
    ...demands,
    ...(known.operation.elsewhere === undefined ? [] : [known.operation.elsewhere]),
    ...request.problems,
    ...answer.missing.map(({ reason }) => reason),
  ];
  const isShared = known.variant !== undefined || weight.isByFlag;
  if (wanted.fails && isShared && answer.isOneOfSeveral)
    doubts.push('several statuses are described, and which one it has is not said');
  const fit = request.filled.length * 2 - (request.problems.length + answer.missing.length) * 5;
  return {
    ...weight,
    wanted,
    known,
    score: weight.score + fit,
    value: stateCall(known, request, answer),
    doubts: [...new Set(doubts)],
  };
}

function stateCall({ operation }: Understanding, given: Request, answer: Answer): Record<string, unknown> {
  const { next, ...pointers } = answer.pointers;
  const isByCursor = given.filled.includes('cursor');
  const request = isByCursor && next === undefined ? withoutPages(given) : given;
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

/** A list may be asked for without pages; by cursors it can't be, where nobody knows where the next one is. */
function withoutPages({ query, body, ...rest }: Request): Request {
  const isOfPages = (value: unknown) => value === '{cursor}' || value === '{limit}';
  const kept = Object.entries(query).filter(([, value]) => !isOfPages(value));
  const members = Object.entries(body ?? {}).filter(([, value]) => !isOfPages(value));
  return {
    ...rest,
    query: Object.fromEntries(kept),
    body: members.length > 0 ? Object.fromEntries(members) : undefined,
  };
}
