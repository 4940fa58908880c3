// Every check can fail, and fails alone: deployments that break one promise each.
import { expect, test } from 'vitest';
import type { Mock } from '../../mock/server.ts';
import type { SuiteOptions } from '../options.ts';
import { type Access, requirementsThat, runAgainstMock, type TamperPush } from './run-against-mock.ts';
import {
  answering,
  any,
  authorized,
  both,
  callOf,
  dataOf,
  html,
  isCreate,
  isCustom,
  isList,
  isLogin,
  isRefresh,
  isTest,
  jsonOf,
  lenient,
  refuse,
  refused,
  remembering,
  strict,
  taken,
  telling,
  unauthenticated,
  withBody,
  withHeader,
  withoutHeader,
  withPassword,
  withSignature,
} from './tampering.ts';
import type { Tamper } from './tampering-proxy.ts';

interface Deviation {
  breaks: string;
  tamper?: (access: Access) => Tamper;
  tamperPush?: TamperPush;
  sabotage?: (mock: Mock) => void;
  options?: Partial<SuiteOptions>;
}

const nobody = '2147483646';

const deviations: Readonly<Record<string, Deviation>> = {
  'no trace_id on 404': {
    breaks: 'ENV-1',
    tamper: () =>
      answering(
        ({ status }) => status === 404,
        ({ trace_id: _gone, ...rest }) => rest,
      ),
  },
  'code as a string': {
    breaks: 'ENV-1',
    tamper: () => answering(any, (body) => ({ ...body, code: String(body.code) })),
  },
  'message "ok" on success': {
    breaks: 'ENV-2',
    tamper: () => answering(taken, (body) => ({ ...body, message: 'ok' })),
  },
  'an empty message on failure': {
    breaks: 'ENV-3',
    tamper: () => answering(refused, (body) => ({ ...body, message: '' })),
  },
  'the same trace_id on every answer': {
    breaks: 'ENV-4',
    tamper: () => answering(any, (body) => ({ ...body, trace_id: 'f00d' })),
  },
  'no data in the answer of a test': {
    breaks: 'ENV-5',
    tamper: () => answering(both(isTest, taken), ({ data: _gone, ...rest }) => rest),
  },
  'a total below the length of list': {
    breaks: 'ENV-6',
    tamper: () => answering(isList, (body) => ({ ...body, data: { ...dataOf(body), total: 0 } })),
  },
  'an HTML page on 404': { breaks: 'ENV-7', tamper: () => html },
  'an empty 204 for a test': {
    breaks: 'ENV-7',
    tamper: () => async (message, forward) => {
      const reply = await forward(message);
      return both(isTest, taken)(callOf(message, reply))
        ? { status: 204, headers: {}, body: Buffer.of() }
        : reply;
    },
  },

  'a login whose token is not known': {
    breaks: 'LOGIN-1',
    tamper: () => answering(both(isLogin, taken), (body) => ({ ...body, data: { token: 'st_0' } })),
  },
  'a login that asks for Authorization': {
    breaks: 'LOGIN-2',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/login') && !message.headers.authorization
        ? refuse(401, 40100)
        : forward(message),
  },
  'a wrong password that is let in': {
    breaks: 'LOGIN-3',
    tamper: (access) =>
      lenient(isLogin, (message) =>
        withBody(message, (body) =>
          typeof body.password === 'string' && body.password !== '' ? withPassword(access, body) : body,
        ),
      ),
  },
  'a token in the refusal of a wrong password': {
    breaks: 'LOGIN-3',
    tamper: () =>
      answering(
        ({ message, status }) => message.path.endsWith('/login') && status === 401,
        (body) => ({ ...body, data: { token: 'st_1' } }),
      ),
  },
  'a login without a password': {
    breaks: 'LOGIN-4',
    tamper: (access) =>
      lenient(isLogin, (message) =>
        withBody(message, (body) => ('password' in body ? body : withPassword(access, body))),
      ),
  },
  'a login without a username': {
    breaks: 'LOGIN-4',
    tamper: ({ main }) =>
      lenient(isLogin, (message) => withBody(message, (body) => ({ ...main.users[0], ...body }))),
  },
  'a password as an array': {
    breaks: 'LOGIN-5',
    tamper: (access) =>
      lenient(isLogin, (message) =>
        withBody(message, (body) => (Array.isArray(body.password) ? withPassword(access, body) : body)),
      ),
  },
  'a renewal that is always refused': {
    breaks: 'REFRESH-1',
    tamper: () => async (message, forward) =>
      message.path.endsWith('/refresh') ? refuse(401, 40100) : forward(message),
  },
  'a renewed token that is not known': {
    breaks: 'REFRESH-1',
    tamper: () => answering(both(isRefresh, taken), (body) => ({ ...body, data: { token: 'st_0' } })),
  },
  'a renewal without Authorization': {
    breaks: 'REFRESH-2',
    tamper: () =>
      remembering((token) =>
        lenient(isRefresh, (message) =>
          message.headers.authorization ? message : authorized(message, token()),
        ),
      ),
  },
  'a renewal by Basic': {
    breaks: 'REFRESH-2',
    tamper: () =>
      remembering((token) =>
        lenient(isRefresh, (message) =>
          message.headers.authorization?.startsWith('Basic') ? authorized(message, token()) : message,
        ),
      ),
  },
  'a renewal of an invented token': {
    breaks: 'REFRESH-3',
    tamper: () =>
      remembering((token) =>
        lenient(isRefresh, (message) =>
          message.headers.authorization?.startsWith('Bearer') ? authorized(message, token()) : message,
        ),
      ),
  },

  'a creation without Authorization': {
    breaks: 'AUTH-1',
    tamper: ({ main }) =>
      lenient(isCreate, (message) =>
        message.headers.authorization ? message : authorized(message, main.apiKey),
      ),
  },
  'a test without Authorization': {
    breaks: 'AUTH-1',
    tamper: ({ main }) =>
      lenient(isTest, (message) =>
        message.headers.authorization ? message : authorized(message, main.apiKey),
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
  'an invented token that is accepted on creations': {
    breaks: 'AUTH-4',
    tamper: ({ main }) =>
      lenient(both(isCreate, unauthenticated), (message) =>
        message.headers.authorization?.startsWith('Bearer st_') ? authorized(message, main.apiKey) : message,
      ),
  },
  'an invented key that is accepted on tests': {
    breaks: 'AUTH-4',
    tamper: ({ main }) =>
      lenient(both(isTest, unauthenticated), (message) =>
        message.headers.authorization?.startsWith('Bearer sp_') ? authorized(message, main.apiKey) : message,
      ),
  },
  'creations on the site of another tenant': {
    breaks: 'AUTH-6',
    tamper: ({ other }) =>
      lenient(isCreate, (message) =>
        message.path.includes('/201/') && message.headers.authorization
          ? authorized(message, other.apiKey)
          : message,
      ),
  },
  'tests by another tenant': {
    breaks: 'AUTH-6',
    tamper: ({ main }) =>
      lenient(
        both(isTest, ({ status }) => status === 404),
        (message) => (message.path.includes('/101/') ? authorized(message, main.apiKey) : message),
      ),
  },

  'an identifier that the test path does not take': {
    breaks: 'HOOK-1',
    tamper: () =>
      answering(both(isCreate, taken), (body) => ({ ...body, data: { ...dataOf(body), id: 777_777 } })),
  },
  'right creations that are refused': {
    breaks: 'HOOK-1',
    tamper: () => async (message, forward) => {
      const reply = await forward(message);
      return both(isCreate, taken)(callOf(message, reply)) ? refuse(500, 50000) : reply;
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
  'an unknown channel': {
    breaks: 'HOOK-4',
    tamper: () =>
      lenient(isCreate, (message) =>
        withBody(message, (body) => (body.channel === 'slack' ? { ...body, channel: 'custom' } : body)),
      ),
  },
  'an event that is refused': {
    breaks: 'HOOK-5',
    tamper: () =>
      strict(isCreate, ({ body }) => Array.isArray(body.events) && body.events.join() === 'comment.created'),
  },
  'an unknown event': {
    breaks: 'HOOK-6',
    tamper: () =>
      lenient(isCreate, (message) =>
        withBody(message, (body) =>
          Array.isArray(body.events) ? { ...body, events: ['form.submit'] } : body,
        ),
      ),
  },
  'an unknown event beside a known one': {
    breaks: 'HOOK-6',
    tamper: () =>
      lenient(isCreate, (message) =>
        withBody(message, (body) =>
          Array.isArray(body.events) && body.events.length > 1 ? { ...body, events: ['form.submit'] } : body,
        ),
      ),
  },
  'a relative URL': {
    breaks: 'HOOK-7',
    tamper: () =>
      lenient(isCreate, (message) =>
        withBody(message, (body) =>
          String(body.url).startsWith('/') ? { ...body, url: 'https://hooks.example.com/x' } : body,
        ),
      ),
  },
  'a subscription without events': {
    breaks: 'HOOK-8',
    tamper: () =>
      lenient(isCreate, (message) =>
        withBody(message, (body) => ('url' in body ? { events: ['form.submit'], ...body } : body)),
      ),
  },
  'an unknown site': {
    breaks: 'HOOK-9',
    tamper: () => lenient(isCreate, (message) => ({ ...message, path: message.path.replace(nobody, '101') })),
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
  'a test of an unknown subscription': {
    breaks: 'HOOK-11',
    tamper: () =>
      lenient(isTest, (message) => ({
        ...message,
        path: message.path.replace(/101\/webhooks\/\d+/, '101/webhooks/1'),
      })),
  },
  'a test through another site': {
    breaks: 'HOOK-11',
    tamper: () =>
      lenient(isTest, (message) => ({ ...message, path: message.path.replace('/102/', '/101/') })),
  },

  'site_id as a string': {
    breaks: 'EVENT-1',
    tamperPush: telling((body) => ({ ...body, site_id: String(body.site_id) })),
  },
  'site_id of another site': {
    breaks: 'EVENT-1',
    tamperPush: telling((body) => ({ ...body, site_id: 102 })),
  },
  'no data in an event': {
    breaks: 'EVENT-1',
    tamperPush: telling(({ data: _gone, ...rest }) => rest),
  },
  'a name of its own in the body of an event that the header names': {
    breaks: 'EVENT-2',
    tamperPush: telling((body) => ({ ...body, event: 'form.submitted' })),
  },
  'no event in an event body': {
    breaks: 'EVENT-1',
    tamperPush: telling(({ event: _gone, ...rest }) => rest),
  },
  'a local timestamp': {
    breaks: 'EVENT-3',
    tamperPush: telling((body) => ({ ...body, timestamp: String(body.timestamp).slice(0, 19) })),
  },
  'a numeric timestamp': {
    breaks: 'EVENT-1',
    tamperPush: telling((body) => ({ ...body, timestamp: 1_767_323_045 })),
  },

  'no timestamp header': {
    breaks: 'SIG-1',
    tamperPush: (push) => (isCustom(push) ? withoutHeader(push, 'x-webhook-timestamp') : push),
  },
  'the event header of another event': {
    breaks: 'SIG-2',
    tamperPush: (push) => (isCustom(push) ? withHeader(push, 'x-webhook-event', 'publish.failed') : push),
  },
  'the timestamp header as a local text': {
    breaks: 'SIG-3',
    tamperPush: (push) => withHeader(push, 'x-webhook-timestamp', '2026-01-02 03:04:05'),
  },
  'a signature over re-serialised JSON': {
    breaks: 'SIG-4',
    tamperPush: (push, secret) =>
      withSignature(push, secret, Buffer.from(JSON.stringify(JSON.parse(push.body.toString())))),
  },
  'a signature without its prefix': {
    breaks: 'SIG-4',
    tamperPush: (push) =>
      isCustom(push) && push.headers['x-webhook-signature']
        ? withHeader(push, 'x-webhook-signature', String(push.headers['x-webhook-signature']).slice(7))
        : push,
  },
  'no signature on dingtalk': {
    breaks: 'SIG-5',
    tamperPush: (push) =>
      'msgtype' in jsonOf(push.body) && 'title' in Object(jsonOf(push.body).markdown)
        ? withoutHeader(push, 'x-webhook-signature')
        : push,
  },
};

test.for(Object.entries(deviations))('%s breaks one requirement', async ([, { breaks, ...trial }]) => {
  const report = await runAgainstMock(trial);
  expect({
    failed: requirementsThat('failed', report),
    error: requirementsThat('error', report),
  }).toEqual({ failed: [breaks], error: [] });
});
