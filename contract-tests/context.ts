// What the checks of one run share: the deployment as its profile describes it, and everything that was said to it so far.
import { randomUUID } from 'node:crypto';
import {
  type Operation,
  type OperationId,
  operationsOf,
  readLayout,
  writeQuery,
  writeRequest,
} from '../openapi/operations.ts';
import { makeProfile, type Profile } from '../openapi/profile.ts';
import { resolve } from '../openapi/resolve.ts';
import { fillPath } from '../openapi/template.ts';
import { createValidator, type Validator } from '../openapi/validate.ts';
import { createClient, type Send } from './client.ts';
import { type Clock, createRealClock } from './clock.ts';
import type { Control } from './control.ts';
import type { CostRecorder } from './costs.ts';
import { type Exchange, type RequestMessage, succeeded } from './exchange.ts';
import type { JournalHead } from './journal.ts';
import { createJudge, type Judge } from './judge-exchange.ts';
import { learnTokens } from './learn-tokens.ts';
import { createLoginBudget, type LoginBudget } from './login-budget.ts';
import { createObservations, type Observations } from './observations.ts';
import type { SuiteOptions } from './options.ts';
import { HarnessError, NotVerified } from './outcomes.ts';
import type { Receiver } from './receiver.ts';
import { type Secrets, secretsOf } from './redact.ts';
import { createResources, creations, deletions, type Resources } from './resources.ts';

export interface Context {
  options: SuiteOptions;
  profile: Profile;
  operations: ReadonlyMap<string, Operation>;
  validate: Validator;
  observations: Observations;
  secrets: Secrets;
  budget: LoginBudget;
  judge: Judge;
  send: Send;
  exchanges: Exchange[];
  resources: Resources;
  /** The time that the deployment goes by. */
  clock: Clock;
  /** The control API, where the deployment is a mock that has been given as one. */
  control: Control | undefined;
  receiver: Receiver | undefined;
  /** What the reader of the report should know of the run as a whole. */
  notes: string[];
  /** Why no push can be seen although there is a receiver, once that is known. */
  unreached: string | undefined;
  /** Whether the deployment takes no subscription to the receiver's address, such as one in a private network. */
  isReceiverRefused: boolean;
  /** The site on which subscriptions are made. */
  siteId: number | undefined;
  /** The secret of even the plainest subscription, where none is created without. */
  plainSecret: string | undefined;
  /** In everything that the run creates. */
  runId: string;
  /** Ends the run: nothing more is sent then but what cleans up. */
  signal: AbortSignal;
  isCleaningUp: boolean;
  /** Calls that have not been answered yet. */
  inFlight: Set<Promise<unknown>>;
  /** Where it is recorded what each check costs. */
  recorder: CostRecorder | undefined;
  /** Results of steps that several checks build on, by name. */
  shared: Map<string, Promise<unknown>>;
}

/** How a call differs from the plain valid one. */
export interface CallOptions {
  /** Sent as Bearer; null for no Authorization at all. */
  token?: string | null;
  /** Replaces or adds headers, after everything else. */
  headers?: Record<string, string>;
  /** Makes the body wrong on purpose; such a request is not held against the description before it leaves. */
  spoil?: (body: unknown) => unknown;
  /** The same, for what is no JSON. */
  rawBody?: string;
  mayBeReplayed?: boolean;
}

const requestTimeoutMs = 15_000;

/** What stands between a run and the outside. */
export interface Surroundings {
  receiver?: Receiver | undefined;
  clock?: Clock;
  control?: Control | undefined;
  signal?: AbortSignal;
  recorder?: CostRecorder | undefined;
}

/** The context of a run. Throws ProfileError where the profile's values don't hold together. */
export function createContext(
  options: SuiteOptions,
  { receiver, control, recorder, clock = createRealClock(), signal = neverAborted() }: Surroundings = {},
): Context {
  const profile = makeProfile(options.profile.stated, {
    name: options.profile.name,
    source: options.profile.name,
  });
  const description = resolve(profile);
  const operations = new Map(
    operationsOf(description).map((operation) => [operation.id as string, operation]),
  );
  const validate = createValidator(description);
  const observations = createObservations(profile);
  const runId = randomUUID().slice(0, 8);
  return {
    options,
    profile,
    operations,
    validate,
    observations,
    secrets: secretsOf(options),
    budget: createLoginBudget(options, clock),
    judge: createJudge({ profile, description, operations, validate, observations }),
    send: createClient(requestTimeoutMs),
    exchanges: [],
    resources: createResources(
      options.journal === undefined
        ? undefined
        : { file: options.journal, head: journalHead(options, runId) },
    ),
    clock,
    control,
    receiver,
    notes: [],
    unreached: undefined,
    isReceiverRefused: false,
    siteId: options.siteId,
    plainSecret: undefined,
    runId,
    signal,
    isCleaningUp: false,
    inFlight: new Set(),
    recorder,
    shared: new Map(),
  };
}

