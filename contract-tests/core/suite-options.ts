// The options of a run: plain data, so that they can be sent to the thread that runs the checks.

/** Credentials of one user. */
export interface Account {
  username: string;
  password: string;
}

/** A file in PEM: its path as it was given, and its text. */
export interface PemFile {
  path: string;
  pem: string;
}

/** How a deployment behind a proxy or a gateway is reached. */
export interface Connection {
  /** The proxy's address, credentials included, and the environment variable that it comes from. */
  proxy?: { url: string; variable: string };
  /** Certificates of authorities that are trusted beside the usual ones. */
  ca?: PemFile;
  /** The client certificate, its key, and the passphrase of the key. */
  cert?: PemFile;
  key?: PemFile;
  passphrase?: string;
  /** Headers that are sent with every request, by name. */
  headers?: Readonly<Record<string, string>>;
}

/** The environment variable that holds the value of a header. */
export function headerVariable(name: string): string {
  return `SITEPUB_HEADER_${name.replaceAll('-', '_').toUpperCase()}`;
}

/** How long an answer may take unless --request-timeout says otherwise, in milliseconds. */
export const requestTimeoutMs = 30_000;

/** How much a run may do: create nothing; create and clean up; also what uses up shared allowances. */
export type Tier = 'smoke' | 'safe' | 'full';

export interface SuiteOptions {
  /** The address under test, without a trailing slash; expected to end in /api/v1. */
  baseUrl: string;
  /** The profile's name, and the values that it states. */
  profile: { name: string; stated: Record<string, unknown> };
  account?: Account;
  apiKey?: string;
  /** A bigint where a number would round it. */
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
  /** The longest wait, in milliseconds, that a check may spend on time alone. */
  maxWaitMs: number;
  /** How many generated cases a check makes at most; 24 unless given. */
  cases?: number;
  /** The seed of the generated cases; random unless given. */
  seed?: number;
  /** Address of the control API of a mock, such as http://127.0.0.1:4010/_mock. */
  controlUrl?: string;
  /** The Bearer token of that API. */
  controlToken?: string;
  /** The file in which the run notes what it is about to create. */
  journal?: string;
  /** Whether the run may leave more than a few things of a kind behind. */
  mayLeaveBehind?: boolean;
  /** Where the suite's webhook receiver listens ("host:port"), and the address under which the deployment reaches it. */
  receiver: { listen?: string; url?: string };
  /** How long the run waits for a push before it goes on, in milliseconds; 10 s unless given. What comes later counts. */
  arrivalMs?: number;
  /** How long after its cause a push is missing, in milliseconds; 60 s unless given. */
  patienceMs?: number;
  /** How long an answer may take, in milliseconds; 30 s unless given, and twice as long for publish, import and AI. */
  requestTimeoutMs?: number;
  /** Whether the result holds the exchanges of the run, as an HTTP archive. */
  keepsExchanges?: boolean;
  /** The folder that remembers the logins of the last minute; in the temporary folder unless given. */
  folder?: string;
}
