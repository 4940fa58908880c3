// Four generators' clients against a running mock: log in, list the sites, subscribe, publish. A misspelled field compiles in none.
import { ok } from '@oazapfts/runtime';
import * as heyApi from './generated/hey-api';
import * as oazapfts from './generated/oazapfts';
import * as orval from './generated/orval/service';
import { Api, Channel, EventName } from './generated/swagger-typescript-api/Api';

const account = { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' };
const subscription = (url: string) => ({
  url,
  events: ['publish.complete' as const],
  channel: 'custom' as const,
});
const url = 'http://127.0.0.1:9/';
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function callHeyApi(): Promise<number> {
  const { data: session } = await heyApi.login({ body: account, throwOnError: true });
  // @ts-expect-error: it is called token
  void session.data.tokn;
  const auth = { auth: session.data.token, throwOnError: true as const };
  const { data: sites } = await heyApi.listSites(auth);
  const path = { siteID: sites.data.list[0]?.site_id ?? 0 };
  await heyApi.createSubscription({ ...auth, path, body: subscription(url) });
  const { data: published } = await heyApi.publishSite({ ...auth, path, body: { note: 'hey-api' } });
  return published.data.version;
}

async function callOrval(): Promise<number> {
  const { status, data: session } = await orval.login(account);
  if (status !== 200) throw new Error(session.message);
  // @ts-expect-error: it is called token
  void session.data.tokn;
  const options = bearer(session.data.token);
  const sites = await orval.listSites(options);
  if (sites.status !== 200) throw new Error(sites.data.message);
  const siteID = sites.data.data.list[0]?.site_id ?? 0;
  await orval.createSubscription(siteID, subscription(url), options);
  const published = await orval.publishSite(siteID, { note: 'orval' }, options);
  if (published.status !== 200) throw new Error(published.data.message);
  return published.data.data.version;
}

async function callSwaggerTypescriptApi(): Promise<number> {
  const api = new Api<string>({ securityWorker: (token) => (token ? bearer(token) : {}) });
  const { data: session } = await api.auth.login(account);
  // @ts-expect-error: it is called token
  void session.data.tokn;
  api.setSecurityData(session.data.token);
  const { data: sites } = await api.tenant.listSites();
  const siteID = sites.data.list[0]?.site_id ?? 0;
  await api.tenant.createSubscription(siteID, {
    url,
    events: [EventName.PublishComplete],
    channel: Channel.Custom,
  });
  const { data: published } = await api.tenant.publishSite(siteID, { note: 'swagger-typescript-api' });
  return published.data.version;
}

async function callOazapfts(): Promise<number> {
  const session = await ok(oazapfts.login(account));
  // @ts-expect-error: it is called token
  void session.data.tokn;
  const options = bearer(session.data.token);
  const sites = await ok(oazapfts.listSites(options));
  const siteID = sites.data.list[0]?.site_id ?? 0;
  await ok(oazapfts.createSubscription(siteID, subscription(url), options));
  return (await ok(oazapfts.publishSite(siteID, { note: 'oazapfts' }, options))).data.version;
}

const versions = [
  await callHeyApi(),
  await callOrval(),
  await callSwaggerTypescriptApi(),
  await callOazapfts(),
];
console.log(`published as ${versions.join(', ')}`);
