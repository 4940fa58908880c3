// @module-tag ci
// Prism, an independent validator, sits between the suite and the mock.
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { makeFolder } from '../../mock/testing/started-mock.ts';
import type { Description } from '../../openapi/description.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { startRun } from '../run/run-suite.ts';
import { selectChecks } from '../run/select-checks.ts';
import { startDetour, startPrism, violationsOf, wasValidated } from './prism-referee.ts';
import { accessOf, optionsFor } from './run-against-mock.ts';

test.each(['default', 'nested-201-uuid', 'always-200-camel-case', 'documented-only', 'flags-and-cursors'])(
  'passes Prism with the profile %s',
  async (name) => {
    const { exchanges, outcomes } = await runThroughPrism(name);
    expect(exchanges.filter(wasValidated).length).toBeGreaterThan(80);
    expect(objections(exchanges, 'response')).toEqual([]);
    expect(objections(exchanges.filter(succeeded), 'request')).toEqual([]);
    // Prism cannot handle two bodies that are not JSON on purpose.
    expect(exchanges.filter((exchange) => !wasValidated(exchange))).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'failed' || outcome === 'error')).toEqual([]);
  },
);

test('fails Prism if messages do not fit the description', async () => {
  const unlike = structuredClone(resolve(loadProfile('default')));
  for (const place of ['Envelope/properties/trace_id', 'LoginRequest/properties/username']) {
    Object.assign(getAt(unlike, `/components/schemas/${place}`) ?? {}, { type: 'integer' });
  }
  delete unlike.paths['/auth/refresh'];
  const only = ['LOGIN-1', 'REFRESH-1'];
  const { exchanges } = await runThroughPrism('default', { description: unlike, only });
  expect(objections(exchanges, 'response')).toContainEqual(
    expect.stringMatching(/^response\.body\.trace_id .* must be integer$/),
  );
  expect(objections(exchanges, 'request')).toContainEqual(
    expect.stringMatching(/^request\.body\.username .* must be integer$/),
  );
  expect(exchanges.filter(wasValidated).map(({ operation }) => operation)).not.toContain('refresh');
  expect(objections(exchanges, 'request')).toContain('request Selected route not found');
});

interface Variation {
  description?: Description;
  only?: readonly string[];
}

async function runThroughPrism(name: string, { description, only = [] }: Variation = {}) {
  const profile = loadProfile(name);
  await using opened = new AsyncDisposableStack();
  const mock = opened.adopt(await startMock({ profile: name }), close);
  const upstream = new URL(mock.baseUrl).origin;
  const prism = opened.adopt(await startPrism(description ?? resolve(profile), upstream), close);
  const detour = opened.adopt(await startDetour(prism, upstream), close);
  const options = {
    ...optionsFor(accessOf(mock.tenants), detour.origin, profile),
    folder: makeFolder(),
    only,
  };
  const run = await startRun(options);
  const outcomes = [];
  for (const check of selectChecks(options)) outcomes.push((await run.check(check))?.outcome);
  await run.finish();
  return { exchanges: run.context.exchanges, outcomes };
}

function close(opened: { close(): Promise<void> }): Promise<void> {
  return opened.close();
}

function objections(exchanges: readonly Exchange[], side: 'request' | 'response'): string[] {
  return exchanges
    .flatMap(violationsOf)
    .filter(({ location }) => location[0] === side)
    .map(({ location, message }) => `${location.join('.')} ${message}`);
}
