// The report for those who did not run it: what is promised, what is broken, what that means, and what could not be looked at.
import { count, countOf, verdictOf } from './group-by-verdict.ts';
import type { Report, RequirementReport } from './report.ts';

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
  broken: readonly Topic[];
  unseen: readonly Topic[];
}

/** What the requirements are about, by the first part of their identifiers. */
const topics: Readonly<Record<string, Omit<Topic, 'requirements'>>> = {
  ENV: {
    about: 'the form of every answer',
    means: 'Programs that read the answers may misunderstand them, or stop.',
  },
  LOGIN: { about: 'logging in', means: 'Programs may not get in, or somebody may who should not.' },
  REFRESH: {
    about: 'renewing a session',
    means: 'Programs that run for long may be thrown out, or keep a session that they should not have.',
  },
  AUTH: {
    about: 'who may do what',
    means: 'Calls of those who may are refused, or calls of those who may not are taken.',
  },
  KEY: { about: 'API keys', means: 'Keys may stop working, show themselves, or work after their deletion.' },
  HOOK: {
    about: 'subscribing to webhooks',
    means: 'Subscriptions may be refused, or be other than what was asked for.',
  },
  EVENT: {
    about: 'the events that are pushed',
    means: 'Systems that listen may miss what happened, or be told what did not.',
  },
  CHAN: {
    about: 'messages to chat groups',
    means: 'Robots of WeCom, DingTalk or Feishu may show nothing to their group.',
  },
  SIG: {
    about: 'signatures of pushes',
    means: 'Receivers can not tell a push of the service from a forged one.',
  },
  RECV: {
    about: 'receiving pushes',
    means: 'Pushes get lost, or forged ones are taken for those of the service.',
  },
  RETRY: {
    about: 'pushes that are sent again',
    means: 'A receiver that was away for a while may never hear of what happened, or hear it too often.',
  },
  LOG: {
    about: 'the log of pushes',
    means: 'Nobody can see which pushes were sent, and what became of them.',
  },
  LIMIT: {
    about: 'limits',
    means: 'Calls within the limits may be refused, or others may use up what belongs to everybody.',
  },
  IDEM: {
    about: 'calls that are repeated',
    means: 'A call that is sent again after a lost answer may do its work twice, or not at all.',
  },
  VERSION: { about: 'the address', means: 'Programs may call another version than the one described.' },
};

/** The summary of a report, in words that need no knowledge of HTTP. */
export function plainSummaryOf(report: Report): PlainSummary {
  const of = (...verdicts: string[]) =>
    topicsOf(report.requirements.filter((requirement) => verdicts.includes(verdictOf(requirement))));
  return { sentences: sentencesOf(report), broken: of('failed', 'expected'), unseen: of('not-verified') };
}

function sentencesOf(report: Report): string[] {
  const { target, requirements, aborted } = report;
  const [kept, partly] = [countOf('passed', report), countOf('partly', report)];
  const broken = countOf('failed', report) + countOf('expected', report);
  const unseen = countOf('not-verified', report) + countOf('error', report);
  const what = target.kind === 'receiver' ? 'The webhook receiver' : 'The service';
  const compared = `${what} at ${target.base_url} was compared with ${count(requirements.length, 'promise')} of the interface document.`;
  if (aborted && kept + partly + broken === 0) return [compared, 'Nothing could be looked at.'];
  const parts = [
    `${kept} ${kept === 1 ? 'is' : 'are'} kept`,
    `${broken} ${broken === 1 ? 'is' : 'are'} broken`,
    ...(partly > 0 ? [`${partly} ${partly === 1 ? 'is' : 'are'} kept as far as could be seen`] : []),
    `${unseen} could not be looked at`,
  ];
  return [compared, `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}.`];
}

function topicsOf(requirements: readonly RequirementReport[]): Topic[] {
  const groups = Map.groupBy(requirements, ({ id }) => id.slice(0, id.lastIndexOf('-')));
  return [...groups].map(([name, some]) => {
    const { about = name, means = '' } = topics[name] ?? {};
    return { about, means, requirements: some };
  });
}
