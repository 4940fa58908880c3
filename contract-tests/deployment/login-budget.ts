// The document lets a tenant log in 10 times a minute. Every login of ours is entered here before it is sent, and the last
// minute's are remembered across runs (as hashes and times, in the temporary folder), so that no run trips the limit.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { NotVerified } from '../core/outcomes.ts';
import { type Clock, createRealClock } from './deployment-clock.ts';

const perMinute = 10;
/** A minute, and what the clocks of two machines may differ by. */
export const loginWindowMs = 61_000;
/** Logins that a check leaves for the next runs to begin with. */
const reserve = 2;

export interface LoginBudget {
  /** Whether a tenant has no login left in this minute but those that are kept for the next runs. */
  isShort(tenant: string): boolean;
  /** Enters a login without which nothing can be verified; waits for its turn, a minute at most. */
  takeNecessary(tenant: string): Promise<void>;
  /** Enters `count` logins of a check. Waits within `maxWaitMs`, else throws NotVerified. */
  take(tenant: string, count: number): Promise<void>;
  /** When the logins of the last minute were entered, in milliseconds since 1970. */
  recent(tenant: string): readonly number[];
  /** Enters a login that is to go beyond the limit. */
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

/** The login budget of the tenants of one deployment. A tenant is named by any name that stays the same, such as "main". */
export function createLoginBudget(
  { baseUrl, maxWaitMs, folder = defaultFolder() }: BudgetOptions,
  clock: Clock = createRealClock(),
): LoginBudget {
  // Where the clock is moved, its time means nothing to other runs, and waiting costs nothing.
  const store = clock.isMoved ? inMemory() : inFile(join(folder, 'logins.json'));
  const kept = clock.isMoved ? 0 : reserve;
  const patience = clock.isMoved ? Number.POSITIVE_INFINITY : maxWaitMs;
  const live = (times: readonly number[]) => times.filter((time) => time > clock.now() - loginWindowMs);
  const keyOf = (tenant: string) =>
    createHash('sha256').update(`${baseUrl} ${tenant}`).digest('hex').slice(0, 16);
  const recent = (tenant: string) => live(store.read()[keyOf(tenant)] ?? []);
  const enter = (tenant: string, count: number) => {
    const others = Object.entries(store.read())
      .map(([key, times]) => [key, live(times)] as const)
      .filter(([, times]) => times.length > 0);
    const times = Array.from({ length: count }, () => clock.now());
    store.write({ ...Object.fromEntries(others), [keyOf(tenant)]: [...recent(tenant), ...times] });
  };
  const waitFor = (tenant: string, count: number) => {
    const times = recent(tenant);
    const oldest = times[times.length + count - perMinute - 1];
    return oldest === undefined ? 0 : Math.max(0, oldest + loginWindowMs - clock.now());
  };
  const wait = (ms: number) => clock.pass(ms, "the tenant's 10 logins a minute are used up by earlier runs");
  return {
    isShort: (tenant) => recent(tenant).length + kept >= perMinute,
    recent,
    takeNecessary: async (tenant) => {
      await wait(waitFor(tenant, 1));
      enter(tenant, 1);
    },
    take: async (tenant, count) => {
      const ms = waitFor(tenant, count + kept);
      if (ms > patience) {
        throw new NotVerified(
          `the tenant's 10 logins a minute are nearly used up; run again in ${Math.ceil(ms / 1000)} s, or with --max-wait ${Math.ceil(ms / 1000)}s`,
        );
      }
      await wait(ms);
      enter(tenant, count);
    },
    note: (tenant) => enter(tenant, 1),
  };
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

/** Where this user's runs remember what later ones must know. */
export function defaultFolder(): string {
  return join(tmpdir(), `sitepub-${userInfo().username}`);
}

function readLedger(file: string): Ledger {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Ledger;
  } catch {
    return {};
  }
}

/** A ledger that can't be kept costs foresight across runs, nothing else. */
function writeLedger(file: string, ledger: Ledger): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(ledger), { mode: 0o600 });
    renameSync(draft, file);
  } catch {}
}
