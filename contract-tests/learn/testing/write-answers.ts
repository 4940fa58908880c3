// Writes the answers of operations.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../openapi/json.ts';
import type { ApiAnswer, ApiOperation } from './api-model.ts';
import type { Framework } from './framework.ts';
import type { SchemaWriter } from './write-schema.ts';

interface Writing {
  framework: Framework;
  writer: SchemaWriter;
  /** Whether the answers of success are described. */
  isShown: boolean;
}

/** The member `responses`. */
export function writeAnswers(operation: ApiOperation, { framework, writer, isShown }: Writing): Json {
  const { descriptionOf = () => 'OK', answerType = 'application/json', hiddenAnswer } = framework;
  const is2 = framework.dialect.version === '2.0';
  const successes = [...byStatus(operation, framework)].map(([status, answers]) => {
    const schemas = answers.map(({ body }) => framework.wrap(body, operation, writer));
    const schema = isShown ? join(schemas, framework) : hiddenAnswer;
    const content = is2 ? { schema } : { content: { [answerType]: { schema } } };
    return [
      String(status),
      { description: descriptionOf(status, operation), ...(schema && content) },
    ] as const;
  });
  return { ...Object.fromEntries(successes), ...framework.failuresOf?.(operation, writer) };
}

/** The gaps whose answers are not described because the framework knows one answer a status. */
export function hiddenAnswers(operation: ApiOperation, framework: Framework): string[] {
  if (framework.alternatives) return [];
  return [...byStatus(operation, framework).values()].flatMap(([, ...others]) =>
    others.flatMap(({ gap }) => (gap === undefined ? [] : [gap])),
  );
}

/** Answers that differ, by the status that the description says. */
function byStatus({ answers }: ApiOperation, framework: Framework): Map<number, ApiAnswer[]> {
  const { statusOf = ({ status }) => status } = framework;
  const found = new Map<number, ApiAnswer[]>();
  for (const answer of answers) {
    const known = found.get(statusOf(answer)) ?? [];
    const isNew = !known.some(({ body }) => isDeepStrictEqual(body, answer.body));
    found.set(statusOf(answer), isNew ? [...known, answer] : known);
  }
  return found;
}

function join([first, ...others]: readonly Json[], { alternatives }: Framework): Json | undefined {
  if (!first || !alternatives || others.length === 0) return first;
  return { [alternatives]: [first, ...others] };
}
