import { gaps } from '../../openapi/registers.ts';
import { version } from '../../openapi/version.ts';
import { cleanUp } from '../calls/delete-created.ts';
import { useRenewedToken } from '../calls/user-session.ts';
import { createContext } from '../context.ts';
import { createEnding } from '../core/ending.ts';
import { NotVerified, Unreachable } from '../core/outcomes.ts';
import { isSameId } from '../core/parse-json.ts';
import { ControlError, openControl } from '../deployment/control-api.ts';
import { bearsName, type Resource } from '../deployment/created-resources.ts';
import { createMovedClock, createRealClock } from '../deployment/deployment-clock.ts';
import { readingOf } from '../deployment/shown-things.ts';
import { containsToken, writeProfile } from '../findings/write-profile.ts';
import type { Learning } from '../learn/learn-operations.ts';
import { deletionsIn, type OperationRow, rowsOf, takeBackUncalled } from '../learn/learnt-findings.ts';
import { canBeReached, startReceiver } from '../push-receiver/push-receiver.ts';
import { isGiven, readOwnList } from './ask/operations.ts';
import { newMs } from './ask/send.ts';
import { summarizeRefusals } from './errors/mistakes.ts';
import { explainUnknown } from './explain.ts';
import type { DiscoverOptions } from './options.ts';
import { createProbe, type Probe, Stop } from './probe.ts';
import { runSteps } from './steps.ts';

export interface Discovery {
  /** YAML. */
  profile: string;
  /** Gap ids: with a discovered value, and without one although a step probes them. */
  found: readonly string[];
  missed: readonly string[];
  /** Gap ids of operations: called, and answered with success. */
  called: readonly string[];
  accepted: readonly string[];
  /** Contains no secrets. */
  learnt: readonly OperationRow[];
  /** By gap id, including given values. */
  values: Readonly<Record<string, unknown>>;
  /** True if a login succeeded or was not needed. */
  hasSession: boolean;
  /** Set if the discovery ended early. */
  stopped: { kind: Stop['kind'] | 'failed'; reason: string } | undefined;
  /** `isFailed`: a publish that discovery made fail on purpose. */
  leftovers: readonly (Resource & { isFailed: boolean })[];
  /** Resources that failed creations may have left behind. */
  doubtful: readonly Resource[];
  count: { requests: number; logins: number };
}

/** Throws ControlError or ReceiverError if the control API or the receiver of the options is unusable. */
export async function discover(options: DiscoverOptions): Promise<Discovery> {
  const { controlUrl, controlToken, signal } = options;
  const control =
    controlUrl === undefined ? undefined : await openControl(controlUrl, controlToken, createEnding(signal));
  const clock = control
    ? await createMovedClock(control)
    : createRealClock((until, what) => {
        options.onProgress?.(`waiting for ${what}`);
        options.onWait?.(until, what);
      }, signal);
  const { baseUrl, receiver: at } = options;
  const isReached = canBeReached({ baseUrl, receiver: at });
  const receiver = isReached ? await startReceiver({ ...at, moment: clock.moment }) : undefined;
  const probe = createProbe(options, { clock, receiver });
  try {
    const stopped = await probeAndCleanUp(probe);
    summarizeRefusals(probe);
    probe.findings.reconcile();
    explainUnknown(probe, { endedEarly: stopped !== undefined });
    return summarize(probe, stopped);
  } finally {
    await receiver?.close();
  }
}

async function probeAndCleanUp(probe: Probe): Promise<Discovery['stopped']> {
  try {
    await runSteps(probe);
    return undefined;
  } catch (error) {
    if (error instanceof Stop) return { kind: error.kind, reason: error.message };
    if (probe.options.signal?.aborted) return { kind: 'interrupted', reason: 'interrupted' };
    if (error instanceof Unreachable)
      return { kind: 'unreachable', reason: `${probe.options.baseUrl} can't be reached: ${error.message}` };
    if (error instanceof ControlError) return { kind: 'unreachable', reason: error.message };
    // The findings so far are still worth a profile.
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'failed', reason: `internal error; please report it: ${problem}` };
  } finally {
    probe.findings.reconcile();
    await cleanUpDiscovery(probe);
  }
}

