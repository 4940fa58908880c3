// Runs of the suite with Prism between it and the mock.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startMock } from '../../mock/start.ts';
import type { Description } from '../../openapi/description.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { selectChecks, startRun } from '../run/run-suite.ts';
import { startDetour, startPrism, violationsOf, wasValidated } from './prism-referee.ts';
import { accessOf, optionsFor } from './run-against-mock.ts';

/** Prism objects to no answer of the mock under a profile, and to no request of the suite that was accepted. */
export async function expectNoObjection(name: string): Promise<void> {
  const { exchanges, outcomes } = await runThroughPrism(name);
  expect(exchanges.filter(wasValidated).length).toBeGreaterThan(80);
  expect(objections(exchanges, 'response')).toEqual([]);
  expect(objections(exchanges.filter(succeeded), 'request')).toEqual([]);
  // Two bodies that the suite sends are meant to be no JSON, which Prism can't be shown.
  expect(exchanges.filter((exchange) => !wasValidated(exchange))).toHaveLength(2);
  expect(outcomes.filter((outcome) => outcome === 'failed' || outcome === 'error')).toEqual([]);
}

interface Variation {
  description?: Description;
  only?: readonly string[];
}

export async function runThroughPrism(name: string, { description, only = [] }: Variation = {}) {
  const profile = loadProfile(name);
  await using opened = new AsyncDisposableStack();
  const folder = opened.adopt(mkdtempSync(join(tmpdir(), 'sitepub-prism-')), removeFolder);
  const mock = opened.adopt(await startMock({ profile: name }), close);
  const upstream = new URL(mock.baseUrl).origin;
  const prism = opened.adopt(await startPrism(description ?? resolve(profile), upstream), close);
  const detour = opened.adopt(await startDetour(prism, upstream), close);
  const options = { ...optionsFor(accessOf(mock.tenants), detour.origin, profile), folder, only };
  const run = await startRun(options);
  const outcomes = [];
  for (const check of selectChecks(options)) outcomes.push((await run.check(check)).outcome);
  await run.finish();
  return { exchanges: run.context.exchanges, outcomes };
}

function close(opened: { close(): Promise<void> }): Promise<void> {
  return opened.close();
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true });
}

export function objections(exchanges: readonly Exchange[], side: 'request' | 'response'): string[] {
  return exchanges
    .flatMap(violationsOf)
    .filter(({ location }) => location[0] === side)
    .map(({ location, message }) => `${location.join('.')} ${message}`);
}
