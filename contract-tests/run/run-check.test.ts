import { expect, test } from 'vitest';
import type { Check } from '../check.ts';
import { PromiseBroken } from '../core/outcomes.ts';
import { exchangeOf, openContext } from '../testing.ts';
import { runCheck } from './run-check.ts';

const secret = 'p"ss\\<1>/wörd';
const inJson = JSON.stringify(secret).slice(1, -1);

test('shows no secret in what a failure was about, its timeline, its call and the line that sends it again', async () => {
  const exchange = exchangeOf({ code: 0, trace_id: secret });
  const url = `http://127.0.0.1:9/webhooks/${encodeURIComponent(inJson)}?next=${encodeURIComponent(secret)}`;
  const shown = { ...exchange, request: { ...exchange.request, url } };
  const result = await resultOf(
    new PromiseBroken(`another than ${secret}`, inJson, shown, {
      moments: [{ afterMs: 0, what: `refused ${secret}` }],
    }),
  );
  expect(result).toMatchObject({
    expected: 'another than {SITEPUB_API_KEY}',
    actual: '{SITEPUB_API_KEY}',
    trace_id: '{SITEPUB_API_KEY}',
    timeline: [{ after_s: 0, what: 'refused {SITEPUB_API_KEY}' }],
    call: { path: '/webhooks/{SITEPUB_API_KEY}?next={SITEPUB_API_KEY}' },
  });
  expect(JSON.stringify(result)).not.toMatch(/ss.{0,20}<1>|w(ö|%C3)/);
});

test('redacts an answer before it is cut', async () => {
  for (let before = 1_960; before < 1_980; before += 1) {
    const exchange = exchangeOf({ code: 0, text: 'x'.repeat(before) + secret + secret });
    const result = await resultOf(new PromiseBroken('one', 'another', exchange));
    expect('call' in result && result.call?.answer).toMatch(/^[^p]*x(…|\{[{}A-Z_]*…)$/);
  }
});

test('shows no secret in why a check was not made', async () => {
  const found = { receiver: {}, unreached: `nothing reaches ${secret}` };
  const context = Object.assign(openContext({ apiKey: secret }), found);
  expect(await runCheck({ ...checkThat(new Error()), needs: ['receiver'] }, context)).toMatchObject({
    outcome: 'not-verified',
    reason: 'nothing reaches {SITEPUB_API_KEY}',
  });
});

async function resultOf(error: Error) {
  return runCheck(checkThat(error), openContext({ apiKey: secret }));
}

function checkThat(error: Error): Check {
  return { id: 'env-1-test', requirement: 'ENV-1', needs: [], run: () => Promise.reject(error) };
}
