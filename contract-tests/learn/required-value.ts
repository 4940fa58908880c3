// What is sent where a field is required that no placeholder fills.
import type { Field } from './described-operation.ts';

/** By what the description says of it; `doubt` where that leaves a choice. */
export function requiredValue({
  pointer,
  types,
  allowed,
  default: preset,
  examples = [],
}: Field): { value: unknown; doubt?: string } | undefined {
  if (allowed?.length === 1) return { value: allowed[0] };
  if (preset !== undefined && preset !== null) return { value: preset };
  const example = examples.find((value) => value !== null && value !== '');
  if (allowed && allowed.length > 0)
    return {
      value: example ?? allowed[0],
      doubt: `${pointer} may have several values, and which one is meant is not said`,
    };
  if (example !== undefined)
    return { value: example, doubt: `${pointer} is required, and only an example of it is known` };
  if (types.includes('boolean'))
    return { value: false, doubt: `${pointer} is required, and its value is not said` };
  if (types.length === 1 && types[0] === 'object') return { value: {} };
  return undefined;
}
