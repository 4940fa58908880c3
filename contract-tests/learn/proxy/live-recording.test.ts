import { expect, test, vi } from 'vitest';
import type { RecordedExchange } from '../recording/recorded-exchange.ts';
import { harOf, readText, type WrittenCall } from '../recording/testing/write-har.ts';
import { createLiveRecording } from './live-recording.ts';

function exchangesOf(calls: readonly WrittenCall[]): RecordedExchange[] {
  return readText(harOf(calls)).exchanges;
}

const create = { method: 'POST', path: '/tenant/sites', body: { name: 'x' }, data: { site_id: 1001 } };

test('several calls are told together, and what is learnt is of all so far', () => {
  vi.useFakeTimers();
  const told: string[][] = [];
  const live = createLiveRecording({
    onLearnt: ({ operations }) => told.push(operations.map(({ path }) => path)),
  });
  expect(live.learnt()).toBe(undefined);
  for (const exchange of exchangesOf([create, { path: '/tenant/sites' }])) live.add(exchange);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(300);
  for (const exchange of exchangesOf([
    { path: '/tenant/sites/1001', entry: { startedDateTime: '2026-02-01T00:00:00Z' } },
  ]))
    live.add(exchange);
  vi.advanceTimersByTime(300);
  vi.useRealTimers();
  const first = ['/tenant/sites', '/tenant/sites'];
  expect(told).toEqual([first, [...first, '/tenant/sites/{siteId}']]);
});

test('of what is polled the first and the last answer are kept', () => {
  const live = createLiveRecording({ onLearnt: () => {} });
  const polls = ['queued', 'running', 'running', 'complete'].map((state) => ({
    path: '/tenant/x',
    data: { state },
  }));
  for (const exchange of exchangesOf(polls)) live.add(exchange);
  live.stop();
  const [operation] = live.learnt()?.operations ?? [];
  expect(operation?.seen?.count).toBe(2);
  expect(operation?.answers[0]?.body?.find(({ pointer }) => pointer === '/data/state')?.values).toEqual([
    'queued',
    'complete',
  ]);
});

test('more calls than are kept are given up, and that is said', () => {
  const live = createLiveRecording({ onLearnt: () => {} });
  const many = Array.from({ length: 1_001 }, (_, index) => ({ path: `/tenant/sites?n=${index}` }));
  for (const exchange of exchangesOf(many)) live.add(exchange);
  live.stop();
  expect([live.isFull(), live.learnt()?.operations[0]?.seen?.count]).toEqual([true, 1_000]);
});

test('a secret of an earlier call hides what is sent later, also where that call was given up', () => {
  const live = createLiveRecording({ onLearnt: () => {} });
  const login = { method: 'POST', path: '/login', body: { password: 'live' }, entry: {} };
  const [exchange] = exchangesOf([login]);
  if (exchange) live.add({ ...exchange, answer: undefined });
  for (const one of exchangesOf([{ ...create, body: { state: 'live' } }])) live.add(one);
  live.stop();
  expect(JSON.stringify(live.learnt())).not.toContain('"live"');
});
