import { explainUnknownFault, loadFaults } from '../../faults/fault-switch.ts';
import { freesAt, limitNames, liveCalls, perMinute } from '../../request/rate-limits.ts';
import { digest } from '../../world/digests.ts';
import type { Attempt, Delivery } from '../../world/entries.ts';
import { changeClockMode, isoTime, parseDuration, tenYearsMs, timeOf } from '../../world/time.ts';
import type { World } from '../../world/world.ts';
import { checkOperation, findTenant, refuse } from '../control-error.ts';
import type { Answer, Body, Call, ControlledMock, WaitingCall } from '../controlled-mock.ts';
import { show, showCausedAttempt, showClock } from '../show.ts';
import { follow } from '../stream/watch.ts';

export const listOverrides: Call<'listOverrides'> = ({ world }) => showOverrides(world);

function showOverrides({ overrides }: World): Answer<'listOverrides'> {
  return { overrides: [...overrides.values()].map((one) => show(one)) };
}

const mostOverrides = 1000;

export const addOverride: Call<'addOverride'> = (mock, { body: wanted }) => {
  const { delay_ms: delayMs, ...others } = wanted;
  const { operation, status, code, body } = others;
  checkOperation(mock, operation);
  if (code !== undefined && body !== undefined)
    refuse(
      400,
      'POST /_mock/overrides: send either "code" or "body", not both; a custom body contains its own code',
    );
  if (body !== undefined && status !== undefined && [204, 205, 304].includes(status))
    refuse(400, `POST /_mock/overrides: an answer with status ${status} cannot have a body`);
  if ([status, code, body, delayMs].every((one) => one === undefined))
    refuse(400, 'POST /_mock/overrides: send at least one of "status", "code", "body" and "delay_ms"');
  const { overrides } = mock.world;
  if (overrides.size >= mostOverrides)
    refuse(
      409,
      `POST /_mock/overrides: there are ${mostOverrides} forced answers already; remove them with DELETE /_mock/overrides`,
    );
  const last = [...overrides.keys()].at(-1) ?? 0;
  overrides.set(last + 1, { ...others, ...(delayMs !== undefined && { delayMs }) });
  return showOverrides(mock.world);
};

export const clearOverrides: Call<'clearOverrides'> = (mock, { query: { operation } }) => {
  if (operation !== undefined) checkOperation(mock, operation);
  const { overrides } = mock.world;
  for (const [key, override] of overrides)
    if (operation === undefined || override.operation === operation) overrides.delete(key);
  return showOverrides(mock.world);
};

export const getFaults: WaitingCall<'getFaults'> = ({ faults }) => showFaults(faults);

async function showFaults(faults: ControlledMock['faults']): Promise<Answer<'getFaults'>> {
  const table = await loadFaults();
  return {
    faults: table.map(({ id, title, requirement }) => ({ id, title, requirement })),
    on: faults.on(),
  };
}

export const setFaults: WaitingCall<'setFaults'> = async (mock, { body: { on } }) => {
  const unknown = await explainUnknownFault(on);
  if (unknown !== undefined) refuse(400, `PUT /_mock/faults: ${unknown}`);
  await mock.faults.set(on);
  return showFaults(mock.faults);
};

export const expireTokens: Call<'expireTokens'> = ({ world }, { body: { token, username } }) => {
  const { sessions, users, clock } = world;
  const wanted = token === undefined ? undefined : digest(token);
  if (wanted !== undefined && !sessions.has(wanted))
    refuse(404, 'POST /_mock/tokens/expire: unknown session token; it may have been renewed');
  if (username !== undefined && !users.has(username))
    refuse(404, 'POST /_mock/tokens/expire: there is no user with this name');
  const now = timeOf(clock);
  const expiring = [...sessions].filter(
    ([key, session]) =>
      // Moving the expiry of an expired token to now would let it be renewed for longer.
      session.expiresAt > now &&
      (wanted === undefined || key === wanted) &&
      (username === undefined || session.username === username),
  );
  for (const [key] of expiring) sessions.edit(key).expiresAt = now;
  return { expired: expiring.length };
};

export const listLimits: Call<'listLimits'> = ({ world }, { query: { tenant } }) => {
  const tenants = tenant === undefined ? world.tenants.values() : [findTenant(world, tenant)];
  const limits = [...tenants].flatMap(({ id, name }) =>
    limitNames.map((limit) => {
      const live = liveCalls(world.limits.get(`${limit}:${id}`) ?? [], timeOf(world.clock));
      const frees = live.length > 0 && { frees_at: isoTime(freesAt(live)) };
      return { limit, tenant: name, used: live.length, of: perMinute, ...frees };
    }),
  );
  return { limits };
};

/** Also lifts the locks after too many wrong passwords. */
export const clearLimits: Call<'clearLimits'> = (mock, input) => {
  const { limits, users } = mock.world;
  const { tenant } = input.query;
  const id = tenant === undefined ? undefined : findTenant(mock.world, tenant).id;
  for (const key of limits.keys()) if (id === undefined || key.endsWith(`:${id}`)) limits.delete(key);
  for (const [name, { tenantId }] of users) {
    if (id !== undefined && tenantId !== id) continue;
    const user = users.edit(name);
    delete user.wrongPasswords;
    delete user.lockedUntil;
  }
  return listLimits(mock, input);
};

export const getClock: Call<'getClock'> = ({ world }) => showClock(world);

export const moveClock: WaitingCall<'moveClock'> = async (mock, { body }) =>
  mock.inOrder(async () => {
    const to = await mock.turn(() => {
      const { world } = mock;
      const target = targetOf(body, timeOf(world.clock));
      if (body.mode) world.clock = changeClockMode(world.clock, body.mode);
      return target;
    });
    const attempts = await attemptsDuring(mock, () => mock.scheduler.advance(to));
    mock.scheduler.wake();
    mock.events.emit('clock');
    return { ...showClock(mock.world), attempts };
  });

function targetOf({ to, advance }: Body<'moveClock'>, now: number): number {
  if (to !== undefined && advance !== undefined)
    refuse(400, 'POST /_mock/clock: send either "to" or "advance", not both');
  const target = to === undefined ? now + (parseDuration(advance ?? 'PT0S') ?? Number.NaN) : Date.parse(to);
  if (target < now)
    refuse(
      409,
      `POST /_mock/clock: the clock only moves forward, and ${isoTime(target)} is before its time, ${isoTime(now)}; POST /_mock/reset restores the initial time`,
    );
  // The comparison is false for NaN, the result of an invalid time.
  if (target - now <= tenYearsMs) return target;
  return refuse(400, 'POST /_mock/clock: the clock moves by at most ten years; move it in several steps');
}

async function attemptsDuring(
  { events }: ControlledMock,
  move: () => Promise<void>,
): Promise<Answer<'moveClock'>['attempts']> {
  const attempts: [Delivery, Attempt][] = [];
  const end = follow(events, { attempt: (delivery, attempt) => attempts.push([delivery, attempt]) });
  await move().finally(end);
  attempts.sort(([, one], [, other]) => one.at - other.at);
  return attempts.map(([delivery, attempt]) => showCausedAttempt(delivery, attempt));
}
