// The report for those who did not run it: what is promised, what is broken, what that means, and what could not be looked at.
import { count, countOf, verdictOf } from './group-by-verdict.ts';
import { leftOut, type Report, type RequirementReport } from './report.ts';

/** Promises about one thing that are broken, or that could not be looked at. */
interface Topic {
  /** What they are about, such as "limits". */
  about: string;
  /** What it means for somebody who integrates with the service. */
  means: string;
  requirements: readonly RequirementReport[];
}

export interface PlainSummary {
  /** What was compared with what, and how it went, in sentences. */
  sentences: readonly string[];
  /** What follows from that for somebody who connects a program to the service. */
  advice: string;
  broken: readonly Topic[];
  unseen: readonly Topic[];
}

/** What the requirements are about, by the first part of their identifiers. */
const topics: Readonly<Record<string, Omit<Topic, 'requirements'>>> = {
  ENV: {
    about: 'the form of every answer',
    means: 'Programs that read the answers may misunderstand them, or stop.',
  },
  LOGIN: {
    about: 'logging in',
    means: 'Programs with the right password may not get in, or somebody with a wrong one may.',
  },
  REFRESH: {
    about: 'renewing a session',
    means:
      'Programs that run for hours may be logged out in the middle of their work, or stay logged in for too long.',
  },
  AUTH: {
    about: 'who may do what',
    means: 'Somebody without permission may get in, or somebody with permission may be turned away.',
  },
  KEY: {
    about: 'the keys of programs (API keys)',
    means: 'They may stop working, be shown to others, or go on working after they were deleted.',
  },
  HOOK: {
    about: 'asking for notifications (webhook subscriptions)',
    means:
      'A program may not be told of what happens on a site, or be told of something else than it asked for.',
  },
  EVENT: {
    about: 'the notifications themselves (pushes)',
    means: 'Systems that wait for news of a site may miss it, misread it, or be told what did not happen.',
  },
  CHAN: {
    about: 'messages to chat groups',
    means: 'Robots of WeCom, DingTalk or Feishu may show nothing to their group.',
  },
  SIG: {
    about: 'proof of who sent a notification (signatures)',
    means: 'Receivers may not be able to tell a notification of the service from a forged one.',
  },
  RECV: {
    about: 'receiving notifications',
    means: 'Notifications may get lost, or forged ones be taken for those of the service.',
  },
  RETRY: {
    about: 'notifications that are sent again (retries)',
    means:
      'A system that was down for a while may never learn what happened meanwhile, or be told too often.',
  },
  LOG: {
    about: 'the log of notifications',
    means: 'Nobody may be able to see which notifications were sent, and what became of them.',
  },
  LIMIT: {
    about: 'limits on how often a program may call',
    means:
      'Programs that keep within the limits may be refused, or one that does not may slow down the others.',
  },
  IDEM: {
    about: 'requests that are repeated',
    means:
      'A program that asks again because the answer got lost may get the work done twice: two sites, two publications.',
  },
  VERSION: {
    about: 'the address',
    means: 'Programs may talk to another version than the one that the document describes.',
  },
};

/** The summary of a report, in words that need no knowledge of HTTP. */
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
  const [kept, partly] = [countOf('passed', report), countOf('partly', report)];
  const broken = countOf('failed', report) + countOf('expected', report);
  const left = requirements.filter(isLeftOut).length;
  const unseen = countOf('not-verified', report) + countOf('error', report) - left;
  const what = target.kind === 'receiver' ? 'The webhook receiver' : 'The service';
  const compared = `${what} at ${target.base_url} was compared with ${count(requirements.length, 'promise')} of the interface document.`;
  if (aborted && kept + partly + broken === 0) return [compared, 'Nothing could be looked at.'];
  const parts = [
    `${kept} ${kept === 1 ? 'is' : 'are'} kept`,
    `${broken} ${broken === 1 ? 'is' : 'are'} broken`,
    ...(partly > 0 ? [`${partly} ${partly === 1 ? 'is' : 'are'} kept as far as could be seen`] : []),
    ...(left > 0 ? [`${left} ${left === 1 ? 'was' : 'were'} left out of this run on purpose`] : []),
    `${unseen} could not be looked at`,
  ];
  return [compared, `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}.`];
}

/** What --only or --skip leave out is nothing that could not be looked at. */
function isLeftOut(requirement: RequirementReport): boolean {
  return verdictOf(requirement) === 'not-verified' && requirement.reason === leftOut;
}

function adviceOf(report: Report): string {
  const subject = report.target.kind === 'receiver' ? 'receiver' : 'service';
  if (countOf('failed', report) + countOf('expected', report) > 0)
    return `The interface document says what everybody may rely on. Whoever connects a program to this ${subject} cannot rely on what is listed here until it is mended.`;
  if (report.summary.passed + report.summary.partly === 0)
    return `Nothing good or bad is known of the ${subject} from this run.`;
  return `What was looked at is as the interface document promises: programs that were written after it can rely on that.`;
}

function topicsOf(requirements: readonly RequirementReport[]): Topic[] {
  const groups = Map.groupBy(requirements, ({ id }) => id.slice(0, id.lastIndexOf('-')));
  return [...groups].map(([name, some]) => {
    const { about = name, means = '' } = topics[name] ?? {};
    return { about, means, requirements: some };
  });
}
