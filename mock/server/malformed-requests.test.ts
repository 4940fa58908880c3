// Requests that are wrong in every way that the description lets us think of, over real sockets.
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Operation, operationsOf, writeRequest } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { samplesFor } from '../../openapi/samples.ts';
import { basePath } from '../http/paths.ts';
import { openMock } from '../testing/open-mock.ts';

test('two thousand malformed requests: no 5xx, all answers in the envelope, no growing memory', () =>
  sendMalformedRequests(2_000));

test('ten thousand malformed requests', { tags: ['ci'], timeout: 900_000 }, () =>
  sendMalformedRequests(10_000),
);

/** At once, since some answers come only when a timeout has passed. */
const lanes = 16;

/** Values that are right for every operation, to be made wrong one by one. */
const rightValues: Readonly<Record<string, unknown>> = {
  ...samplesFor(loadProfile('default')).sent,
  url: 'http://127.0.0.1:1/',
  fields: { a: 1 },
  keyID: 99,
};

/** Each as often as its weight says. */
const oneOf = <Value>(...choices: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Value>])[]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const hugeText = fc.integer({ min: 1, max: 1_200_000 }).map((length) => '漢'.repeat(length / 3));
const nested = fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth));
const oddValue = oneOf<unknown>(
  [8, fc.jsonValue({ maxDepth: 3 })],
  [4, fc.string({ unit: 'binary' })],
  [2, fc.constantFrom({ __proto__: null }, -1, 1e308, 2 ** 53, '', '\ud800', '\u2028', [null])],
);
const oddName = fc.constantFrom('__proto__', 'constructor', 'toString', '', 'x'.repeat(2000), '\u0000');
const oddSegment = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('0', '-1', '1e3', '%zz', '%00', '..', '__proto__', '101 HTTP/1.1'),
  fc.constantFrom('x'.repeat(3000), '9'.repeat(400)),
);

/** In twelve of thirteen cases what is right. */
const mostly = <Value>(right: Value, odd: fc.Arbitrary<Value>) => oneOf([12, fc.constant(right)], [1, odd]);

