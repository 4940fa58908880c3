import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import { gapValue, loadPackagedProfile } from '../../openapi/profile.ts';
import { findGap } from '../../openapi/registers.ts';
import { version } from '../../openapi/version.ts';
import { readAddress } from '../options/deployment-options.ts';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { configName } from '../options/use-config.ts';
import { withNpx } from '../options/with-npx.ts';
import { OutputError, schemaLine } from '../output/output-file.ts';
import { ask, canAsk } from '../screen/ask.ts';

const profileFile = 'contract/staging.yaml';
const workflowFile = '.github/workflows/contract.yml';
const exampleUrl = 'https://staging.example.com/api/v1';

/** Writes all files, or none if one of them exists. Throws UsageError. */
export async function init(given: Given): Promise<number> {
  refuseToReplace([configName, profileFile, workflowFile]);
  const url = await readUrl(given);
  const files: readonly [path: string, text: string][] = [
    [configName, configText(url)],
    [profileFile, profileText()],
    [workflowFile, workflowText(url)],
  ];
  writeNew(files);
  const toSet = url === exampleUrl ? '"url" and "site"' : '"site"';
  console.log(
    withNpx(`${files.map(([path]) => `wrote ${path}`).join('\n')}

Next:
  set ${toSet} in ${configName}, and the variables STAGING_USERNAME and STAGING_PASSWORD
  sitepub discover staging --force --out ${profileFile}   # --create finds more: it creates and deletes resources
  sitepub test staging --max-wait 61s   # waits if discover has used up the ten logins of the minute`),
  );
  return 0;
}

function refuseToReplace(paths: readonly string[]): void {
  const there = paths.filter(isThere);
  if (there.length === 0) return;
  const exist = there.length === 1 ? 'exists' : 'exist';
  throw new UsageError(
    `${there.join(', ')} already ${exist}, so nothing was written; init does not replace files`,
  );
}

/** Also true for a dangling link. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path).mode > 0;
  } catch {
    return false;
  }
}

async function readUrl(given: Given): Promise<string> {
  if (given.switched('yes')) return exampleUrl;
  if (!canAsk())
    throw new UsageError(
      'init asks for the base URL of a deployment, but there is no terminal; use `sitepub init --yes` for the defaults',
    );
  const answer = await ask(`Base URL of the deployment; it ends in /api/v1 [${exampleUrl}]: `);
  if (answer === undefined) throw new UsageError('no URL was entered, so nothing was written');
  return readAddress(answer || exampleUrl, 'the URL');
}

/** If a file cannot be written, deletes those before it. Throws OutputError. */
function writeNew(files: readonly [path: string, text: string][]): void {
  const written: string[] = [];
  for (const [path, text] of files)
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
      written.push(path);
    } catch (error) {
      for (const one of written) rmSync(one);
      const { code } = error as NodeJS.ErrnoException;
      throw new OutputError(`${path} can't be written (${code}), so nothing was written`);
    }
}

function configText(url: string): string {
  return `${schemaLine('config', configName)}
# See \`sitepub docs config\`. Keep secrets in environment variables.
deployments:
  staging:
    url: ${url}
    profile: ${profileFile}
    credentials:
      username: \${STAGING_USERNAME}
      password: \${STAGING_PASSWORD}
      # api_key: \${STAGING_API_KEY}
      # site: 101
# mock:
#   port: 4010
`;
}

/** The gaps that most checks need. */
const shownGaps = [
  ...['login.token', 'errors.http-status'],
  ...['subscription.request.url', 'subscription.response.id', 'webhook.timestamp-unit'],
  ...['operation.list-sites', 'operation.create-site', 'operation.delete-site', 'operation.publish-site'],
  ...['operation.create-key', 'operation.delete-subscription', 'operation.list-deliveries'],
];

function profileText(): string {
  const example = loadPackagedProfile('default');
  const blocks = shownGaps.map((id) => {
    const value = visibleYaml(gapValue(example, id), { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
    return `# ${findGap(id)?.question.trim()}\n# ${id}: ${value}`;
  });
  return `${schemaLine('profile', profileFile)}
# How staging fills the gaps. The values below are defaults of the mock. Uncomment a line if it is right for staging.
# \`sitepub discover staging\` finds most values. \`sitepub list gaps\` lists all gaps.

${blocks.join('\n\n')}
`;
}

function workflowText(url: string): string {
  return `# Checks every night whether staging keeps its promises. \`sitepub docs ci\` explains the inputs.
name: contract
on:
  schedule:
    - cron: "17 4 * * *"
  workflow_dispatch:
permissions:
  contents: read

jobs:
  staging:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    # A tenant has ten logins a minute, which two parallel runs would share.
    concurrency: contract-staging
    steps:
      - uses: actions/checkout@v4
      # Replace your-organisation with the owner of your copy of sitepub.
      - uses: your-organisation/sitepub@v${version}
        with:
          base-url: ${url}
          profile: ${profileFile}
          max-wait: 90s
          report: html=contract-report.html
        env:
          SITEPUB_USERNAME: \${{ secrets.STAGING_USERNAME }}
          SITEPUB_PASSWORD: \${{ secrets.STAGING_PASSWORD }}
          SITEPUB_SITE_ID: \${{ vars.STAGING_SITE_ID }}
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: contract-report
          path: |
            contract-report.html
            contract-baseline.new.json
`;
}
