// A deployment that returns secrets with special characters, in every form, in each text of its answers.
import type { SuiteOptions } from '../core/suite-options.ts';
import { secretForms } from '../redaction/testing/secret-forms.ts';
import type { Access } from './run-against-mock.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';

interface EchoingDeployment {
  /** Changes messages between suite and mock. */
  tamper: (access: Access) => Tamper;
  /** Options of the suite, filled when the mock starts. */
  options: Partial<SuiteOptions>;
  /** All secrets that the deployment may return. */
  secrets(): string[];
}

const passwords = ['pä"ss <w>&%41\\/+ 1', 'sécond\'"&<>\\\\x 2', 'öther%"+</p>&amp; 3'] as const;
const apiKey = 'sp "k<e>&y%20\\/+\'4';
// No slash, so that it can be an identifier.
const gateToken = 'gäte "<t>&%7e\\+\'5';

export function createEchoingDeployment(): EchoingDeployment {
  /** Secrets of the mock by the mask that the suite knows. */
  const masks = new Map<string, string>();
  const signing = new Set<string>();
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
  const hasId =
    message.method === 'POST' && message.path.endsWith('/webhooks') && body.data?.id !== undefined;
  const data = hasId ? { data: { ...body.data, id: next() } } : {};
  const text = JSON.stringify({ ...body, message: echo, trace_id: next(), ...data });
  return { ...reply, body: Buffer.from(text) };
}
