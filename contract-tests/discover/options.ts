import type { Account, Connection } from '../core/suite-options.ts';
import type { OnWait } from '../deployment/deployment-clock.ts';
import type { Learning } from '../learn/learn-operations.ts';

/** Options of a discovery. */
export interface DiscoverOptions {
  /** The address of the deployment, without a trailing slash; expected to end in /api/v1. */
  baseUrl: string;
  account?: Account;
  apiKey?: string;
  connection?: Connection;
  siteId?: number | bigint;
  /** A site of another tenant, to see how it is refused. */
  foreignSiteId?: number | bigint;
  /** Known values by gap id. */
  given: Readonly<Record<string, unknown>>;
  /** What was learnt of the operations: what is certain of it is called once, and what has proved itself is used. */
  learning?: Learning;
  /** How long an answer may take, in milliseconds; 30 s unless given, and twice as long for publish, import and AI. */
  requestTimeoutMs?: number;
  /** The longest real time, in milliseconds, that one question may take. */
  maxWaitMs: number;
  controlUrl?: string;
  controlToken?: string;
  receiver: { listen?: string; url?: string };
  /** The longest time, in milliseconds, that a push may take to arrive; 10 s unless given. */
  arrivalMs?: number;
  /** The file that lists what is about to be created. */
  journal?: string;
  /** Folder that remembers the logins of the last minute; the temporary folder unless given. */
  folder?: string;
  /** Asks whether what the plan lists may be created. */
  mayCreate(plan: readonly string[]): Promise<boolean>;
  /** Called with each step as it begins, for people who watch. */
  onProgress?(text: string): void;
  /** Called when a wait begins. */
  onWait?: OnWait;
  /** Ends the discovery early; what was created is still deleted. */
  signal?: AbortSignal;
}
