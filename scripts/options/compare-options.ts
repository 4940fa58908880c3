// The deployment that `sitepub test --compare-with` runs against beside the one under test.
import { headerVariable, type SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { secretsOf } from '../../contract-tests/redaction/redact.ts';
import { compareFlags } from './compare-flags.ts';
import type { Environment, Given } from './flags.ts';
import { type Place, readDeployment } from './test-options.ts';
import { UsageError } from './usage-error.ts';

const own = 'SITEPUB_COMPARE_';

const credentialNames = [
  ...['USERNAME', 'PASSWORD', 'SITE_ID', 'API_KEY', 'SECOND_USERNAME', 'SECOND_PASSWORD'],
  ...['OTHER_USERNAME', 'OTHER_PASSWORD', 'OTHER_SITE_ID'],
];

/**
 * The options of the run against the deployment of --compare-with: those of the run under test but for the deployment, its users and its
 * journal; undefined where none is named. Throws UsageError.
 */
export async function readCompareOptions(
  given: Given,
  options: SuiteOptions,
  environment: Environment = process.env,
): Promise<SuiteOptions | undefined> {
  if (given.text('compare-with') === undefined) {
    refuseAlone(given);
    return undefined;
  }
  const deployment = await readDeployment(given, placeOf(given, environment), headersFor(given, environment));
  const { tier, only, skip, maxWaitMs, arrivalMs, requestTimeoutMs, cases, seed, folder, receiver } = options;
  return {
    ...deployment,
    ...{ tier, only, skip, maxWaitMs, receiver },
    ...(arrivalMs !== undefined && { arrivalMs }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(cases !== undefined && { cases }),
    ...(seed !== undefined && { seed }),
    ...(folder !== undefined && { folder }),
    ...(options.journal !== undefined && { journal: `${options.journal}.compare` }),
  };
}

/** Lets neither of two runs show a secret of the other one, since a deployment may tell what it knows of both; and names each by the variable that holds it. */
export function shareSecrets(
  options: SuiteOptions,
  others: SuiteOptions,
  environment: Environment = process.env,
): void {
  const entriesOf = (one: SuiteOptions) =>
    secretsOf(one)
      .entries()
      .map(([value, name]) => [name, value] as const);
  const without = (some: ReturnType<typeof entriesOf>, left: ReturnType<typeof entriesOf>) =>
    some.filter(([, value]) => !left.some(([, known]) => known === value));
  const here = entriesOf(options);
  const there = entriesOf(others).map(([name, value]) => {
    const short = name.replace(/^SITEPUB_/, '');
    return [isSet(short, environment) ? own + short : name, value] as const;
  });
  options.namedSecrets = without(there, here);
  others.namedSecrets = [...without(here, there), ...there];
}

/** Whoever forgets the address would get a run without a comparison. */
function refuseAlone(given: Given): void {
  const named = Object.keys(compareFlags).find((flag) => given.list(flag).length > 0);
  if (named !== undefined)
    throw new UsageError(
      `--${named} is given and --compare-with is not; name the deployment to compare with`,
    );
}

/** Whether the compared deployment has credentials of its own. */
export function hasOwnCredentials(environment: Environment = process.env): boolean {
  return credentialNames.some((name) => isSet(name, environment));
}

function isSet(name: string, environment: Environment): boolean {
  return Boolean(environment[own + name] || environment[`${own}${name}_FILE`]);
}

/** What a run says of its settings, with the flags and variables that set those of the deployment that is compared with. */
export function nameOtherSettings(text: string, environment: Environment = process.env): string {
  const flags = text.replace(/--(?:base|control)-url(?![\w-])/g, (flag) =>
    flag === '--base-url' ? '--compare-with' : '--compare-control-url',
  );
  if (!hasOwnCredentials(environment)) return flags;
  const variables = new RegExp(`\\bSITEPUB_(?=(?:${credentialNames.join('|')})\\b)`, 'g');
  return flags.replace(variables, own);
}

/** Either all credentials are of that deployment alone, or all are those of the one under test: a mixture would ask one for the other's users. */
function placeOf(given: Given, environment: Environment): Place {
  return {
    baseUrl: 'compare-with',
    profile: given.text('compare-profile') === undefined ? 'profile' : 'compare-profile',
    controlUrl: 'compare-control-url',
    credentials: hasOwnCredentials(environment) ? own : 'SITEPUB_',
    controlToken: isSet('CONTROL_TOKEN', environment) ? `${own}CONTROL_TOKEN` : 'SITEPUB_CONTROL_TOKEN',
  };
}

/** The values of --header may be others there. */
function headersFor(given: Given, environment: Environment): Environment {
  const ofOther = given.list('header').flatMap((name) => {
    const variable = headerVariable(name);
    const others = ['', '_FILE'].map(
      (end) => [end, environment[variable.replace('SITEPUB_', own) + end]] as const,
    );
    return others.some(([, value]) => value)
      ? others.map(([end, value]) => [variable + end, value] as const)
      : [];
  });
  return { ...environment, ...Object.fromEntries(ofOther) };
}
