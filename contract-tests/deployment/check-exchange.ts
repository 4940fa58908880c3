// Judges every exchange in passing: what stands in an answer by a promise is a violation when it does not fit, what stands
// there by a gap is drift. Unknown extra fields are always welcome.
import type { Description } from '../../openapi/description.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { type Operation, schemaAt } from '../../openapi/operations.ts';
import { gapValue, type Profile } from '../../openapi/profile.ts';
import { findGap, type Gap } from '../../openapi/registers.ts';
import type { Mismatch, Validator } from '../../openapi/validate.ts';
import { describeAnswer, type Exchange, envelopeOf, isJsonType, succeeded } from '../core/exchange.ts';
import type { Observations } from './gap-observations.ts';

/** A promise that an exchange breaks, whatever the exchange was made for. */
export interface Violation {
  requirement: string;
  expected: string;
  actual: string;
  exchange: Exchange;
}

export interface ExchangeChecker {
  /** Judges an exchange; what it finds is added to `violations` and to the observations. */
  judge(exchange: Exchange): void;
  violations: readonly Violation[];
}

interface JudgeOptions {
  profile: Profile;
  description: Description;
  operations: ReadonlyMap<string, Operation>;
  validate: Validator;
  observations: Observations;
}

const failureSchema = '/components/schemas/Failure';

/** A judge of the exchanges of one run. */
export function createExchangeChecker(options: JudgeOptions): ExchangeChecker {
  const violations: Violation[] = [];
  const traceIds = new Set<string>();
  const judge = (exchange: Exchange) => {
    const report = (requirement: string, expected: string, actual: string) =>
      violations.push({ requirement, expected, actual, exchange });
    if (!isJson(exchange)) {
      report('ENV-7', 'a JSON body with a JSON media type', describeBody(exchange));
      return;
    }
    const operation = options.operations.get(exchange.operation);
    const success = succeeded(exchange);
    const mismatches = options.validate(
      success && operation ? operation.success.schema : failureSchema,
      exchange.response.json,
    );
    for (const mismatch of mismatches) {
      for (const requirement of promisesOf(mismatch)) {
        report(
          requirement,
          `${mismatch.at || 'the body'}: ${mismatch.expected}`,
          describeAt(exchange, mismatch.at),
        );
      }
    }
    for (const problem of traceProblems(exchange, traceIds))
      report('ENV-4', problem.expected, problem.actual);
    for (const problem of messageProblems(exchange, success))
      report('ENV-3', problem.expected, problem.actual);
    for (const problem of success && operation ? listProblems(operation, exchange) : [])
      report('ENV-6', problem.expected, problem.actual);
    if (success && operation) observeSuccess(operation, exchange, { ...options, mismatches });
    else observeFailureData(exchange, options);
  };
  return { judge, violations };
}

/** A 204 or another answer without a body is no JSON body either: the document gives every response one. */
function isJson({ response }: Exchange): boolean {
  return response.json !== undefined && isJsonType(response.headers['content-type']);
}

function describeBody(exchange: Exchange): string {
  return `Content-Type ${exchange.response.headers['content-type'] ?? '(none)'}, ${describeAnswer(exchange)}`;
}

/** What fills a gap stands there by no promise; what expresses none has nothing to be failed for. */
function promisesOf(mismatch: Mismatch): readonly string[] {
  return mismatch.gaps.length > 0 ? [] : mismatch.requirements;
}

interface Problem {
  expected: string;
  actual: string;
}

/** A missing trace_id, or one of another type, is ENV-1's matter. */
function traceProblems(exchange: Exchange, seen: Set<string>): Problem[] {
  const traceId = envelopeOf(exchange).trace_id;
  if (typeof traceId !== 'string') return [];
  if (traceId.trim() === '')
    return [{ expected: 'a trace_id that is not empty', actual: JSON.stringify(traceId) }];
  const again = seen.has(traceId) && !exchange.mayBeReplayed;
  seen.add(traceId);
  return again
    ? [{ expected: 'a trace_id of its own', actual: `${traceId}, which an earlier answer bore` }]
    : [];
}

