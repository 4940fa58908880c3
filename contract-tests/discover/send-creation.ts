// The request for a subscription, as a discovery sends it.
import type { EventName } from '../../openapi/generated/types.ts';
import { parentOf } from '../../openapi/json-pointer.ts';
import type { Exchange } from '../core/exchange.ts';
import { answerLeaves } from '../core/json-leaves.ts';
import { Unreachable } from '../core/outcomes.ts';
import { isPathPart } from '../core/read-values.ts';
import { placeOf } from '../deployment/shown-things.ts';
import { type Probe, recordCreation } from './discovery-probe.ts';
import { sendRequest, untilSettled } from './send-request.ts';

/** The events of a plain subscription; neither is likely to be in a deployment's answer by chance. */
export const plainEvents: readonly EventName[] = ['form.submit', 'publish.complete'];

export interface CreationOptions {
  target?: string;
  site?: unknown;
  headers?: Record<string, string>;
  /** Not sent again where its answer is lost. */
  isOnce?: boolean;
}

/** A creation with any body. The subscription is recorded before, for each request: a lost answer may have been that to a creation. */
export async function sendCreation(
  probe: Probe,
  body: unknown,
  options: CreationOptions = {},
): Promise<Exchange> {
  const send = () => sendOneCreation(probe, body, options);
  return untilSettled(probe, options.isOnce ? send : () => untilAnswered(send));
}

async function untilAnswered(send: () => Promise<Exchange>): Promise<Exchange> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return send();
  }
}

async function sendOneCreation(
  probe: Probe,
  body: unknown,
  { target = '', site = probe.options.siteId, headers = {} }: CreationOptions,
): Promise<Exchange> {
  const settle = recordCreation(probe, { what: 'subscription', site, target });
  const path = `/tenant/sites/${encodeURIComponent(String(site))}/webhooks`;
  const exchange = await sendRequest(probe, {
    operation: 'createSubscription',
    path,
    body,
    token: probe.token,
    headers,
    isOnce: true,
  });
  const known = () => knownId(exchange, { probe, target });
  const id = known() ?? idBeside(target, exchange);
  const isNew = settle(exchange, id);
  if (isNew && id === undefined)
    probe.unidentified.push({ exchange, settle: () => settle(exchange, known()) });
  return exchange;
}

/** The body of a creation by the names that were found. */
export function creationBody({ findings }: Probe, values: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const nameOf = (field: string) => String(findings.value(`subscription.request.${field}`));
  return Object.fromEntries(given.map(([field, value]) => [nameOf(field), value]));
}

/** The identifier in an answer, once its place is known: by a guess, or by a place apart from the address, somebody else's subscription might be deleted. */
function knownId(
  exchange: Exchange,
  { probe: { findings, shownId }, target }: { probe: Probe; target: string },
): unknown {
  const known = shownId ?? findings.value('subscription.response.id');
  const id = answerLeaves(exchange.response.json).find(({ pointer }) => pointer === known)?.value;
  const isMark = (value: unknown) => target !== '' && value === target;
  const isElsewhere = placeOf(exchange, { what: 'subscription', id, isMark }) === 'elsewhere';
  return isPathPart(id) && !isElsewhere ? id : undefined;
}

/** What stands as "id" beside the address that was sent. */
function idBeside(target: string, { response }: Exchange): unknown {
  const leaves = answerLeaves(response.json);
  const holders = leaves
    .filter(({ value }) => target !== '' && value === target)
    .map(({ pointer }) => parentOf(pointer));
  const leaf = leaves.find(
    ({ name, pointer }) => /^(id|uuid)$/.test(name) && holders.includes(parentOf(pointer)),
  );
  return isPathPart(leaf?.value) ? leaf?.value : undefined;
}
