import { expect, test } from 'vitest';
import type { SentRequest } from '../core/exchange.ts';
import { pushAt } from '../testing.ts';
import { kindOf, pushesOfKind, testPushAfter } from './caused-pushes.ts';
import type { Push, Receiver } from './push-receiver.ts';

/** The requests of the run and the pushes, by millisecond. */
type Step = SentRequest | Push;

const greetedElsewhere = pushed(400, { hello: true }, '/sitepub/r/2');
const publishedElsewhere = pushed(
  35_010,
  { event: 'publish.complete', data: { version: 3 } },
  '/sitepub/r/2',
);

test('a push before any cause is a greeting, and a second one is unknown', () => {
  const [greeting, second] = [pushed(400, { hello: true }), pushed(450, { hello: true })];
  const kinds = kindsOf([created(0), greeting, second, tested(500)], [greeting, second]);
  expect(kinds).toEqual(['greeting', 'unknown']);
});

test('a push after a test is the test push, even before the answer', () => {
  const push = pushed(510, { test: true });
  const context = contextOf([created(0), tested(500), push]);
  expect(kindOf(context, push)).toBe('test');
  expect(testPushAfter(context, '/sitepub/r/1', { order: 500 })).toBe(push);
  expect(testPushAfter(context, '/sitepub/r/1', { order: 511 })).toBeUndefined();
});

test('if targets are greeted, the first push within 2 s is the greeting, even after a test', () => {
  const [early, late] = [pushed(900, { hello: true }), pushed(950, { test: true })];
  const steps = [created(0, 2), created(100), greetedElsewhere, tested(800), early, late];
  expect(kindsOf(steps, [greetedElsewhere, early, late])).toEqual(['greeting', 'greeting', 'test']);
});

test('recognizes a greeting after an event if greetings name no event', () => {
  const [event, greeting] = [pushed(700, { event: 'form.submit' }), pushed(900, { hello: true })];
  const steps = [created(0, 2), created(500), greetedElsewhere, done(600, 7), event, greeting];
  expect(kindsOf(steps, [greetedElsewhere, event, greeting])).toEqual(['greeting', 'event', 'greeting']);
});

test('a closed address does not prove that the kind gets no greetings', () => {
  const steps = [created(0, 2), created(50, 3, 'custom', 'closed.test'), created(3_000), greetedElsewhere];
  const early = pushed(3_400, { hello: true });
  expect(kindsOf([...steps, tested(3_200), early], [early])).toEqual(['greeting']);
});

test('recognizes a greeting after the test message by its shape', () => {
  const [message, late] = [pushed(130, { test: true }), pushed(510, { hello: false })];
  const steps = [created(0, 2), created(100), tested(120), message, greetedElsewhere, late];
  expect(kindsOf(steps, [message, late])).toEqual(['test', 'greeting']);
});

test('treats an unprovoked push as unknown if another target got none', () => {
  const elsewhere = pushed(400, { event: 'form.submit' }, '/sitepub/r/2');
  const push = pushed(900, { test: true });
  const steps = [created(0, 2), created(50, 3), created(100), elsewhere, tested(800), push];
  expect(kindsOf(steps, [push])).toEqual(['test']);
});

test('a late push of an earlier cause is not the greeting of a newer target', () => {
  const body = { event: 'publish.complete', data: { version: 3 } };
  const before = pushed(20, { event: 'form.submit', data: {} }, '/sitepub/r/2');
  const [there, here] = [pushed(35_000, body, '/sitepub/r/2'), pushed(35_010, body)];
  const steps = [created(0, 2), done(10, 7), before, created(34_000), there, here];
  expect(kindsOf(steps, [there, here])).toEqual(['event', 'unknown']);
});

test('ignores closed ports for greetings', () => {
  const closed = created(0, 3);
  const atPort = { ...closed, values: { ...closed.values, url: 'http://127.0.0.1:65000/sitepub/r/3' } };
  const greeting = pushed(2_900, { hello: true });
  const steps = [atPort, created(10, 2), greetedElsewhere, created(2_500), tested(2_800), greeting];
  expect(kindsOf(steps, [greeting])).toEqual(['greeting']);
});

test('ignores other channels for greetings', () => {
  const push = pushed(900, { test: true });
  expect(
    kindsOf([created(0, 2, 'feishu'), created(100), greetedElsewhere, tested(800), push], [push]),
  ).toEqual(['test']);
});

test('calls on the site cause events, calls on other sites do not', () => {
  const push = pushed(900, { event: 'form.submit', data: { text: 'sitepub-r 1' } });
  expect(kindsOf([created(0), done(500, 7), push], [push])).toEqual(['event']);
  expect(kindsOf([created(0), done(500, 8), push], [push])).toEqual(['unknown']);
});

test('recognizes a test push after events by its content', () => {
  const late = pushed(12_000, { event: 'form.submit', data: { sample: 1 } });
  const event = pushed(12_010, { event: 'form.submit', data: { text: 'sitepub-r 1' } });
  const alike = pushed(12_020, { event: 'publish.complete', data: { version: 3 } });
  const elsewhere = pushed(12_030, { event: 'publish.complete', data: { version: 3 } }, '/sitepub/r/2');
  const steps = [created(0), created(10, 2), tested(500), done(600, 7), late, event, alike, elsewhere];
  expect(kindsOf(steps, [late, event, alike, elsewhere])).toEqual(['test', 'event', 'event', 'event']);
});

