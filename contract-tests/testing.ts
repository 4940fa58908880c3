// Shared by the tests of the suite: exchanges and contexts without a deployment.
import { loadProfile, statedValues } from '../openapi/profile.ts';
import { type Context, createContext } from './context.ts';
import type { Exchange } from './core/exchange.ts';
import type { SuiteOptions } from './core/suite-options.ts';

const options: SuiteOptions = {
  baseUrl: 'http://127.0.0.1:9/api/v1',
  profile: { name: 'default', stated: statedValues(loadProfile('default')) },
  tier: 'safe',
  only: [],
  skip: [],
  maxWaitMs: 0,
  receiver: {},
};

/** A context in which nothing has been sent, under the default profile unless `wanted` has another. */
export function openContext(wanted: Partial<SuiteOptions> = {}): Context {
  return createContext({ ...options, ...wanted });
}

/** An exchange that was answered with a JSON value. */
export function exchangeOf(json: unknown, different: Partial<Exchange['response']> = {}): Exchange {
  return {
    operation: 'testSubscription',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:9/api/v1/tenant/sites/101/webhooks/1/test',
      headers: { Authorization: 'Bearer st_1234' },
      body: undefined,
    },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify(json),
      json,
      ...different,
    },
    at: 0,
    answeredAt: 0,
    values: {},
    mayBeReplayed: false,
  };
}
