// What the steps of one discovery share: how it asks, and what it has seen and created so far.
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
  /** How it ends when the user ends it. */
  ending: Ending;
  send: Send;
  /** A number that no path and no name of this discovery has yet. */
  nextNumber(): number;
  session: Session;
  pushes: Pushes;
  seen: Seen;
  created: Created;
}

/** Who the discovery is. */
interface Session {
  budget: LoginBudget;
  /** Sent as Bearer by the calls that need one; undefined until one is found. */
  token?: string | undefined;
  /** When the token was issued, by the deployment's clock; undefined for an API key. */
  tokenSince?: number | undefined;
  hasLoggedIn: boolean;
  /** How many logins were sent, and when the last one was, in milliseconds since 1970. */
  logins: number;
  lastLogin?: number | undefined;
}

/** How pushes are received. */
interface Pushes {
  receiver: Receiver | undefined;
  /** Why none reaches the receiver; undefined as long as they may. */
  unreached?: string | undefined;
  /** The longest time, in milliseconds, that a push has taken so far; undefined until one has come. */
  slowestMs?: number | undefined;
  /** How many new targets got a push before their tests; undefined until one was watched. */
  greetings?: 'none' | 'one' | 'several' | undefined;
  /** The event whose push to a path fails, for its retries. */
  failing?: { event: EventName; site: unknown; path: string };
}

/** What the answers have shown that is no finding. */
interface Seen {
  /** The operations that are given or learnt, by id. */
  operations: ReadonlyMap<OperationId, Operation>;
  /** The gaps of those that were called, and whether any call was answered with success. */
  called: Map<string, boolean>;
  /** The refusals so far, by the kind of error. */
  refusals: Map<ErrorKind, Exchange>;
  /** The 5xx answers by status and code: those that were the same each time, and those that were gone when the call was made again. */
  failures: { lasting: Set<string>; passing: Set<string> };
  losses: LossBudget;
  requests: number;
  /** Whether something new was refused for a moment. */
  settlesLate: boolean;
  /** Whether the call that tests a subscription is refused without a body. */
  needsTestBody: boolean;
  /** Why nothing can be created. */
  whyNoCreation?: string | undefined;
}

/** What the discovery has created. */
interface Created {
  resources: Resources;
  /** The creations whose answers were seen to name what they create, by a name that this run gave. */
  proven: Set<OperationId>;
  /** Where the answer to a creation has the identifier of a subscription, as the test path has shown; a profile may say otherwise. */
  shownId?: string | undefined;
  /** Subscriptions whose identifier is not known yet, since nothing has shown where it is in an answer: called when that is known. */
  unidentified: { exchange: Exchange; settle(): void }[];
  /** The kinds whose deletion was answered with success, and left what it names readable. */
  undeletable: Set<ResourceKind>;
  /** What created something, by the name or the note that it was given. */
  causes: Map<string, OperationId>;
  /** The same names of creations that were only accepted. */
  accepted: Set<string>;
  /** The site and the key that the tries have created. */
  site?: unknown;
  keyID?: unknown;
}

/** A subscription that the discovery created; `path` is where its pushes arrive. */
export interface DiscoveredSubscription {
  id: unknown;
  path: string;
  exchange: Exchange;
  channel: string;
  events: readonly string[];
}

/** A subscription, the answer to a test of it, which may be a refusal, and the push, where it has come. */
export interface TestedSubscription {
  subscription: DiscoveredSubscription;
  answer: Exchange;
  push?: Push | undefined;
}

/** The discovery can't go on; the message is a sentence for the user. */
export class Stop extends Error {
  readonly kind: 'credentials' | 'unreachable' | 'unexpected' | 'interrupted';
  constructor(kind: Stop['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Why a step can't be made; the message is the reason for the gaps that it would have filled. */
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

/** When its first entry is written, the head has what has been found out until then: enough to log in and delete what the run has created. */
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

/** The operations that the findings state, by id, without the documented ones. */
export function operationsIn(findings: Findings): Map<OperationId, Operation> {
  const stated = Object.entries(findings.values()).filter(([id]) => id.startsWith('operation.'));
  const profile = makeProfile(Object.fromEntries(stated), { name: 'given', source: 'the given profile' });
  const operations = operationsOf(resolve(profile)).filter(({ gap }) => gap !== undefined);
  return new Map(operations.map((operation) => [operation.id, operation]));
}

/** Returns a text that no other call of this or another discovery has. */
export function markOf({ runId, nextNumber }: Probe): string {
  return `${runId}-${nextNumber()}`;
}

/** The receiver, as long as pushes may reach it. */
export function receiverOf({ pushes: { receiver, unreached } }: Probe): Receiver | undefined {
  return unreached === undefined ? receiver : undefined;
}

/** Whether a wait is allowed; with a moved clock it costs nothing. */
export function mayWait({ clock, options }: Probe, ms: number): boolean {
  return clock.isMoved || options.maxWaitMs >= ms;
}
