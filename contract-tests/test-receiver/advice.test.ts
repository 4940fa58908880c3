// @module-tag ci
// For every check there is a receiver with its mistake: a promise fails, advice warns.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventNames } from '../../openapi/event-names.ts';
import { receiverChecks } from './checks/index.ts';
import { fussyReceivers } from './testing/fussy-receivers.ts';
import type { Decide } from './testing/open-receiver.ts';
import { decideRightly, hexOf, isSigned } from './testing/right-receiver.ts';
import { judge, profileWith } from './testing/run.ts';
import { wrongReceivers } from './testing/wrong-receivers.ts';

const others = eventNames.filter((name) => name !== 'publish.complete');

test.for(fussyReceivers)('finds the mistake of $check', async ({ check, make, traits }) => {
  const only = check === 'advice-refused-without-5xx' ? ['RECV-2', check] : [check];
  // Bursts must be answered in time even on a busy machine.
  const timeoutMs = check === 'advice-many-at-once' ? 5_000 : 1_000;
  const { failed, warned } = await judge(make(), { only, timeoutMs }, traits);
  expect([...failed, ...warned]).toEqual([check]);
});

test('does not fail a receiver that follows no advice', async () => {
  const fussy = fussyReceivers.filter(
    ({ check, traits }) => check.startsWith('advice-') && !traits && check !== 'advice-many-at-once',
  );
  const decisions = fussy.map(({ make }) => make());
  const decide: Decide = async (seen, key) => {
    const rightly = await decideRightly(seen, key);
    const own = await Promise.all(decisions.map((one) => one(seen, key)));
    return own.find((decision) => decision !== rightly) ?? rightly;
  };
  const skip = ['advice-body-of-1-mb', 'advice-body-of-5-mb'];
  const { failed, notVerified, warned } = await judge(decide, { skip, timeoutMs: 5_000 });
  expect([failed, notVerified]).toEqual([[], []]);
  expect(warned.length).toBeGreaterThan(15);
});

test('warns of each kind of signed garbage that breaks a receiver', async () => {
  const decide: Decide = (seen, key) => {
    if (!isSigned(seen, key)) return decideRightly(seen, key);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(seen.body);
    const { event, data } = JSON.parse(text) as { event: string; data: object };
    if (event.split('.').length < 2 || Object.hasOwn(data, '__proto__')) throw new TypeError('strange');
    return 204;
  };
  const garbage = receiverChecks.map(({ id }) => id).filter((id) => id.startsWith('advice-signed-'));
  const { failed, warned } = await judge(decide, { only: garbage });
  expect(garbage).toHaveLength(11);
  expect(warned).toEqual(garbage);
  expect(failed).toEqual([]);
});

test('warns of a refusal that reveals the valid signature, and redacts it in the report', async () => {
  const decide: Decide = (seen, key) =>
    isSigned(seen, key) ? 204 : [403, `expected ${hexOf(key, seen.body)}, with the secret ${key}`];
  const only = ['recv-2-zeros', 'advice-refusals-give-nothing-away'];
  const { run, warned } = await judge(decide, { only });
  expect(warned).toEqual(['advice-refusals-give-nothing-away']);
  expect(run.warnings?.[0]?.actual).toBe(
    'HTTP 403 expected {the valid signature}, with the secret {SITEPUB_WEBHOOK_SECRET} for recv-2-zeros',
  );
});

test('warns of a slow receiver', async () => {
  const decide: Decide = async (seen, key) => {
    await sleep(5_100);
    return decideRightly(seen, key);
  };
  const only = ['advice-answers-in-time'];
  expect((await judge(decide, { only, timeoutMs: 10_000 })).warned).toEqual(only);
});

test('fails a refused event only if profile and --events state it', async () => {
  const decide: Decide = (seen, key) =>
    others.some((name) => seen.body.includes(`"${name}"`)) ? 422 : decideRightly(seen, key);
  const only = ['recv-1-form-submit'];
  const guessed = await judge(decide, { only });
  expect(guessed.notVerified).toEqual(only);
  expect(guessed.run.results[0]?.result.reason).toContain('state event-data.form.submit in the profile');
  const profile = profileWith({ 'event-data.form.submit': { form: '{form}' } });
  const stated = await judge(decide, { only, profile });
  expect(stated.notVerified).toEqual(only);
  expect(stated.run.results[0]?.result.reason).toContain('pass its events with --events');
  const chosen = await judge(decide, { only, profile, events: eventNames });
  expect(chosen.failed).toEqual(only);
});

test('does not fail a receiver that refuses an event without a subscription', async () => {
  const decide: Decide = (seen, key) =>
    seen.body.includes('"form.submit"') ? decideRightly(seen, key) : 422;
  const only = ['RECV-1', 'RECV-2'];
  const { failed, passed, notVerified } = await judge(decide, { only, events: ['form.submit'] });
  expect(failed).toEqual([]);
  expect(notVerified).toEqual(eventNames.filter((name) => name !== 'form.submit').map(idOf));
  expect(passed).toContain('recv-1-form-submit');
});

test('passes a receiver that compares the event header with the body', async () => {
  const decide: Decide = (seen, key) =>
    seen.body.includes(`"${seen.headers['x-webhook-event']}"`) ? decideRightly(seen, key) : 400;
  const only = ['RECV-1', 'RECV-2', 'advice-event-header-is-not-followed'];
  const { failed, warned } = await judge(decide, { only });
  expect([failed, warned]).toEqual([[], []]);
});

test('reports drift for a receiver that expects timestamps in milliseconds', async () => {
  const decide: Decide = (seen, key) => {
    const lead = Math.abs(Number(seen.headers['x-webhook-timestamp']) - Date.now());
    return lead > 300_000 ? 400 : decideRightly(seen, key);
  };
  const { run, failed } = await judge(decide, { only: ['RECV-1'] });
  expect(failed).toEqual([]);
  expect(run.gaps).toMatchObject([
    { id: 'webhook.timestamp-unit', value: 'seconds', source: 'default', outcome: 'drift' },
  ]);
});

test('follows a profile with upper-case hex', async () => {
  const { decide } = wrongReceivers.find(({ name }) => name === 'compares with upper case') ?? {};
  const profile = profileWith({ 'webhook.signature-hex': 'upper' });
  const { failed, notVerified } = await judge(decide ?? decideRightly, { only: ['RECV-1'], profile });
  expect([failed, notVerified]).toEqual([[], []]);
});

test('retries after a broken connection', async () => {
  let count = 0;
  const decide: Decide = (seen, key) => {
    if (count++ % 2 === 0) throw new Error('a bad moment');
    return decideRightly(seen, key);
  };
  const only = ['recv-1-spaced', 'recv-2-zeros'];
  const { failed, passed } = await judge(decide, { only });
  expect(failed).toEqual([]);
  expect(passed).toEqual(only);
});

test('covers every check', () => {
  const byOthers =
    /^advice-(signed-|signature-of-nothing|answers-in-time|refusals-give-nothing-away|not-locked-out|refused-by-status)|^recv-2-/;
  const events = others.map(idOf);
  const seen = [...fussyReceivers.map(({ check }) => check), ...wrongReceivers.flatMap(({ fails }) => fails)];
  const unseen = receiverChecks
    .map(({ id }) => id)
    .filter((id) => !seen.includes(id) && !byOthers.test(id) && !events.includes(id));
  expect(unseen).toEqual([]);
});

function idOf(name: string): string {
  return `recv-1-${name.replace('.', '-')}`;
}
