// Every behaviour that the rule on verdicts names is a deployment here. Each row was seen wrong once before it was trusted.
// A row belongs to the file of the topic whose checks it is about.
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

/** Rows in real time; those that may wait longest come first. */
export const rowsInRealTime = rows
  .filter(isInRealTime)
  .sort((one, other) => longestWaitMs(other) - longestWaitMs(one));

/** Rows whose clock is moved: they never wait. */
export const rowsOnMovedClock = rows.filter((row) => !isInRealTime(row));

function isInRealTime(row: VerdictRow): boolean {
  return row.run().control === false;
}

function longestWaitMs(row: VerdictRow): number {
  return row.run().options?.maxWaitMs ?? 0;
}
