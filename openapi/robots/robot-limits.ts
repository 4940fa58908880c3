// Bytes of UTF-8 that the robots accept.
import type { Robot } from '../event-names.ts';

/** The most bytes of `content`, by WeCom's document. */
export const wecomContentBytes = { text: 2_048, markdown: 4_096, markdown_v2: 4_096 } as const;

/** The document allows 2048 bytes of text, but the robot accepts 5120, as observed: "text.content exceed max length 5120". */
export const observedWecomTextBytes = 5_120;

/** The limit applies to an image before base64. */
export const wecomImageBytes = 2 * 1_024 * 1_024;

/** Limits of whole messages: WeCom states none, and Feishu's "20 KB" counts as the larger of its two meanings. */
export const messageBytes = {
  wecom: Number.POSITIVE_INFINITY,
  dingtalk: 20_000,
  feishu: 20 * 1_024,
} as const satisfies Record<Robot, number>;
