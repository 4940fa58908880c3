// What the steps of one discovery share, and how they ask the deployment.
import { randomUUID } from 'node:crypto';
import type { ErrorKind } from '../../openapi/error-codes.ts';
import type { Operation, OperationId } from '../../openapi/operations.ts';
import { createEnding, type Ending } from '../core/ending.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { isFailure } from '../core/failures.ts';
import { createLossBudget, type LossBudget } from '../core/loss-budget.ts';
import { requestTimeoutMs } from '../core/suite-options.ts';
import type { Control } from '../deployment/control-api.ts';
import {
  type CleanUpJournal,
  createResources,
  type ResourceKind,
  type Resources,
} from '../deployment/created-resources.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import { createClient, type Send } from '../deployment/http-client.ts';
import { createLoginBudget, type LoginBudget } from '../deployment/login-budget.ts';
import { createFindings, type Findings } from '../findings/gap-findings.ts';
import { addToFindings } from '../learn/learnt-findings.ts';
import type { Receiver } from '../push-receiver/push-receiver.ts';
import { type Secrets, secretsOf } from '../redaction/redact.ts';
import { exampleUrl } from '../subscriptions/subscription-calls.ts';
import type { DiscoverOptions } from './discover-options.ts';
import { givenOperations } from './given-operations.ts';
import type { OwnContent } from './pushes/event-causes.ts';
import { isRateRefusal, kindOfError } from './refusals.ts';

export interface Probe {
  options: DiscoverOptions;
  findings: Findings;
  secrets: Secrets;
  budget: LoginBudget;
  clock: Clock;
  control: Control | undefined;
  listener: Receiver | undefined;
  resources: Resources;
  /** The operations that are given or learnt, by id. */
  operations: ReadonlyMap<OperationId, Operation>;
  runId: string;
  /** Sent as Bearer by the calls that need one; undefined until one is found. */
  token: string | undefined;
  /** When the token was issued, by the deployment's clock; undefined for an API key. */
  tokenSince: number | undefined;
  /** When the last login was sent, in milliseconds since 1970. */
  lastLogin: number | undefined;
  /** The tokens of the logins so far: a repeated login may be answered as the first one was. */
  loginTokens: Set<string>;
  /** The pointer of that token in the login answer, until a call has shown that it is accepted. */
  supposedToken: string | undefined;
  /** The refusals so far, by the kind of error. */
  refusals: Map<ErrorKind, Exchange>;
  /** Why no subscription can be created, or no push received. */
  whyNoCreation: string | undefined;
  whyNoReceiver: string | undefined;
  /** The paths of the receiver by the subscriptions whose pushes come there, and when each was tested first, in milliseconds since 1970. */
  targets: Map<string, string>;
  testedAt: Map<string, number>;
  /** The content item that events are about. */
  content: OwnContent | undefined;
  /** Subscriptions that no step needs any more. */
  spares: DiscoveredSubscription[];
  /** The longest time, in milliseconds, that a push has taken so far; undefined until one has come. */
  slowestPushMs: number | undefined;
  /** Whether a new target gets a push before its test; undefined until one was watched. */
  greets: boolean | undefined;
  hasLoggedIn: boolean;
  /** Whether something new was refused for a moment. */
  settlesLate: boolean;
  /** The 5xx answers by status and code: those that were the same each time, and those that were gone when the call was made again; and how often one was. */
  failures: { lasting: Set<string>; passing: Set<string>; madeAgain: number };
  losses: LossBudget;
  /** Where the answer to a creation has the identifier of a subscription, as the test path has shown; a profile may say otherwise. */
  shownId: string | undefined;
  /** Subscriptions whose identifier is not known yet, since nothing has shown where it is in an answer: called when that is known. */
  unidentified: { exchange: Exchange; settle(): void }[];
  /** The operations whose answers were seen to name what they create, by a name that this run gave. */
  proven: Set<OperationId>;
  /** Whether the call that tests a subscription is refused without a body. */
  needsTestBody: boolean;
  /** The gaps of the operations that were called. */
  called: Set<string>;
  count: { requests: number; logins: number; paths: number };
  /** How it ends when the user ends it. */
  ending: Ending;
  send: Send;
}

/** A subscription that the discovery created; `path` is where its pushes arrive. */
export interface DiscoveredSubscription {
  id: unknown;
  path: string;
  exchange: Exchange;
  channel: string;
  events: readonly string[];
}

