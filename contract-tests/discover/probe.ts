// The state that the steps of one discovery share.
import { randomUUID } from 'node:crypto';
import type { ErrorKind } from '../../openapi/error-codes.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/operations.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { journalHead } from '../context.ts';
import { createEnding, type Ending } from '../core/ending.ts';
import type { Exchange } from '../core/exchange.ts';
import { createLossBudget, type LossBudget } from '../core/loss-budget.ts';
import { requestTimeoutMs } from '../core/suite-options.ts';
import { createResources, type ResourceKind, type Resources } from '../deployment/created-resources.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import { createClient, type Send } from '../deployment/http-client.ts';
import { createLoginBudget, type LoginBudget } from '../deployment/login-budget.ts';
import { createFindings, type Findings } from '../findings/gap-findings.ts';
import { addToFindings } from '../learn/learnt-findings.ts';
import type { Push, Receiver } from '../push-receiver/push-receiver.ts';
import { type Secrets, secretsOf } from '../redaction/redact.ts';
import type { DiscoverOptions } from './options.ts';

export interface Probe {
  options: DiscoverOptions;
  findings: Findings;
  secrets: Secrets;
  clock: Clock;
  runId: string;
  ending: Ending;
  send: Send;
  /** Returns a number that is unique in this discovery. */
  nextNumber(): number;
  session: Session;
  pushes: Pushes;
  seen: Seen;
  created: Created;
}

interface Session {
  budget: LoginBudget;
  /** Bearer token; undefined until one is found. */
  token?: string | undefined;
  /** When the deployment issued the token, by its own clock; undefined for an API key. */
  tokenSince?: number | undefined;
  hasLoggedIn: boolean;
  logins: number;
  /** Milliseconds since 1970. */
  lastLogin?: number | undefined;
}

interface Pushes {
  receiver: Receiver | undefined;
  /** Reason why no push reaches the receiver; undefined if pushes may reach it. */
  unreached?: string | undefined;
  /** Longest delay of a push so far, in milliseconds; undefined until one arrives. */
  slowestMs?: number | undefined;
  /** How many new targets got a push before their first test; undefined until one was watched. */
  greetings?: 'none' | 'one' | 'several' | undefined;
  /** A subscription whose receiver answers 500, so that the deployment retries. */
  failing?: { event: EventName; site: unknown; path: string };
}

/** Observations that are not findings. */
interface Seen {
  /** Given and learnt operations. */
  operations: ReadonlyMap<OperationId, Operation>;
  /** Gaps of the called operations; true if any call succeeded. */
  called: Map<string, boolean>;
  refusals: Map<ErrorKind, Exchange>;
  /** 5xx answers by status and code: permanent if each repetition got the same answer, otherwise temporary. */
  failures: { lasting: Set<string>; passing: Set<string> };
  losses: LossBudget;
  requests: number;
  /** Whether the deployment refused a new resource first and accepted it later. */
  settlesLate: boolean;
  /** Whether the test call needs a body. */
  needsTestBody: boolean;
  /** Reason why discovery creates nothing. */
  whyNoCreation?: string | undefined;
}

interface Created {
  resources: Resources;
  /** Creations whose answer provably identifies the created resource. */
  proven: Set<OperationId>;
  /** JSON Pointer to the subscription id in a creation answer, proved by the test path; overrides the profile. */
  shownId?: string | undefined;
  /** Subscriptions without a known id; `settle` runs once its pointer is known. */
  unidentified: { exchange: Exchange; settle(): void }[];
  /** Kinds that were still readable after a successful deletion. */
  undeletable: Set<ResourceKind>;
  /** The creating operation, by the name or note of the resource. */
  causes: Map<string, OperationId>;
  /** Names of creations that the deployment answered with 202. */
  accepted: Set<string>;
  /** The site and the API key created by the first calls of learnt operations. */
  site?: unknown;
  keyID?: unknown;
}

/** `path`: where its pushes arrive at the receiver. */
export interface DiscoveredSubscription {
  id: unknown;
  path: string;
  exchange: Exchange;
  channel: string;
  events: readonly string[];
}

/** `answer` may be a refusal; `push` is undefined if none arrived. */
export interface TestedSubscription {
  subscription: DiscoveredSubscription;
  answer: Exchange;
  push?: Push | undefined;
}

/** Ends the discovery; the message is for the user. */
export class Stop extends Error {
  readonly kind: 'credentials' | 'unreachable' | 'unexpected' | 'interrupted';
  constructor(kind: Stop['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Ends one step; the message becomes the reason for its gaps. */
export class StepImpossible extends Error {}

export function createProbe(
  options: DiscoverOptions,
  { clock, receiver }: { clock: Clock; receiver: Receiver | undefined },
): Probe {
  const { apiKey, given, learning } = options;
  const runId = randomUUID().slice(0, 8);
  const findings = createFindings(given);
  if (learning) addToFindings(learning, findings);
  const ending = createEnding(options.signal, { isPatient: true });
  let number = 0;
  return {
    options,
    findings,
    secrets: secretsOf(options),
    clock,
    runId,
    ending,
    send: createClient(options, options.requestTimeoutMs ?? requestTimeoutMs, ending),
    nextNumber: () => ++number,
    session: {
      budget: createLoginBudget(options, clock),
      token: apiKey,
      hasLoggedIn: false,
      logins: 0,
    },
    pushes: { receiver },
    seen: {
      operations: operationsIn(findings),
      called: new Map(),
      refusals: new Map(),
      failures: { lasting: new Set(), passing: new Set() },
      losses: createLossBudget(options.requestTimeoutMs),
      requests: 0,
      settlesLate: false,
      needsTestBody: false,
    },
    created: {
      resources: createResources(journalOf(options, runId, findings)),
      proven: new Set(),
      causes: new Map(),
      accepted: new Set(),
      undeletable: new Set(),
      unidentified: [],
    },
  };
}

/** The head is written with the first entry, so it contains the findings that a clean-up needs to log in and delete. */
function journalOf({ journal, baseUrl }: DiscoverOptions, run: string, findings: Findings) {
  if (journal === undefined) return undefined;
  const profile = {
    name: 'discover',
    get stated() {
      return findings.values();
    },
  };
  return { file: journal, head: journalHead({ baseUrl, profile }, run) };
}

/** Operations that the findings state, without the documented ones. */
export function operationsIn(findings: Findings): Map<OperationId, Operation> {
  const stated = Object.entries(findings.values()).filter(([id]) => id.startsWith('operation.'));
  const profile = makeProfile(Object.fromEntries(stated), { name: 'given', source: 'the given profile' });
  const operations = operationsOf(resolve(profile)).filter(({ gap }) => gap !== undefined);
  return new Map(operations.map((operation) => [operation.id, operation]));
}

/** Returns a text that is unique across discoveries. */
export function markOf({ runId, nextNumber }: Probe): string {
  return `${runId}-${nextNumber()}`;
}

/** Undefined if pushes cannot reach the receiver. */
export function receiverOf({ pushes: { receiver, unreached } }: Probe): Receiver | undefined {
  return unreached === undefined ? receiver : undefined;
}

/** A moved clock waits in no real time, so any wait is allowed. */
export function mayWait({ clock, options }: Probe, ms: number): boolean {
  return clock.isMoved || options.maxWaitMs >= ms;
}
