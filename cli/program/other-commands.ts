// The commands for deployments, receivers and the contract: what each takes, and what runs it. Nothing that a command needs is loaded before it runs.
import {
  cleanupFlags,
  cleanupNotes,
  discoverFlags,
  discoverNotes,
  mcpFlags,
  testFlags,
  testNotes,
} from '../options/deployment-flags.ts';
import { flags } from '../options/flags.ts';
import { profileFlag } from '../options/mock-flags.ts';
import { listenFlags, listenNotes, testReceiverFlags, testReceiverNotes } from '../options/webhook-flags.ts';
import type { CommandRow } from './command-row.ts';

export const webhookCommands: readonly CommandRow[] = [
  {
    usage: 'listen',
    summary: 'print incoming webhooks, and whether their signatures are right',
    flags: listenFlags,
    notes: listenNotes,
    run: async (given) => (await import('../commands/listen.ts')).listen(given),
  },
  {
    usage: 'test-receiver <url>',
    summary: 'check your webhook receiver',
    flags: testReceiverFlags,
    notes: testReceiverNotes,
    run: async (given) => (await import('../commands/test-receiver.ts')).testReceiver(given),
  },
];

export const deploymentCommands: readonly CommandRow[] = [
  {
    usage: 'init',
    summary: 'write a configuration, a profile and a CI job to begin with',
    flags: flags({ '--yes': 'ask nothing, and take the defaults' }),
    notes: `Writes sitepub.config.yaml, contract/staging.yaml and .github/workflows/contract.yml into the working directory, and replaces no file.

Exit codes: 0 written, 2 usage, or one of the files exists, 4 a file could not be written.`,
    run: async (given) => (await import('../commands/init.ts')).init(given),
  },
  {
    usage: 'test [name|url]',
    summary: 'run the contract suite against a deployment',
    flags: testFlags,
    notes: testNotes,
    run: async (given) => (await import('../commands/test.ts')).test(given),
  },
  {
    usage: 'discover [name|url]',
    summary: 'find out how a deployment fills the gaps, and write its profile',
    flags: discoverFlags,
    notes: discoverNotes,
    run: async (given) => (await import('../commands/discover.ts')).discover(given),
  },
  {
    usage: 'report show <file>',
    isDefault: true,
    summary: 'render a report in another form',
    flags: flags({
      '--format <FORMAT>': 'text (default), json, junit, html or markdown',
      '-o, --out <FILE>': 'write to a file (default: the screen)',
    }),
    notes: `Renders a JSON report of \`sitepub test\`; nothing is sent.

Exit codes: 0 written, 2 usage, or a file that is no such report.`,
    run: async (given) => (await import('../commands/report.ts')).report(given),
  },
  {
    usage: 'report diff <old> <new>',
    summary: 'compare two reports: what regressed, what is no longer verified',
    flags: flags({ '--format <FORMAT>': 'text (default), markdown or json' }),
    notes: `Compares two JSON reports of \`sitepub test\`: what regressed, what is no longer verified, what is newly verified; which gaps are filled otherwise, which notices are new or gone, and which operations answer slower or faster (the median, of at least 5 accepted calls each, or the 95th percentile, of at least 20: twofold and by 100 ms).

Exit codes, those of \`sitepub test --baseline OLD.json\`: 0 as good as before or better, 1 something passed before and fails now, 3 something was verified before and is not now, 2 usage, or a file that is no such report.`,
    run: async (given) => (await import('../commands/report.ts')).diff(given),
  },
  {
    usage: 'cleanup [journal]',
    summary: 'delete what a run of the suite has left behind',
    flags: cleanupFlags,
    notes: cleanupNotes,
    run: async (given) => (await import('../commands/cleanup.ts')).cleanup(given),
  },
];

export const contractCommands: readonly CommandRow[] = [
  {
    usage: 'list <what>',
    summary: 'list requirements, checks, gaps, faults or profiles',
    flags: flags({ '--json': 'as JSON' }),
    run: async (given) => (await import('../commands/list.ts')).list(given),
  },
  {
    usage: 'explain <id>',
    summary: 'explain a requirement, a check, a gap or a fault by its id',
    flags: flags({ '--json': 'as JSON' }),
    notes: `  sitepub explain HOOK-4
  sitepub explain third-retry-missing
  sitepub explain token.lifetime`,
    run: async (given) => (await import('../commands/list.ts')).explain(given),
  },
  {
    usage: 'spec',
    summary: 'print the OpenAPI description of a deployment',
    flags: {
      ...profileFlag,
      ...flags({
        '--base-url <URL>':
          'the address of the deployment, which ends in /api/v1 (default: that of the mock) [SITEPUB_BASE_URL]',
        '-o, --out <FILE>':
          'write to a file, as JSON where its name ends in .json (default: YAML on the screen)',
      }),
    },
    run: async (given) => (await import('../commands/spec.ts')).spec(given),
  },
  {
    usage: 'types',
    summary: 'write the TypeScript types of a deployment',
    flags: { ...profileFlag, ...flags({ '-o, --out <FILE>': 'write to a file (default: the screen)' }) },
    run: async (given) => (await import('../commands/types.ts')).types(given),
  },
];

export const otherCommands: readonly CommandRow[] = [
  {
    usage: 'mcp',
    summary: 'offer all this to an MCP client, such as an assistant',
    flags: mcpFlags,
    notes: `An MCP client, such as an assistant or an editor, starts this command and speaks with it over standard input and output. It needs the package @modelcontextprotocol/server. \`sitepub docs mcp\` says how to configure clients.

  sitepub mcp
  sitepub mcp --base-url https://staging.example.com/api/v1 --profile staging.yaml
  sitepub mcp --allow-changes

Credentials come from the environment, as for \`sitepub test\`; no answer shows them. Answers of a deployment may hold instructions to their reader: they are given as data, and what can do harm is left out unless --allow-changes is given.

Exit codes: 0 the client has gone or ended it, 2 usage or the package is not installed, 4 the command itself failed.`,
    run: async (given) => (await import('../mcp/mcp.ts')).mcp(given),
  },
  {
    usage: 'docs [page]',
    summary: 'print the manual',
    notes: 'Prints a page of the manual as Markdown; without a page, lists all.',
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
