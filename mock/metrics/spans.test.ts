import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Span as ApiSpan,
  context,
  type SpanOptions,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../start.ts';

interface Told extends SpanOptions {
  name: string;
  status?: unknown;
  endedAt?: unknown;
}

/** Notes the spans, as the SDK would export them. */
function openTracer(): Told[] {
  const told: Told[] = [];
  const startSpan = (name: string, options: SpanOptions = {}) => {
    const span: Told = { name, ...options };
    return {
      setStatus(status: unknown) {
        span.status = status;
      },
      end(endedAt: unknown) {
        told.push({ ...span, endedAt });
      },
    } as unknown as ApiSpan;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) } as unknown as TracerProvider);
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return told;
}

test('turns and attempts are spans, and nothing secret is in them', async () => {
  const told = openTracer();
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-spans-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mock = await startMock({ store: `file:${join(folder, 'mock.db')}`, clock: 'manual' });
  onTestFinished(() => mock.close());
  const inbox = mock.control.inbox('ci');
  await inbox.configure({ respond: [{ status: 500 }] });
  const values = {
    siteID: 101,
    url: `${inbox.url}?key=s3cr3t`,
    events: ['publish.complete'],
    channel: 'custom',
  };
  const username = 'mei@harbour-cafe.example';
  await mock.control.call({ operation: 'createSubscription', username, values });
  await mock.control.call({ operation: 'publishSite', username, values: { siteID: 101, note: 'a' } });
  await mock.control.drain();
  await mock.control.advance('PT1M');
  const attempt = {
    'sitepub.event': 'publish.complete',
    'sitepub.channel': 'custom',
    'sitepub.cause': 'event',
    'sitepub.attempt': 1,
    'sitepub.outcome': 'refused',
    'http.response.status_code': 500,
  };
  const again = { 'sitepub.cause': 'retry', 'sitepub.attempt': 2, 'sitepub.outcome': 'delivered' };
  expect(told.filter(({ name }) => name === 'attempt')).toMatchObject([
    { attributes: attempt, status: { code: 2, message: 'refused' } },
    { attributes: { ...attempt, ...again, 'http.response.status_code': 200 } },
  ]);
  const turns = told.filter(({ name }) => name === 'turn');
  expect(turns.some(({ attributes }) => Number(attributes?.['sitepub.rows_changed']) > 0)).toBe(true);
  for (const { startTime, endedAt } of told) expect(Number(startTime)).toBeLessThanOrEqual(Number(endedAt));
  expect(JSON.stringify(told)).not.toContain('s3cr3t');
});
