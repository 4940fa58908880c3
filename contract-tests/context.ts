// State that the checks of a run share: the deployment as its profile describes it, and all exchanges so far.
import { randomUUID } from 'node:crypto';
import { type Operation, operationsOf } from '../openapi/operations.ts';
import { makeProfile, type Profile } from '../openapi/profile.ts';
import { resolve } from '../openapi/resolve.ts';
import { createValidator, type Validator } from '../openapi/validate.ts';
import type { CostRecorder } from './core/costs.ts';
import { createEnding, type Ending } from './core/ending.ts';
import type { Exchange, SentRequest } from './core/exchange.ts';
import { createLossBudget, type LossBudget } from './core/loss-budget.ts';
import { type Abort, Unreachable } from './core/outcomes.ts';
import { writeJson } from './core/parse-json.ts';
import { requestTimeoutMs, type SuiteOptions } from './core/suite-options.ts';
import { createExchangeChecker, type ExchangeChecker } from './deployment/check-exchange.ts';
import { sayConnection } from './deployment/connection.ts';
import type { Control } from './deployment/control-api.ts';
import { createResources, type JournalHead, type Resources } from './deployment/created-resources.ts';
import { type Clock, createRealClock } from './deployment/deployment-clock.ts';
import { createObservations, type Observations } from './deployment/gap-observations.ts';
import { createClient, type Send } from './deployment/http-client.ts';
import { createLoginBudget, type LoginBudget } from './deployment/login-budget.ts';
import { createRemarks, type Remarks } from './deployment/remarks.ts';
import type { Receiver } from './push-receiver/push-receiver.ts';
import { type Secrets, secretsOf } from './redaction/redact.ts';

export interface Context {
  options: SuiteOptions;
  profile: Profile;
  operations: ReadonlyMap<string, Operation>;
  validate: Validator;
  observations: Observations;
  remarks: Remarks;
  secrets: Secrets;
  budget: LoginBudget;
  exchangeChecker: ExchangeChecker;
  send: Send;
  exchanges: Exchange[];
  /** Every request so far, answered or not. */
  requests: SentRequest[];
  /** When each write was last sent, to recognize repeats. */
  sent: Map<string, number>;
  resources: Resources;
  /** The clock that the deployment uses. */
  clock: Clock;
  /** The control API, if the deployment is a mock and its address was given. */
  control: Control | undefined;
  receiver: Receiver | undefined;
  /** Remarks on the whole run, for the report. */
  notes: string[];
  /** Why no push reaches the receiver, if known. */
  unreached: string | undefined;
  /** Whether the deployment refuses subscriptions to the receiver's address, such as one in a private network. */
  isReceiverRefused: boolean;
  /** The site under test. */
  siteId: number | bigint | undefined;
  /** The secret of every subscription, if the deployment requires one. */
  plainSecret: string | undefined;
  /** The form of signing secrets that the deployment accepts. */
  secretForm: number;
  /** Part of the name of every resource that the run creates. */
  runId: string;
  /** Ends the run: from then on only the clean-up sends requests. */
  signal: AbortSignal;
  /** How the run ends then. */
  ending: Ending;
  /** How often the main session was replaced, and whether its end looks like other refusals. */
  sessions: { replaced: number; areAlikeForAll: boolean };
  /** Calls without an answer so far. */
  inFlight: Set<Promise<unknown>>;
  losses: LossBudget;
  /** Why the run ends, if too many answers were lost. */
  ended: Abort | undefined;
  /** Whether the run is at its end, when pushes that have not arrived count as missing. */
  isLastLook: boolean;
  /** A number that no other name of the run has. A request uses it up even without an answer. */
  nextNumber(): number;
  /** Records what each check costs. */
  recorder: CostRecorder | undefined;
  /** Results that several checks share, by the function that makes them and its arguments; see `once`. */
  shared: Map<unknown, Map<string, Promise<unknown>>>;
}

/** The connections of a run to the outside. */
type ContextOptions = Partial<Pick<Context, 'receiver' | 'clock' | 'control' | 'ending' | 'recorder'>>;

