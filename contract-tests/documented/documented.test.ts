// Black-box tests of the mock: each documented operation and error against the resolved description.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codesOf } from '../../openapi/error-codes.ts';
import { operationObjects, readDescription } from '../../openapi/resolve.ts';
import { type BlackBox, describeProfile, openBlackBox } from './testing/black-box.ts';
import { documentedTests } from './testing/documented-tests.ts';
import { refusals, uncaused } from './testing/refusals.ts';

/** The second profile differs most from the first, for example in statuses, codes and pointers. */
const profiles = ['default', 'nested-201-uuid'];

describe.each(profiles)('%s', (profile) => {
  const box = useBlackBox(profile);
  const tests = documentedTests(describeProfile(profile)).map(({ title, run }) => [title, run] as const);
  test.each(tests)('%s', (_, run) => run(box()));
});

describe('covers everything documented:', () => {
  const tests = documentedTests(describeProfile('default'));
  const sorted = (texts: Iterable<string>) => [...new Set(texts)].sort();

  test('each operation', () => {
    const described = (['site-publishing.yaml', 'provisional.yaml'] as const)
      .flatMap((file) => operationObjects({ ...readDescription(file), webhooks: {} }))
      .map(({ operationId }) => String(operationId));
    const tried = tests.filter(({ refusal }) => !refusal).map(({ operation }) => operation.id);
    expect(sorted(tried)).toEqual(sorted(described));
  });

  test.each(profiles)('each error of %s', (name) => {
    const { profile } = describeProfile(name);
    const excused = uncaused.filter(({ isRight }) => isRight?.(profile) ?? true);
    const known = [...tests.flatMap(({ refusal }) => refusal ?? []), ...excused].map(({ kind }) => kind);
    expect(sorted(known)).toEqual(sorted(codesOf(profile).map(([kind]) => kind)));
  });

  test('each refusal', () => {
    const tried = new Set(tests.map(({ refusal }) => refusal));
    expect(refusals.filter((refusal) => !tried.has(refusal))).toEqual([]);
  });
});

describe('a fault fails the test of its operation:', () => {
  const box = useBlackBox('default');

  test.each([
    ['message-created-on-creations', 'createKey by apiKey', /'success' at '\$\.message'/],
    ['total-as-text-in-list-of-keys', 'listKeys by sessionToken', /JSON schema/],
    ['data-null-after-test', 'testSubscription by apiKey', /JSON schema|'object' at '\$\.data'/],
    [
      'test-of-unknown-subscription-passed-over',
      'testSubscription for an unknown subscription: unknown-subscription',
      /200 !== 404/,
    ],
    ['sixth-key-created', 'createKey for a sixth key: key-quota', /200 !== 409/],
    ['eleventh-publish-taken', 'publishSite the eleventh time in a minute: rate-limited', /200 !== 429/],
    [
      'fraction-as-code-of-wrong-password',
      'login with a wrong password: bad-credentials',
      /'40102' at '\$\.code'/,
    ],
  ])('%s', async (fault, title, message) => {
    const [broken] = documentedTests(describeProfile('default')).filter((one) => one.title === title);
    await broken?.run(box());
    await box().control.reset();
    await box().control.setFaults([fault]);
    await expect(broken?.run(box())).rejects.toThrow(message);
  });
});

/** Resets world and faults before each test. */
function useBlackBox(profile: string): () => BlackBox {
  let box: BlackBox;
  beforeAll(async () => {
    box = await openBlackBox(profile);
  });
  beforeEach(async () => {
    await box.control.reset();
    await box.control.setFaults([]);
  });
  afterAll(() => box.close());
  return () => box;
}
