import type { Account } from '../core/suite-options.ts';

/** What a discovery is told. */
export interface DiscoverOptions {
  /** The address of the deployment, without a trailing slash; it ought to end in /api/v1. */
  baseUrl: string;
  account?: Account;
  apiKey?: string;
  siteId?: number;
  /** A site of another tenant, for one of the mistakes. */
  foreignSiteId?: number;
  /** What is known already: values by gap id. */
  given: Readonly<Record<string, unknown>>;
  /** The longest real time, in milliseconds, that one question may take. */
  maxWaitMs: number;
  controlUrl?: string;
  controlToken?: string;
  receiver: { listen?: string; url?: string };
  /** The longest that a push may take to arrive, in milliseconds; 10 s unless given. */
  arrivalMs?: number;
  /** The file in which is entered what is about to be created. */
  journal?: string;
  /** Where the logins of the last minute are remembered; in the temporary folder unless given. */
  folder?: string;
  /** Asked before anything is created, with what that would be. */
  mayCreate(plan: readonly string[]): Promise<boolean>;
  /** Told what is being done, for people who watch. */
  onProgress?(text: string): void;
  /** Ends the discovery early; what was created is still taken away. */
  signal?: AbortSignal;
}
