import type { Channel } from '../../openapi/generated/types.ts';

/** The reason why a chat robot refused a message, which it answers with HTTP status 200; undefined when it accepted. */
export function robotRefusal(channel: Channel, body: string): string | undefined {
  if (channel === 'custom') return undefined;
  const answer = parse(body);
  const code = channel === 'feishu' ? (answer.code ?? answer.StatusCode) : answer.errcode;
  if (code === undefined || String(code) === '0') return undefined;
  return `${String(code)}: ${String((channel === 'feishu' ? answer.msg : answer.errmsg) ?? '')}`;
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
