// The sizes that the robots of the three chat products accept, in bytes of UTF-8.
import type { Robot } from '../event-names.ts';

/** Of the content of WeCom's texts, by the document. */
export const wecomContentBytes = { text: 2_048, markdown: 4_096, markdown_v2: 4_096 } as const;

/** The document allows 2048 bytes of text, but the robot was seen to take 5120: "text.content exceed max length 5120". */
export const observedWecomTextBytes = 5_120;

/** Of an image before it is base64. */
export const wecomImageBytes = 2 * 1_024 * 1_024;

/** Of a whole message. WeCom states none. Feishu says "20 KB" and not which; the larger one counts. */
export const messageBytes = {
  wecom: Number.POSITIVE_INFINITY,
  dingtalk: 20_000,
  feishu: 20 * 1_024,
} as const satisfies Record<Robot, number>;
