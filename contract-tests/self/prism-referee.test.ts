// The suite runs with Prism between it and the mock: a referee that neither of them had a hand in.
import { expect, test } from 'vitest';
import { getAt } from '../../openapi/json-pointer.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { wasValidated } from './prism-referee.ts';
import { expectNoObjection, objections, runThroughPrism } from './run-through-prism.ts';

// The other profiles are in prism-referee.slow.test.ts.
test.each(['default', 'documented-only'])('Prism objects to nothing under the profile %s', expectNoObjection);

test('Prism objects to what does not fit the description', async () => {
  const unlike = resolve(loadProfile('default'));
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
