// Identifiers that a JavaScript number can't hold, in answers and requests.
import { expect, expectTypeOf, test } from 'vitest';
import { type ClientOptions, createClient, type Ids, UnsafeIntegerError } from './client.ts';

const id = '1892345678901234567';
const site = '/tenant/sites/{siteID}';

/** A client before a service that always answers with this data, and the requests that it sends. */
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

test('by default an answer with an identifier that a number would change is refused, with the way out', async () => {
  const { client } = open(list);
  const error = await client.GET(site, { params }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnsafeIntegerError);
  expect(error).toMatchObject({
    name: 'UnsafeIntegerError',
    call: `GET ${site}`,
    message: `GET ${site} succeeded, but in its answer "site_id" is an integer that a JavaScript number can't hold exactly; set ids to 'string' or 'bigint'`,
  });
});

test('other large numbers are taken as before, and a refusal stays one', async () => {
  expect(await open(`{"list":[],"at_ns":${id}}`).client.GET(site, { params })).toEqual({
    list: [],
    at_ns: Number(id),
  });
  const body = `{"code":7,"message":"no","trace_id":"t","data":{"site_id":${id}}}`;
  const { client } = open('', { fetch: async () => new Response(body) });
  await expect(client.GET(site, { params })).rejects.toMatchObject({ name: 'BusinessError', code: 7 });
});

test('a number that may have been rounded is not sent', async () => {
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
      message: expect.stringMatching(/ was not sent: "\w+" is an integer that /),
    });
  expect(sent).toEqual([]);
});

test('with ids "string" identifiers are texts, and go out as integers', async () => {
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
  await expect(client.GET(site, rounded)).rejects.toThrow('give it as plain digits');
});

test('with ids "bigint" identifiers are bigints, and go out as integers', async () => {
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

test('a body is written as JSON.stringify writes it', async () => {
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

test('an unknown value of ids is a mistake of the program', () => {
  expect(() => createClient({ baseUrl: 'http://host/api/v1', ids: 'text' as 'string' })).toThrow(
    new TypeError("createClient: ids is neither 'number', 'string' nor 'bigint'"),
  );
});

test('the types of a client without the option stay as they were', async () => {
  const { client } = open(list);
  type Data = Awaited<ReturnType<typeof client.GET<typeof site>>>;
  expectTypeOf<Data['list'][0]['site_id']>().toEqualTypeOf<number>();
  // @ts-expect-error: a text is no number
  const called = client.GET(site, { params: { path: { siteID: id } } });
  await expect(called).rejects.toThrow('succeeded, but in its answer "site_id" is an integer');
});
