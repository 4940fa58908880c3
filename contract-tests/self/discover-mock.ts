// Runs discoveries in this process against a mock.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type StartedMock, startMock } from '../../mock/start.ts';
import { freePort } from '../../mock/testing/postgres-server.ts';
import { codeOf, type ErrorKind, statusOf } from '../../openapi/error-codes.ts';
import { isObject } from '../../openapi/json.ts';
import { gapValue, loadProfile, type Profile, parseProfile, statedValues } from '../../openapi/profile.ts';
import { findGap, gaps } from '../../openapi/registers.ts';
import { type Discovery, discover } from '../discover/discover.ts';
import type { DiscoverOptions } from '../discover/options.ts';
import { isLikelyHeader } from '../discover/writes/repeated-writes.ts';
import { type Message, startProxy, type Tamper } from './tampering-proxy.ts';

export interface DiscoveryRun {
  /** Profile of the mock; default: `default`. */
  spoken?: Profile;
  /** Given values: all that discovery cannot find, or none (default). */
  knows?: 'paths' | 'nothing';
  /** Passes the control API, so that discovery can move the clock. */
  controls?: boolean;
  /** Passes an API key beside the user. */
  hasKey?: boolean;
  options?: Partial<DiscoverOptions>;
  /** Changes messages between discovery and mock. */
  tamper?: Tamper;
  /** Changes pushes on their way to the receiver. */
  tamperPush?: (push: Message) => Message;
  /** Runs before the mock closes. */
  afterwards?: (mock: StartedMock, found: Profile) => Promise<void>;
}

interface DiscoveryOutcome extends Discovery {
  /** Differences between the discovered profile and the mock's profile. */
  differences: string[];
}

export async function discoverMock(trial: DiscoveryRun): Promise<DiscoveryOutcome> {
  const { spoken = loadProfile('default'), knows, controls, options, tamper, afterwards } = trial;
  const mock = await startMock({ profile: spoken });
  const { origin, pathname } = new URL(mock.baseUrl);
  const proxy = tamper && (await startProxy((path) => origin + path, tamper));
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-discover-'));
  const hop = trial.tamperPush && (await startHop(trial.tamperPush));
  const [tenant, other] = mock.tenants;
  const [account] = tenant?.users ?? [];
  if (!tenant?.sites[0] || !other?.sites[0] || !account || !tenant.apiKey)
    throw new Error('the demo world lacks a tenant, user, site or API key');
  try {
    const discovery = await discover({
      baseUrl: `${proxy?.origin ?? origin}${pathname}`,
      account,
      siteId: tenant.sites[0].id,
      foreignSiteId: other.sites[0].id,
      given: knows === 'paths' ? hiddenValues(spoken) : {},
      maxWaitMs: 0,
      ...(trial.hasKey && { apiKey: tenant.apiKey }),
      ...(controls && { controlUrl: mock.controlUrl }),
      receiver: hop?.receiver ?? {},
      // A busy machine may pause for a second.
      arrivalMs: 2_000,
      folder,
      mayCreate: async () => true,
      ...options,
    });
    const found = parseProfile(discovery.profile, 'the profile that was found');
    await afterwards?.(mock, found);
    return { ...discovery, differences: differencesOf(found, spoken) };
  } finally {
    rmSync(folder, { recursive: true });
    await proxy?.close();
    await hop?.close();
    await mock.close();
  }
}

/** A proxy for pushes in front of the receiver. */
async function startHop(tamperPush: (push: Message) => Message) {
  const listen = `127.0.0.1:${await freePort()}`;
  const { origin, close } = await startProxy(
    (path) => `http://${listen}${path}`,
    (push, forward) => forward(tamperPush(push)),
  );
  return { receiver: { listen, url: origin }, close };
}

/** Values that discovery cannot find. */
function hiddenValues(profile: Profile): Record<string, unknown> {
  const paths = Object.entries(statedValues(profile)).filter(([id]) => id.startsWith('operation.'));
  const isGuessable = isLikelyHeader(String(gapValue(profile, 'idempotency.key-header')));
  const repetition = isGuessable ? [] : ['idempotency.repetition', 'idempotency.key-header'];
  return Object.fromEntries([...paths, ...repetition.map((id) => [id, gapValue(profile, id)] as const)]);
}

function differencesOf(found: Profile, spoken: Profile): string[] {
  const stated = gaps.map(({ id }) => id).filter((id) => found.stated.has(id));
  const plain = stated.filter((id) => !['errors.http-status', 'errors.codes'].includes(id));
  const unlike = plain.filter((id) => !isSameValue(id, [gapValue(found, id), gapValue(spoken, id)]));
  return [
    ...unlike.map(
      (id) => `${id}: ${JSON.stringify(gapValue(found, id))} is ${JSON.stringify(gapValue(spoken, id))}`,
    ),
    ...unlikeErrors(found, spoken),
  ];
}

/** Ignores the case of header names. A template may lack unknown values and have any text for `{message}`. */
function isSameValue(gap: string, [found, spoken]: readonly [unknown, unknown]): boolean {
  if (gap === 'idempotency.key-header') return String(found).toLowerCase() === String(spoken).toLowerCase();
  const isWhole = findGap(gap)?.placeholders?.every((name) => JSON.stringify(found).includes(`{${name}}`));
  const isTemplate = gap.startsWith('event-data.') && (!isWhole || gap === 'event-data.publish.failed');
  return isDeepStrictEqual(found, spoken) || (isTemplate && isPartOf(found, spoken));
}

function isPartOf(found: unknown, spoken: unknown): boolean {
  if (!isObject(found) || !isObject(spoken))
    return isDeepStrictEqual(found, spoken) || (found === '{message}' && typeof spoken === 'string');
  return Object.entries(found).every(([name, part]) => name in spoken && isPartOf(part, spoken[name]));
}

/** Compares only provoked errors; others have defaults. */
function unlikeErrors(found: Profile, spoken: Profile): string[] {
  if (!found.stated.has('errors.codes')) return [];
  const provoked = Object.keys(found.values['errors.codes']) as ErrorKind[];
  const wordings = (profile: Profile, kind: ErrorKind) =>
    `${kind} ${statusOf(profile, kind)} ${codeOf(profile, kind)}`;
  return provoked
    .filter((kind) => wordings(found, kind) !== wordings(spoken, kind))
    .map((kind) => `${wordings(found, kind)} is ${wordings(spoken, kind)}`);
}
