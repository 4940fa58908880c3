// The summary of a report for readers who do not know HTTP.
import { count, countOf, verdictOf } from './group-by-verdict.ts';
import { leftOut, type Report, type RequirementReport } from './report.ts';

/** Promises about one subject that are broken or not verified. */
interface Topic {
  /** For example "logging in". */
  about: string;
  /** The consequence for programs that use the service. */
  means: string;
  requirements: readonly RequirementReport[];
}

export interface PlainSummary {
  sentences: readonly string[];
  /** What integrators should do. */
  advice: string;
  broken: readonly Topic[];
  unseen: readonly Topic[];
}

/** By the first part of the requirement id. */
const topics: Readonly<Record<string, Omit<Topic, 'requirements'>>> = {
  ENV: {
    about: 'the format of every response',
    means: 'Programs may misread responses or crash.',
  },
  LOGIN: {
    about: 'logging in',
    means: 'Programs with the right password may be refused, or a wrong password may be accepted.',
  },
  REFRESH: {
    about: 'renewing a session',
    means: 'Programs that run for hours may be logged out during their work, or stay logged in for too long.',
  },
  AUTH: {
    about: 'permissions',
    means: 'Users may be refused what they are allowed to do, or gain access that they should not have.',
  },
  KEY: {
    about: 'API keys',
    means: 'Keys may stop working, leak to others, or still work after they are deleted.',
  },
  HOOK: {
    about: 'webhook subscriptions',
    means: 'A program may miss notifications that it subscribed to, or receive ones that it did not ask for.',
  },
  EVENT: {
    about: 'notifications (webhook pushes)',
    means: 'Receivers may miss events, misread them, or be notified of events that did not happen.',
  },
  CHAN: {
    about: 'messages to chat groups',
    means: 'WeCom, DingTalk or Feishu bots may not show the messages to their group.',
  },
  SIG: {
    about: 'signatures of notifications',
    means: 'Receivers may be unable to tell genuine notifications from forged ones.',
  },
  RECV: {
    about: 'receiving notifications',
    means: 'The receiver may lose notifications or accept forged ones.',
  },
  RETRY: {
    about: 'retries of failed notifications',
    means: 'A receiver that was down for a while may miss events, or receive them too often.',
  },
  LOG: {
    about: 'the log of notifications',
    means: 'The log may not show which notifications were sent, or whether they arrived.',
  },
  LIMIT: {
    about: 'rate limits',
    means: 'Programs that respect the limits may be refused, or one program may slow down the others.',
  },
  IDEM: {
    about: 'repeated requests',
    means: 'A program that retries after a lost response may create or publish something twice.',
  },
  VERSION: {
    about: 'the API version in the address',
    means: 'Programs may talk to a version that the interface document does not describe.',
  },
};

export function plainSummaryOf(report: Report): PlainSummary {
  const of = (...verdicts: string[]) =>
    topicsOf(report.requirements.filter((one) => verdicts.includes(verdictOf(one)) && !isLeftOut(one)));
  return {
    sentences: sentencesOf(report),
    advice: adviceOf(report),
    broken: of('failed', 'expected'),
    unseen: of('not-verified'),
  };
}

function sentencesOf(report: Report): string[] {
  const { target, requirements, aborted } = report;
  const [passed, partly] = [countOf('passed', report), countOf('partly', report)];
  const broken = countOf('failed', report) + countOf('expected', report);
  const left = requirements.filter(isLeftOut).length;
  const unseen = countOf('not-verified', report) + countOf('error', report) - left;
  const what = target.kind === 'receiver' ? 'The webhook receiver' : 'The service';
  const compared = `${what} at ${target.base_url} was tested against ${count(requirements.length, 'promise')} of the interface document.`;
  if (aborted && passed + partly + broken === 0) return [compared, 'No promise could be verified.'];
  const parts = [
    `${passed} passed`,
    `${broken} failed`,
    ...(partly > 0 ? [`${partly} partly verified`] : []),
    ...(left > 0 ? [`${left} ${left === 1 ? 'was' : 'were'} left out on purpose`] : []),
    `${unseen} could not be verified`,
  ];
  return [compared, `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}.`];
}

/** Left out by --only or --skip. */
function isLeftOut(requirement: RequirementReport): boolean {
  return verdictOf(requirement) === 'not-verified' && requirement.reason === leftOut;
}

function adviceOf(report: Report): string {
  const subject = report.target.kind === 'receiver' ? 'receiver' : 'service';
  if (countOf('failed', report) + countOf('expected', report) > 0)
    return `If you integrate with this ${subject}, do not rely on the broken promises listed here until they are fixed.`;
  if (report.summary.passed + report.summary.partly === 0)
    return `This run gives no verdict on the ${subject}.`;
  return 'Everything that this run verified works as the interface document promises.';
}

function topicsOf(requirements: readonly RequirementReport[]): Topic[] {
  const groups = Map.groupBy(requirements, ({ id }) => id.slice(0, id.lastIndexOf('-')));
  return [...groups].map(([name, some]) => {
    const { about = name, means = '' } = topics[name] ?? {};
    return { about, means, requirements: some };
  });
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
