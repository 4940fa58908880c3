// All deployments with their expected verdicts. Add a row to the file of the topic whose checks it tests.
import { envelopeRows } from './envelope-rows.ts';
import { eventRows } from './event-rows.ts';
import { grossRows } from './gross-rows.ts';
import { idempotencyRows } from './idempotency-rows.ts';
import { identifierRows } from './identifier-rows.ts';
import { identifierTypeRows } from './identifier-type-rows.ts';
import { keyRows } from './key-rows.ts';
import { limitRows } from './limit-rows.ts';
import { networkRows } from './network-rows.ts';
import { receiverRows } from './receiver-rows.ts';
import { refusalRows } from './refusal-rows.ts';
import { retryRows } from './retry-rows.ts';
import { robotRows } from './robot-rows.ts';
import { sessionRows } from './session-rows.ts';
import { signatureRows } from './signature-rows.ts';
import { subscriptionRows } from './subscription-rows.ts';
import type { VerdictRow } from './verdict-row.ts';

export const rows: readonly VerdictRow[] = [
  ...limitRows,
  ...idempotencyRows,
  ...keyRows,
  ...eventRows,
  ...signatureRows,
  ...robotRows,
  ...retryRows,
  ...subscriptionRows,
  ...sessionRows,
  ...envelopeRows,
  ...networkRows,
  ...refusalRows,
  ...receiverRows,
  ...grossRows,
  ...identifierRows,
  ...identifierTypeRows,
];

/** Longest waits first. */
export const rowsInRealTime = rows
  .filter(isInRealTime)
  .sort((one, other) => longestWaitMs(other) - longestWaitMs(one));

export const rowsOnMovedClock = rows.filter((row) => !isInRealTime(row));

function isInRealTime(row: VerdictRow): boolean {
  return row.run().control === false;
}

function longestWaitMs(row: VerdictRow): number {
  return row.run().options?.maxWaitMs ?? 0;
}
