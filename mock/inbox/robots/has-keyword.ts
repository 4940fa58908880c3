import type { RobotSettings } from '../../world/entries.ts';

/**
 * Whether the message contains one of the robot's keywords, if it has any. Which parts of a message the vendors search
 * is not documented: here it is every text, including links and mentions.
 */
export function hasKeyword({ keywords = [] }: RobotSettings, message: object): boolean {
  return (
    keywords.length === 0 || textsOf(message).some((text) => keywords.some((word) => text.includes(word)))
  );
}

/** Without recursion, since the sender decides how deep a message is nested. */
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
