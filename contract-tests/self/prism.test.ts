// The suite runs with Prism between it and the mock: a referee that neither of them had a hand in.
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { type Description, resolve } from '../../openapi/resolve.ts';
import { type Exchange, succeeded } from '../exchange.ts';
import { selectChecks, startRun } from '../run-suite.ts';
import { startDetour, startPrism, violationsOf } from './prism.ts';
import { accessOf, optionsFor } from './run-against-mock.ts';

test.each(['default', 'nested-201-uuid'])('Prism objects to nothing under the profile %s', async (name) => {
  const { exchanges, outcomes } = await runThroughPrism(name);
  expect(exchanges.length).toBeGreaterThan(80);
  expect(objections(exchanges, 'response')).toEqual([]);
  expect(objections(exchanges.filter(succeeded), 'request')).toEqual([]);
  expect(outcomes.filter((outcome) => outcome === 'failed' || outcome === 'error')).toEqual([]);
});

test('Prism objects to answers that do not fit the description', async () => {
  const stricter = resolve(loadProfile('default'));
  Object.assign(getAt(stricter, '/components/schemas/Envelope/properties/trace_id') ?? {}, {
    type: 'integer',
  });
  const { exchanges } = await runThroughPrism('default', { description: stricter, only: ['LOGIN-1'] });
  expect(objections(exchanges, 'response')).toContain('response.body.trace_id must be integer');
});

interface Variation {
  description?: Description;
  only?: readonly string[];
}

async function runThroughPrism(name: string, { description, only = [] }: Variation = {}) {
  const profile = loadProfile(name);
  const mock = await startMock({ profile: name });
  const upstream = new URL(mock.baseUrl).origin;
  const prism = await startPrism(description ?? resolve(profile), upstream);
  const detour = await startDetour(prism, upstream);
  try {
    const options = { ...optionsFor(accessOf(mock.tenants), detour.origin, profile), only };
    const run = await startRun(options);
    const outcomes = [];
    for (const check of selectChecks(options)) outcomes.push((await run.check(check)).outcome);
    await run.finish();
    return { exchanges: run.context.exchanges, outcomes };
  } finally {
    await detour.close();
    prism.close();
    await mock.close();
  }
}

function objections(exchanges: readonly Exchange[], side: 'request' | 'response'): string[] {
  return exchanges
    .flatMap(violationsOf)
    .filter(({ location }) => location[0] === side)
    .map(({ location, message }) => `${location.join('.')} ${message.slice(message.indexOf('must'))}`);
}
