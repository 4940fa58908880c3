import type { Check } from '../check.ts';
import { checks as allChecks } from '../checks/index.ts';
import { profileOf } from '../context.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { unmetBeforehand } from './needs.ts';

export function selectChecks(options: SuiteOptions): Check[] {
  const { only, skip } = options;
  const profile = profileOf(options);
  const isLeftOut = ({ isFurther, needs }: Check) =>
    isFurther === true &&
    (options.tier !== 'full' ||
      needs.some((need) => unmetBeforehand(need, { options, profile }) !== undefined));
  const names = (list: readonly string[], { id, requirement }: Check) =>
    list.includes(id) || list.includes(requirement);
  return allChecks.filter(
    (check) =>
      (check.isWanted?.(options) ?? true) &&
      !isLeftOut(check) &&
      (only.length === 0 || names(only, check)) &&
      !names(skip, check),
  );
}
