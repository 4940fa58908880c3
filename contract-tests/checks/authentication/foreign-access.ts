// What a tenant owns is closed to other tenants: sites, subscriptions, push logs and API keys. Whatever is changed here was created by this run.
import { isDeepStrictEqual } from 'node:util';
import { expectRefusal } from '../../calls/expect-answer.ts';
import { untilAccepted } from '../../calls/look-again.ts';
import { readList } from '../../calls/pages.ts';
import { callProfileOperation, callToEnd, canVary, gapOf } from '../../calls/profile-calls.ts';
import type { ListedItems } from '../../calls/read-pages.ts';
import { otherSession, tokensOf } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { isSameId, writeJson } from '../../core/parse-json.ts';
import { settle } from '../../core/settled.ts';
import { requireTest } from '../../credentials/token-endpoints.ts';
import { newWrite } from '../../events/repeated-writes.ts';
import { subscribe } from '../../subscriptions/create-subscription.ts';
import { type Subscription, sendTest } from '../../subscriptions/subscription-calls.ts';
import { createdKey, useKey } from './created-keys.ts';

const ofTheirSite: readonly Need[] = ['account', 'site', 'creates', 'second-tenant'];
const ofOurKey: readonly Need[] = ['account', 'site', 'creates', 'spare-key', 'other-user'];

/** Calls of one tenant on what another owns. */
export const foreignAccess: readonly Check[] = [
  foreignCheck('auth-6-read-foreign-site', [...ofTheirSite, 'operation:get-site'], async (context) => {
    const siteID = context.options.other?.siteId;
    requireNamed(context, 'getSite');
    const { token } = await otherSession(context);
    await callToEnd(context, 'getSite', { values: { siteID }, token });
    for (const own of await tokensOf(context)) {
      const exchange = await callProfileOperation(context, 'getSite', { values: { siteID }, token: own });
      requireClosed(context, exchange, "reading another tenant's site");
    }
  }),
  foreignCheck(
    'auth-6-publish-foreign-site',
    [...ofTheirSite, 'operation:publish-site', 'operation:create-site', 'disruptive'],
    async (context) => {
      requireNamed(context, 'publishSite');
      const { token } = await otherSession(context);
      const siteID = await createForOther(context, token);
      const publish = (by: string) => {
        const made = newWrite(context);
        return callProfileOperation(context, 'publishSite', {
          ...made,
          values: { ...made.values, siteID },
          token: by,
          tenant: 'other',
        });
      };
      for (const own of await tokensOf(context))
        requireClosed(context, await publish(own), "publishing another tenant's site");
      const theirs = await publish(token);
      if (!succeeded(theirs))
        throw new NotVerified(`another tenant cannot publish its own new site (${describeAnswer(theirs)})`);
    },
  ),
  foreignCheck(
    'auth-6-delete-foreign-subscription',
    [...ofTheirSite, 'operation:delete-subscription'],
    async (context) => {
      const { token, theirs } = await subscribeAsOther(context);
      for (const own of await tokensOf(context)) {
        const values = { siteID: theirs.siteID, subscriptionID: theirs.id };
        const exchange = await callProfileOperation(context, 'deleteSubscription', { values, token: own });
        // A deletion may be accepted where there is nothing to delete.
        if (!succeeded(exchange)) continue;
        const test = await untilAccepted(context, () => sendTest(context, theirs, { token }));
        if (!succeeded(test))
          requireClosed(context, exchange, "deleting another tenant's subscription, which no longer exists");
      }
    },
  ),
  foreignCheck(
    'auth-6-read-foreign-push-log',
    [...ofTheirSite, 'operation:list-deliveries'],
    async (context) => {
      requireNamed(context, 'listDeliveries');
      const { token, theirs } = await subscribeAsOther(context);
      const values = { siteID: theirs.siteID, subscriptionID: theirs.id };
      const theirLog = await readList(context, 'listDeliveries', { values, token });
      if (theirLog.items.length === 0)
        throw new NotVerified("another tenant's push log does not show the test of its subscription");
      for (const own of await tokensOf(context)) {
        const read = await settle(() => readList(context, 'listDeliveries', { values, token: own }));
        if (read.error) continue;
        const { items, exchange } = read.value();
        if (items.some((item) => theirLog.items.some((their) => isDeepStrictEqual(item, their))))
          requireClosed(context, exchange, "reading another tenant's push log");
      }
    },
  ),
  foreignCheck('auth-6-list-of-foreign-keys', [...ofOurKey, 'operation:list-keys'], async (context) => {
    if (!canVary(context, 'createKey', 'name'))
      throw new NotApplicable(
        `the call of ${gapOf(context, 'createKey')} does not name the key, so lists cannot show whose key it is`,
      );
    const { exchange: created } = await createdKey(context);
    const name = nameSentIn(created);
    const isShown = ({ items }: ListedItems) => name !== undefined && writeJson(items).includes(name);
    if (!isShown(await readList(context, 'listKeys')))
      throw new NotVerified('the list of the tenant with the new key does not show its name');
    const { token } = await otherSession(context);
    const listed = await settle(() => readList(context, 'listKeys', { token }));
    if (!listed.error && isShown(listed.value()))
      throw new PromiseBroken(
        'a list without the keys of another tenant',
        `the key "${name}"`,
        listed.value().exchange,
      );
  }),
  foreignCheck(
    'auth-6-delete-foreign-key',
    [...ofOurKey, 'operation:list-keys', 'operation:delete-key'],
    async (context) => {
      const { key, id } = await createdKey(context);
      if (id === undefined)
        throw new NotVerified(`the id of the key is unknown; state id in ${gapOf(context, 'createKey')}`);
      const { token } = await otherSession(context);
      // Identifiers may be counted per tenant: then this one may be a key of theirs.
      const listed = await readList(context, 'listKeys', { token });
      if (!listed.isWhole || listed.items.some((item) => item.id === undefined || isSameId(item.id, id)))
        throw new NotVerified('another tenant may have a key with the same identifier');
      if (!succeeded(await useKey(context, key)))
        throw new NotVerified('the key is not accepted; see AUTH-3');
      const exchange = await callProfileOperation(context, 'deleteKey', { values: { keyID: id }, token });
      if (!succeeded(exchange)) return;
      const use = await settle(() => untilAccepted(context, () => useKey(context, key)));
      if (!succeeded(use.value()))
        requireClosed(context, exchange, "deleting another tenant's key, which no longer works");
    },
  ),
];

