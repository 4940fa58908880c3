// The answers of the deployment's own operations: the envelope, the values where the profile has them, and what else there is.
import type { Operation } from '../../../openapi/operations.ts';
import type { Random } from '../../../openapi/random-profile.ts';
import type { ApiAnswer, ApiProperty, ApiValue } from './api-model.ts';
import type { Extras } from './extra-fields.ts';
import { fieldsOf, type Spelling } from './field-list.ts';
import { capitalize, pascal } from './naming.ts';
import { addMembers, emptyTree, putValue, type ValueTree, valueOfTree } from './value-tree.ts';
import { isTelling, knownValue } from './value-words.ts';

interface AnswerOptions {
  noun: string;
  action: string;
  retype: (role: string, value: ApiValue) => ApiValue;
  extras: Extras;
  /** What could be shown, and the profile does not say that it is. */
  unstated: readonly string[];
  spelling: Spelling;
  random: Random;
}

export function answerOf(operation: Operation, options: AnswerOptions): ApiAnswer {
  const { values, items } = operation.success.layout;
  const { noun, action, extras } = options;
  const tree = envelopeTree();
  const readable = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const give = (role: string, place: readonly string[]) =>
    retypeId(role, knownValue(role, place, readable(noun)), options);
  for (const [role, place] of Object.entries(values))
    if (role !== 'list') putValue(tree, place, { value: give(role, place), isRequired: isShown(role) });
  if (values.list) {
    const item = emptyTree();
    for (const [role, place] of Object.entries(items))
      putValue(item, place, { value: give(role, place), isRequired: isShown(role) });
    addExtras(item, items, { list: extras.item ?? '', ...options });
    const list = {
      type: 'array',
      items: valueOfTree(item, capitalize(noun)),
      words: { en: `The ${noun}s`, zh: '列表数据' },
    } as const;
    putValue(tree, values.list, { value: list, isRequired: true });
  }
  addExtras(tree, { data: ['data', ''], ...values }, { list: extras.data ?? '', ...options });
  const model = values.list ? `${pascal(noun)}Page` : modelOfData(noun, action);
  const data = tree.children.get('data') ?? emptyTree();
  putValue(tree, ['data'], { value: valueOfTree(data, model), isRequired: data.children.size > 0 });
  return { status: operation.success.status, body: valueOfTree(tree, 'ApiResponse') };
}

function modelOfData(noun: string, action: string): string {
  if (action === 'get') return `${pascal(noun)}Detail`;
  return pascal(noun) + pascal(`${action} result`);
}

/** The envelope with nothing in its data yet. */
function envelopeTree(): ValueTree {
  const tree = emptyTree();
  const put = (name: string, value: ApiValue) => putValue(tree, [name], { value, isRequired: true });
  put('code', {
    type: 'integer',
    example: 0,
    words: { en: '0 on success, otherwise a business error code', zh: '业务码，0表示成功' },
  });
  put('message', {
    type: 'string',
    example: 'success',
    words: { en: '"success", or what went wrong', zh: '提示信息' },
  });
  tree.children.set('data', emptyTree());
  put('trace_id', {
    type: 'string',
    example: '4bf92f3577b34da6',
    words: { en: 'Request trace identifier', zh: '链路追踪ID' },
  });
  return tree;
}

interface ExtraOptions extends AnswerOptions {
  list: string;
}

/** Extra members stand beside the first value; those that would be taken for a value that the profile does not state are left out. */
function addExtras(
  tree: ValueTree,
  places: Readonly<Record<string, readonly string[]>>,
  options: ExtraOptions,
): void {
  const { list, spelling, random } = options;
  const [first] = Object.entries(places).filter(([role]) => role !== 'list' && role !== 'data');
  const holder = (first?.[1] ?? places.data ?? []).slice(0, -1);
  if (holder.some((segment) => /^\d+$/.test(segment))) return;
  const members = fieldsOf(list, spelling).filter(
    (member) => random.chance(0.75) && !isMistakable(member, options),
  );
  addMembers(tree, holder, members);
}

function isMistakable({ name }: ApiProperty, { unstated }: ExtraOptions): boolean {
  return unstated.some((role) => isTelling(role, name));
}

function retypeId(role: string, value: ApiValue, { noun, retype }: AnswerOptions): ApiValue {
  return role === 'id' && noun === 'webhook' ? retype('subscriptionID', value) : value;
}

/** What is null or missing at times. */
function isShown(role: string): boolean {
  return role !== 'next' && role !== 'next_attempt_at' && role !== 'secret';
}
