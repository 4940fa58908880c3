// docs/reference/control-api.md, from openapi/mock-control.yaml.
import { stringify } from 'yaml';
import { type Description, dereference, examplesOf } from '../../openapi/description.ts';
import { controlMethods } from '../../openapi/generated/control-methods.ts';
import type { Json } from '../../openapi/json.ts';
import { methods, readDescription } from '../../openapi/resolve.ts';
import { block, code, escapeTags, pageHead, paragraphs, sentence, table } from './markdown.ts';

const intro = `Programs in the same process call the methods of \`mock.control\` instead, for example \`await control.advance('PT36M')\`. Each method makes the HTTP call under which it is listed, and returns the same answer. \`control.advance(duration)\` is short for \`control.moveClock({ advance: duration })\`.

Name a tenant by its id or its name. Lists have pages of at most 100 entries. To get the next page, pass \`next\` as \`cursor\`, with the same \`order\`. The examples are in YAML because it is shorter. The API reads and writes JSON. \`openapi/mock-control.yaml\` has the schemas.

If the mock refuses a call, it answers \`{ "error": "…" }\`, which says what to do.`;

const description: Description = readDescription('mock-control.yaml');
const methodOf = new Map(Object.entries(controlMethods).map(([method, id]) => [String(id), method]));

interface Call {
  title: string;
  parameters: Json[];
  call: Json;
}

const calls: readonly Call[] = Object.entries(description.paths).flatMap(([path, item]) =>
  methods
    .filter((method) => item[method] !== undefined)
    .map((method) => {
      const call = item[method] as Json;
      const parameters = [item, call].flatMap((one) => (one.parameters ?? []) as Json[]);
      return { title: `${method.toUpperCase()} ${path}`, parameters, call };
    }),
);

export function controlPage(): string {
  const { info, tags } = description as Description & { info: Json; tags: Json[] };
  const sections = tags.flatMap(({ name, description: about }) => [
    `## ${String(name)}`,
    String(about),
    ...calls.filter(({ call }) => (call.tags as string[])[0] === name).map(sectionOf),
  ]);
  const { Refused } = description.components.responses;
  return `${paragraphs([
    pageHead('openapi/mock-control.yaml', 'Control API of the mock'),
    escapeTags(String(info.description)),
    `${intro} ${escapeTags(String(Refused?.description))}`,
    ...sections,
  ])}\n`;
}

function sectionOf({ title, parameters, call }: Call): string {
  const name = methodOf.get(String(call.operationId));
  const named = parameters.map((one) => dereference(description, one));
  const answer = (call.responses as Record<string, Json>)['200'];
  const method = name === undefined ? call['x-signature'] : `${name}(${argumentsOf(named, call).join(', ')})`;
  return paragraphs([
    `### ${title}`,
    escapeTags(`${sentence(String(call.summary))} ${call.description}`),
    method === undefined ? '' : `Method: \`control.${method}\``,
    table(
      ['parameter', 'in', 'meaning'],
      named.map((one) => [code(String(one.name)), String(one.in), String(one.description ?? '')]),
    ),
    exampleOf('Body', call.requestBody as Json | undefined),
    exampleOf('Answer', dereference(description, answer ?? {})),
  ]);
}

function argumentsOf(parameters: readonly Json[], { requestBody }: Json): string[] {
  const inPath = parameters.flatMap(({ in: place, name }) => (place === 'path' ? [String(name)] : []));
  if (requestBody !== undefined) return [...inPath, 'body'];
  return parameters.some(({ in: place }) => place === 'query') ? [...inPath, 'query?'] : inPath;
}

/** The members with their meanings, and the first example, of a body or an answer. */
function exampleOf(label: string, message: Json | undefined): string {
  const [media] = Object.values((message?.content ?? {}) as Record<string, Json>);
  const [example] = examplesOf(media);
  const schema = dereference(description, (media?.schema ?? {}) as Json);
  const members = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const rows = members.flatMap(([name, one]) => {
    const meaning = one.description ?? dereference(description, one).description;
    return meaning === undefined ? [] : [[code(name), String(meaning)]];
  });
  if (example === undefined) return table([label.toLowerCase(), 'meaning'], rows);
  const { value } = example;
  const text =
    typeof value === 'string' ? value : stringify(value, { lineWidth: 0, flowCollectionPadding: true });
  return paragraphs([
    table([label.toLowerCase(), 'meaning'], rows),
    `${label}:`,
    block(typeof value === 'string' ? 'text' : 'yaml', text.trimEnd()),
  ]);
}
