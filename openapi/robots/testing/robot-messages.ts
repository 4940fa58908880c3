// All robot messages, including every sample of the vendors' documents.
import { dingtalkMessages } from './dingtalk-messages.ts';
import { feishuMessages } from './feishu-messages.ts';
import type { RobotMessage } from './robot-message.ts';
import { wecomMessages } from './wecom-messages.ts';

export const robotMessages: readonly RobotMessage[] = [
  ...wecomMessages,
  ...dingtalkMessages,
  ...feishuMessages,
];
