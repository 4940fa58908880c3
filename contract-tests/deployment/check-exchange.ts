// Checks every exchange of the run: a broken promise is a violation, a different value of a gap is drift. Extra fields are allowed.
import { createHash } from 'node:crypto';
import type { Description } from '../../openapi/description.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { type Operation, schemaAt } from '../../openapi/operations.ts';
import { gapValue, type Profile } from '../../openapi/profile.ts';
import { findGap, type Gap } from '../../openapi/registers.ts';
import type { Mismatch, Validator } from '../../openapi/validate.ts';
import { describeAnswer, type Exchange, envelopeOf, isJsonType, succeeded } from '../core/exchange.ts';
import { whyNotJson } from '../core/not-json.ts';
import { writeJson } from '../core/parse-json.ts';
import { shortenText, withoutLongLists } from '../core/shorten-json.ts';
import type { Observations } from './gap-observations.ts';
import type { Remarks } from './remarks.ts';

interface Violation {
  requirement: string;
  expected: string;
  actual: string;
  exchange: Exchange;
}

export interface ExchangeChecker {
  check(exchange: Exchange): void;
  violations: readonly Violation[];
  /** Removes a violation that did not repeat. */
  forgive(violation: Violation): void;
}

interface CheckerOptions {
  profile: Profile;
  description: Description;
  operations: ReadonlyMap<string, Operation>;
  validate: Validator;
  observations: Observations;
  remarks: Remarks;
}

const failureSchema = '/components/schemas/Failure';

export function createExchangeChecker(options: CheckerOptions): ExchangeChecker {
  const violations: Violation[] = [];
  const traceIds = new Set<string>();
  const check = (exchange: Exchange) => {
    const add = (problems: readonly Problem[]) =>
      violations.push(...problems.map((problem) => ({ ...problem, exchange })));
    if (exchange.response.json === undefined) return void add([notJson(exchange)]);
    if (exchange.response.isUtf8 === false) add([notUtf8(exchange)]);
    remarkForm(exchange, options);
    const success = succeeded(exchange);
    const operation = success ? options.operations.get(exchange.operation) : undefined;
    const mismatches = oneOfEachKind(
      options.validate(
        operation?.success.schema ?? failureSchema,
        withoutLongLists(exchange.response.json, mostItems),
      ),
    );
    add(mismatches.flatMap((mismatch) => mismatchProblems(exchange, mismatch)));
    add(traceProblems(exchange, traceIds));
    add(messageProblems(exchange, success));
    if (operation) {
      add(listProblems(operation, exchange));
      observeSuccess(operation, exchange, { ...options, mismatches });
    } else observeFailureData(exchange, options);
  };
  const forgive = (violation: Violation) => void violations.splice(violations.indexOf(violation), 1);
  return { check, violations, forgive };
}

type Problem = Omit<Violation, 'exchange'>;

/** Limits for reports: items of a list, and characters of a value. */
const mostItems = 2_000;
const longestShown = 200;

/** Reports a mismatch that several items of a list share only once. */
function oneOfEachKind(mismatches: readonly Mismatch[]): Mismatch[] {
  const kinds = new Map<string, Mismatch>();
  for (const mismatch of mismatches) {
    const kind = `${mismatch.at.replace(/\/\d+(?=\/|$)/g, '/0')} ${mismatch.expected}`;
    if (!kinds.has(kind) && kinds.size < mostKinds) kinds.set(kind, mismatch);
  }
  return [...kinds.values()];
}

const mostKinds = 100;

/** Only remarks: "all bodies are JSON" does not promise a Content-Type, and a byte order mark is not part of the text. */
function remarkForm({ operation, response }: Exchange, { remarks }: CheckerOptions): void {
  if (response.hasMark) remarks.add('byte-order-mark', `${operation}: byte order mark before the JSON`);
  const type = response.headers['content-type'];
  if (!isJsonType(type)) remarks.add('other-json-type', `${operation}: Content-Type ${type ?? '(none)'}`);
}

/** Also fails an empty body, for example with status 204, because the interface document promises JSON in every response. */
function notJson(exchange: Exchange): Problem {
  const type = exchange.response.headers['content-type'] ?? '(none)';
  const why = whyNotJson(exchange.response.text);
  const actual = `${why ? `a body that ${why}, ` : ''}Content-Type ${type}, ${describeAnswer(exchange)}`;
  return { requirement: 'ENV-7', expected: 'a JSON body', actual };
}

