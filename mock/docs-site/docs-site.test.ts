import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileNames } from '../testing/open-mock.ts';

test.for([
  ['/docs', 'text/html; charset=utf-8', '<div id="reference">'],
  ['/docs/', 'text/html; charset=utf-8', '<div id="reference">'],
  ['/docs?x=1', 'text/html; charset=utf-8', '<title>Site Publishing Service, profile default</title>'],
  ['/docs/style.css', 'text/css; charset=utf-8', 'body'],
  ['/docs/start.js', 'text/javascript; charset=utf-8', "fetch('/docs/openapi.json')"],
  ['/docs/redoc.js', 'text/javascript; charset=utf-8', 'redoc.standalone.js.LICENSE.txt'],
  ['/docs/redoc-licences.txt', 'text/plain; charset=utf-8', 'ReDoc'],
] as const)('serves %s', async ([url, type, part]) => {
  const { status, headers, body } = await get(url);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(body).toContain(part);
});

test('the page loads nothing from other hosts, and its policy forbids it', async () => {
  const { headers, body } = await get('/docs');
  const sources = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  expect(sources).toEqual([
    'data:,',
    '/docs/style.css',
    '/docs/redoc.js',
    '/docs/start.js',
    '/docs/openapi.json',
  ]);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; ");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
});

test.for(profileNames)('shows the description of the profile %s, with its pushes', async (name) => {
  const { mock, body } = await get('/docs/openapi.json', name);
  const shown = JSON.parse(body);
  expect(shown.paths).toEqual(mock.description.paths);
  expect(Object.keys(shown.webhooks)).toHaveLength(7);
  expect(shown.webhooks['form.submit'].post.tags).toEqual(['events']);
  expect(shown.servers).toEqual([{ url: '/api/v1' }]);
  expect(shown.info.description).toContain(`under the profile \`${name}\``);
  expect(shown.tags.at(-1).name).toBe('events');
});

test('answers HEAD as GET, without the body', async () => {
  const { app } = openMock(loadProfile('default'));
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/docs' });
  expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', '']);
});

test('answers 404 to other paths, and is not part of the service’s traffic', async () => {
  const { mock, status, body } = await get('/docs/package.json');
  expect([status, body]).toEqual([404, expect.stringContaining('the API reference is at /docs')]);
  expect((await inject(mock, '/docs/constructor')).statusCode).toBe(404);
  expect(mock.control.requests().total).toBe(0);
  expect((await inject(mock, '/api/v1/docs')).json()).toMatchObject({ code: 40403 });
  expect(mock.control.requests().total).toBe(1);
});

async function get(url: string, profile = 'default') {
  const mock = openMock(loadProfile(profile));
  const { statusCode: status, headers, body } = await inject(mock, url);
  return { mock, status, headers, body };
}

function inject({ app }: ReturnType<typeof openMock>, url: string) {
  return app.inject({ method: 'GET', url });
}
