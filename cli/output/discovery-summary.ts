// The summary that `sitepub discover` prints.
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { canBeDeleted } from '../../contract-tests/deployment/created-resources.ts';
import type { Discovery } from '../../contract-tests/discover/discover.ts';
import type { OperationRow } from '../../contract-tests/learn/learnt-findings.ts';
import { verifiableRequirements } from '../../contract-tests/run/verifiable-requirements.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { withNpx } from '../options/with-npx.ts';

interface Calls {
  /** The deployment as words of a command line. */
  deployment: readonly string[];
  /** Number of known values. */
  known: number;
  /** Undefined for standard output. */
  out: string | undefined;
}

/** After a discovery that has written a profile. */
export function summarizeCalls(discovery: Discovery, { deployment, known, out }: Calls): string {
  const { found, missed, learnt, count, values } = discovery;
  const profile = out === undefined ? [] : ['--profile', out];
  const command = ['sitepub', 'test', ...deployment, ...profile].map(plainWord).join(' ');
  const given = known > 0 ? `, ${known} given` : '';
  return [
    ...operationTable(learnt),
    ...(learnt.length > 0 ? [`${countStates(learnt)}; ${countCalls(discovery)}`] : []),
    `${found.length} gaps found, ${missed.length} not found${given} (${count.requests} requests, ${count.logins} logins)`,
    ...(out !== undefined && missed.length > 0
      ? [`  not found: ${missed.join(', ')}; the profile says why, and how to fill them`]
      : []),
    describeVerifiable(
      values,
      `with ${out === undefined ? 'this profile and ' : ''}all credentials`,
      command,
    ),
    // The discovery has used logins of this minute.
    ...profileLines(out, withNpx(`${command} --max-wait 61s`)),
  ].join('\n');
}

function profileLines(out: string | undefined, next: string): string[] {
  return out === undefined ? [] : [`  profile: ${visible(out)}`, `  next: ${next}`];
}

/** A refused call or a lost answer does not count. */
function countCalls({ learnt, called, accepted }: Discovery): string {
  const tried = learnt.filter(({ name }) => called.includes(`operation.${name}`));
  const passed = tried.filter(
    ({ name, state }) => state === 'certain' && accepted.includes(`operation.${name}`),
  );
  return `${tried.length} called, ${passed.length} passed`;
}

interface Reading {
  rows: readonly OperationRow[];
  /** Number of operations in the sources. */
  count: number;
  values: Readonly<Record<string, unknown>>;
  out: string | undefined;
}

/** After a discovery with --no-calls. */
export function summarizeReading({ rows, count, values, out }: Reading): string {
  const next =
    'run this again without --no-calls, with --base-url, and with --force or another --out; discover then calls each operation once and finds out the rest';
  return [
    ...operationTable(rows),
    `${count} ${count === 1 ? 'operation' : 'operations'} read: ${countStates(rows)}`,
    describeVerifiable(values, 'once discover has found the rest', 'sitepub test'),
    ...profileLines(out, next),
  ].join('\n');
}

/** One line per operation: gap, call, verdict. */
function operationTable(rows: readonly OperationRow[]): string[] {
  const nameWidth = Math.max(0, ...rows.map(({ name }) => name.length));
  const callWidth = Math.max(0, ...rows.map(({ call }) => visible(call).length));
  return rows.map(({ name, call, state, why }) => {
    const verdict = [state, why].filter(Boolean).join(state === 'not found' ? '; ' : ': ');
    return `  ${name.padEnd(nameWidth)}  ${visible(call).padEnd(callWidth)}  ${visible(verdict)}`;
  });
}

function countStates(rows: readonly OperationRow[]): string {
  const states = ['certain', 'to confirm', 'not found'] as const;
  return states.map((state) => `${rows.filter((row) => row.state === state).length} ${state}`).join(', ');
}

/** How much the most thorough run could verify. */
function describeVerifiable(
  values: Readonly<Record<string, unknown>>,
  condition: string,
  command: string,
): string {
  const profile = makeProfile(values, { name: 'discover', source: 'what was found out' });
  const { total, verified, missing, waitMs } = verifiableRequirements(profile);
  const byReason = Map.groupBy(missing, ({ reason }) => reason);
  const parts = [...byReason].map(
    ([reason, all]) => `    ${all.map(({ requirement }) => requirement).join(', ')}, because: ${reason}`,
  );
  const flags = `--suite full --max-wait ${Math.ceil(waitMs / 60_000)}m`;
  const verifies = `verifies up to ${verified.length} of ${total} requirements`;
  const start = withNpx(`${condition}, \`${command} ${flags}\` ${verifies}`);
  return missing.length === 0 ? start : `${start}; missing:\n${withNpx(parts.join('\n'))}`;
}

export function printLeftovers(
  { leftovers, doubtful }: Pick<Discovery, 'leftovers' | 'doubtful'>,
  journal: string,
): void {
  const say = (line: string) => console.error(visible(`  ${line}`));
  const placeOf = (site: unknown) => (site === undefined ? '' : ` on site ${site}`);
  for (const { what, id, site, target, isFailed } of leftovers) {
    const kind = isFailed ? 'failed publish' : `${what} ${id ?? '(unknown identifier)'}`;
    say(`left behind: ${kind}${what === 'site' ? '' : placeOf(site)}${target ? `, ${target}` : ''}`);
  }
  const kinds = new Set(doubtful.map(({ what, site }) => what + placeOf(site)));
  if (doubtful.length > 0)
    say(
      `possibly left behind: ${doubtful.length} creations failed, but they may have taken effect (${[...kinds].join(', ')})`,
    );
  if ([...leftovers, ...doubtful].some(canBeDeleted))
    say(
      withNpx(
        `\`sitepub cleanup ${plainWord(journal)}\` deletes what can be deleted; add --profile if the profile does not say how`,
      ),
    );
}
