// A separate world for each worker, in the mock that `sitepub exec` started, and the actions of tests on it.
export interface World {
  baseUrl: string;
  apiKey: string;
  user: { username: string; password: string };
  siteID: number;
  /** A call of the world's control API. */
  control(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  end(): Promise<unknown>;
}

const { SITEPUB_CONTROL_URL: mainUrl = 'http://127.0.0.1:4010/_mock', SITEPUB_CONTROL_TOKEN: token } =
  process.env;

/** `clock: manual` so that time passes only when a test says so. */
export async function openWorld(name: string): Promise<World> {
  const world = await send(mainUrl, 'POST', '/worlds', { name, clock: 'manual', expires_in: 'PT1H' });
  const { base_url, control_url, tenants } = world as unknown as Created;
  const [{ users, api_key, site_ids } = noTenant] = tenants;
  return {
    baseUrl: base_url,
    apiKey: api_key ?? '',
    user: users[0] ?? { username: '', password: '' },
    siteID: site_ids[0] ?? 0,
    control: (method, path, body) => send(control_url, method, path, body),
    end: () => send(mainUrl, 'DELETE', `/worlds/${name}`),
  };
}

interface Created {
  base_url: string;
  control_url: string;
  tenants: { users: World['user'][]; api_key?: string; site_ids: number[] }[];
}

const noTenant: Created['tenants'][number] = { users: [], site_ids: [] };

async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}${path}: ${answer.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
}
