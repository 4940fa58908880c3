// What the checks of one run share: the deployment as its profile describes it, and everything that was said to it so far.
import { randomUUID } from 'node:crypto';
import { type Operation, operationsOf } from '../openapi/operations.ts';
import { makeProfile, type Profile } from '../openapi/profile.ts';
import { resolve } from '../openapi/resolve.ts';
import { createValidator, type Validator } from '../openapi/validate.ts';
import type { CostRecorder } from './core/costs.ts';
import type { Exchange } from './core/exchange.ts';
import type { SuiteOptions } from './core/suite-options.ts';
import { createExchangeChecker, type ExchangeChecker } from './deployment/check-exchange.ts';
import type { Control } from './deployment/control-api.ts';
import type { JournalHead } from './deployment/created-resources.ts';
import { createResources, type Resources } from './deployment/created-resources.ts';
import { type Clock, createRealClock } from './deployment/deployment-clock.ts';
import { createObservations, type Observations } from './deployment/gap-observations.ts';
import { createClient, type Send } from './deployment/http-client.ts';
import { createLoginBudget, type LoginBudget } from './deployment/login-budget.ts';
import type { Receiver } from './push-receiver/push-receiver.ts';
import { type Secrets, secretsOf } from './redaction/redact.ts';

export interface Context {
  options: SuiteOptions;
  profile: Profile;
  operations: ReadonlyMap<string, Operation>;
  validate: Validator;
  observations: Observations;
  secrets: Secrets;
  budget: LoginBudget;
  checkExchange: ExchangeChecker;
  send: Send;
  exchanges: Exchange[];
  /** The writes among them, to know what is sent again. */
  sent: Set<string>;
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
  /** Results of steps that several checks build on, by the function that makes them and its arguments; see `once`. */
  shared: Map<unknown, Map<string, Promise<unknown>>>;
}

const requestTimeoutMs = 15_000;

/** What stands between a run and the outside. */
export interface ContextOptions {
  receiver?: Receiver | undefined;
  clock?: Clock;
  control?: Control | undefined;
  signal?: AbortSignal;
  recorder?: CostRecorder | undefined;
}

/** The context of a run. Throws ProfileError where the profile's values don't hold together. */
export function createContext(
  options: SuiteOptions,
  { receiver, control, recorder, clock = createRealClock(), signal = neverAborted() }: ContextOptions = {},
): Context {
  const profile = profileOf(options);
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
    checkExchange: createExchangeChecker({ profile, description, operations, validate, observations }),
    send: createClient(requestTimeoutMs),
    exchanges: [],
    sent: new Set(),
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

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Why a check of a run that was interrupted was not made. */
export const interrupted = 'the run was interrupted';

function journalHead({ baseUrl, profile }: SuiteOptions, run: string): object {
  const head: JournalHead = { run, base_url: baseUrl, profile, started_at: new Date().toISOString() };
  return { sitepub_journal: 1, ...head };
}

type Plain = string | number | boolean;

const noArgs = JSON.stringify([]);

/** Makes what several checks build on. */
type Make<T, Args extends readonly Plain[] = []> = (context: Context, ...args: Args) => Promise<T>;

/** What a function makes, made once a run for the same arguments. */
export function once<T, Args extends readonly Plain[]>(
  context: Context,
  make: Make<T, Args>,
  ...args: Args
): Promise<T> {
  const { recorder } = context;
  const name = recorder?.noteStep(make, args) ?? '';
  const results = resultsOf(context, make);
  const work = () => make(context, ...args);
  const key = JSON.stringify(args);
  const made = results.get(key) ?? (recorder ? recorder.charge('steps', name, work) : work());
  results.set(key, made);
  return made;
}

/** What `once` has made already, without making it. */
export function alreadyMade<T>(context: Context, make: Make<T>): Promise<T> | undefined {
  return resultsOf(context, make).get(noArgs);
}

/** From now on `once` returns this value. */
export function replace<T>(context: Context, make: Make<T>, value: T): void {
  resultsOf(context, make).set(noArgs, Promise.resolve(value));
}

/** The next call of `once` makes it anew. */
export function forget(context: Context, make: Make<unknown>): void {
  context.shared.delete(make);
}

/** By the arguments. The one place that says what a function makes is what was entered under it. */
function resultsOf<T, Args extends readonly Plain[]>(
  { shared }: Context,
  make: Make<T, Args>,
): Map<string, Promise<T>> {
  const results = shared.get(make) ?? new Map<string, Promise<unknown>>();
  shared.set(make, results);
  return results as Map<string, Promise<T>>;
}

const profiles = new WeakMap<object, Profile>();

/** The profile that a run is told. */
export function profileOf({ profile: { name, stated } }: Pick<SuiteOptions, 'profile'>): Profile {
  const profile = profiles.get(stated) ?? makeProfile(stated, { name, source: name });
  profiles.set(stated, profile);
  return profile;
}
