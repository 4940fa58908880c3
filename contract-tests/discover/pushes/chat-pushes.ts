// The pushes on the three chat channels.
import { chatChannels, type Robot } from '../../../openapi/event-names.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { type Probe, reportProgress, StepImpossible } from '../probe.ts';
import { optionalSecret, secretGap } from '../subscription/request-rules.ts';
import { createAndTest } from './test-pushes.ts';
import { fieldOf } from './wait.ts';

/** Tests a subscription on each chat channel and reads what arrives. */
export async function probeRobots(probe: Probe): Promise<void> {
  reportProgress(probe, 'testing the chat channels');
  const hasSecret = probe.findings.has(secretGap);
  const signs: boolean[] = [];
  for (const robot of chatChannels) {
    try {
      const { push } = await createAndTest(probe, { channel: robot, ...optionalSecret(probe) });
      findType(probe, robot, push);
      if (robot !== 'wecom') signs.push(isVendorSigned(push));
    } catch (error) {
      if (!(error instanceof StepImpossible)) throw error;
      probe.findings.missed([`channel.${robot}`], error.message);
    }
  }
  findSign(probe, hasSecret, signs);
}

function findType({ findings }: Probe, robot: Robot, push: Push): void {
  const field = robot === 'feishu' ? 'msg_type' : 'msgtype';
  findings.found(`channel.${robot}`, fieldOf(push, field), `${field} of a ${robot} push`);
}

/** DingTalk pushes have the sign in the query, Feishu pushes in the body. */
function isVendorSigned(push: Push): boolean {
  return new URLSearchParams(push.search).has('sign') || fieldOf(push, 'sign') !== undefined;
}

function findSign({ findings }: Probe, hasSecret: boolean, signs: readonly boolean[]): undefined {
  const gap = 'webhook.robot-sign';
  if (!hasSecret) return findings.missed([gap], 'the name of the secret is not known');
  if (signs.length === 0) return findings.missed([gap], 'no dingtalk or feishu push arrived');
  const isSigned = signs.some(Boolean);
  const evidence = `dingtalk and feishu pushes with a secret had ${isSigned ? 'the' : 'no'} sign of the robots`;
  findings.found(gap, isSigned ? 'vendor' : 'none', evidence);
}
