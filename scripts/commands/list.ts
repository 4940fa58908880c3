import { checks } from '../../contract-tests/checks/index.ts';
import { receiverChecks } from '../../contract-tests/test-receiver/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { gaps, readRequirements } from '../../openapi/registers.ts';
import { describeFlags, type Flags, readFlags, switchFlag } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';

const flags: Flags = {
  json: switchFlag('as JSON'),
  help: switchFlag('show this'),
};

interface Row {
  id: string;
  [detail: string]: unknown;
}

/** The checks of deployments and of receivers, with the command that runs them. */
const allChecks = [
  ...checks.map(({ id, requirement, needs }) => ({ id, requirement, needs, command: 'test' })),
  ...receiverChecks.map(({ id, requirement }) => ({ id, requirement, needs: [], command: 'test-receiver' })),
];

const lists: Readonly<Record<string, { rows(): Row[]; line(row: Row): string }>> = {
  requirements: {
    rows: () =>
      readRequirements().map((one) => ({
        ...one,
        checks: allChecks.filter(({ requirement }) => requirement === one.id).map(({ id }) => id),
      })),
    line: ({ id, level, title, target, excluded }) =>
      `${id.padEnd(10)} ${String(level).padEnd(10)}  ${title}${whereChecked(target, excluded)}`,
  },
  checks: {
    rows: () => [...allChecks],
    line: ({ id, requirement, needs, command }) =>
      `${id.padEnd(42)} ${String(requirement).padEnd(10)} ${[...(needs as string[]), ...(command === 'test' ? [] : [`by ${command}`])].join(', ')}`,
  },
  gaps: {
    rows: () => gaps.map((gap) => ({ ...gap })),
    line: ({ id, question, default: guess }) =>
      `${id.padEnd(32)} ${question} [${typeof guess === 'string' ? guess : JSON.stringify(guess)}]`,
  },
  faults: {
    rows: () => faults.map(({ id, title, requirement }) => ({ id, title, requirement })),
    line: ({ id, requirement, title }) => `${id.padEnd(42)} ${String(requirement).padEnd(10)} ${title}`,
  },
};

function whereChecked(target: unknown, excluded: unknown): string {
  if (target === 'receiver') return ' (checked by test-receiver)';
  return excluded ? ' (not checked against a deployment)' : '';
}

/** `sitepub list requirements|checks|gaps|faults`. */
export async function list([what = '--help', ...args]: readonly string[]): Promise<number> {
  const names = Object.keys(lists);
  if (what === '--help') {
    console.log(`sitepub list ${names.join('|')} [--json]\n\n${describeFlags(flags)}`);
    return 0;
  }
  const chosen = lists[what];
  if (!chosen) {
    const hint = didYouMean(what, names, `; there are ${names.join(', ')}`);
    throw new UsageError(`there is no list of "${what}"${hint}`);
  }
  const rows = chosen.rows();
  const asJson = readFlags(args, flags).switched('json');
  console.log(asJson ? JSON.stringify(rows, null, 2) : rows.map(chosen.line).join('\n'));
  return 0;
}
