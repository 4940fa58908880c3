// Deployments whose answers are large, deep, or costly to look at.
import { byAnswers, type Deployment, plentyOf, sendJson, success, yesMan } from './serve.ts';

const text = (length: number) => 'x'.repeat(length);
const tokens = Array.from({ length: 20_000 }, (_, index) => `tok-${String(index).padStart(10, '0')}-aB3`);
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Just below the limit of the client. */
const justRead = 7_900_000;

export const large: readonly Deployment[] = [
  yesMan('large', 'sends 7.9 MB with each answer', () => ({ padding: text(justRead) })),
  yesMan('items-just-read', 'lists as many items as the client reads', (asked) => ({
    list: Array.from({ length: 49_000 }, (_, index) => ({ id: asked.count * 1_000_000 + index })),
    total: 49_000,
  })),
  yesMan('members-just-read', 'sends an object with as many members as the client reads', () => ({
    extra: Object.fromEntries(Array.from({ length: 99_000 }, (_, index) => [`member-${index}`, index])),
  })),
  yesMan('token-like-texts', 'sends 20,000 texts that look like tokens, in 600 KB', () => ({ tokens })),
  byAnswers('large-trace', 'sends a trace_id of 7 MB', (asked, response) =>
    sendJson(response, success(plentyOf(asked), `${asked.count}${text(7_000_000)}`)),
  ),
  byAnswers('large-message', 'refuses everything with a message of 7 MB', (asked, response) =>
    sendJson(response, {
      code: 40_000,
      message: `${text(7_000_000)}${asked.count}`,
      data: null,
      trace_id: 't',
    }),
  ),
  byAnswers('levels-just-read', 'nests 199 levels deep', (asked, response) =>
    sendJson(
      response,
      `{"code":0,"message":"success","data":${JSON.stringify(plentyOf(asked)).slice(0, -1)},"deep":${nested(197)}},"trace_id":"${asked.count}"}`,
    ),
  ),
  byAnswers('many-digits', 'sends numbers of a million digits', (asked, response) =>
    sendJson(
      response,
      JSON.stringify(success(plentyOf(asked))).replace('"total":1', `"total":${'9'.repeat(1_000_000)}`),
    ),
  ),
];
