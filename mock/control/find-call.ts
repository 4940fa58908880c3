// Finds the call that a request is for, or explains why there is none.
import { nearest } from '../../openapi/nearest.ts';
import { type ControlCall, callNameOf, controlContract } from './control-contract.ts';
import { ControlError } from './control-error.ts';
import { shorten } from './explain-input.ts';

/** The answer to an unknown control call. */
export function noSuchCall(method: string, path: string): { error: string } {
  return { error: unknownCall(controlContract().calls, method, path) };
}

export function findCall(
  calls: readonly ControlCall[],
  method: string,
  segments: readonly string[],
): ControlCall {
  const samePath = calls.filter((call) => isAt(call, segments));
  const asked = method === 'HEAD' ? 'GET' : method;
  const call = samePath.find((candidate) => candidate.method === asked);
  if (call) return call;
  const path = `/${segments.join('/')}`;
  if (samePath.length === 0 || method === 'OPTIONS')
    throw new ControlError(404, unknownCall(calls, method, path));
  const allow = samePath.map((candidate) => candidate.method).join(', ');
  throw new ControlError(405, `${shorten(path)} does not take ${method}, only ${allow}`, { allow });
}

function isAt({ segments }: ControlCall, given: readonly string[]): boolean {
  const fits = (segment: string, index: number) =>
    segment.startsWith('{') ? given[index] !== '' : segment === given[index];
  return segments.length === given.length && segments.every(fits);
}

function unknownCall(calls: readonly ControlCall[], method: string, path: string): string {
  const paths = calls.map(({ segments }) => comparable(segments));
  const guess = nearest(comparable(path.split('/').slice(1)), paths);
  const near = calls.filter((_, index) => paths[index] === guess);
  const meant = near.find((call) => call.method === method) ?? near[0];
  const hint = meant ? `did you mean ${callNameOf(meant)}? There` : 'there';
  return `there is no ${shorten(`${method} ${path}`)}; ${hint} is ${calls.map(callNameOf).join(', ')}`;
}

/** Without what all paths have in common, and with the same sign for each identifier. */
function comparable([, ...segments]: readonly string[]): string {
  return segments.map((segment) => (/^(\d+|\{.*\})$/.test(segment) ? '{}' : segment)).join('/');
}
