// The commands for deployments, receivers and the contract. Each module is imported only when its command runs, so that help stays fast.
import {
  cleanupExitCodes,
  cleanupFlags,
  cleanupNotes,
  discoverExitCodes,
  discoverFlags,
  discoverNotes,
  formatNames,
  mcpFlags,
  testExitCodes,
  testFlags,
  testNotes,
} from '../options/deployment-flags.ts';
import { flags } from '../options/flags.ts';
import { profileFlag } from '../options/mock-flags.ts';
import {
  listenFlags,
  listenNotes,
  testReceiverExitCodes,
  testReceiverFlags,
  testReceiverNotes,
} from '../options/webhook-flags.ts';
import type { CommandRow } from './command-row.ts';

export const webhookCommands: readonly CommandRow[] = [
  {
    usage: 'listen',
    summary: 'receive webhooks, verify their signatures and print them',
    flags: listenFlags,
    notes: listenNotes,
    run: async (given) => (await import('../commands/listen.ts')).listen(given),
  },
  {
    usage: 'test-receiver <url>',
    summary: 'check your webhook receiver',
    flags: testReceiverFlags,
    notes: testReceiverNotes,
    exitCodes: testReceiverExitCodes,
    run: async (given) => (await import('../commands/test-receiver.ts')).testReceiver(given),
  },
];

export const deploymentCommands: readonly CommandRow[] = [
  {
    usage: 'init',
    summary: 'write a first configuration, profile and CI job',
    flags: flags({ '--yes': 'use the defaults without asking' }),
    notes:
      'Writes sitepub.config.yaml, contract/staging.yaml and .github/workflows/contract.yml to the working directory. It never overwrites a file.',
    exitCodes: {
      0: 'the files were written',
      2: 'usage error, or one of the files already exists',
      4: 'a file could not be written',
    },
    run: async (given) => (await import('../commands/init.ts')).init(given),
  },
  {
    usage: 'test [name|url]',
    summary: 'run the contract suite against a deployment',
    flags: testFlags,
    notes: testNotes,
    exitCodes: testExitCodes,
    run: async (given) => (await import('../commands/test.ts')).test(given),
  },
  {
    usage: 'discover [name|url]',
    summary: 'find out how a deployment fills the gaps, and write its profile',
    flags: discoverFlags,
    notes: discoverNotes,
    exitCodes: discoverExitCodes,
    run: async (given) => (await import('../commands/discover.ts')).discover(given),
  },
  {
    usage: 'report show <file>',
    isDefault: true,
    summary: 'print a report in another format',
    flags: flags({
      '--format <FORMAT>': `text (default), ${formatNames}`,
      '-o, --out <FILE>': 'write to this file (default: standard output)',
    }),
    notes: 'FILE is a JSON report of `sitepub test`. The command makes no network calls.',
    exitCodes: {
      0: 'the report was written',
      2: 'usage error, or the file is not a report of `sitepub test`',
    },
    run: async (given) => (await import('../commands/report.ts')).report(given),
  },
  {
    usage: 'report diff <old> <new>',
    summary: 'compare two reports: what regressed, and what is no longer verified',
    flags: flags({ '--format <FORMAT>': 'text (default), markdown or json' }),
    notes: `OLD and NEW are JSON reports of \`sitepub test\`. The command shows:
  - requirements that regressed, are no longer verified, or are newly verified
  - gaps that the deployment fills differently
  - drift and remarks that appeared or disappeared
  - operations that became slower or faster: the median (of at least 5 accepted calls) or the 95th percentile (of at least 20) changed by a factor of 2 and by at least 100 ms

\`sitepub test --baseline OLD.json\` makes the same comparison, with the same exit codes.`,
    exitCodes: {
      0: 'nothing regressed',
      1: 'a requirement that passed before fails now',
      2: 'usage error, or a file is not a report of `sitepub test`',
      3: 'a requirement that was verified before is no longer verified',
    },
    run: async (given) => (await import('../commands/report.ts')).diff(given),
  },
  {
    usage: 'cleanup [journal]',
    summary: 'delete resources that a run of the suite left behind',
    flags: cleanupFlags,
    notes: cleanupNotes,
    exitCodes: cleanupExitCodes,
    run: async (given) => (await import('../commands/cleanup.ts')).cleanup(given),
  },
];

export const contractCommands: readonly CommandRow[] = [
  {
    usage: 'list <what>',
    summary: 'list requirements, checks, gaps, faults or profiles',
    flags: flags({ '--json': 'print JSON' }),
    notes:
      'Requirements are the promises of the interface document, and checks verify them. Gaps are questions that the document leaves open, and profiles fill them. A fault makes the mock break one requirement.',
    run: async (given) => (await import('../commands/list.ts')).list(given),
  },
  {
    usage: 'explain <id>',
    summary: 'explain a requirement, a check, a gap or a fault by its id',
    flags: flags({ '--json': 'print JSON' }),
    notes: `  sitepub explain HOOK-4
  sitepub explain third-retry-missing
  sitepub explain token.lifetime`,
    run: async (given) => (await import('../commands/list.ts')).explain(given),
  },
  {
    usage: 'spec',
    summary: 'print an OpenAPI description for a deployment',
    flags: {
      ...profileFlag,
      ...flags({
        '--base-url <URL>':
          'base URL of the deployment, ending in /api/v1 (default: the URL of the mock) [SITEPUB_BASE_URL]',
        '-o, --out <FILE>':
          'write to this file, as JSON if the name ends in .json, otherwise as YAML (default: YAML to standard output)',
      }),
    },
    run: async (given) => (await import('../commands/spec.ts')).spec(given),
  },
  {
    usage: 'types',
    summary: 'print TypeScript types for a deployment',
    flags: {
      ...profileFlag,
      ...flags({ '-o, --out <FILE>': 'write to this file (default: standard output)' }),
    },
    run: async (given) => (await import('../commands/spec.ts')).types(given),
  },
];

export const otherCommands: readonly CommandRow[] = [
  {
    usage: 'mcp',
    summary: 'serve sitepub tools to an MCP client, such as an assistant',
    flags: mcpFlags,
    notes: `An MCP client, such as an assistant or an editor, starts this command and communicates with it over standard input and output. The command requires the package @modelcontextprotocol/server. See \`sitepub docs mcp\` to configure a client.

  sitepub mcp
  sitepub mcp --base-url https://staging.example.com/api/v1 --profile staging.yaml
  sitepub mcp --allow-changes

Credentials come from environment variables, as for \`sitepub test\`. Tools never return them. A deployment may put instructions for assistants into its answers; the tools return such texts as data. Without --allow-changes, no tool makes changes.`,
    exitCodes: {
      0: 'the client disconnected or stopped the command',
      2: 'usage error, or the package is not installed',
      4: 'internal error',
    },
    run: async (given) => (await import('../mcp/mcp.ts')).mcp(given),
  },
  {
    usage: 'docs [page]',
    summary: 'print the manual',
    notes: 'Prints a page of the manual as Markdown. Without a page, it lists all pages.',
    run: async (given) => (await import('../commands/docs.ts')).docs(given),
  },
  {
    usage: 'completion <shell>',
    summary: 'print a completion script for bash, zsh or fish',
    notes: `  source <(sitepub completion bash)                                   # in ~/.bashrc
  source <(sitepub completion zsh)                                    # in ~/.zshrc
  sitepub completion fish > ~/.config/fish/completions/sitepub.fish`,
    run: async (given, program) => (await import('./completion.ts')).completion(given, program),
  },
];
