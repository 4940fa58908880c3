// Which values of calls may be shown: those that a program chose from a few. Whatever a person may have typed is left out.
import { identifiedBy, isConstantWord, wordsOf } from './plain-words.ts';
import { kindOfName } from './secret-names.ts';

/** Names of what a program chooses. */
const chosen = new Set(
  'state status mode type kind action method op operation cmd command act event events channel scope visibility role level format lang language locale order sort sortby sortorder direction flag flags options option publish published draft enabled draft region plan template format encoding currency timezone platform env environment stage severity device protocol zhuangtai leixing 状态 类型 模式 动作 语言 渠道 事件'.split(
    ' ',
  ),
);

/** Names of what people write. */
const written = new Set(
  'name title text content body note notes comment comments remark memo message msg subject description desc summary author editor owner by user username nickname nick headline label caption prompt question answer query q keyword keywords search email mail phone mobile address city company tags tag alias url uri link source domain host path file filename avatar signature bio reason feedback reply biaoti neirong zhengwen mingcheng xingming nicheng beizhu zuozhe 标题 内容 名称 备注 作者'.split(
    ' ',
  ),
);

/** Whether a name is that of a choice: two calls that chose differently are two operations. */
export function isChoice(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => chosen.has(word)) && kindOfName(name) === undefined;
}

/** Whether a name is that of what people write. */
export function isWritten(name: string): boolean {
  const last = wordsOf(name).at(-1);
  return last !== undefined && written.has(last) && !/^(sort|order|group)[-_]?by$/i.test(name);
}

/** Names of what narrows or sorts a list, besides what people write. */
const narrowing = new Set(
  'status state q search filter filters sort sortby orderby order direction since until before date dates published draft drafts archived deleted unread active enabled approved online hidden zhuangtai 状态 搜索 关键词 排序'.split(
    ' ',
  ),
);

/** Whether a name is that of what narrows or sorts a list, which can be asked for without it. */
export function isFilter(name: string): boolean {
  return isWritten(name) || wordsOf(name).some((word) => narrowing.has(word));
}

/** Larger numbers may say who or how old somebody is, and where; those that are chosen from a few say less. */
const largest = { chosen: 1_000, other: 10 };

export interface ShownAt {
  /** The names down to it, `*` for items. */
  path: readonly string[];
  where: 'request' | 'answer';
  /** Whether it is what visitors of a site send, who type all that there is. */
  isVisitor: boolean;
}

/** Whether a value at a place may be shown, as far as its name and form say. */
export function isConstant(value: unknown, { path, where, isVisitor }: ShownAt): boolean {
  const names = path.filter((part) => part !== '*');
  const name = names.at(-1) ?? '';
  if (names.some((one) => kindOfName(one) === 'typed')) return false;
  if (typeof value === 'boolean' || value === '') return true;
  if (where === 'answer') return isShownInAnswer(value, name);
  if (identifiedBy(name) !== undefined) return false;
  if (isVisitor) return false;
  if (typeof value === 'number') return Math.abs(value) < (isChoice(name) ? largest.chosen : largest.other);
  // Under any other name, a single word may be what somebody typed.
  return isChosenWord(value, name);
}

function isShownInAnswer(value: unknown, name: string): boolean {
  if (name === 'code') return value === 0;
  return isChosenWord(value, name);
}

function isChosenWord(value: unknown, name: string): boolean {
  return typeof value === 'string' && isChoice(name) && isConstantWord(value);
}
