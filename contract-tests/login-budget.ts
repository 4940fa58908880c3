// The document lets a tenant log in 10 times a minute. Every login of ours is entered here before it is sent, and the last
// minute's are remembered across runs (as hashes and times, in the temporary folder), so that no run trips the limit.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotVerified } from './outcomes.ts';

const perMinute = 10;
/** A minute, and what the clocks of two machines may differ by. */
export const loginWindowMs = 61_000;
/** Logins that a check leaves for the next runs to begin with. */
const reserve = 3;

export interface LoginBudget {
  /** Whether a tenant has no login left in this minute but those that are kept for the next runs. */
  isShort(tenant: string): boolean;
  /** Enters a login without which nothing can be verified; waits for its turn, a minute at most. */
  takeNecessary(tenant: string): Promise<void>;
  /** Enters `count` logins of a check. Waits within `maxWaitMs`, else throws NotVerified. */
  take(tenant: string, count: number): Promise<void>;
}

interface BudgetOptions {
  baseUrl: string;
  maxWaitMs: number;
  folder?: string;
}

type Ledger = Record<string, number[]>;

/** The login budget of the tenants of one deployment. A tenant is named by any name that stays the same, such as "main". */
export function createLoginBudget({
  baseUrl,
  maxWaitMs,
  folder = defaultFolder(),
}: BudgetOptions): LoginBudget {
  const file = join(folder, 'logins.json');
  const keyOf = (tenant: string) =>
    createHash('sha256').update(`${baseUrl} ${tenant}`).digest('hex').slice(0, 16);
  const recent = (tenant: string) => readLedger(file)[keyOf(tenant)] ?? [];
  const enter = (tenant: string, count: number) => {
    const ledger = readLedger(file);
    const times = Array.from({ length: count }, () => Date.now());
    writeLedger(file, { ...ledger, [keyOf(tenant)]: [...(ledger[keyOf(tenant)] ?? []), ...times] });
  };
  const waitFor = (tenant: string, count: number) => {
    const times = recent(tenant);
    const oldest = times[times.length + count - perMinute - 1];
    return oldest === undefined ? 0 : oldest + loginWindowMs - Date.now();
  };
  return {
    isShort: (tenant) => recent(tenant).length + reserve >= perMinute,
    takeNecessary: async (tenant) => {
      const wait = Math.max(0, waitFor(tenant, 1));
      if (wait > 1_000) {
        const seconds = Math.ceil(wait / 1_000);
        console.error(
          `sitepub: this tenant's 10 logins a minute are used up by earlier runs; waiting ${seconds} s`,
        );
      }
      await sleep(wait);
      enter(tenant, 1);
    },
    take: async (tenant, count) => {
      const wait = waitFor(tenant, count + reserve);
      if (wait > maxWaitMs) {
        throw new NotVerified(
          `the tenant's 10 logins a minute are nearly used up; run again in ${Math.ceil(wait / 1000)} s, or with --max-wait ${Math.ceil(wait / 1000)}s`,
        );
      }
      await sleep(Math.max(0, wait));
      enter(tenant, count);
    },
  };
}

function defaultFolder(): string {
  return join(tmpdir(), `sitepub-${userInfo().username}`);
}

function readLedger(file: string): Ledger {
  try {
    const ledger = JSON.parse(readFileSync(file, 'utf8')) as Ledger;
    const since = Date.now() - loginWindowMs;
    const live = Object.entries(ledger).map(
      ([key, times]) => [key, times.filter((time) => time > since)] as const,
    );
    return Object.fromEntries(live.filter(([, times]) => times.length > 0));
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
