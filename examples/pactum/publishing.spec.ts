// Tests of what an application relies on. `sitepub exec` starts the mock that they call.
import { readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import pactum from 'pactum';
import type { components } from './service.ts';

type Schemas = components['schemas'];

const {
  SITEPUB_BASE_URL: service = '',
  SITEPUB_CONTROL_URL: control = '',
  SITEPUB_API_KEY: apiKey = '',
  SITEPUB_SITE_ID: siteID = '',
  SITEPUB_USERNAME: username = '',
  SITEPUB_PASSWORD: password = '',
} = process.env;

const { components: described } = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** `lax` passes over members that are no JSON Schema, such as `x-gap`. */
function schema(name: keyof Schemas): [schema: object, options: object] {
  return [{ ...described.schemas[name], components: described }, { mode: 'lax' }];
}

function logIn() {
  const body: Schemas['LoginRequest'] = { username, password };
  return pactum.spec().post(`${service}/auth/tenant/login`).withJson(body);
}

/** Each test begins with the same world. */
beforeEach(() => pactum.spec().post(`${control}/reset`).expectStatus(200).toss());

test('a login gives a token', async () => {
  const { data }: Schemas['LoginSuccess'] = await logIn()
    .expectStatus(200)
    .expectJsonSchema(...schema('LoginSuccess'))
    .expectJsonLike({ code: 0, message: 'success', data: { token: /^st_/ } })
    .returns('.');
  await pactum.spec().get(`${service}/tenant/sites`).withBearerToken(data.token).expectStatus(200);
});

test('an eleventh login within a minute is refused', async () => {
  for (let turn = 1; turn <= 10; turn += 1) await logIn().expectStatus(200);
  await logIn()
    .expectStatus(429)
    .expectJsonSchema(...schema('Failure'))
    .expectJsonLike({ code: 42900, trace_id: /\S/ });
  await pactum.spec().post(`${control}/clock`).withJson({ advance: 'PT1M' }).expectStatus(200);
  await logIn().expectStatus(200);
});

test('a publish sends a signed push to a subscription', async () => {
  const inbox = `${control}/inbox/pactum`;
  const secret = "It's a Secret to Everybody";
  await pactum.spec().put(inbox).withJson({ secret }).expectStatus(200);
  const subscription: Schemas['SubscriptionRequest'] = {
    url: inbox,
    events: ['publish.complete'],
    channel: 'custom',
    secret,
  };
  await pactum
    .spec()
    .post(`${service}/tenant/sites/{siteID}/webhooks`)
    .withPathParams({ siteID })
    .withBearerToken(apiKey)
    .withJson(subscription)
    .expectStatus(200)
    .expectJsonSchema(...schema('SubscriptionSuccess'))
    .expectJsonLike({ data: { url: inbox, events: ['publish.complete'], channel: 'custom' } });
  await pactum
    .spec()
    .post(`${service}/tenant/sites/{siteID}/publish`)
    .withPathParams({ siteID })
    .withBearerToken(apiKey)
    .withJson({ note: 'spring menu' })
    .expectStatus(200);
  await pactum.spec().post(`${control}/drain`).expectStatus(200);
  await pactum
    .spec()
    .get(`${inbox}/messages`)
    .expectJsonLike({ received: 1, messages: [{ verified: true, body: /"event": ?"publish.complete"/ }] });
});
