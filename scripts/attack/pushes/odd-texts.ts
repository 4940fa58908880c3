// Pushes whose texts are made up: bodies, signatures, encodings and what a terminal would obey.
import fc from 'fast-check';
import { anyCharacters } from '../any-text.ts';
import { headOf, type Push } from './send.ts';

const orders = [
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\u009b31m',
  '\u202e',
  '::add-mask::x',
  '\n::error::x',
  '##[error]x',
];
const nested = '['.repeat(500_000);
const oddBody = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(...orders).map((text) => Buffer.from(`${text}{"event":${JSON.stringify(text)}}`)),
  anyCharacters().map((text) => Buffer.from(`\ufeff{"data":"${text}"}`, 'utf16le')),
  fc
    .constantFrom(nested, `{"a":${nested}`, '{"__proto__":{"a":1}}', '"\\ud800"', '')
    .map((text) => Buffer.from(text)),
);
/** Of Latin-1, without what ends a line or is refused in a header. */
const oddValue = fc.oneof(
  fc.constantFrom(
    '',
    'sha256=',
    `sha256=${'0'.repeat(64)}`,
    `sha256=${'é'.repeat(64)}`,
    'sha256=0',
    ','.repeat(500),
  ),
  fc.constantFrom(...orders).map((text) => text.replace(/[^ -~\x80-\xff]/g, '')),
  fc
    .uint8Array({ maxLength: 200 })
    .map((bytes) =>
      Buffer.from(bytes.filter((byte) => (byte >= 32 && byte < 127) || byte > 127)).toString('latin1'),
    ),
);
const oddEncoding = fc.constantFrom('identity', 'gzip', 'br', 'deflate, gzip', 'x');
const oddType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'x',
  'multipart/form-data',
);
const oddPush = fc.record({
  body: oddBody,
  signature: oddValue,
  event: oddValue,
  encoding: oddEncoding,
  type: oddType,
});
const perSeed = 25;

export function odd(seeds: readonly number[]): Push[] {
  return seeds.flatMap((seed) =>
    fc.sample(oddPush, { seed, numRuns: perSeed }).map(
      ({ body, signature, event, encoding, type }, index) =>
        ({
          name: `push ${index} of seed ${seed}`,
          pieces: (started) => {
            const lines = [
              ...[`X-Webhook-Signature: ${signature}`, `X-Webhook-Event: ${event}`, `Content-Type: ${type}`],
              ...[`Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`],
            ];
            return [Buffer.concat([Buffer.from(`${headOf(started, ...lines)}\r\n`, 'latin1'), body])];
          },
          answers: [200, 400, 401, 413, 415],
        }) satisfies Push,
    ),
  );
}
