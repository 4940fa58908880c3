import type { Call, Values } from '../service.ts';
import type { Inputs } from './inputs.ts';
import { callingTenant, siteOf } from './lookups.ts';

/** Stands in for the AI-assisted functions: the same prompt returns the same text. */
export function askAi(call: Call<Inputs['askAi']>): Values {
  const { siteID, prompt } = call.input;
  const name = siteID === undefined ? undefined : siteOf(call, siteID).name;
  if (name === undefined) callingTenant(call);
  const subject = [...prompt].slice(0, 60).join('');
  const where = name === undefined ? '' : ` (${name})`;
  return { text: `关于“${subject}”的草稿${where} / A draft about "${subject}"${where}.` };
}