/** RFC 8259, section 8.1 requires UTF-8. */
function notUtf8(exchange: Exchange): Problem {
  const actual = `bytes that are not UTF-8, shown as \ufffd: ${describeAnswer(exchange)}`;
  return { requirement: 'ENV-7', expected: 'a JSON body in UTF-8', actual };
}

/** A mismatch in a gap breaks no promise. */
function mismatchProblems(exchange: Exchange, { at, expected, gaps, requirements }: Mismatch): Problem[] {
  if (gaps.length > 0) return [];
  return requirements.map((requirement) => ({
    requirement,
    expected: `${at || 'the body'}: ${expected}`,
    actual: describeAt(exchange, at),
  }));
}

/** ENV-1 covers a missing trace_id and other types. */
function traceProblems(exchange: Exchange, seen: Set<string>): Problem[] {
  const traceId = envelopeOf(exchange).trace_id;
  if (typeof traceId !== 'string') return [];
  const problem = (expected: string, actual: string) => [{ requirement: 'ENV-4', expected, actual }];
  const shown = shortenText(traceId, longestShown);
  if (traceId.trim() === '') return problem('a trace_id that is not empty', writeJson(shown));
  const known = traceId.length > longestShown ? createHash('sha256').update(traceId).digest('hex') : traceId;
  const isRepeated = seen.has(known) && !exchange.mayBeReplayed;
  seen.add(known);
  return isRepeated ? problem('a new trace_id', `${writeJson(shown)}, as in an earlier answer`) : [];
}

function messageProblems(exchange: Exchange, success: boolean): Problem[] {
  const { message } = envelopeOf(exchange);
  // The schema already refuses these two.
  if (success || typeof message !== 'string' || ['', 'success'].includes(message)) return [];
  if (!['', 'success'].includes(message.trim().toLowerCase())) return [];
  const expected = 'a message that describes the error';
  return [{ requirement: 'ENV-3', expected, actual: writeJson(message) }];
}

/** The total may exceed the length of a page, but not be less. The schema checks the types. */
function listProblems({ success }: Operation, { response }: Exchange): Problem[] {
  if (!success.layout.values.list) return [];
  const [list, total] = [getAt(response.json, '/data/list'), getAt(response.json, '/data/total')];
  if (!Array.isArray(list) || typeof total !== 'number' || total >= list.length) return [];
  const expected = `a total of at least ${list.length}, the length of list`;
  return [{ requirement: 'ENV-6', expected, actual: String(total) }];
}

/** Observed by the check of HOOK-2, because only an answer to a creation with a secret can show one. */
const secretGap = 'subscription.response.secret';

interface SuccessOptions extends CheckerOptions {
  mismatches: readonly Mismatch[];
}

function observeSuccess(operation: Operation, exchange: Exchange, options: SuccessOptions): void {
  const { observations, mismatches, profile, description } = options;
  observeStatus(operation, exchange, options);
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

/** Observes the status of an operation gap only if its value states one. */
function observeStatus(
  operation: Operation,
  { response }: Exchange,
  { observations, profile }: SuccessOptions,
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

function observeFailureData(exchange: Exchange, { observations }: CheckerOptions): void {
  const envelope = envelopeOf(exchange);
  const { data } = envelope;
  if (!('data' in envelope)) observations.compare('errors.data', 'absent');
  else if (data === null) observations.compare('errors.data', 'null-value');
  else if (typeof data === 'object' && Object.keys(data).length === 0)
    observations.compare('errors.data', 'empty-object');
  else observations.drifts('errors.data', 'another value');
}

function describeAt({ response }: Exchange, at: string): string {
  const value = getAt(response.json, at);
  const text = writeJson(value);
  return value === undefined ? 'missing' : shortenText(text, longestShown);
}

const gapsOfSchemas = new WeakMap<Json, Gap[]>();

/** The gaps anywhere in a schema, cached by schema. */
function gapsIn(description: Description, schema: Json): Gap[] {
  const gaps = gapsOfSchemas.get(schema) ?? findGaps(description, schema);
  gapsOfSchemas.set(schema, gaps);
  return gaps;
}

function findGaps(description: Description, schema: Json): Gap[] {
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
