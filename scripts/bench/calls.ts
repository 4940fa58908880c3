import type { Pool } from 'undici';
import type { WorldSeed } from '../../mock/world/world-seed.ts';
import { type OperationId, operationsOf, writeRequest } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { fillPath } from '../../openapi/template.ts';

export const basePath = '/api/v1';

export const subscription = {
  url: 'https://hooks.example/sitepub',
  events: ['publish.failed'] as const,
  channel: 'custom',
  secret: 'a signing secret',
} as const;

/** Tenants are numbered from 1. */
export function accessTo(number: number) {
  const digits = String(number).padStart(6, '0');
  return {
    username: `editor${digits}@tenant.example`,
    password: `bench-password-${digits}`,
    apiKey: `sp_${'benchmark'.repeat(2)}${digits}`,
    siteID: number,
  };
}

/** Each tenant has a user, a key, and a site with an entry of each kind. */
export function createBenchWorld(count: number): WorldSeed {
  return {
    tenants: Array.from({ length: count }, (_, index) => {
      const { username, password, apiKey, siteID } = accessTo(index + 1);
      const site = {
        id: siteID,
        name: `Site ${siteID}`,
        contents: [{ title: 'Welcome', text: 'Notes of plum and black tea.', published: true }],
        submissions: [{ form: 'contact', fields: { name: 'Noor', message: '您好' } }],
        comments: [{ author: 'Ana', text: 'Good to see you here.' }],
        subscriptions: [subscription],
      };
      const name = `Tenant ${siteID}`;
      return { name, users: [{ username, password }], api_keys: [{ key: apiKey }], sites: [site] };
    }),
  };
}

export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

const operations = new Map(operationsOf(resolve(loadProfile('default'))).map((one) => [one.id, one]));

/** `values` has the names of the description. */
export function makeCall(id: OperationId, values: Readonly<Record<string, unknown>>, token?: string): Call {
  const operation = operations.get(id);
  if (!operation) throw new Error(`the default profile does not offer ${id}`);
  const body = writeRequest(operation, values);
  return {
    method: operation.method,
    path: basePath + fillPath(operation.path, values),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

/** Returns the data of the answer. Throws unless the call is accepted, or refused if `isRefused`. */
export async function send(
  pool: Pool,
  { method, path, headers, body }: Call,
  isRefused = false,
): Promise<Record<string, unknown>> {
  const answer = await pool.request({ method: method as 'POST', path, headers, body });
  const text = await answer.body.text();
  const { code, data } = JSON.parse(text) as { code: number; data: Record<string, unknown> };
  if ((code !== 0) === isRefused) return data;
  throw new Error(`${method} ${path} was answered ${answer.statusCode} ${text}, so nothing was measured`);
}
