import { nearest } from '../../../openapi/nearest.ts';
import type { Operation } from '../../../openapi/operations.ts';
import { digest } from '../../world/digests.ts';
import { timeOf } from '../../world/time.ts';
import { refuse } from '../control-error.ts';
import type { Answer, Body, ControlledMock, WaitingCall } from '../controlled-mock.ts';
import { redactBody, secretPlacesOf } from '../redact-request.ts';
import { codeIn, knownSecrets } from '../show.ts';

const name = 'POST /_mock/calls';

export const callOperation: WaitingCall<'callOperation'> = (mock, { body }) => perform(mock, body);

async function perform(
  mock: ControlledMock,
  { operation: id, username, values = {} }: Body<'callOperation'>,
): Promise<Answer<'callOperation'>> {
  const guess = nearest(id, mock.operations);
  const hint = guess ? `; did you mean ${guess}?` : '';
  const operation =
    mock.callService(id) ?? refuse(400, `${name}: there is no operation ${JSON.stringify(id)}${hint}`);
  const isLogin = id === 'login' && username !== undefined && values.password === undefined;
  const all = isLogin ? { ...values, username, password: secretOf(mock, username) } : values;
  const token = await tokenFor(mock, operation.auth, username);
  const { status, body, values: answered } = await operation.call(all, token);
  if (isLogin && isValid(mock, answered.token)) mock.sessionTokens.set(username, answered.token);
  const code = codeIn(body);
  const answer = redactBody(body, secretPlacesOf(mock.profile)) ?? null;
  return { status, ...(code !== undefined && { code }), answer };
}

async function tokenFor(
  mock: ControlledMock,
  auth: Operation['auth'],
  username: string | undefined,
): Promise<string | undefined> {
  if (auth === 'none') return undefined;
  if (username === undefined) refuse(400, `${name}: "username" is missing; it names the user who calls`);
  if (auth !== 'api-key') return logIn(mock, username);
  const tenantId = mock.world.users.get(username)?.tenantId ?? 0;
  const key = knownSecrets(mock)
    .keysOf(tenantId)
    .find((one) => one.key)?.key;
  const reason = 'the user does not exist, or the tenant has no key of the seed';
  return key ?? refuse(409, `${name}: the mock knows no API key of ${username}'s tenant: ${reason}`);
}

async function logIn(mock: ControlledMock, username: string): Promise<string> {
  const known = mock.sessionTokens.get(username);
  if (isValid(mock, known)) return known;
  const { answer } = await perform(mock, { operation: 'login', username });
  const given = mock.sessionTokens.get(username);
  if (isValid(mock, given)) return given;
  return refuse(409, `${name}: the login of ${username} failed: ${JSON.stringify(answer)}`);
}

function isValid({ world: { sessions, clock } }: ControlledMock, token: unknown): token is string {
  return typeof token === 'string' && (sessions.get(digest(token))?.expiresAt ?? 0) > timeOf(clock);
}

function secretOf(mock: ControlledMock, username: string): string {
  const password = knownSecrets(mock).passwordOf(username);
  const reason = 'the user does not exist, or is not part of the seed';
  return password ?? refuse(409, `${name}: the mock does not know the password of ${username}: ${reason}`);
}
