// Black-box tests of the mock: each documented operation and error against the resolved description.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codesOf, statusOf } from '../../openapi/error-codes.ts';
import type { Operation } from '../../openapi/operations.ts';
import { operationObjects, readDescription } from '../../openapi/resolve.ts';
import { type BlackBox, type Described, describeProfile, openBlackBox } from './testing/black-box.ts';
import {
  callOf,
  exampleOf,
  type Scheme,
  schemaOfStatus,
  schemesOf,
  send,
  successSchema,
} from './testing/calls.ts';
import { type Refusal, refusalExample, refusals, uncausedWith } from './testing/refusals.ts';

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
    const caused = tests.flatMap(({ refusal }) => refusal?.kind ?? []);
    expect(sorted([...caused, ...uncausedWith(profile)])).toEqual(
      sorted(codesOf(profile).map(([kind]) => kind)),
    );
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

interface DocumentedTest {
  title: string;
  operation: Operation;
  /** Undefined if the call succeeds. */
  refusal?: Refusal;
  /** Throws if an expectation of PactumJS fails. */
  run(box: BlackBox): Promise<void>;
}

/** Each operation with each scheme, and each of its errors. */
function documentedTests(described: Described): DocumentedTest[] {
  return [...described.operations.values()].flatMap((operation) => [
    ...successesOf(described, operation),
    ...errorsOf(described, operation),
  ]);
}

function successesOf(described: Described, operation: Operation): DocumentedTest[] {
  const schemes = schemesOf(described, operation);
  return (schemes.length > 0 ? schemes : [undefined]).map((scheme) => ({
    title: `${operation.id} by ${scheme ?? 'anyone'}`,
    operation,
    run: (box) => expectSuccess(box, operation, scheme),
  }));
}

function errorsOf(described: Described, operation: Operation): DocumentedTest[] {
  return refusals
    .filter(({ isOf }) => isOf(described, operation))
    .map((refusal) => ({
      title: `${operation.id} ${refusal.what}: ${refusal.kind}`,
      operation,
      refusal,
      run: (box) => expectRefusal(box, operation, refusal),
    }));
}

async function expectSuccess(box: BlackBox, operation: Operation, scheme?: Scheme): Promise<void> {
  await send(box, await callOf(box, operation, { scheme }))
    .expectStatus(operation.success.status)
    .expectHeaderContains('content-type', 'application/json')
    .expectJsonSchema(...successSchema(box, operation))
    .expectJsonLike(exampleOf(box, operation));
}

async function expectRefusal(box: BlackBox, operation: Operation, { kind, call }: Refusal): Promise<void> {
  const status = statusOf(box.profile, kind);
  await send(box, await call(box, operation))
    .expectStatus(status)
    .expectHeaderContains('content-type', 'application/json')
    .expectJsonSchema(...schemaOfStatus(box, operation, status))
    .expectJsonLike(refusalExample(box, kind));
}
