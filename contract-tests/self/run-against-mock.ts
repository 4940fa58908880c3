// Runs the suite in this process against a mock, optionally through tampering proxies.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { show } from '../../mock/control/long-id-control.ts';
import { createMock, type RootMock } from '../../mock/server/create-mock.ts';
import { createShutdown } from '../../mock/server/shutdown.ts';
import type { TenantAccess } from '../../mock/world/create-world.ts';
import { loadProfile, makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { createReport, type Report, type RunResult } from '../reports/report.ts';
import { runSuite } from '../run/run-suite.ts';
import { type Message, startProxy, type Tamper, type TamperingProxy } from './tampering-proxy.ts';

export interface Access {
  main: TenantWithKey;
  other: TenantWithKey;
}

type Tenant = TenantAccess<number | bigint>;
type TenantWithKey = Tenant & { apiKey: string };

/** Changes a push. `secret`: of its subscription. */
export type TamperPush = (push: Message, secret: string | undefined) => Message;

export interface MockRun {
  /** Profile of the mock. */
  spoken?: Profile;
  /** Profile of the suite; default: the profile of the mock. */
  told?: Profile;
  /** Changes messages between suite and mock. */
  tamper?: (access: Access) => Tamper;
  /** Changes pushes between mock and receiver. */
  tamperPush?: TamperPush;
  /** Starts the mock; default: in this process. */
  open?: (trial: MockRun) => Promise<OpenedMock>;
  /** Changes a mock in this process before it listens. */
  sabotage?: (mock: RootMock) => void;
  variations?: readonly string[];
  faults?: readonly string[];
  seed?: number;
  options?: Partial<SuiteOptions>;
  /** Passes the control API to the suite, so that it can move the clock; default true. */
  control?: boolean;
  /** Called with the report and options before the mock closes. */
  beforeEnd?: (report: Report, options: SuiteOptions, run: RunResult) => Promise<void>;
}

export interface OpenedMock {
  origin: string;
  tenants: readonly Tenant[];
  close(): Promise<void>;
}

const usual = loadProfile('default');
/** Cached, so that runs share derived values. */
const stated = new WeakMap<Profile, ReturnType<typeof statedValues>>();

/** Ignores the logins of other runs. */
export async function runAgainstMock(trial: MockRun = {}): Promise<Report> {
  const { spoken = usual, told = spoken, control = true, open = openUsual } = trial;
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-self-'));
  const mock = await open(trial);
  const access = accessOf(mock.tenants);
  const { origin, close } = await startProxies(mock.origin, access, trial);
  const controlUrl = control && { controlUrl: `${mock.origin}/_mock` };
  const options = { ...optionsFor(access, origin, told), folder, ...controlUrl, ...trial.options };
  try {
    const startedAt = new Date();
    const run = await runSuite(options);
    const report = createReport(run, { options, version, startedAt });
    await trial.beforeEnd?.(report, options, run);
    return report;
  } finally {
    await mock.close();
    await close();
    rmSync(folder, { recursive: true });
  }
}

async function openUsual(trial: MockRun): Promise<OpenedMock> {
  const { spoken = usual, variations = [], faults = [], seed = 1 } = trial;
  const choice = { profile: spoken, seed, clock: 'real', variations, faults, log: () => {} } as const;
  const mock = createMock(choice);
  const { app, tenants } = mock;
  const { close } = createShutdown(mock);
  trial.sabotage?.(mock);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin: app.listeningOrigin, tenants: show([...tenants]), close };
}

export function requirementsThat(outcome: string, { requirements }: Report): string[] {
  return requirements.filter((requirement) => requirement.outcome === outcome).map(({ id }) => id);
}

/** Failed checks and errors, with their reasons. */
export function alarmsIn({ requirements }: Report): string[] {
  return requirements
    .flatMap(({ checks }) => checks)
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
    .map(({ id, outcome, reason }) => `${id} ${outcome}: ${reason}`);
}

/** A profile without some of its gaps. */
export function profileWithout(isOmitted: (gap: string, value: unknown) => boolean, base = usual): Profile {
  const rest = Object.entries(statedValues(base)).filter(([gap, value]) => !isOmitted(gap, value));
  return makeProfile(Object.fromEntries(rest), { name: base.name, source: base.name });
}

export function accessOf([main, other]: readonly Tenant[]): Access {
  if (!main?.apiKey || !other?.apiKey) throw new Error('the demo world has no tenants');
  return { main: { ...main, apiKey: main.apiKey }, other: { ...other, apiKey: other.apiKey } };
}

export function optionsFor({ main, other }: Access, origin: string, profile: Profile): SuiteOptions {
  const statedNow = stated.get(profile) ?? statedValues(profile);
  stated.set(profile, statedNow);
  const [account, second] = main.users;
  const [otherUser] = other.users;
  const [site] = main.sites;
  const [otherSite] = other.sites;
  if (!account || !second || !otherUser || !site || !otherSite)
    throw new Error('the demo world is not whole');
  return {
    baseUrl: `${origin}/api/v1`,
    profile: { name: profile.name, stated: statedNow },
    account,
    second,
    other: { ...otherUser, siteId: otherSite.id },
    apiKey: main.apiKey,
    siteId: site.id,
    tier: 'safe',
    only: [],
    skip: [],
    maxWaitMs: 0,
    receiver: {},
  };
}

async function startProxies(origin: string, access: Access, { tamper, tamperPush }: MockRun) {
  if (!tamper && !tamperPush) return { origin, close: async () => {} };
  const secrets = new Map<string, string>();
  const hop = tamperPush && (await startHop(tamperPush, secrets));
  const tampering: Tamper = tamper?.(access) ?? ((message, forward) => forward(message));
  const proxy = await startProxy(
    (path) => origin + path,
    (message, forward) => tampering(hop ? detour(message, hop, secrets) : message, forward),
  );
  return {
    origin: proxy.origin,
    close: async () => {
      await hop?.close();
      await proxy.close();
    },
  };
}

/** A proxy for pushes; the first part of its paths is the port of the receiver. */
function startHop(tamperPush: TamperPush, secrets: ReadonlyMap<string, string>): Promise<TamperingProxy> {
  return startProxy(
    (path) => `http://127.0.0.1:${path.slice(1)}`,
    (push, forward) => forward(tamperPush(push, secrets.get(push.path))),
  );
}

/** Changes the URL in a creation so that its pushes go through the proxy. */
function detour(message: Message, hop: TamperingProxy, secrets: Map<string, string>): Message {
  const text = message.body
    .toString()
    .replace(
      /"http:\/\/127\.0\.0\.1:(\d+\/sitepub\/[^"]*)"/,
      (_, place: string) => `"${hop.origin}/${place}"`,
    );
  const [, place] = /"http:\/\/127\.0\.0\.1:\d+(\/\d+\/sitepub\/[^"]*)"/.exec(text) ?? [];
  const [, secret] = /"secret":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  if (place !== undefined && secret !== undefined) secrets.set(place, JSON.parse(secret));
  return { ...message, body: Buffer.from(text) };
}
