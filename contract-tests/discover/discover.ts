// A whole discovery: its steps, those that move the clock last, and cleaning up.
import { gaps } from '../../openapi/registers.ts';
import { version } from '../../openapi/version.ts';
import { cleanUp } from '../calls/delete-created.ts';
import { readList } from '../calls/pages.ts';
import { ownToken } from '../calls/profile-calls.ts';
import { useRenewedToken } from '../calls/user-session.ts';
import { type Context, createContext } from '../context.ts';
import { createEnding } from '../core/ending.ts';
import { Unreachable } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import { ControlError, openControl } from '../deployment/control-api.ts';
import { bearsName, creations, type Resource } from '../deployment/created-resources.ts';
import { createMovedClock, createRealClock } from '../deployment/deployment-clock.ts';
import { readingOf } from '../deployment/shown-things.ts';
import { holdsToken, writeProfile } from '../findings/write-profile.ts';
import type { Learning } from '../learn/learn-operations.ts';
import { type OperationRow, rowsOf, takeBackUncalled } from '../learn/learnt-findings.ts';
import { learntDeletions, noteUncalled } from '../learn/learnt-lines.ts';
import { canBeReached, startReceiver } from '../push-receiver/push-receiver.ts';
import { newMs } from './ask/send.ts';
import { summarizeRefusals } from './errors/summary.ts';
import { explainUnknown } from './explain.ts';
import type { DiscoverOptions } from './options.ts';
import { createProbe, type Probe, Stop } from './probe.ts';
import { runSteps } from './steps.ts';

export interface Discovery {
  /** The text of the profile. */
  profile: string;
  /** The gaps whose value was found out, and those that a probe can find out and did not. */
  found: readonly string[];
  missed: readonly string[];
  /** The gaps of the operations that were called, and those of which a call was answered with success. */
  called: readonly string[];
  accepted: readonly string[];
  /** What became of the operations that were learnt. It holds no secrets. */
  learnt: readonly OperationRow[];
  /** All values by gap id, the given ones included. */
  values: Readonly<Record<string, unknown>>;
  /** Whether a login succeeded, or none was needed. */
  hasSession: boolean;
  /** Why it ended early, if it did. */
  stopped: { kind: Stop['kind'] | 'failed'; reason: string } | undefined;
  /** `isFailed`: a publish that was to fail. */
  leftovers: readonly (Resource & { isFailed: boolean })[];
  /** What may have been left by creations that failed. */
  doubtful: readonly Resource[];
  count: { requests: number; logins: number };
}

/** Probes a deployment. Throws ControlError or ReceiverError when the control API or the receiver can't be used as the options say. */
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
  // A deployment on this machine can reach a receiver on it; any other needs an address that it can reach.
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

/** What was created is deleted, whatever happens. */
async function probeAndCleanUp(probe: Probe): Promise<Discovery['stopped']> {
  try {
    await runSteps(probe);
    return undefined;
  } catch (error) {
    if (error instanceof Stop) return { kind: error.kind, reason: error.message };
    if (probe.options.signal?.aborted) return { kind: 'interrupted', reason: 'it was interrupted' };
    if (error instanceof Unreachable)
      return { kind: 'unreachable', reason: `${probe.options.baseUrl} can't be reached: ${error.message}` };
    if (error instanceof ControlError) return { kind: 'unreachable', reason: error.message };
    // What was found out until then is worth its file.
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'failed', reason: `the discovery itself failed; please report it: ${problem}` };
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
  if (learning) sayUncalled(probe, learning, accepted);
  for (const [gap, value] of Object.entries(findings.values()))
    if (holdsToken(value, secrets)) findings.revoke(gap, 'what was found has a token in it');
  const found = gaps.filter(({ id }) => findings.has(id) && !Object.hasOwn(options.given, id));
  const missed = gaps.filter(({ id, probe: how }) => how !== undefined && !findings.has(id));
  const head = {
    title: `Profile of ${options.baseUrl}, found out`,
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
    learnt: learning ? rowsOf(learning, findings).map((row) => withoutSecrets(row, secrets)) : [],
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

/** Of what was learnt and not called, deletions are left to people; the rest stands as it was read. */
function sayUncalled({ findings, seen }: Probe, learning: Learning, accepted: readonly string[]): void {
  const why = seen.whyNoCreation ?? 'nothing was created that is known to be its own';
  const reason = `it deletes, and was not called: ${why}; take the mark away if it is right`;
  takeBackUncalled(learning, findings, { called: new Set(accepted), reason });
  noteUncalled(learning, findings, seen.called);
}

function withoutSecrets({ call, why, ...row }: OperationRow, secrets: Probe['secrets']): OperationRow {
  return { ...row, call: secrets.redact(call), why: secrets.redact(why) };
}

/** What can't be deleted stays listed among the leftovers; that is no reason to fail. */
async function cleanUpDiscovery(probe: Probe): Promise<void> {
  const { clock, findings, ending } = probe;
  const { resources } = probe.created;
  const { token } = probe.session;
  const mayBeThere = [...resources.remaining(), ...resources.doubtful()];
  if (mayBeThere.length === 0 || token === undefined) return resources.close();
  // The journal is open already.
  const { journal: _, ...options } = probe.options;
  const stated = { ...learntDeletions(probe.options.learning), ...findings.values() };
  const context = createContext(
    { ...options, profile: { name: 'discover', stated }, tier: 'safe', only: [], skip: [] },
    { clock, ending },
  );
  // The journal stays until it is known what can be believed.
  context.resources = { ...resources, close: () => {} };
  context.runId = probe.runId;
  useRenewedToken(context, token);
  try {
    await cleanUp(context, { keepsDoubtful: true });
    await dropUnlisted(context, probe);
    for (const one of mayBeThere) {
      const fate = resources.fateOf(one);
      const kind = fate === 'deleted-with-site' ? 'site' : one.what;
      const isDeleted = fate !== undefined && fate !== 'not-there';
      if (isDeleted && probe.created.undeletable.has(kind)) resources.markCreated(one, one.id);
    }
    resources.close();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}

/** What has no identifier and is in no whole list is not there, whatever its creation was answered with. An import may be under way. */
async function dropUnlisted(context: Context, { created, clock }: Probe): Promise<void> {
  const { resources, operations } = context;
  const unknown = resources
    .remaining()
    .filter(({ id, target }) => id === undefined && created.causes.get(target) !== 'importSite');
  if (unknown.length > 0) await clock.pass(newMs, 'something new to be known everywhere');
  for (const resource of unknown) {
    const { list } = readingOf[resource.what] ?? {};
    const field = Object.values(creations).find(({ what }) => what === resource.what)?.target ?? '';
    if (list === undefined || !operations.has(list)) continue;
    const listed = await settle(async () => {
      const token = await ownToken(context, list);
      return readList(context, list, { values: { siteID: resource.site }, token });
    });
    if (listed.error || !listed.value().isWhole) continue;
    const names = listed.value().items.map((item) => item[field]);
    if (names.every((name) => name !== undefined && !bearsName(name, resource.target)))
      resources.markMissing(resource);
  }
}
