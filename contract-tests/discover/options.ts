import type { Account, Connection } from '../core/suite-options.ts';
import type { OnWait } from '../deployment/deployment-clock.ts';
import type { Learning } from '../learn/learn-operations.ts';

export interface DiscoverOptions {
  /** URL without a trailing slash; must end in /api/v1. */
  baseUrl: string;
  account?: Account;
  apiKey?: string;
  connection?: Connection;
  siteId?: number | bigint;
  /** A site of another tenant, to see how the deployment refuses access to it. */
  foreignSiteId?: number | bigint;
  /** Known values by gap id. */
  given: Readonly<Record<string, unknown>>;
  /** Operations learnt from a description or a recording. Discovery calls each certain one once. */
  learning?: Learning;
  /** Timeout of an answer in milliseconds; default 30 s. Doubled for publish, import and AI. */
  requestTimeoutMs?: number;
  /** Longest real wait of one step, in milliseconds. */
  maxWaitMs: number;
  controlUrl?: string;
  controlToken?: string;
  receiver: { listen?: string; url?: string };
  /** How long a push may take to arrive, in milliseconds; default 10 s. */
  arrivalMs?: number;
  /** Path of the journal, which lists each resource before its creation. */
  journal?: string;
  /** Folder that records the logins of the last minute; default: the temporary folder. */
  folder?: string;
  /** Asks the user whether discovery may create the resources in the plan. */
  mayCreate(plan: readonly string[]): Promise<boolean>;
  /** Called with the title of each step when it begins. */
  onProgress?(text: string): void;
  onWait?: OnWait;
  /** Ends the discovery early; the clean-up still runs. */
  signal?: AbortSignal;
}
