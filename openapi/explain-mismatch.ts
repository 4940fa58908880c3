import { explainErrors, type Mistake, unknownMember } from './explain-errors.ts';
import { isObject, type Json } from './json.ts';
import { createAjv, lazily } from './libraries.ts';
import { didYouMean } from './nearest.ts';
import { bySchema, callSchema, type Gap, membersOf } from './registers.ts';
import { readCall } from './stated-call.ts';
import { placeholdersOf, wholePlaceholder } from './template.ts';

const compiler = lazily(() => createAjv());

export function explainMismatch(gap: Gap, value: unknown): string[] {
  const reasons =
    gap.kind === 'operation' && isObject(value) ? explainCall(gap, value) : explainValue(gap, value);
  return reasons.length > 0 ? reasons : explainPlaceholders(gap, value);
}

/** All operations share one schema, because compiling one for each would take too long. */
function explainCall(gap: Gap, value: Json): string[] {
  if (gap.by && 'by' in value) return mistakesIn(bySchema(gap.by), value).map((one) => textOf(gap, one));
  const known = membersOf(gap);
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  const members = Object.entries(value).filter(([name]) => known.includes(name));
  return [
    ...unknown.map((name) => ({ path: [], text: unknownMember(name, known, value) })),
    ...mistakesIn(callSchema, Object.fromEntries(members)),
  ].map((one) => textOf(gap, one));
}

function explainValue(gap: Gap, value: unknown): string[] {
  return mistakesIn({ ...gap.schema, default: gap.default }, value).map((one) => {
    const isWhole = one.path.length === 0 && one.member === undefined;
    return `${textOf(gap, one)}${isWhole ? `. ${gap.question}` : ''}`;
  });
}

function mistakesIn(schema: Json, value: unknown): Mistake[] {
  const ajv = compiler();
  if (ajv.validate(schema, value)) return [];
  return explainErrors(ajv.errors ?? [], { found: (part) => JSON.stringify(part) });
}

function textOf({ id }: Gap, { path, text }: Mistake): string {
  return `${[id, ...path].join('.')}: ${text}`;
}

function explainPlaceholders(gap: Gap, value: unknown): string[] {
  if (!gap.placeholders || !isObject(value)) return [];
  if (gap.kind !== 'operation') return explainUnknownPlaceholders(gap.id, value, gap.placeholders);
  const call = readCall(value);
  if (!call) return [];
  const { query: _query, parameters, body, ...others } = call;
  const ofPages = gap.query ?? [];
  const texts = parameters.map(([, text]) => text);
  const known = [...gap.placeholders, ...ofPages];
  return [
    ...explainUnknownPlaceholders(gap.id, others, gap.placeholders),
    ...explainUnknownPlaceholders(gap.id, body, known),
    ...explainUnknownPlaceholders(`${gap.id}.query`, texts, known),
    ...parameters.flatMap(([name, text]) => explainPartOfText(`${gap.id}.query.${name}`, text, ofPages)),
  ];
}

/** A page number or cursor must be a whole value, not a part of a longer text. */
function explainPartOfText(at: string, text: string, names: readonly string[]): string[] {
  const name = placeholdersOf(text).find((one) => names.includes(one));
  if (name === undefined || wholePlaceholder(text) === name) return [];
  return [`${at}: expected "{${name}}" and nothing else; it is ${JSON.stringify(text)}`];
}

function explainUnknownPlaceholders(at: string, template: unknown, known: readonly string[]): string[] {
  const names = known.map((name) => `{${name}}`);
  const unknown = placeholdersOf(template).filter((name) => !known.includes(name));
  const all = ` (known: ${names.join(', ') || 'none'})`;
  return unknown.map(
    (name) => `${at} has the placeholder "{${name}}"${didYouMean(`{${name}}`, names)}${all}`,
  );
}
