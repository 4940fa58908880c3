// No report shows a secret in any form.
import { beforeAll, expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { secretForms } from '../redaction/testing/secret-forms.ts';
import { applyExpectedFailures } from '../reports/demands.ts';
import type { Report } from '../reports/report.ts';
import { type Access, runAgainstMock } from './run-against-mock.ts';
import { isCreation } from './tampering.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';
import { writtenForms } from './written-reports.ts';

const passwords = ['pä"ss <w>&%41\\/+ 1', 'sécond\'"&<>\\\\x 2', 'öther%"+</p>&amp; 3'] as const;
const apiKey = 'sp "k<e>&y%20\\/+\'4';
// No slash, so that it can be an identifier.
const gateToken = 'gäte "<t>&%7e\\+\'5';

const deployment = createEchoingDeployment();
/** Without a list, resources with a changed id count as leftovers. */
const spoken = profileWith({ 'operation.list-subscriptions': 'unknown' });
let report: Report;

beforeAll(async () => {
  const { tamper, options } = deployment;
  report = applyExpectedFailures(await runAgainstMock({ spoken, tamper, options }), {
    file: 'known.yaml',
    entries: [{ id: 'ENV-2', line: 1, reason: 'known', until: null, checks: [] }],
  });
}, 60_000);

test('shows no secret in any format or in parsed JSON', () => {
  const shown = [...writtenForms(report), textsIn(report).join('\n')].map(secretsIn);
  expect(shown).toEqual(shown.map(() => []));
});

function secretsIn(text: string): string[] {
  const views = [text, unescaped(text), decoded(unescaped(text))];
  return deployment
    .secrets()
    .flatMap((secret) => [...secretForms.map(([, form]) => form(secret)), ...piecesOf(secret)])
    .filter((form) => views.some((view) => view.includes(form)));
}

test('puts secrets in each place that a deployment controls', () => {
  const checks = report.requirements.flatMap((requirement) => requirement.checks);
  const places: Record<string, (string | null)[]> = {
    reason: checks.map(({ reason }) => reason),
    actual: checks.map(({ actual }) => actual),
    trace_id: checks.map(({ trace_id }) => trace_id),
    observed: report.gaps.map(({ observed }) => observed),
    leftover: report.leftovers.map(({ id }) => String(id)),
  };
  const bare = Object.keys(places).filter(
    (name) => !places[name]?.some((text) => text?.includes('{SITEPUB_')),
  );
  expect(bare).toEqual([]);
  expect(checks.some(({ curl }) => curl?.includes('"$SITEPUB_TOKEN"'))).toBe(true);
  expect(deployment.secrets().length).toBeGreaterThan(8);
});

/** Parts of a partly hidden secret. Ignores signing secrets, whose words and run id also appear elsewhere. */
function piecesOf(secret: string): string[] {
  if (/^[\w. -]+$/.test(secret)) return [];
  return secret
    .split(/S3cr3t-[0-9a-f]{8}-\d+/)
    .flatMap((part) =>
      Array.from({ length: Math.max(0, part.length - 7) }, (_, at) => part.slice(at, at + 8)),
    );
}

function textsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsIn) : [];
}

/** As HTML, XML or Markdown displays it. */
function unescaped(text: string): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** As a shell and a server decode it. */
function decoded(text: string): string {
  return text.replaceAll("'\\''", "'").replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString();
  });
}

/** Returns secrets with special characters, in every form, in each text of its answers. */
function createEchoingDeployment() {
  /** Secrets of the mock by the mask that the suite knows. */
  const masks = new Map<string, string>();
  const signing = new Set<string>();
  /** Filled when the mock starts. */
  const options: Partial<SuiteOptions> = {};
  const secrets = () => [...masks.keys(), ...signing];
  const next = takeTurns(secrets);
  const tamper = (access: Access): Tamper => {
    Object.assign(options, maskAccess(access, masks));
    return async (message, forward) => {
      for (const secret of signingSecretsIn(message)) signing.add(secret);
      const reply = await forward(unmask(message, masks));
      if (message.path.includes('/auth/')) return maskTokens(reply, masks);
      return echoSecrets(reply, message, next);
    };
  };
  return { tamper, options, secrets };
}

function maskAccess({ main, other }: Access, masks: Map<string, string>): Partial<SuiteOptions> {
  const [account, second, otherUser] = [...main.users, ...other.users].map((user, index) => {
    const password = passwords[index] ?? user.password;
    masks.set(password, user.password);
    return { ...user, password };
  });
  if (!account || !second || !otherUser) throw new Error('the demo world has no users');
  masks.set(apiKey, main.apiKey);
  masks.set(gateToken, gateToken);
  const connection = { headers: { 'X-Gate-Token': gateToken } };
  return { connection, account, second, other: { ...otherUser, siteId: other.sites[0]?.id ?? 0 }, apiKey };
}

function unmask(message: Message, masks: ReadonlyMap<string, string>): Message {
  const { authorization = '' } = message.headers;
  const real = masks.get(authorization.replace('Bearer ', ''));
  const headers =
    real === undefined ? message.headers : { ...message.headers, authorization: `Bearer ${real}` };
  const text = message.body.toString();
  const body = [...masks].reduce(
    (all, [mask, secret]) => all.replaceAll(JSON.stringify(mask), JSON.stringify(secret)),
    text,
  );
  return { ...message, headers: { ...headers, 'content-length': undefined }, body: Buffer.from(body) };
}

function maskTokens(reply: Reply, masks: Map<string, string>): Reply {
  const text = reply.body.toString().replace(/\bst_[0-9a-f]{32}\b/g, (token) => {
    const mask = `t"<&%25>\\'/+ ${token.slice(-8)}`;
    masks.set(mask, token);
    return JSON.stringify(mask).slice(1, -1);
  });
  return { ...reply, body: Buffer.from(text) };
}

function signingSecretsIn({ body }: Message): string[] {
  const [, secret] = /"secret":"([^"\\]{8,})"/.exec(body.toString()) ?? [];
  return secret === undefined ? [] : [secret];
}

/** Cycles through all secrets in all forms. */
function takeTurns(secrets: () => string[]): () => string {
  let turn = 0;
  return () => {
    const all = secrets();
    const secret = all[turn % all.length] ?? '';
    const [, write] = secretForms[Math.floor(turn / all.length) % secretForms.length] ?? [];
    turn += 1;
    return `${write?.(secret)} and more`;
  };
}

/** Does not change the code, so that the run continues. */
function echoSecrets(reply: Reply, message: Message, next: () => string): Reply {
  const body = JSON.parse(reply.body.toString()) as { data?: Record<string, unknown> };
  const echo = `${next()} ${message.headers.authorization} ${message.body}`;
  const hasId = isCreation(message) && body.data?.id !== undefined;
  const data = hasId ? { data: { ...body.data, id: next() } } : {};
  const text = JSON.stringify({ ...body, message: echo, trace_id: next(), ...data });
  return { ...reply, body: Buffer.from(text) };
}