test('a late event that an untested target also got is not a test push', () => {
  const [message, event] = [
    pushed(700, { sample: 1 }),
    pushed(35_000, { event: 'publish.complete', text: 1 }),
  ];
  const steps = [created(0), created(10, 2), done(500, 7), tested(600), message, event, publishedElsewhere];
  expect(kindsOf(steps, [message, event, publishedElsewhere])).toEqual(['test', 'event', 'event']);
  const sample = pushed(35_005, { event: 'publish.complete', data: { sample: 1 } });
  const both = pushed(35_006, { event: 'publish.complete', data: { text: 'sitepub-r 1' } });
  expect(kindsOf([...steps.slice(0, 4), sample, both, publishedElsewhere], [sample, both])).toEqual([
    'test',
    'event',
  ]);
});

test('two simultaneous late events are not test pushes if an untested target got two', () => {
  const [message, one, copy, two] = [
    pushed(700, { sample: 1 }),
    pushed(35_000, { event: 'publish.complete', text: 'at 1' }),
    pushed(35_001, { event: 'publish.complete', text: 'at 1' }),
    pushed(35_002, { event: 'publish.complete', text: 'at 2' }),
  ];
  const [there, again] = [1, 2].map((at) =>
    pushed(35_010, { event: 'publish.complete', at, data: { version: 3 } }, '/sitepub/r/2'),
  );
  if (!there || !again) throw new Error('nothing was pushed');
  const steps = [created(0), created(10, 2), done(500, 7), tested(600), message, one, copy, two, there];
  expect(kindsOf([...steps, again], [message, one, copy, two])).toEqual(['test', 'event', 'event', 'event']);
  // One of the two may be the test push.
  expect(kindsOf(steps, [one, two])).toEqual(['test', 'test']);
});

test('treats bodies with reordered members as equal', () => {
  const message = pushed(700, { event: 'publish.complete', sample: 1 });
  const event = pushed(35_000, { event: 'publish.complete', text: 1 });
  const shuffled = pushed(35_005, { text: 1, event: 'publish.complete' });
  const steps = [
    created(0),
    created(10, 2),
    done(500, 7),
    tested(600),
    message,
    event,
    shuffled,
    publishedElsewhere,
  ];
  expect(kindsOf(steps, [message, event, shuffled])).toEqual(['test', 'event', 'event']);
});

test('compares with tested targets if test messages name another event', () => {
  const known = pushed(30, { event: 'form.submit', data: { sample: 1 } }, '/sitepub/r/3');
  const event = pushed(35_000, { event: 'publish.complete', text: 1 });
  const first = [created(0), created(10, 2), created(20, 3)];
  const later = [done(500, 7), tested(600), tested(610, 2), event, publishedElsewhere];
  expect(kindsOf([...first, tested(25, 3), known, ...later], [event, publishedElsewhere])).toEqual([
    'event',
    'event',
  ]);
  expect(kindsOf([...first, ...later], [event, publishedElsewhere])).toEqual(['test', 'test']);
});

test('a refused test explains no push', () => {
  const refused = {
    ...tested(500),
    exchange: { response: { json: { code: 40401 } } },
  } as unknown as SentRequest;
  const push = pushed(700, { event: 'publish.complete', data: { version: 3 } });
  expect(kindsOf([created(0), refused, done(600, 7), push], [push])).toEqual(['event']);
});

test('a duplicate of a test push is a test push too', () => {
  const body = { event: 'form.submit', data: { sample: 1 } };
  const [push, event, again] = [pushed(550, body), pushed(700, { other: 1 }), pushed(800, body)];
  const steps = [created(0), tested(500), push, done(600, 7), event, again];
  expect(kindsOf(steps, [push, event, again])).toEqual(['test', 'event', 'test']);
});

test('a push to an unknown path is unknown', () => {
  const push = pushed(10, {}, '/sitepub/r/99');
  expect(kindsOf([created(0), push], [push])).toEqual(['unknown']);
});

test('selects pushes by kind', () => {
  const [greeting, push] = [pushed(400, { hello: true }), pushed(2_600, { test: true })];
  const context = contextOf([created(0), greeting, tested(2_500), push]);
  expect(pushesOfKind(context, '/sitepub/r/1', 'test')).toEqual([push]);
});

function kindsOf(steps: readonly Step[], pushes: readonly Push[]): string[] {
  const context = contextOf(steps);
  return pushes.map((push) => kindOf(context, push));
}

function contextOf(steps: readonly Step[]) {
  const pushes = steps.filter((step): step is Push => 'path' in step);
  const receiver = {
    everyPush: () => pushes,
    urlOf: (path: string) => `https://hooks.test/prefix${path}`,
    pushesTo: (path: string) => pushes.filter((push) => push.path === path),
  } as unknown as Receiver;
  const requests = steps.filter((step): step is SentRequest => 'operation' in step);
  return { requests, receiver, runId: 'r', clock: { now: () => 60_000 } };
}

function created(at: number, id = 1, channel = 'custom', host = 'hooks.test'): SentRequest {
  const values = { url: `https://${host}/prefix/sitepub/r/${id}?key=1`, siteID: 7, channel };
  const exchange = { values: { id } } as unknown as NonNullable<SentRequest['exchange']>;
  return { operation: 'createSubscription', values, at, order: at, exchange, answeredAt: at + 5 };
}

function tested(at: number, id: unknown = '1'): SentRequest {
  return sent(at, 'testSubscription', { siteID: 7, id });
}

function done(at: number, siteID: number): SentRequest {
  return sent(at, 'submitForm', { siteID });
}

function sent(at: number, operation: SentRequest['operation'], values: object): SentRequest {
  return { operation, values: { ...values }, at, order: at, exchange: undefined, answeredAt: undefined };
}

function pushed(at: number, body: object, path = '/sitepub/r/1'): Push {
  return pushAt(at, JSON.stringify(body), path);
}