/** The context of a run. Throws ProfileError if the profile's values contradict each other. */
export function createContext(
  options: SuiteOptions,
  { clock = createRealClock(), ending = createEnding(), ...given }: ContextOptions = {},
): Context {
  const profile = profileOf(options);
  const description = resolve(profile);
  const operations = new Map(
    operationsOf(description).map((operation) => [operation.id as string, operation]),
  );
  const validate = createValidator(description);
  const observations = createObservations(profile);
  const remarks = createRemarks();
  const secrets = secretsOf(options);
  const runId = randomUUID().slice(0, 8);
  return {
    options,
    profile,
    operations,
    validate,
    observations,
    remarks,
    secrets,
    budget: createLoginBudget(options, clock),
    exchangeChecker: createExchangeChecker({
      profile,
      description,
      operations,
      validate,
      observations,
      remarks,
    }),
    send: createClient(options, options.requestTimeoutMs ?? requestTimeoutMs, ending),
    exchanges: [],
    requests: [],
    sent: new Map(),
    resources: createResources(
      options.journal === undefined
        ? undefined
        : { file: options.journal, head: journalHead(options, runId) },
    ),
    clock,
    control: given.control,
    receiver: given.receiver,
    notes: [sayConnection(options) ?? []].flat().map(secrets.redact),
    unreached: undefined,
    isReceiverRefused: false,
    siteId: options.siteId,
    plainSecret: undefined,
    secretForm: 0,
    runId,
    signal: ending.interrupted,
    ending,
    sessions: { replaced: 0, areAlikeForAll: false },
    inFlight: new Set(),
    losses: createLossBudget(options.requestTimeoutMs),
    ended: undefined,
    isLastLook: false,
    nextNumber: createCounter(),
    recorder: given.recorder,
    shared: new Map(),
  };
}

function createCounter(): () => number {
  let count = 0;
  return () => ++count;
}

/** The first line of the journal of a run. */
export function journalHead(
  { baseUrl, profile }: Pick<SuiteOptions, 'baseUrl' | 'profile'>,
  run: string,
): object {
  const head: JournalHead = { run, base_url: baseUrl, profile, started_at: new Date().toISOString() };
  return { sitepub_journal: 1, ...head };
}

type Plain = string | number | boolean;

const noArgs = writeJson([]);

/** Makes a result that several checks share. */
type Make<T, Args extends readonly Plain[] = []> = (context: Context, ...args: Args) => Promise<T>;

/** Returns the result of a function, which runs once in a run for the same arguments. */
export function once<T, Args extends readonly Plain[]>(
  context: Context,
  make: Make<T, Args>,
  ...args: Args
): Promise<T> {
  const { recorder } = context;
  const name = recorder?.noteStep(make, args) ?? '';
  const results = resultsOf(context, make);
  const work = () => make(context, ...args);
  const key = writeJson(args);
  const before = results.get(key);
  if (before !== undefined) return before;
  const made = recorder ? recorder.charge('steps', name, work) : work();
  results.set(key, made);
  made.catch((error) => forgetLost(results, key, error));
  return made;
}

/** Records work that is not a result of `once` as a separate step. */
export function asStep<T>({ recorder }: Context, step: { name: string }, work: () => Promise<T>): Promise<T> {
  return recorder ? recorder.charge('steps', recorder.noteStep(step, []), work) : work();
}

/** A lost answer costs the check that waited for it; the next one makes the step again. */
function forgetLost(results: Map<string, unknown>, key: string, error: unknown): void {
  if (error instanceof Unreachable) results.delete(key);
}

/** A function that calls another one with `once`. */
export function oncePerRun<T, Args extends readonly Plain[]>(make: Make<T, Args>): Make<T, Args> {
  return (context, ...args) => once(context, make, ...args);
}

/** The result of a function that `once` has run already. */
export function alreadyMade<T>(context: Context, make: Make<T>): Promise<T> | undefined {
  return resultsOf(context, make).get(noArgs);
}

/** Makes later calls of `once` with these arguments return this value. */
export function replace<T, Args extends readonly Plain[]>(
  context: Context,
  make: Make<T, Args>,
  value: T,
  ...args: Args
): void {
  resultsOf(context, make).set(writeJson(args), Promise.resolve(value));
}

/** Makes the next call of `once` run the function again. */
export function forget<Args extends readonly Plain[]>(context: Context, make: Make<unknown, Args>): void {
  context.shared.delete(make);
}

/** The results of a function, by its arguments. The cast is safe, because only this file adds results, under the function that made them. */
function resultsOf<T, Args extends readonly Plain[]>(
  { shared }: Context,
  make: Make<T, Args>,
): Map<string, Promise<T>> {
  const results = shared.get(make) ?? new Map<string, Promise<unknown>>();
  shared.set(make, results);
  return results as Map<string, Promise<T>>;
}

const profiles = new WeakMap<object, Profile>();

/** The profile of a run. */
export function profileOf({ profile: { name, stated } }: Pick<SuiteOptions, 'profile'>): Profile {
  const profile = profiles.get(stated) ?? makeProfile(stated, { name, source: name });
  profiles.set(stated, profile);
  return profile;
}