/** The discovery can't go on; the message is a sentence for the user. */
export class Stop extends Error {
  readonly kind: 'credentials' | 'unreachable' | 'unexpected';
  constructor(kind: Stop['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The user has ended the discovery. */
export class Interrupted extends Error {}

export function createProbe(
  options: DiscoverOptions,
  connections: Pick<Probe, 'clock' | 'control' | 'listener'>,
): Probe {
  const { baseUrl, maxWaitMs, folder, apiKey, journal, given, learning } = options;
  const runId = randomUUID().slice(0, 8);
  const findings = createFindings(given);
  if (learning) addToFindings(learning, findings);
  const head = { baseUrl, findings };
  const ending = createEnding(options.signal, { isPatient: true });
  return {
    options,
    findings,
    secrets: secretsOf(options),
    budget: createLoginBudget(
      { baseUrl, maxWaitMs, ...(folder !== undefined && { folder }) },
      connections.clock,
    ),
    ...connections,
    resources: createResources(journal === undefined ? undefined : journalOf(journal, runId, head)),
    operations: givenOperations(findings.values()),
    runId,
    token: apiKey,
    tokenSince: undefined,
    lastLogin: undefined,
    loginTokens: new Set(),
    supposedToken: undefined,
    refusals: new Map(),
    whyNoCreation: undefined,
    whyNoReceiver: undefined,
    targets: new Map(),
    content: undefined,
    spares: [],
    testedAt: new Map(),
    slowestPushMs: undefined,
    greets: undefined,
    hasLoggedIn: false,
    settlesLate: false,
    failures: { lasting: new Set(), passing: new Set(), madeAgain: 0 },
    losses: createLossBudget(options.requestTimeoutMs),
    shownId: undefined,
    unidentified: [],
    proven: new Set(),
    needsTestBody: false,
    called: new Set(),
    count: { requests: 0, logins: 0, paths: 0 },
    ending,
    send: createClient(options, options.requestTimeoutMs ?? requestTimeoutMs, ending),
  };
}

/** When its first entry is written, the head has what has been found out until then: enough to log in and delete what the run has created. */
function journalOf(
  file: string,
  run: string,
  { baseUrl, findings }: { baseUrl: string; findings: Findings },
): CleanUpJournal {
  const profile = {
    name: 'discover',
    get stated() {
      return findings.values();
    },
  };
  const startedAt = new Date().toISOString();
  return { file, head: { sitepub_journal: 1, run, base_url: baseUrl, profile, started_at: startedAt } };
}

/** Records a resource before its creation; the returned function expects the answer and the identifier in it. */
export function recordCreation(
  probe: Probe,
  created: { what: ResourceKind; site: unknown; target: string },
): (exchange: Exchange, id: unknown) => boolean {
  throwIfInterrupted(probe);
  const settle = probe.resources.announce({ ...created, tenant: 'main' });
  return (exchange, id) => settle({ ...exchange, values: { id } });
}

/** Throws Interrupted when the user has ended the discovery. */
export function throwIfInterrupted({ options }: Probe): void {
  if (options.signal?.aborted) throw new Interrupted('the discovery was interrupted');
}

/** Whether a wait is allowed; with a moved clock it costs nothing. */
export function mayWait({ clock, options }: Probe, ms: number): boolean {
  return clock.isMoved || options.maxWaitMs >= ms;
}

/** A path at the receiver that no other subscription uses. */
export function nextPath(probe: Probe): string {
  probe.count.paths++;
  return `/sitepub/${probe.runId}/${probe.count.paths}`;
}

/** The address of such a path; without a receiver, one that belongs to nobody (RFC 2606). */
export function urlOf({ listener }: Probe, path: string): string {
  return listener?.urlOf(path) ?? exampleUrl(path);
}

/** Shows what is being done. */
export function reportProgress(probe: Probe, text: string): void {
  probe.options.onProgress?.(text);
}

/** Remembers a refusal. Other answers are ignored: a failure that does not last, and one for the rate of calls where none is meant. */
export function noteRefusal({ refusals, failures }: Probe, kind: ErrorKind, exchange: Exchange): void {
  if (succeeded(exchange) || exchange.response.status < 200) return;
  if (isFailure(exchange) && !failures.lasting.has(kindOfError(exchange))) return;
  const isMeant = kind === 'rate-limited' || kind === 'key-quota';
  if (isMeant || !isRateRefusal(exchange)) refusals.set(kind, exchange);
}
