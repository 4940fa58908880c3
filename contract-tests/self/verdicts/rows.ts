// All deployments with their expected verdicts. Add a row to the file of the topic whose checks it tests.
import { envelopeRows } from './envelope-rows.ts';
import { eventRows } from './event-rows.ts';
import { grossRows } from './gross-rows.ts';
import { idempotencyRows } from './idempotency-rows.ts';
import { identifierRows } from './identifier-rows.ts';
import { keyRows } from './key-rows.ts';
import { limitRows } from './limit-rows.ts';
import { receiverRows } from './receiver-rows.ts';
import { refusalRows } from './refusal-rows.ts';
import { retryRows } from './retry-rows.ts';
import { robotRows } from './robot-rows.ts';
import { sessionRows } from './session-rows.ts';
import { signatureRows } from './signature-rows.ts';
import { subscriptionRows } from './subscription-rows.ts';
import type { VerdictRow } from './verdict-row.ts';

const callRows: readonly VerdictRow[] = [
  ...limitRows,
  ...idempotencyRows,
  ...keyRows,
  ...sessionRows,
  ...envelopeRows,
  ...refusalRows,
  ...grossRows,
  ...identifierRows,
];

const pushRows: readonly VerdictRow[] = [
  ...eventRows,
  ...signatureRows,
  ...robotRows,
  ...retryRows,
  ...subscriptionRows,
  ...receiverRows,
];

export const rows = [...callRows, ...pushRows];

/** Longest waits first. */
export const rowsInRealTime = rows
  .filter(isInRealTime)
  .sort((one, other) => longestWaitMs(other) - longestWaitMs(one));

/** Two files test these, because each takes minutes of one worker. */
export const callRowsOnMovedClock = callRows.filter((row) => !isInRealTime(row));
export const pushRowsOnMovedClock = pushRows.filter((row) => !isInRealTime(row));

function isInRealTime(row: VerdictRow): boolean {
  return row.run().control === false;
}

function longestWaitMs(row: VerdictRow): number {
  return row.run().options?.maxWaitMs ?? 0;
}
