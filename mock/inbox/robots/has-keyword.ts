import type { RobotSettings } from '../../world/world.ts';

/**
 * Whether a keyword of the robot stands in the message, where it has any. In which parts of a message the products look
 * is not documented: here it is every text of it, also that of links and of mentions.
 */
export function hasKeyword({ keywords = [] }: RobotSettings, message: object): boolean {
  return (
    keywords.length === 0 || textsOf(message).some((text) => keywords.some((word) => text.includes(word)))
  );
}

/** Without recursion, since whoever sends a message decides how deep it is nested. */
function textsOf(message: object): string[] {
  const texts: string[] = [];
  const open: unknown[] = [message];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) open.push(part);
  }
  return texts;
}