/** Calls an operation with values by their names (path placeholders included) and judges the answer in passing. */
export async function call(
  context: Context,
  id: OperationId,
  { values = {}, ...options }: { values?: Record<string, unknown> } & CallOptions = {},
): Promise<Exchange> {
  if (context.signal.aborted && !context.isCleaningUp) throw new NotVerified(interrupted);
  const operation = operationOf(context, id);
  const request = buildRequest(context, operation, { values, ...options });
  context.recorder?.noteCall(id);
  const created = announce(context, id, values);
  const at = context.clock.now();
  const response = await track(context, context.send(request));
  const read = readLayout(operation.success.layout, response.json);
  const exchange = {
    operation: id,
    request,
    response,
    at,
    values: read,
    mayBeReplayed: options.mayBeReplayed ?? isRepeat(context, operation, request),
  };
  context.exchanges.push(exchange);
  learnTokens({ exchanges: [exchange], secrets: context.secrets });
  created?.(exchange);
  const deletion = deletions[id];
  if (deletion && succeeded(exchange)) context.resources.remove(deletion.what, values[deletion.id]);
  context.judge.judge(exchange);
  return exchange;
}

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Why a check of a run that was interrupted was not made. */
export const interrupted = 'the run was interrupted';

async function track<T>({ inFlight }: Context, work: Promise<T>): Promise<T> {
  inFlight.add(work);
  try {
    return await work;
  } finally {
    inFlight.delete(work);
  }
}

/** A write that was sent before, word for word, may be answered with its first answer; which writes are is left open ("such as"). */
function isRepeat({ exchanges }: Context, { id, gap, method }: Operation, request: RequestMessage): boolean {
  if ((gap === undefined && id !== 'createSubscription') || method === 'GET') return false;
  return exchanges.some(
    (earlier) =>
      earlier.operation === id &&
      earlier.request.url === request.url &&
      earlier.request.body === request.body,
  );
}

/** Nothing is created that has not been entered before. */
function announce(
  { resources, options }: Context,
  id: OperationId,
  values: Record<string, unknown>,
): ((exchange: Exchange) => void) | undefined {
  const creation = creations[id];
  if (!creation) return undefined;
  const site = values.siteID;
  const tenant = site !== undefined && site === options.other?.siteId ? 'other' : 'main';
  return resources.intend({
    what: creation.what,
    site,
    target: String(values[creation.target] ?? ''),
    tenant,
  });
}

function journalHead({ baseUrl, profile }: SuiteOptions, run: string): object {
  const head: JournalHead = { run, base_url: baseUrl, profile, started_at: new Date().toISOString() };
  return { sitepub_journal: 1, ...head };
}

/** A step that several checks build on is made once. */
export function once<T>(context: Context, name: string, make: () => Promise<T>): Promise<T> {
  const { shared, recorder } = context;
  recorder?.noteStep(name);
  const made = shared.get(name) ?? (recorder ? recorder.charge('steps', name, make) : make());
  shared.set(name, made);
  return made as Promise<T>;
}

function operationOf(context: Context, id: OperationId): Operation {
  const operation = context.operations.get(id);
  if (!operation) throw new NotVerified(`the profile does not say how to call ${id}`);
  return operation;
}

function buildRequest(
  { options, validate, secrets }: Context,
  operation: Operation,
  { values, token, headers = {}, spoil, rawBody }: { values: Record<string, unknown> } & CallOptions,
): RequestMessage {
  const plain = writeRequest(operation, values);
  const body = spoil ? spoil(plain) : plain;
  const mismatches =
    operation.request && !spoil && rawBody === undefined ? validate(operation.request.schema, body) : [];
  if (mismatches.length > 0) {
    const what = mismatches.map(({ at, message }) => `${at || 'the body'} ${message}`).join(', ');
    throw new HarnessError(
      `the suite's own request to ${operation.id} does not fit the description: ${what}`,
    );
  }
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const path = fillPath(operation.path, values);
  if (/\{\w+\}/.test(path)) throw new HarnessError(`the path of ${operation.id} is not filled: ${path}`);
  secrets.add('SITEPUB_WEBHOOK_SECRET', values.secret);
  return {
    method: operation.method,
    url: `${options.baseUrl}${path}${writeQuery(operation, values)}`,
    headers: {
      ...(text !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: text,
  };
}