function foreignCheck(id: string, needs: readonly Need[], run: Check['run']): Check {
  return { id, requirement: 'AUTH-6', isFurther: true, needs, run };
}

/**
 * A new site of the other tenant. Throws NotVerified unless the other tenant's own calls show it under the name that was sent: what an answer points at
 * may be a site of somebody else.
 */
async function createForOther(context: Context, token: string): Promise<unknown> {
  const made = newWrite(context);
  const { values } = await callToEnd(context, 'createSite', { ...made, token, tenant: 'other' });
  const gap = gapOf(context, 'createSite');
  if (values.id === undefined)
    throw new NotVerified(`the id of another tenant's new site is unknown; state id in ${gap}`);
  const { name } = made.values;
  const listed = await settle(() => readList(context, 'listSites', { token }));
  const isListed =
    !listed.error && listed.value().items.some((item) => isSameId(item.id, values.id) && item.name === name);
  const read = await settle(() =>
    callToEnd(context, 'getSite', { values: { siteID: values.id }, token, tenant: 'other' }),
  );
  const isRead = !read.error && writeJson(read.value().response.json).includes(String(name));
  if (isListed || isRead) return values.id;
  throw new NotVerified(
    `nothing shows that site ${values.id} is the new one of another tenant; check id in ${gap}`,
  );
}

/** Without the site in the call, it would be about one of the caller's own. */
function requireNamed(context: Context, id: 'getSite' | 'publishSite' | 'listDeliveries'): void {
  if (!canVary(context, id, 'siteID'))
    throw new NotApplicable(`the call of ${gapOf(context, id)} does not name a site`);
  if (context.operations.get(id)?.auth === 'none')
    throw new NotApplicable(`the call of ${gapOf(context, id)} needs no token`);
}

function requireClosed(context: Context, exchange: Exchange, what: string): void {
  expectRefusal(context, exchange, { what, kind: 'foreign-site' });
}

/** A subscription of the other tenant on its own site, which the other tenant has tested. */
function subscribeAsOther(context: Context): Promise<{ token: string; theirs: Subscription }> {
  return once(context, testAsOther);
}

async function testAsOther(context: Context): Promise<{ token: string; theirs: Subscription }> {
  const { token } = await otherSession(context);
  const created = await settle(() =>
    subscribe(context, { siteID: context.options.other?.siteId }, { token }),
  );
  if (created.error)
    throw new NotVerified('another tenant cannot create a subscription on its own site; see AUTH-2');
  const theirs = created.value();
  requireTest(await untilAccepted(context, () => sendTest(context, theirs, { token })));
  return { token, theirs };
}

/** The text by which the run knows a key. */
function nameSentIn({ request }: Exchange): string | undefined {
  return /sitepub-[^"\\]+ \d+/.exec(request.body ?? '')?.[0];
}