function summarize(probe: Probe, stopped: Discovery['stopped']): Discovery {
  const { findings, secrets, options, session, seen } = probe;
  const { resources, causes } = probe.created;
  const { learning } = options;
  const accepted = [...seen.called].flatMap(([gap, isAccepted]) => (isAccepted ? [gap] : []));
  if (learning) explainUncalled(probe, learning, accepted);
  for (const [gap, value] of Object.entries(findings.values()))
    if (containsToken(value, secrets)) findings.revoke(gap, 'the discovered value contains a token');
  const rows = learning ? rowsOf(learning, findings) : [];
  const found = gaps.filter(({ id }) => findings.has(id) && !Object.hasOwn(options.given, id));
  const missed = gaps.filter(({ id, probe: how }) => how !== undefined && !findings.has(id));
  const head = {
    title: `Profile of ${options.baseUrl}, discovered`,
    date: new Date(),
    version,
    stopped: stopped?.reason,
  };
  return {
    profile: writeProfile(findings, secrets, head),
    found: found.map(({ id }) => id),
    missed: missed.map(({ id }) => id),
    called: [...seen.called.keys()],
    accepted,
    learnt: rows.map(({ call, why, ...row }) => {
      return { ...row, call: secrets.redact(call), why: secrets.redact(why) };
    }),
    values: findings.values(),
    hasSession: options.account === undefined || session.hasLoggedIn,
    stopped: stopped && { ...stopped, reason: secrets.redact(stopped.reason) },
    leftovers: resources.remaining().map(({ id, ...one }) => ({
      ...one,
      id: typeof id === 'string' ? secrets.redact(id) : id,
      isFailed: causes.get(one.target) === 'failPublish',
    })),
    doubtful: resources.doubtful(),
    count: { requests: seen.requests, logins: session.logins },
  };
}

/** Uncalled deletions need confirmation by a person; other uncalled operations are stated as read. */
function explainUncalled({ findings, seen }: Probe, learning: Learning, accepted: readonly string[]): void {
  const why = seen.whyNoCreation ?? 'this run created nothing that it may delete';
  const reason = `deletes and was not called: ${why}; remove the mark "# " if it is right`;
  takeBackUncalled(learning, findings, { called: new Set(accepted), reason });
  for (const { gap } of learning.operations) {
    const { value, evidence } = findings.finding(gap.id) ?? {};
    if (value !== undefined && !seen.called.has(gap.id))
      findings.found(gap.id, value, `not called; ${evidence}`);
  }
}

/** Undeletable resources are listed as leftovers and do not fail the discovery. */
async function cleanUpDiscovery(probe: Probe): Promise<void> {
  const { clock, findings, ending } = probe;
  const { resources } = probe.created;
  const { token } = probe.session;
  const mayBeThere = [...resources.remaining(), ...resources.doubtful()];
  if (resources.announced().length === 0 || token === undefined) return resources.close();
  // This discovery already has the journal open.
  const { journal: _, ...options } = probe.options;
  // A deployment may accept a refused deletion once the resources on the site are deleted.
  const deletions = deletionsIn(options.learning).map(({ gap, value }) => [gap.id, value]);
  const stated = { ...Object.fromEntries(deletions), ...findings.values() };
  const context = createContext(
    { ...options, profile: { name: 'discover', stated }, tier: 'safe', only: [], skip: [] },
    { clock, ending },
  );
  // The journal stays open until the lists are compared.
  context.resources = { ...resources, close: () => {} };
  context.runId = probe.runId;
  useRenewedToken(context, token);
  try {
    await cleanUp(context, { keepsDoubtful: true });
    if (!ending.interrupted.aborted) await compareWithLists(probe);
    for (const one of mayBeThere.filter(({ what }) => probe.created.undeletable.has(what)))
      if (resources.fateOf(one) === 'deleted') resources.markCreated(one, one.id);
    resources.close();
  } catch (error) {
    if (![Unreachable, NotVerified, Stop].some((kind) => error instanceof kind)) throw error;
  }
}

/** Corrects the fate of announced resources by what lists show. */
async function compareWithLists(probe: Probe): Promise<void> {
  const announced = probe.created.resources.announced();
  const listed = announced.filter(({ what }) => isGiven(probe, readingOf[what]?.list));
  if (listed.length > 0) await probe.clock.pass(newMs, 'a change to be visible everywhere');
  for (const [first, ...others] of Map.groupBy(listed, ({ what, site }) => `${what} ${site}`).values())
    if (first) await compareWithList(probe, [first, ...others]);
}

/** A listed name of this run exists. A resource without an id that is missing from a complete list does not, unless its creation is still running. */
async function compareWithList(probe: Probe, here: readonly [Resource, ...Resource[]]): Promise<void> {
  const { resources, causes, accepted } = probe.created;
  const [{ what, site }] = here;
  const { things, isWhole } = (await readOwnList(probe, { what, site })) ?? { things: [], isWhole: false };
  for (const { id, name } of things.filter((one) => bearsName(one.name, probe.runId))) {
    const isNamed = ({ id, target }: Resource) =>
      id === undefined && target !== '' && bearsName(name, target);
    const known = here.find((one) => isSameId(one.id, id)) ?? here.find(isNamed);
    if (known) resources.markCreated(known, known.id);
    // A gateway may send a creation twice.
    else resources.announce({ what, site, target: String(name), tenant: 'main' });
  }
  const isComing = ({ target }: Resource) => causes.get(target) === 'importSite' || accepted.has(target);
  const unknown = resources.remaining().filter((one) => here.includes(one) && one.id === undefined);
  for (const one of unknown.filter((one) => isWhole && !isComing(one)))
    if (!things.some(({ name }) => mayBear(name, one.target))) resources.markMissing(one);
}

/** A list may mask or shorten the given name. */
function mayBear(name: unknown, given: string): boolean {
  return bearsName(name, given) || bearsName(given, String(name)) || /[*•…]/.test(String(name));
}