function messageProblems(exchange: Exchange, success: boolean): Problem[] {
  const { message } = envelopeOf(exchange);
  // These two are the schema's matter.
  if (success || typeof message !== 'string' || ['', 'success'].includes(message)) return [];
  const isNone = ['', 'success'].includes(message.trim().toLowerCase());
  return isNone ? [{ expected: 'a message that describes the error', actual: JSON.stringify(message) }] : [];
}

/** A list that is cut into pages has a total of more than is shown, never of less. Members of other types are the schema's matter. */
function listProblems({ success }: Operation, { response }: Exchange): Problem[] {
  if (!success.layout.values.list) return [];
  const [list, total] = [getAt(response.json, '/data/list'), getAt(response.json, '/data/total')];
  if (!Array.isArray(list) || typeof total !== 'number' || total >= list.length) return [];
  return [{ expected: `a total of at least ${list.length}, the length of list`, actual: String(total) }];
}

/** Only an answer to a creation with a secret can show one: the check of HOOK-2 looks. */
const secretGap = 'subscription.response.secret';

interface Observing {
  profile: Profile;
  description: Description;
  observations: Observations;
  mismatches: readonly Mismatch[];
}

function observeSuccess(operation: Operation, exchange: Exchange, observing: Observing): void {
  const { observations, mismatches, profile, description } = observing;
  observeStatus(operation, exchange, observing);
  const drifted = new Set(mismatches.flatMap(({ gaps }) => gaps));
  for (const mismatch of mismatches) {
    for (const gap of mismatch.gaps)
      observations.drifts(gap, `${mismatch.at}: ${describeAt(exchange, mismatch.at)}`);
  }
  for (const gap of gapsIn(description, schemaAt(description, operation.success.schema))) {
    if (drifted.has(gap.id) || gap.kind === 'operation' || gap.id === secretGap) continue;
    const value = gapValue(profile, gap.id);
    if (gap.kind !== 'pointer') observations.agrees(gap.id, value);
    else if (value !== 'absent') observePointer(gap.id, String(value), { exchange, observations });
  }
}

function observePointer(
  gap: string,
  pointer: string,
  { exchange, observations }: { exchange: Exchange; observations: Observations },
): void {
  if (getAt(exchange.response.json, pointer) === undefined) observations.drifts(gap, `nothing at ${pointer}`);
  else observations.agrees(gap, pointer);
}

/** An operation gap says a status only where its value does. */
function observeStatus(
  operation: Operation,
  { response }: Exchange,
  { observations, profile }: Observing,
): void {
  const gap = statusGaps[operation.id];
  const call = operation.gap === undefined ? undefined : gapValue(profile, operation.gap);
  if (gap !== undefined) observations.compare(gap, response.status);
  else if (operation.gap !== undefined && typeof call === 'object' && call !== null && 'status' in call) {
    if (call.status === response.status) observations.agrees(operation.gap, response.status);
    else observations.drifts(operation.gap, `status ${response.status}`);
  }
}

const statusGaps: Readonly<Record<string, string>> = {
  login: 'login.status',
  refresh: 'refresh.status',
  createSubscription: 'subscription.status',
  testSubscription: 'hook-test.status',
};

function observeFailureData(exchange: Exchange, { observations }: JudgeOptions): void {
  const envelope = envelopeOf(exchange);
  const { data } = envelope;
  if (!('data' in envelope)) observations.compare('errors.data', 'absent');
  else if (data === null) observations.compare('errors.data', 'null-value');
  else if (typeof data === 'object' && Object.keys(data).length === 0)
    observations.compare('errors.data', 'empty-object');
  else observations.drifts('errors.data', 'something else');
}

function describeAt({ response }: Exchange, at: string): string {
  const value = getAt(response.json, at);
  const text = JSON.stringify(value);
  return value === undefined ? 'nothing there' : text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** The gaps that fill some place of a schema. */
function gapsIn(description: Description, schema: Json): Gap[] {
  const found = new Map<string, Gap>();
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    const part = node as Json;
    for (const id of [part['x-gap'] ?? []].flat()) {
      const gap = findGap(String(id));
      if (gap) found.set(gap.id, gap);
    }
    if (typeof part.$ref === 'string') visit(getAt(description, part.$ref.slice(1)));
    for (const [key, child] of Object.entries(part)) if (key !== 'examples') visit(child);
  };
  visit(schema);
  return [...found.values()];
}
