// What the answer to an operation says of the line that was learnt.

import { isObject } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import type { Probe } from './discovery-probe.ts';

interface Answer {
  exchange: Exchange;
  values: Readonly<Record<string, unknown>>;
}

/** What later calls and checks can't do without. */
const essential = ['id', 'version', 'key', 'list'] as const;

/** No such path or method, or another request than it takes. */
const wrongStatuses: readonly number[] = [400, 404, 405, 410, 415, 422, 501];

/** A site may have no such form, and take no comments. */
const mayBeMissing: readonly OperationId[] = ['submitForm', 'createComment'];

/** Adds the answer to the evidence, or takes the line back, to be looked at by people. What was given is not judged. */
export function judgeTry(probe: Probe, id: OperationId, { exchange, values }: Answer): undefined {
  const { findings, options } = probe;
  const gap = probe.operations.get(id)?.gap;
  const learnt = gap === undefined ? undefined : findings.finding(gap);
  if (gap === undefined || !learnt || Object.hasOwn(options.given, gap) || !isObject(learnt.value)) return;
  const { status } = exchange.response;
  const { value, evidence } = learnt;
  const takeBack = (reason: string): undefined => {
    findings.revoke(gap, reason);
    return findings.suggest(gap, [{ value, evidence: `it was learnt so, ${evidence}` }]);
  };
  if (!succeeded(exchange)) {
    const answer = describeAnswer(exchange);
    const isWrong = wrongStatuses.includes(status) && !(status === 404 && mayBeMissing.includes(id));
    if (isWrong) return takeBack(`it was called, and answered ${answer}`);
    return findings.found(
      gap,
      value,
      `called, and refused with ${status}, which may be no fault of it; ${evidence}`,
    );
  }
  const missing = essential.find((name) => value[name] !== undefined && values[name] === undefined);
  if (missing !== undefined)
    return takeBack(`it was called, and there is nothing at ${value[missing]}: ${describeAnswer(exchange)}`);
  return findings.found(gap, withStatus(value, status), `called, and answered ${status}; ${evidence}`);
}

const usualStatus = 200;

function withStatus(value: Record<string, unknown>, status: number): Record<string, unknown> {
  const stated = value.status ?? usualStatus;
  if (stated === status || status < 200 || status > 299) return value;
  return { ...value, status };
}
