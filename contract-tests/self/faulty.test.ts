// @module-tag ci
// Deployments that break one promise grossly, in all that they do: no other promise fails. Subtle ones are the mock's faults.
import { expect, test } from 'vitest';
import type { Mock } from '../../mock/server/create-mock.ts';
import { type Access, requirementsThat, runAgainstMock, type TamperPush } from './run-against-mock.ts';
import {
  accepted,
  answering,
  any,
  authorized,
  both,
  callOf,
  changePushBody,
  dataOf,
  isCreate,
  isCustom,
  isLogin,
  isRefresh,
  isTest,
  lenient,
  refuse,
  remembering,
  strict,
  withoutHeader,
} from './tampering.ts';
import type { Tamper } from './tampering-proxy.ts';

interface Deviation {
  breaks: string;
  tamper?: (access: Access) => Tamper;
  tamperPush?: TamperPush;
  sabotage?: (mock: Mock) => void;
}

const deviations: Readonly<Record<string, Deviation>> = {
  'code as a string': {
    breaks: 'ENV-1',
    tamper: () => answering(any, (body) => ({ ...body, code: String(body.code) })),
  },
  'message "ok" on success': {
    breaks: 'ENV-2',
    tamper: () => answering(accepted, (body) => ({ ...body, message: 'ok' })),
  },
  'an empty 204 for a test': {
    breaks: 'ENV-7',
    tamper: () => async (message, forward) => {
      const reply = await forward(message);
      return both(isTest, accepted)(callOf(message, reply))
        ? { status: 204, headers: {}, body: Buffer.of() }
        : reply;
    },
  },
  'a login whose token is not known': {
    breaks: 'LOGIN-1',
    tamper: () => answering(both(isLogin, accepted), (body) => ({ ...body, data: { token: 'st_0' } })),
  },
  'a login that asks for Authorization': {
    breaks: 'LOGIN-2',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/login') && !message.headers.authorization
        ? refuse(401, 40100)
        : forward(message),
  },
  'a renewal that is always refused': {
    breaks: 'REFRESH-1',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/refresh') ? refuse(401, 40100) : forward(message),
  },
  'a renewed token that is not known': {
    breaks: 'REFRESH-1',
    tamper: () => answering(both(isRefresh, accepted), (body) => ({ ...body, data: { token: 'st_0' } })),
  },
  'a renewal of an invented token': {
    breaks: 'REFRESH-3',
    tamper: () =>
      remembering((token) =>
        lenient(isRefresh, (message) =>
          message.headers.authorization?.startsWith('Bearer ') ? authorized(message, token()) : message,
        ),
      ),
  },
  'a session token that is refused on tests': {
    breaks: 'AUTH-2',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/test') && message.headers.authorization?.startsWith('Bearer st_')
        ? refuse(401, 40100)
        : forward(message),
  },
  'a session token that is refused on creations': {
    breaks: 'AUTH-2',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/webhooks') && message.headers.authorization?.startsWith('Bearer st_')
        ? refuse(401, 40100)
        : forward(message),
  },
  'an API key that is refused on tests': {
    breaks: 'AUTH-3',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/test') && message.headers.authorization?.startsWith('Bearer sp_')
        ? refuse(401, 40100)
        : forward(message),
  },
  'an API key that is refused on creations': {
    breaks: 'AUTH-3',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/webhooks') && message.headers.authorization?.startsWith('Bearer sp_')
        ? refuse(401, 40100)
        : forward(message),
  },
  'an identifier that the test path does not take': {
    breaks: 'HOOK-1',
    tamper: () =>
      answering(both(isCreate, accepted), (body) => {
        const data = dataOf(body);
        return { ...body, data: { ...data, id: Number(data.id) + 777_000 } };
      }),
  },
  'right creations that are refused': {
    breaks: 'HOOK-1',
    tamper: () => async (message, forward) => {
      const reply = await forward(message);
      return both(isCreate, accepted)(callOf(message, reply)) ? refuse(500, 50000) : reply;
    },
  },
  'a secret that is required': {
    breaks: 'HOOK-2',
    tamper: () => strict(isCreate, ({ body }) => !('secret' in body)),
  },
  'a secret that is refused': {
    breaks: 'HOOK-2',
    tamper: () => strict(isCreate, ({ body }) => 'secret' in body),
  },
  'a channel that is refused': {
    breaks: 'HOOK-3',
    tamper: () => strict(isCreate, ({ body }) => body.channel === 'wecom'),
  },
  'an event that is refused': {
    breaks: 'HOOK-5',
    tamper: () =>
      strict(isCreate, ({ body }) => Array.isArray(body.events) && body.events.join() === 'comment.created'),
  },
  'a test that sends nothing': {
    breaks: 'HOOK-10',
    sabotage: ({ service }) => {
      service.dispatcher.test = async () => true;
    },
  },
  'a test that is refused': {
    breaks: 'HOOK-10',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/test') ? refuse(501, 50100) : forward(message),
  },
  'a test through another site': {
    breaks: 'HOOK-11',
    tamper: () =>
      lenient(isTest, (message) => ({ ...message, path: message.path.replace('/102/', '/101/') })),
  },
  'another name in the body of an event that the header names': {
    breaks: 'EVENT-2',
    tamperPush: changePushBody((body) => ({ ...body, event: 'form.submitted' })),
  },
  'no timestamp header': {
    breaks: 'SIG-1',
    tamperPush: (push) => (isCustom(push) ? withoutHeader(push, 'x-webhook-timestamp') : push),
  },
};

test.for(Object.entries(deviations))('%s breaks one requirement', async ([, { breaks, ...trial }]) => {
  const report = await runAgainstMock(trial);
  expect({
    failed: requirementsThat('failed', report),
    error: requirementsThat('error', report),
  }).toEqual({ failed: [breaks], error: [] });
});
