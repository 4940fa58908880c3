// Deployments made up of a seed: each answer is a member of a grammar of hostile ones, so that combinations come up that nobody thought of.
import fc from 'fast-check';
import { anyCharacters } from '../any-text.ts';
import { type Asked, byAnswers, type Deployment, plentyOf, sendJson, success } from './serve.ts';

/** A JSON value with much in it that is unusual, by text. */
const anyText = fc.oneof(
  anyCharacters({ maxLength: 40 }),
  fc.constantFrom(
    '..',
    '',
    '\ud800',
    '\u0000',
    '__proto__',
    '1e999',
    '\r\nX: y',
    'x'.repeat(100_000),
    '9'.repeat(5_000),
  ),
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: false },
    anyText,
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, true, 1e308, -0, Number.MAX_SAFE_INTEGER + 2),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(anyText, fc.constantFrom('id', 'toString', 'list', 'total')), tie('value'), {
      maxKeys: 5,
    }),
  ),
})).value;

/** What is done to the data of a plain answer: some members are replaced. */
const anyData = fc.dictionary(
  fc.constantFrom('token', 'id', 'url', 'events', 'channel', 'version', 'key', 'list', 'total', 'next'),
  anyValue,
  { maxKeys: 3 },
);
const anyEnvelope = fc.dictionary(fc.constantFrom('code', 'message', 'data', 'trace_id'), anyValue, {
  maxKeys: 2,
});
const anyHeaders = fc.dictionary(
  fc.constantFrom('Retry-After', 'Date', 'Content-Type', 'Content-Encoding', 'Location', 'Set-Cookie'),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'gzip',
    'text/html',
    'application/json; charset=utf-7',
    'file:///',
    'gzip, br',
  ),
  { maxKeys: 2 },
);
const anyStatus = fc.oneof({ weight: 3, arbitrary: fc.constant(200) }, fc.integer({ min: 200, max: 599 }));
const anyAnswer = fc.record({ data: anyData, envelope: anyEnvelope, headers: anyHeaders, status: anyStatus });

/** So many different answers a deployment has; they come by turns. */
const answers = 40;

/** The deployment of a seed. */
export function generatedFrom(seed: number): Deployment {
  const drawn = fc.sample(anyAnswer, { seed, numRuns: answers });
  return byAnswers(`seed-${seed}`, `answers by the seed ${seed}`, (asked, response) => {
    const answer = drawn[asked.count % answers];
    if (!answer || isLogin(asked)) return sendJson(response, success(plentyOf(asked)));
    const body = JSON.stringify({ ...success({ ...plentyOf(asked), ...answer.data }), ...answer.envelope });
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(body);
  });
}

/** A refused login would end the run before anything else is seen. */
function isLogin({ path, count }: Asked): boolean {
  return path.endsWith('/login') && count < 3;
}
