import { expect, test } from 'vitest';
import { isTellingPath } from './telling-paths.ts';

const cases = [
  { call: 'POST /tenant/sites', of: 'site create', want: true },
  { call: 'POST /tenant/site/create', of: 'site create', want: true },
  { call: 'GET /tenant/sites', of: 'site list', want: true },
  { call: 'GET /tenant/sites/{siteID}', of: 'site list', want: false },
  { call: 'DELETE /tenant/sites', of: 'site list', want: false },
  { call: 'PATCH /tenant/sites/{siteID}', of: 'site list', want: false },
  { call: 'POST /tenant/sites/{siteID}/publish', of: 'site publish', want: true },
  { call: 'POST /tenant/sites/{siteID}/publish', of: 'site failPublish', want: false },
  { call: 'POST /a.b:c/{text}', of: 'content create', want: false },
  { call: 'DELETE /create-content', of: 'content create', want: false },
  { call: 'POST /zuhu/zhandian/xinzeng', of: 'site create', want: true },
];

for (const { call, of, want } of cases)
  test(`${call} ${want ? 'tells' : 'does not tell'} that it is ${of}`, () => {
    const [method = '', path = ''] = call.split(' ');
    const [resource = '', action = ''] = of.split(' ');
    expect(isTellingPath({ method, path, resource, action })).toBe(want);
  });
