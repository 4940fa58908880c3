import { expect, expectTypeOf, test } from 'vitest';
import { type ClientOptions, createClient, type Ids, UnsafeIntegerError } from './client.ts';

const id = '1892345678901234567';
const site = '/tenant/sites/{siteID}';

/** Opens a client and a fake service that always answers with this data; records the requests. */
function open<I extends Ids = 'number'>(data: string, options: Partial<ClientOptions<I>> = {}) {
  const sent: string[] = [];
  const client = createClient<AnyPaths, I>({
    baseUrl: 'http://127.0.0.1:9/api/v1',
    fetch: async (request) => {
      sent.push(`${request.method} ${request.url.slice(25)} ${await request.text()}`.trim());
      return new Response(`{"code":0,"message":"success","trace_id":"t","data":${data}}`);
    },
    ...options,
  });
  return { client, sent };
}

interface AnyPaths {
  '/tenant/sites/{siteID}': {
    get: { parameters: { path: { siteID: number } }; responses: { 200: Answer } };
    post: {
      parameters: { path: { siteID: number }; query?: { after_id?: number } };
      requestBody: { content: { 'application/json': Body } };
      responses: { 200: Answer };
    };
  };
}
interface Body {
  id?: number | string;
  page_ids?: number[];
  pages?: number;
  text?: string | null;
  entry?: { siteId: number };
}
interface Answer {
  content: {
    'application/json': { data: { list: { site_id: number; pages: number; site_name: string }[] } };
  };
}

const list = `{"list":[{"site_id":${id},"pages":12,"site_name":"x"},{"site_id":7,"pages":1,"site_name":"${id}"}]}`;
const params = { path: { siteID: 7 } };

test('refuses by default an identifier that a number would round, and says what to do', async () => {
  const { client } = open(list);
  const error = await client.GET(site, { params }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnsafeIntegerError);
  expect(error).toMatchObject({
    name: 'UnsafeIntegerError',
    call: `GET ${site}`,
    message: `GET ${site} succeeded, but in its answer "site_id" is an integer too large for a JavaScript number; set ids to 'string' or 'bigint'`,
  });
});

test('accepts other large numbers, and reports a refusal as such', async () => {
  expect(await open(`{"list":[],"at_ns":${id}}`).client.GET(site, { params })).toEqual({
    list: [],
    at_ns: Number(id),
  });
  const body = `{"code":7,"message":"no","trace_id":"t","data":{"site_id":${id}}}`;
  const { client } = open('', { fetch: async () => new Response(body) });
  await expect(client.GET(site, { params })).rejects.toMatchObject({ name: 'BusinessError', code: 7 });
});

test('does not send a number that may have been rounded', async () => {
  const rounded = Number(id);
  const { client, sent } = open(list);
  const calls = [
    () => client.GET(site, { params: { path: { siteID: rounded } } }),
    () => client.POST(site, { params: { ...params, query: { after_id: rounded } }, body: {} }),
    () => client.POST(site, { params, body: { entry: { siteId: rounded } } }),
    () => client.POST(site, { params, body: { page_ids: [1, rounded] } }),
  ];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({
      name: 'UnsafeIntegerError',
      message: expect.stringMatching(/ was not sent: "\w+" is an integer too large for /),
    });
  expect(sent).toEqual([]);
});

test('reads identifiers as strings and sends them as integers with ids "string"', async () => {
  const { client, sent } = open(list, { ids: 'string' });
  const { list: sites } = await client.GET(site, { params });
  expectTypeOf(sites).toEqualTypeOf<{ site_id: string; pages: number; site_name: string }[]>();
  expect(sites).toEqual([
    { site_id: id, pages: 12, site_name: 'x' },
    { site_id: '7', pages: 1, site_name: id },
  ]);
  const siteID = sites[0]?.site_id ?? '';
  await client.GET(site, { params: { path: { siteID } } });
  await client.POST(site, {
    params: { path: { siteID }, query: { after_id: siteID } },
    body: { id: siteID, page_ids: [siteID, 3], pages: 5, text: id, entry: { siteId: '-12' } },
  });
  await client.POST(site, { params, body: { id: '007', text: null, entry: { siteId: 'a"1' } } });
  expect(sent).toEqual([
    'GET /tenant/sites/7',
    `GET /tenant/sites/${id}`,
    `POST /tenant/sites/${id}?after_id=${id} {"id":${id},"page_ids":[${id},3],"pages":5,"text":"${id}","entry":{"siteId":-12}}`,
    'POST /tenant/sites/7 {"id":"007","text":null,"entry":{"siteId":"a\\"1"}}',
  ]);
  const rounded = { params: { path: { siteID: Number(id) } } };
  await expect(client.GET(site, rounded)).rejects.toThrow('pass it as plain digits');
});

test('reads identifiers as bigints and sends them as integers with ids "bigint"', async () => {
  const { client, sent } = open(list, { ids: 'bigint' });
  const { list: sites } = await client.GET(site, { params });
  expectTypeOf(sites).toEqualTypeOf<{ site_id: bigint; pages: number; site_name: string }[]>();
  expect(sites.map(({ site_id }) => site_id)).toEqual([BigInt(id), 7n]);
  await client.POST(site, {
    params: { path: { siteID: BigInt(id) }, query: { after_id: 1n } },
    body: { id: BigInt(id), page_ids: [1n, 2], text: '1', entry: { siteId: -12n } },
  });
  expect(sent[1]).toBe(
    `POST /tenant/sites/${id}?after_id=1 {"id":${id},"page_ids":[1,2],"text":"1","entry":{"siteId":-12}}`,
  );
});

test('writes a body like JSON.stringify', async () => {
  const { client, sent } = open('{"list":[]}');
  const body = {
    ...{
      text: undefined,
      a: [undefined, Number.NaN, null],
      'ü"\n': '\u2028\ud800',
      at: new Date(0),
      n: 1e21,
    },
    ...{ deep: { list: [[], {}, [{ id: 7 }]] }, id: 'a' },
  };
  await client.POST(site, { params, body: body as object });
  expect(sent).toEqual([`POST /tenant/sites/7 ${JSON.stringify(body)}`]);
});

test('throws TypeError for an unknown value of ids', () => {
  expect(() => createClient({ baseUrl: 'http://host/api/v1', ids: 'text' as 'string' })).toThrow(
    new TypeError("createClient: ids is none of 'number', 'string' and 'bigint'"),
  );
});

test('a client without the option has the plain types', async () => {
  const { client } = open(list);
  type Data = Awaited<ReturnType<typeof client.GET<typeof site>>>;
  expectTypeOf<Data['list'][0]['site_id']>().toEqualTypeOf<number>();
  // @ts-expect-error: a text is not a number
  const called = client.GET(site, { params: { path: { siteID: id } } });
  await expect(called).rejects.toThrow('succeeded, but in its answer "site_id" is an integer');
});