function bodyOf(operation: Operation): fc.Arbitrary<Buffer> {
  const name = fc.constantFrom(...Object.keys(rightValues));
  const values = fc.record({ name, value: oddValue, extra: fc.option(oddName, { freq: 1 }) });
  const mutated = values.map(({ name, value, extra }) => {
    const body = writeRequest(operation, { ...rightValues, [name]: value }) ?? {};
    return JSON.stringify(extra === null ? body : { ...(body as object), [extra]: value });
  });
  const right = JSON.stringify(writeRequest(operation, rightValues) ?? {});
  const proto = `{"__proto__":${right},"constructor":{"prototype":{"polluted":true}}}`;
  return oneOf(
    [20, mutated.map((text) => Buffer.from(text))],
    [4, fc.nat(right.length).map((end) => Buffer.from(right.slice(0, end)))],
    [4, fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))],
    [2, fc.constant(Buffer.concat([Buffer.from(right), Buffer.from([0xff, 0xc3])]))],
    [2, fc.constant(Buffer.from(proto))],
    [1, nested.map((text) => Buffer.from(right.replace(/:("[^"]*"|\d+)/, `:${text}`)))],
    [1, hugeText.map((text) => Buffer.from(right.replace(/:"[^"]*"/, `:"${text}"`)))],
    [1, fc.constant(Buffer.from(right, 'utf16le'))],
  );
}

const oddMethods = ['GET', 'PATCH', 'OPTIONS', 'TRACE', 'HEAD', 'BREW', 'post'];
const oddTokens = ['', 'Bearer', 'Basic x', 'Bearer sp_x', `Bearer ${'x'.repeat(9000)}`];
const oddTypes = ['', 'text/plain', 'application/json; charset=utf-16', 'multipart/form-data', 'x'];

function requestTo(operation: Operation, token: string): fc.Arbitrary<{ bytes: Buffer }> {
  const parts = fc.record({
    segment: fc.option(oddSegment, { nil: undefined, freq: 4 }),
    query: fc.option(fc.string({ unit: 'binary', maxLength: 30 }), { nil: '', freq: 6 }),
    method: mostly(operation.method, fc.constantFrom(...oddMethods)),
    authorization: mostly(`Bearer ${token}`, fc.constantFrom(...oddTokens, `bearer  ${token}`)),
    type: mostly('application/json', fc.constantFrom(...oddTypes)),
    length: mostly<number | 'chunked'>(0, fc.constantFrom<(number | 'chunked')[]>(-5, -1, 1, 5, 'chunked')),
    body: bodyOf(operation),
    prefer: fc.option(fc.stringMatching(/^[ -~]{0,20}$/), { nil: undefined, freq: 12 }),
  });
  return parts.map(({ segment, query, method, authorization, type, length, body, prefer }) => {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encode(segment ?? String(rightValues[name] ?? 1)),
    );
    const header = [
      `${method} ${basePath}${path}${query && `?${encode(query)}`} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Authorization: ${authorization}`,
      ...(type ? [`Content-Type: ${type}`] : []),
      ...(prefer === undefined ? [] : [`Prefer: ${prefer}`]),
      length === 'chunked'
        ? 'Transfer-Encoding: chunked'
        : `Content-Length: ${Math.max(0, body.length + length)}`,
    ];
    const bytes = Buffer.concat([Buffer.from(`${header.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
    return { bytes, [fc.toStringMethod]: () => JSON.stringify(bytes.toString('latin1').slice(0, 1000)) };
  });
}

/** Percent-encoded but for what is wrong on purpose. */
function encode(text: string): string {
  return /^[%.\w -]+(\/[\d.]+)?$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

interface Received {
  bytes: Buffer;
  /** Bytes that nobody read any more: what was still on its way is lost then. */
  isReset: boolean;
}

function send(port: number, bytes: Buffer): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let isReset = false;
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      isReset = ['EPIPE', 'ECONNRESET'].includes(error.code ?? '');
      if (!isReset) reject(error);
    });
    socket.on('close', () => resolve({ bytes: Buffer.concat(chunks), isReset }));
    socket.end(bytes);
  });
}

/** What is wrong with what came back; there may be several answers, where more than one request was read out of the bytes. */
function judge({ bytes, isReset }: Received, sent: Buffer): string | undefined {
  const isHead = sent.toString('latin1', 0, 5) === 'HEAD ';
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.subarray(0, end).toString();
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (!(status >= 200 && status < 500)) return `status in ${JSON.stringify(head.slice(0, 100))}`;
    rest = rest.subarray(end);
    // A HEAD has no body, by the rules of HTTP; one that could not be read as such is answered with one.
    if (isHead && rest[0] !== '{'.charCodeAt(0)) continue;
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (isReset && rest.length < length) return undefined;
    if (!isEnvelope(rest.subarray(0, length).toString())) return `not in the envelope: ${rest}`;
    rest = rest.subarray(length);
  }
  return undefined;
}

function isEnvelope(text: string): boolean {
  const { code, message, trace_id } = JSON.parse(text) as Record<string, unknown>;
  return Number.isInteger(code) && typeof message === 'string' && typeof trace_id === 'string';
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Sends that many of them: no 5xx, all answers in the envelope, no growing memory. */
async function sendMalformedRequests(runs: number): Promise<void> {
  const mock = openMock();
  await mock.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = mock.app.server.address() as AddressInfo;
  const operations = operationsOf(mock.description).filter(
    ({ id }) => !['deleteKey', 'deleteSite'].includes(id),
  );
  const request = fc.oneof(...operations.map((operation) => requestTo(operation, mock.harbourKey)));
  let count = 0;
  let filled = 0;
  const property = fc.asyncProperty(request, async ({ bytes }) => {
    if (++count === runs / 2) filled = heapMegabytes();
    // The limits would refuse most of the rest before anything of it is looked at.
    mock.service.world.limits.clear();
    const received = await send(port, bytes);
    const wrong = judge(received, bytes);
    if (wrong !== undefined) throw new Error(wrong);
  });
  const lane = (seed: number) => fc.assert(property, { numRuns: runs / lanes, seed, endOnFailure: true });
  await Promise.all(Array.from({ length: lanes }, (_, seed) => lane(seed)));
  expect(mock.logged).toEqual([]);
  expect(heapMegabytes() - filled).toBeLessThan(20);
  expect({}).not.toHaveProperty('polluted');
  await mock.app.close();
}
