// The options of a run, as plain data for the thread that runs the checks.

export interface Account {
  username: string;
  password: string;
}

/** A PEM file: its path as given, and its text. */
export interface PemFile {
  path: string;
  pem: string;
}

/** How to reach a deployment behind a proxy or a gateway. */
export interface Connection {
  /** The address of the proxy, including credentials, and its environment variable. */
  proxy?: { url: string; variable: string };
  ca?: PemFile;
  cert?: PemFile;
  key?: PemFile;
  passphrase?: string;
  headers?: Readonly<Record<string, string>>;
}

export function headerVariable(name: string): string {
  return `SITEPUB_HEADER_${name.replaceAll('-', '_').toUpperCase()}`;
}

/** The default of --request-timeout, in milliseconds. */
export const requestTimeoutMs = 30_000;

/** smoke creates nothing; safe creates and cleans up; full also uses up shared limits. */
export type Tier = 'smoke' | 'safe' | 'full';

export interface SuiteOptions {
  /** Without a trailing slash; should end in /api/v1. */
  baseUrl: string;
  profile: { name: string; stated: Record<string, unknown> };
  account?: Account;
  apiKey?: string;
  /** A bigint if a number would round it. */
  siteId?: number | bigint;
  connection?: Connection;
  /** A second user of the same tenant. */
  second?: Account;
  /** A user and a site of another tenant. */
  other?: Account & { siteId?: number | bigint };
  tier: Tier;
  /** Ids of requirements or checks to run; empty for all. */
  only: readonly string[];
  skip: readonly string[];
  /** The longest time that a check may only wait, in milliseconds. */
  maxWaitMs: number;
  /** The most generated cases of a check. Default: 24. */
  cases?: number;
  /** The seed of the generated cases. Default: random. */
  seed?: number;
  /** The control API of a mock, such as http://127.0.0.1:4010/_mock. */
  controlUrl?: string;
  controlToken?: string;
  /** The file in which the run records creations. */
  journal?: string;
  /** --leave-behind: the run may leave more than 12 resources of a kind behind. */
  mayLeaveBehind?: boolean;
  /** Where the webhook receiver listens ("host:port"), and its public address. */
  receiver: { listen?: string; url?: string };
  /** The wait for a push before the run continues, in milliseconds. Default: 10 s. Later pushes still count. */
  arrivalMs?: number;
  /** A push counts as missing after this time, in milliseconds. Default: 60 s. */
  patienceMs?: number;
  /** The time limit for an answer, in milliseconds. Default: 30 s. Publish, import and AI have twice the time. */
  requestTimeoutMs?: number;
  /** Whether the result contains the exchanges as an HTTP archive. */
  recordsExchanges?: boolean;
  /** The folder for the logins of the last minute. Default: in the temporary folder. */
  folder?: string;
}
