// What is sent where a field is required that no placeholder fills.
import { type Field, nameOf } from '../described-operation.ts';
import { isChoice } from '../recording/constant-values.ts';
import { kindOfName } from '../recording/secret-names.ts';

export interface Constant {
  value: unknown;
  /** Where it is one of several that may be meant. */
  doubt?: string;
}

/** By what the recorded calls sent there, each of which was accepted. */
export function seenValue({ pointer, types, values }: Field, hasItems: boolean): Constant | undefined {
  const [value] = values;
  if (values.length > 1)
    return { value, doubt: `${pointer} had several values, and which one is meant is not known` };
  if (typeof value === 'number' && !isChoice(nameOf({ pointer })))
    return {
      value,
      doubt: `${pointer} is required, and whether its number says what it is about is not known`,
    };
  if (values.length === 1) return { value };
  const [type] = types;
  if (types.length !== 1 || hasItems) return undefined;
  if (type === 'null') return { value: null };
  return type === 'object' ? { value: {} } : type === 'array' ? { value: [] } : undefined;
}

/** By what the description says of it; `doubt` where that leaves a choice. */
export function requiredValue(
  { pointer, types, allowed, default: preset, examples = [] }: Field,
  hasMembers: boolean,
): Constant | undefined {
  // What stands under such a name in a description may be somebody's.
  if (kindOfName(nameOf({ pointer })) !== undefined) return undefined;
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
  if (types.length !== 1 || types[0] !== 'object') return undefined;
  return {
    value: {},
    ...(!hasMembers && { doubt: `${pointer} is required, and what is in it is not said` }),
  };
}
