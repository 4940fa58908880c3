// Calls of the service as one of its users, with the credentials of the seed.

import { nearest } from '../../openapi/nearest.ts';
import { digest } from '../world/digests.ts';
import { timeOf } from '../world/time.ts';
import { checkBody } from './check-body.ts';
import { ControlError } from './control-error.ts';
import type { ServiceAnswerView, ServiceCallRequest } from './control-views.ts';
import type { ControlledMock, ServiceOperation } from './controlled-mock.ts';
import { redactBody } from './redact-request.ts';
import { secretPlacesOf } from './secret-places.ts';
import { codeIn } from './show-request.ts';
import { keysOf, passwordOf } from './tenant-control.ts';

export function callControl(mock: ControlledMock) {
  /** The session token of each user. */
  const tokens = new Map<string, string>();

  function isValid(token: string): boolean {
    const { sessions, clock } = mock.world;
    return (sessions.get(digest(token))?.expiresAt ?? 0) > timeOf(clock);
  }

  async function logIn(username: string): Promise<string> {
    const known = tokens.get(username);
    if (known !== undefined && isValid(known)) return known;
    const { values, body } = await findOperation('login').call(
      { username, password: secretOf(username) },
      undefined,
    );
    return (
      keepToken(username, values.token) ??
      refuse(409, `the service did not log ${username} in: ${redactBody(body, secretPlacesOf(mock.profile))}`)
    );
  }

  function keepToken(username: string, token: unknown): string | undefined {
    if (typeof token !== 'string' || !isValid(token)) return undefined;
    tokens.set(username, token);
    return token;
  }

  function secretOf(username: string): string {
    return (
      passwordOf(mock, mock.world, username) ??
      refuse(
        409,
        `the password of ${username} is unknown: there is no such user, or it is not one of the seed`,
      )
    );
  }

  function keyOf(username: string): string {
    const { world } = mock;
    const tenantId = world.users.get(username)?.tenantId;
    const keys = tenantId === undefined ? [] : keysOf(mock, world, tenantId);
    return (
      keys.find((one) => one.key)?.key ??
      refuse(
        409,
        `no API key of ${username}'s tenant is known: there is no such user, or none of its keys is one of the seed`,
      )
    );
  }

  async function tokenFor(
    { auth }: ServiceOperation,
    username: string | undefined,
  ): Promise<string | undefined> {
    if (auth === 'none') return undefined;
    if (username === undefined) refuse(400, 'say who calls: "username"');
    return auth === 'api-key' ? keyOf(username) : logIn(username);
  }

  function findOperation(id: string): ServiceOperation {
    const guess = nearest(id, mock.operations);
    return (
      mock.callService(id) ??
      refuse(400, `there is no operation ${JSON.stringify(id)}${guess ? `; did you mean ${guess}?` : ''}`)
    );
  }

  return {
    /** Calls an operation as a client would. */
    async call(request: ServiceCallRequest): Promise<ServiceAnswerView> {
      checkBody('callOperation', request);
      const { operation: id, username, values = {} } = request;
      const operation = findOperation(id);
      const isLogin = id === 'login' && username !== undefined && values.password === undefined;
      const all = isLogin ? { ...values, username, password: secretOf(username) } : values;
      const {
        status,
        body,
        values: answered,
      } = await operation.call(all, await tokenFor(operation, username));
      if (isLogin) keepToken(username, answered.token);
      const code = codeIn(body);
      const answer = redactBody(body, secretPlacesOf(mock.profile)) ?? null;
      return { status, ...(code !== undefined && { code }), answer };
    },
  };
}

function refuse(status: number, reason: string): never {
  throw new ControlError(status, `POST /_mock/calls: ${reason}`);
}
