// A tenant may log in 10 times a minute. The suite notes each login here before it sends it, and remembers those of the last
// minute across runs (as hashes and times, in the temporary folder), so that no run exceeds the limit.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '../../openapi/json.ts';
import { perMinute, windowMs } from '../core/documented-limits.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type Clock, createRealClock } from './deployment-clock.ts';
import { ownFolder, readOwnFile, writeOwnFile } from './own-folder.ts';

/** Logins that checks leave for the start of later runs. */
const reserve = 2;

export interface LoginBudget {
  /** Whether a tenant's logins of this minute are used up, except those reserved for later runs. */
  isShort(tenant: string): boolean;
  /** How long `count` logins must wait for their turn, in milliseconds; those reserved for later runs are left over where the minute has so many. */
  waitMs(tenant: string, count: number): number;
  /** Notes a login without which nothing can be verified; waits for its turn, a minute at most. */
  takeNecessary(tenant: string): Promise<void>;
  /** Notes `count` logins of a check. Waits within `maxWaitMs`, else throws NotVerified. */
  take(tenant: string, count: number): Promise<void>;
  /** When the logins of the last minute were noted, in milliseconds since 1970. */
  recent(tenant: string): readonly number[];
  /** Notes a login that is meant to exceed the limit. */
  note(tenant: string): void;
}

interface BudgetOptions {
  baseUrl: string;
  maxWaitMs: number;
  folder?: string;
}

type Ledger = Record<string, number[]>;

interface LedgerStore {
  read(): Ledger;
  write(ledger: Ledger): void;
}

/** The login budget of the tenants of one deployment; `tenant` may be any stable name. */
export function createLoginBudget(
  { baseUrl, maxWaitMs, folder = ownFolder().path }: BudgetOptions,
  clock: Clock = createRealClock(),
): LoginBudget {
  // The time of a moved clock means nothing to other runs, and waiting on it costs nothing.
  const store = clock.isMoved ? inMemory() : inFile(join(folder, 'logins.json'));
  const reserved = clock.isMoved ? 0 : reserve;
  const longestWaitMs = clock.isMoved ? Number.POSITIVE_INFINITY : maxWaitMs;
  const { recent, enter } = createLedger({ store, clock, baseUrl });
  const waitFor = (tenant: string, count: number) => {
    const times = recent(tenant);
    const oldest = times[times.length + count - perMinute - 1];
    return oldest === undefined ? 0 : Math.max(0, oldest + windowMs - clock.now());
  };
  const wait = (ms: number) =>
    clock.pass(ms, `another of the tenant's ${perMinute} logins a minute; earlier runs have used them up`);
  return {
    isShort: (tenant) => recent(tenant).length + reserved >= perMinute,
    recent,
    waitMs: (tenant, count) => waitFor(tenant, count + reserved <= perMinute ? count + reserved : 1),
    takeNecessary: async (tenant) => {
      await wait(waitFor(tenant, 1));
      enter(tenant, 1);
    },
    take: async (tenant, count) => {
      const ms = waitFor(tenant, count + reserved);
      if (ms > longestWaitMs) {
        const seconds = Math.ceil(ms / 1000);
        throw new NotVerified(
          `the tenant's ${perMinute} logins a minute are nearly used up; run again in ${seconds} s, or with --max-wait ${seconds}s`,
        );
      }
      await wait(ms);
      enter(tenant, count);
    },
    note: (tenant) => enter(tenant, 1),
  };
}

function createLedger({ store, clock, baseUrl }: { store: LedgerStore; clock: Clock; baseUrl: string }) {
  const recentOf = (times: readonly number[]) => times.filter((time) => time > clock.now() - windowMs);
  const keyOf = (tenant: string) =>
    createHash('sha256').update(`${baseUrl} ${tenant}`).digest('hex').slice(0, 16);
  const recent = (tenant: string) => recentOf(store.read()[keyOf(tenant)] ?? []);
  const enter = (tenant: string, count: number) => {
    const others = Object.entries(store.read())
      .map(([key, times]) => [key, recentOf(times)] as const)
      .filter(([, times]) => times.length > 0);
    const times = Array.from({ length: count }, () => clock.now());
    store.write({ ...Object.fromEntries(others), [keyOf(tenant)]: [...recent(tenant), ...times] });
  };
  return { recent, enter };
}

function inMemory(): LedgerStore {
  let ledger: Ledger = {};
  return {
    read: () => ledger,
    write: (next) => {
      ledger = next;
    },
  };
}

function inFile(file: string): LedgerStore {
  return { read: () => readLedger(file), write: (ledger) => writeLedger(file, ledger) };
}

function readLedger(file: string): Ledger {
  try {
    const ledger: unknown = JSON.parse(readOwnFile(file));
    if (!isObject(ledger)) return {};
    const times = (value: unknown) =>
      Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [];
    return Object.fromEntries(Object.entries(ledger).map(([key, value]) => [key, times(value)]));
  } catch {
    return {};
  }
}

/** Where the file can't be written, later runs only don't know of these logins. */
function writeLedger(file: string, ledger: Ledger): void {
  try {
    writeOwnFile(file, JSON.stringify(ledger));
  } catch {}
}
