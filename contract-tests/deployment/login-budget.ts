// A tenant may log in 10 times a minute. So the suite records each login before it sends it. It stores the logins of the last minute
// for other runs, as hashes and times in the temporary folder.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '../../openapi/json.ts';
import { perMinute, windowMs } from '../core/documented-limits.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type Clock, createRealClock } from './deployment-clock.ts';
import { ownFolder, readOwnFile, writeOwnFile } from './own-folder.ts';

/** Logins that checks leave unused for the start of later runs. */
const reserve = 2;

export interface LoginBudget {
  /** Whether only the reserve of this minute is left. */
  isShort(tenant: string): boolean;
  /** How long `count` logins must wait, in milliseconds. Respects the reserve if `count` allows it. */
  waitMs(tenant: string, count: number): number;
  /** Records an essential login. May use the reserve; waits up to a minute. */
  takeNecessary(tenant: string): Promise<void>;
  /** Records `count` logins of a check. Waits up to `maxWaitMs`, otherwise throws NotVerified. */
  take(tenant: string, count: number): Promise<void>;
  /** The times of the logins of the last minute, in milliseconds since 1970. */
  recent(tenant: string): readonly number[];
  /** Records a login that is meant to exceed the limit. */
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

/** The login budget for the tenants of a deployment. `tenant` may be any stable name. */
export function createLoginBudget(
  { baseUrl, maxWaitMs, folder = ownFolder().path }: BudgetOptions,
  clock: Clock = createRealClock(),
): LoginBudget {
  // The time of a moved clock is meaningless for other runs, and waiting takes no time.
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
    clock.pass(ms, `the limit of ${perMinute} logins per minute, which earlier runs have used up`);
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
          `the tenant's ${perMinute} logins per minute are nearly used up; run again in ${seconds} s, or with --max-wait ${seconds}s`,
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

/** Ignores errors: later runs then only miss these logins. */
function writeLedger(file: string, ledger: Ledger): void {
  try {
    writeOwnFile(file, JSON.stringify(ledger));
  } catch {}
}
