// What a run is told; plain data, so that it can cross to the process or thread that runs the checks.

/** Credentials of one user. */
export interface Account {
  username: string;
  password: string;
}

/** How much a run may do: create nothing; create and clean up; also what uses up shared allowances. */
export type Tier = 'smoke' | 'safe' | 'full';

export interface SuiteOptions {
  /** The address under test, without a trailing slash; it ought to end in /api/v1. */
  baseUrl: string;
  /** The profile's name and the values that it states. */
  profile: { name: string; stated: Record<string, unknown> };
  account?: Account;
  apiKey?: string;
  siteId?: number;
  /** A second user of the same tenant. */
  second?: Account;
  /** A user and a site of another tenant. */
  other?: Account & { siteId?: number };
  tier: Tier;
  /** Requirement or check ids to which the run is limited; empty for all. */
  only: readonly string[];
  skip: readonly string[];
  /** The longest wait, in milliseconds, that a check may spend on time alone. */
  maxWaitMs: number;
  /** At most so many generated cases are made by each check that makes any; 24 unless given. */
  cases?: number;
  /** What they are drawn from; drawn itself unless given. */
  seed?: number;
  /** Address of the control API of a mock, such as http://127.0.0.1:4010/_mock. */
  controlUrl?: string;
  /** What that API asks for as Bearer. */
  controlToken?: string;
  /** The file in which the run enters what it is about to create. */
  journal?: string;
  /** Where the suite's webhook receiver listens ("host:port"), and the address under which the deployment reaches it. */
  receiver: { listen?: string; url?: string };
  /** The longest that a push may take to arrive, in milliseconds; 10 s unless given. */
  arrivalMs?: number;
  /** Where the logins of the last minute are remembered; in the temporary folder unless given. */
  folder?: string;
}
