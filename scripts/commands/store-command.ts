import { visible, visibleJson } from '../../contract-tests/core/visible-text.ts';
import { DropRefused, type Migrated, openAdmin, type StoreAdmin } from '../../mock/store/store-admin.ts';
import { StoreError } from '../../mock/store/store-error.ts';
import { fileOf } from '../../mock/store/store-url.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import {
  confirmFlag,
  type Flags,
  type Given,
  readFlagsOrHelp,
  switchFlag,
  textFlag,
} from '../options/flags.ts';
import { readStore } from '../options/store-option.ts';
import { UsageError } from '../options/usage-error.ts';
import { storeLines, storeView } from '../output/store-report.ts';

const flags: Flags = {
  store: textFlag(
    'STORE',
    'a file (file:mock.db) or a database (postgres://…); a URL with a password comes by SITEPUB_STORE or SITEPUB_STORE_FILE',
  ),
  json: switchFlag('as JSON, in one line'),
};

const dropFlags: Flags = {
  yes: confirmFlag('really remove everything that the store keeps'),
  force: confirmFlag('even while mocks use it: they answer 503 then'),
};

const usage = `sitepub store status|migrate|drop: looks after what keeps the worlds of mocks

  status   which version its tables have, and whether this sitepub can use them; mocks, worlds and waiting pushes
  migrate  makes the tables where there are none; mocks do the same at their start, unless they have --store-migrate never
  drop     removes the tables with all worlds, and nothing else of the database`;

const notes = `A file can be looked into while no mock uses it; a database at any time.
Exit codes: 0 done, 1 this sitepub can't use the store as it is (status), 2 usage, or refused, 3 the store can't be reached or read, 4 the command itself failed.`;

type Action = (admin: StoreAdmin, given: Given, print: Print) => Promise<number>;
type Print = (value: unknown, lines: readonly string[]) => void;

const actions: Readonly<Record<string, { flags: Flags; act: Action }>> = {
  status: {
    flags,
    async act(admin, _given, print) {
      const report = await admin.report();
      print(storeView(report), storeLines(report));
      return report.problem === undefined ? 0 : 1;
    },
  },
  migrate: {
    flags,
    async act(admin, _given, print) {
      const done = await admin.migrate();
      print(done, migratedLines(done));
      return 0;
    },
  },
  drop: {
    flags: { ...flags, ...dropFlags },
    async act(admin, given, print) {
      if (!given.switched('yes'))
        throw new UsageError('drop removes all worlds that the store keeps; add --yes to do that');
      const { worlds } = await admin.drop({ isForced: given.switched('force') });
      const line =
        worlds === 0 ? 'there were no tables' : `removed the tables, with ${worlds} world${plural(worlds)}`;
      print({ worlds }, [line]);
      return 0;
    },
  },
};

/** `sitepub store status|migrate|drop`. */
export async function store([name = '--help', ...args]: readonly string[]): Promise<number> {
  const action = actions[name];
  if (!action && !name.startsWith('-')) {
    const hint = didYouMean(name, Object.keys(actions), '; there are status, migrate and drop');
    throw new UsageError(`there is no "sitepub store ${name}"${hint}`);
  }
  const known = action?.flags ?? { ...flags, ...dropFlags };
  const given = readFlagsOrHelp(action ? args : [name, ...args], known, { usage, notes });
  if (!given) return 0;
  if (!action) throw new UsageError('store has to be told what to do: status, migrate or drop');
  const url = readStore(given);
  if (url === undefined)
    throw new UsageError('no store is named; give --store, or set SITEPUB_STORE or SITEPUB_STORE_FILE');
  requireStore(url);
  const print: Print = (value, lines) =>
    console.log(given.switched('json') ? visibleJson(value) : lines.map(visible).join('\n'));
  return run(url, (admin) => action.act(admin, given, print));
}

/** Throws UsageError for what names no store. */
function requireStore(url: string): void {
  try {
    fileOf(url);
  } catch (error) {
    throw error instanceof StoreError ? new UsageError(error.message) : error;
  }
}

async function run(url: string, work: (admin: StoreAdmin) => Promise<number>): Promise<number> {
  let admin: StoreAdmin | undefined;
  try {
    admin = await openAdmin(url);
    return await work(admin);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    console.error(`sitepub: ${visible(error.message)}`);
    return error instanceof DropRefused ? 2 : 3;
  } finally {
    await admin?.close();
  }
}

function migratedLines({ from, to, titles }: Migrated): string[] {
  if (titles.length === 0) return [`the tables are of version ${to}; there was nothing to do`];
  return [
    ...titles.map((title, index) => `${String(from + index + 1).padStart(3)}  ${title}`),
    `the tables are of version ${to} now`,
  ];
}

function plural(count: number): string {
  return count === 1 ? '' : 's';
}
