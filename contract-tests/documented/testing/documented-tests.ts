// Derives tests from a description: each operation with each scheme, and each of its errors.
import { statusOf } from '../../../openapi/error-codes.ts';
import type { Operation } from '../../../openapi/operations.ts';
import type { BlackBox, Described } from './black-box.ts';
import { callOf, exampleOf, type Scheme, schemaOfStatus, schemesOf, send, successSchema } from './calls.ts';
import { type Refusal, refusalExample, refusals } from './refusals.ts';

export interface DocumentedTest {
  title: string;
  operation: Operation;
  /** Undefined if the call succeeds. */
  refusal?: Refusal;
  /** Throws if an expectation of PactumJS fails. */
  run(box: BlackBox): Promise<void>;
}

export function documentedTests(described: Described): DocumentedTest[] {
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
